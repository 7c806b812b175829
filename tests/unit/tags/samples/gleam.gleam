//// Orders of a small shop.
import gleam/io
import gleam/list.{map, type List as L}
import shop/db as store

/// pub fn fake() {}
pub type Order {
  Order(id: Int, items: List(Item))
  Draft(name: String)
  Empty
}

pub opaque type Token(a) {
  Token(value: a)
}

type Pair(a, b) =
  #(a, b)

pub type Id =
  Int

@internal
pub type Handle

pub const limit: Int = 10

const name = "fn fake() {}"

@external(erlang, "lists", "reverse")
pub fn reverse(items: List(a)) -> List(a)

@deprecated("use total")
pub fn total(order: Order, with tax: Float) -> Float {
  let inner = fn(x) { price_of(x) }
  order.items
  |> list.map(inner)
  |> sum
  |> store.round(tax)
}

fn helper(x) {
  case x {
    Order(id: i, ..) -> lookup(i)
    Draft(_) -> panic as "no"
    Empty -> {
      use item <- result.try(fetch(1))
      io.println(describe(item))
      todo
    }
  }
}

pub fn main() {
  let order = Order(id: 1, items: [])
  let update = Order(..order, id: 2)
  assert_ok(total(order, limit))
  shop.Token(1)
}
