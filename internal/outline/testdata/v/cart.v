// fn commented() {}
@[has_globals]
module cart

import os
import net.http as web

/* a comment /* in a comment
fn commented() {} */ */
const limit = 10
pub const names = ['fn written() {', "const written = ${limit + 1}",
	'more = 1']

const (
	small = 1 // one
	large = small +
		small
)

__global counter int
__global (
	total = 0
	other int
)

pub type Amount = f64 | int
	| Cents

type Callback = fn (a int) string

@[heap]
pub struct Cart[T] {
pub mut:
	items []T
	run   fn (x int) int = fn (x int) int {
		return x
	}
}

struct C.timeval {
	tv_sec int
}

union Bits {
	a u32
}

pub enum Colour as u8 {
	red
	green = 2
}

pub interface Shelf {
	name string
	lift(n int) !string
}

fn C.puts(&char) int

// new makes a cart.
pub fn Cart.new[T]() Cart[T] {
	return Cart[T]{}
}

@[inline]
pub fn (mut c Cart[T]) put(item T) ! {
	mut inner := fn [c] (x int) int {
		return x
	}
	if item == `'` || item == `\`` {
		c.items << item
	}
	s := 'text over
lines fn written() {'
}

fn (a Amount) == (b Amount) bool {
	return true
}

$if windows {
	fn only_windows() {}
}

fn main() {
	println(r'raw \n')
}
