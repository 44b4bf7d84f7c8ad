(* let hidden = 1 (* nested *) "*)" *)
open Base
include Comparable

type 'a t = Leaf | Node of 'a t * 'a * 'a t
and ('a, 'b) pair = 'a * 'b
type nonrec alias = int
exception Not_found of string

let text = "let hidden () = 1
let hidden = 2"
let quoted = {sql|
let hidden = 3
|sql}
let c = '"'

let rec size = function
  | Leaf -> 0
  | Node (l, _, r) ->
    let n = size l in
    n + size r
and depth t = size t
let empty = Leaf
let of_list' (xs : 'a list) : 'a t = List.fold_left add Leaf xs
let compare : int -> int -> int = fun a b -> a - b
let () = print_endline "x"
let _ = size
let%test "size" = size Leaf = 0
external now : unit -> float = "now"

module Map = struct
  type key = string
  let find k m =
    let hidden = 1 in
    hidden
  module Inner = struct let x = 1 end
end
module M = Map
module type S = sig
  val run : int -> int
  val name : string
end
class counter = object (self)
  val mutable n = 0
  method incr = n <- n + 1
  method private get = n
end
let after = 1
