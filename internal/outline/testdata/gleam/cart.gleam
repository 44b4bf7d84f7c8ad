// pub fn commented() {}
import gleam/list

pub const limit = 10

pub type Item {
  Item(name: String, price: Int)
}

pub opaque type Cart {
  Cart(items: List(Item))
}

pub fn total(cart: Cart) -> Int {
  let add = fn(a, b) { a + b }
  "
pub fn written() {"
  list.fold(cart.items, 0, add)
}

fn private_one() {
  Nil
}
