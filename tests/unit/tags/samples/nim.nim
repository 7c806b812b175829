## Pool. proc fake() = discard
import std/[strutils, tables], os
from json import parseJson, `%`
include common
export tables

#[ proc fake2() = discard ]#
type
  Pool*[T] = ref object of RootObj
    items*: seq[T]
    count: int
  Mode* = enum mFast, mSlow = "slow"
  Shape = object
    case kind: Mode
    of mFast: radius: float
    of mSlow: side: float
  Handler = proc (x: int): bool {.closure.}
  Id = distinct int
  Pair = tuple[a: int, b: Pool[int]]
  Comparable = concept x, y
    (x < y) is bool
  Error* = object of CatchableError

const
  Limit* = 10
  other = compute(3)
var counter {.threadvar.}: int
let
  table* = initTable[string, int]()
  (first, second) = (1, 2)

proc newPool*[T](n: int): Pool[T] =
  result = Pool[T](items: makeSeq[T](n))
  let local = 1
  proc inner(a: int): int = helper(a)
  for i in 0 ..< n: result.add(inner(i))

func size(p: Pool): int = p.items.len

method close(p: Pool) {.base, gcsafe.} =
  release p
  echo "proc fake3() = 1"
  raise newException(Error, "x")

iterator pairs2(p: Pool): int =
  yield size(p)

template withPool*(body: untyped) =
  openPool()
  body

macro gen(x: untyped): untyped = buildNode(x)

converter toInt(m: Mode): int = ord(m)

proc `+`*(a, b: Pool): Pool = merge(a, b)
proc `==`(a, b: Id): bool {.borrow.}
proc forward(x: int)
func größe(x: int): int = x.double.triple()

when isMainModule:
  let pool = newPool[int](3)
  withPool:
    run(pool)
  if pool.size > 3: quit(1)
  discard map(@[1], proc (x: int): int = twice(x))
  """
proc fake4() = discard
"""
