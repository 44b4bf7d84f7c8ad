(* Theorem commented : True. (* nested *) *)
Require Import List.

Module Trees.

Inductive tree (A : Type) : Type :=
| Leaf
| Node (l r : tree A).

Record point := { x : nat }.

Fixpoint size {A} (t : tree A) : nat :=
  match t with
  | Leaf _ => 0
  | Node _ l r => size l + size r
  end.

Local Definition limit' := 10.

#[global] Program Definition most := 20.

Theorem size_leaf : forall A, size (Leaf A) = 0.
Proof.
  idtac "Lemma written".
  reflexivity.
Qed.

Ltac crush := auto.

End Trees.
