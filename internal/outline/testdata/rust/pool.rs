//! fn not_this() {}
/* struct Nope; /* nested */ fn nope() {} */
use std::fmt;

mod declared;
pub mod inner {
    pub(crate) fn helper<'a>(s: &'a str) -> &'a str { s }
}

pub const LIMIT: usize = 10;
static mut COUNTER: u32 = 0;
const _: () = ();

/// A pool.
#[derive(Debug, Clone)]
pub struct Pool<T: Send> {
    items: Vec<T>,
}

pub struct Unit;
pub(crate) enum Mode { Read, Write }
union Bits { a: u32, b: f32 }
pub type Result<T> = std::result::Result<T, Error>;

pub trait Source {
    type Item;
    const SIZE: usize;
    fn next(&mut self) -> Option<Self::Item>;
    fn all(&mut self) -> Vec<Self::Item> { vec![] }
}

impl<T> Source for Pool<T>
where
    T: Send,
{
    type Item = T;
    const SIZE: usize = 3;

    fn next(&mut self) -> Option<T> {
        let c = '{';
        let s = r#"fn fake() { ""#;
        fn nested() {}
        self.items.pop()
    }
}

#[inline] pub async unsafe fn poll() {}
pub extern "C" fn c_entry(x: i32) -> i32 { x }
const fn square(x: u32) -> u32 { x * x }

#[macro_export]
macro_rules! pool {
    ($name:ident) => { fn $name() {} };
}

extern "C" {
    fn malloc(n: usize) -> *mut u8;
}
