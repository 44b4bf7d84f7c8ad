//! Crate doc.
#![allow(x)]
use std::collections::{HashMap, hash_map::{self, Entry as E}, *};
pub use crate::a::b as c;
use super::x;
pub(crate) mod m { pub fn f() {} }
mod n;
extern crate alloc as al;
/// Doc.
#[derive(Debug, Clone)]
pub struct S<'a, T: Bound = D> where T: Other { pub x: &'a T, y: Vec<Option<u8>> }
struct Tup(pub A, B);
struct Unit;
enum En { A, B(X, Y), C { z: Z }, D = 1 }
pub trait Tr<T>: Super + Sized { type Assoc: Bo; const K: usize = 1; fn req(&self, a: T) -> Self::Assoc; fn prov(&mut self) { self.req(1); } }
impl<'a, T> Tr<T> for S<'a, T> where T: Bound { type Assoc = T; fn req(&self, a: T) -> T { Self::new(a).x } }
impl S<'_, u8> { pub const MAX: u8 = 1; pub fn new(x: u8) -> Self { Self { x, y: vec![x, y.z()] } } async fn g(self: Box<Self>) -> Result<(), Error> { self.y.iter().map(|v| v.w)?.await; Ok(()) } }
macro_rules! mac { ($a:expr) => { foo($a) }; }
static mut G: AtomicU8 = AtomicU8::new(0);
const C1: [u8; 3] = [1, 2, 3];
type Al<T> = Result<T, m::Err>;
union U { a: u8 }
extern "C" { fn ext(a: c_int, ...) -> c_int; static ES: u8; }
fn main<F: Fn(u8) -> R, const N: usize>(mut a: impl Tr, &b: &dyn Tr2, (c, d): (u8, S), S { x, y: yy, .. }: S, _: u8) -> impl Iterator<Item = u8> {
    let x: m::T = m::f(a)?; let Some(y) = opt else { return };
    if let Some(z) = q && z { } while let Ok(w) = next() {} 
    match e { En::A => 1, En::B(p, ref q) | En::C { z: q, .. } if q > 1 => {} Some(n @ 1..=5) => n, CONST => 0, _ => 2 };
    for (i, v) in it.enumerate() { a[i] += v; *b = 1; }
    let f = |p: u8, q| -> u8 { p + q }; x.f.0.g::<T>(1); <T as Tr>::req(1); S::<u8>::new(); println!("{}", a.b); let s = S { x: 1, y, ..s2 };
    unsafe { &mut G }; 'l: loop { break 'l; } let t = (1, "a", b'c', 1.0, true); x as u8; async move { x }; return x;
    let v = m::Tup(1); crate::a::b::<u8>(); self::k(); if a && b || c {}
    let g = En::C { z: 1 };
}

const ENV: &str = "ENV";

#[derive(Parser)]
#[command(about, rename = "given")]
#[routes(routes("/health" => get(health), "/tasks" => sub(tasks::Api)), tag = "Root")]
struct Given {
    #[arg(long, env = ENV, default_value_t = default_port(), parser = given::parse_port)]
    #[serde(default = "default_port", rename = "ENV", skip_serializing_if = "Option::is_none")]
    port: u16,
    #[error("{0}, {what}", option_info(.0), method = "m")]
    info: Option<String>,
    #[diesel(belongs_to(Owner))]
    owner: Owner,
}

#[instrument(skip_all, fields(id = port.id))]
fn default_port() -> u16 {
    80
}
