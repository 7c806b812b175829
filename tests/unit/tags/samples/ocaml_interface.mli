(** Interface. val fake : int *)
open Base
type 'a t
type color = Red | Green of int
and point = { x : int; y : int }
exception Empty of string
val push : 'a -> 'a t -> 'a t
val ( |+ ) : int -> int -> int
external hash : string -> int = "caml_hash"
module type S = sig
  type elt
  val compare : elt -> elt -> int
end
module Make (O : Ord) : S with type elt = O.t
module Sub : sig
  val size : Color.t -> int
end
module Alias = Base.Map
include Comparable.S with type t := t
class type printer = object
  method print : string -> unit
end
class counter : int -> object
  inherit base
  val mutable n : int
  method incr : unit
end
val größe : int
