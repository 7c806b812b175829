"""
class Fake
"""
use "collections"
use json = "json"
use @printf[I32](fmt: Pointer[U8] tag, ...)
use "lib:foo" if linux

type Id is U64
type Shape is (Circle | Square)
interface HasName
  fun name(): String
  fun greet(): String => "hi " + describe(name())
trait val Priced is (HasName & Comparable[Priced])
  fun price(qty: U32 = 1): U32
primitive Red fun apply(): U32 => 0xFF
struct Pair
  var a: U32 = 0
class ref Cart[A: Any val] is Priced
  """Doc. fun fake2()"""
  let items: Array[Item] = Array[Item]
  var total: U32 = 0
  embed inner: Inner = Inner
  new create(env: Env, limit: U32) => setup(limit)
  new iso from_json(s: String)? => parse(s)?
  fun ref add(item: Item): Cart =>
    let local = item.price()
    items.push(item)
    for i in items.values() do i.touch() end
    match item | let s: Special => s.run() end
    let lam = {(x: U32): U32 => double(x) }
    Helper.work[U32](local)
    this
  fun box size(): USize => items.size()
  be ignored() => None
actor Main
  let _env: Env
  new create(env: Env) =>
    _env = env
    env.out.print("class Fake3")
    Worker(env).start()
  be apply(n: U32) => stop(n)
class \nodoc\ _Private
