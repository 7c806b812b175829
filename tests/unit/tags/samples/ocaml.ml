(* Queue (* nested: let fake = 1 *) *)
open Printf
open! Base.List
include Comparable.Make (Key)

module type S = sig
  type 'a t
  val push : 'a -> 'a t -> 'a t
  exception Full
  module Inner : Ord
end

exception Empty of string
exception Alias = Not_found

type color = Red | Green of int | Blue of { depth : int }
and 'a node = { value : 'a; mutable next : 'a node option }
type shape = [ `Circle of float | `Square ]
type t = ..
type t += Extra of int
type _ gadt = Int : int -> int gadt

module Make (O : Ord) (P : Printer.S) : S with type t = O.t = struct
  type 'a t = 'a list
  let push x q = insert_sorted x q
  let limit = 10
end
module Q = Make (String) (P)
module rec Odd : ODD = struct let f x = Even.g x end
and Even : EVEN = struct let g x = Odd.f x end
module Alias = Base.Map

let rec even n = n = 0 || odd (n - 1)
and odd n = n <> 0 && even (n - 1)

let ( |+ ) a b = combine a b
let ( let* ) m f = bind m f
let size = function [] -> 0 | _ :: tl -> 1 + count tl
let default_limit = 10
let first, second = split pair
let { value; next } = node
let add : int -> int -> int = fun a b -> plus a b
let apply ~label ?(opt = 1) ?other () = label |> List.map succ @@ opt
let _ = ignore_me ()
let () = printf "%d" (size (Q.push "x" []))
let größe_x' = 1
let x = if check 1 then raise (Empty "let fake2 x = 1") else `Circle 2.
let inline y =
  let local = y + 1 in
  let helper z = z * local in
  try run (helper local) with Not_found | Empty _ -> fallback ()

external hash : string -> int = "caml_hash" [@@noalloc]

class type printer = object method print : string end
class virtual counter init = object (self)
  inherit base init as super
  inherit Shop.logger
  val mutable n = init
  val virtual m : int
  method incr = n <- bump n; self#report
  method private report : unit = print_int n
  method virtual draw : unit
  initializer register self
end
class other = counter
let c = new counter 3
let d = new Shop.cart
let r = { value = 1; next = None }
let deriv x = x [@@deriving show]
type rec_t = { a : int } [@@deriving show, eq]
let%test "name" = check_equal 1 1
let v = [%sexp (x : int)]
