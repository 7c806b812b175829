use std::fmt::{self, Display as Show};
use crate::lexer::*;
extern crate serde;

/// A macro.
#[macro_export]
macro_rules! token { ($n:ident) => { pub struct $n(u32); }; }

token!(Ident);

#[derive(Debug, Clone)]
#[serde(rename_all = "x")]
pub struct Span<'a, const N: usize> { text: &'a str, cells: [Cell; N] }
pub struct Unit;

#[cfg(test)]
mod tests {
    #[test]
    fn works() { assert_eq!(super::run(1), Kind::Word(make())); }
}

pub enum Kind { Word(String), Node { left: Link }, End }
pub union Bits { i: u32, f: f32 }
pub static TABLE: [u8; 2] = [1, 2];
const LIMIT: usize = TABLE.len();
pub type Tokens = Vec<Kind>;

pub trait Scan: Base {
    type Out;
    const DEPTH: u8;
    fn next(&mut self) -> Option<Self::Out>;
    fn skip(&mut self) { self.next(); }
}

impl<'a, T: Source, const N: usize> Scan for Span<'a, N> where T: Other {
    type Out = Kind;
    #[inline]
    fn next(&mut self) -> Option<Kind> { step(self.text).map(Kind::Word) }
}

impl Unit {
    pub async fn read<R>(&self, src: R) -> usize { src.poll::<u8>().await; fmt::format::<R>(src) }
}

extern "C" { fn c_scan(p: *const u8) -> i32; }

fn step(s: &str) -> Option<Tokens> {
    fn inner(s: &str) -> &str { s.trim() }
    let r#type = inner(s);
    write!(f, "{}", deep(Helper::new(r#type))).ok();
    Some(Span { text: s, cells: [] })
}
