/- theorem commented : True
/- nested -/ -/
namespace Batteries

structure Point where
  x : Nat
  deriving Repr

inductive Tree (α : Type) where
  | leaf
  | node (l r : Tree α)

class Monoid (α : Type) where
  one : α

@[simp] theorem Tree.size_leaf : 1 = 1 := rfl

private def Point.norm' (p : Point) : Nat :=
  let s := "def written"
  p.x -- lemma ignored

protected theorem add_comm' (a b : Nat) : a + b = b + a := by
  omega

@[inline, simp] protected def Point.swap (p : Point) : Point := p

@[simp]
theorem Point.swap_swap : 1 = 1 := rfl

abbrev Pos := Nat

instance : Monoid Nat where
  one := 1

end Batteries
