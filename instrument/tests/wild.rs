//! Constructs of crates from outside, which the attribute once made into errors: each compiles, and
//! behaves as without it.

#![forbid(unsafe_code)]
#![allow(
    clippy::all,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    dead_code,
    missing_debug_implementations,
    missing_docs,
    unexpected_cfgs,
    unreachable_pub,
    unused_must_use,
    reason = "the code is as others write it"
)]

use std::collections::{BTreeSet, HashMap};
use std::ops::Not;
use std::str::FromStr;

use wallace_instrument::Recorder;

/// The items twice: as they are, and white-box.
macro_rules! twice {
    ($($items:tt)*) => {
        mod plain {
            use super::*;
            $($items)*
        }
        #[wallace_instrument::white_box]
        mod instrumented {
            use super::*;
            $($items)*
        }
    };
}

/// A value with a negation of its own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flags(u8);

impl Not for Flags {
    type Output = Flags;
    fn not(self) -> Flags {
        Flags(!self.0)
    }
}

/// A type whose negation is a truth value.
#[derive(Clone, Copy)]
pub struct Opposite(bool);

impl Not for Opposite {
    type Output = bool;
    fn not(self) -> bool {
        !self.0
    }
}

pub struct Source {
    a: u8,
}

impl Source {
    fn find(&self) -> Option<u8> {
        (self.a > 0).then_some(self.a)
    }
    fn new(a: u8) -> Self {
        Self { a }
    }
    fn field(&self) -> &u8 {
        &self.a
    }
    fn is_empty(&self) -> bool {
        self.a == 0
    }
}

/// Is read from texts that it takes.
#[derive(Debug, PartialEq)]
pub struct Name(String);

impl Name {
    fn from_str(text: String) -> Option<Self> {
        (!text.is_empty()).then_some(Self(text))
    }
    fn parse<T: FromStr>(text: String, other: String) -> Result<T, T::Err> {
        format!("{text}{other}").parse()
    }
}

/// A row whose cells have the type that is asked for.
pub struct Row(i64);

impl Row {
    fn get<T: TryFrom<i64> + Default>(&self, _: &str) -> T {
        T::try_from(self.0).unwrap_or_default()
    }
    fn parse<T: TryFrom<i64> + Default>(&self) -> T {
        self.get("")
    }
}

#[derive(Debug, PartialEq)]
pub struct Cells {
    id: u16,
    size: Option<i32>,
}

/// A value without a distance.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Item(u8);

/// Its fields may not be borrowed.
#[repr(packed)]
#[derive(Clone, Copy)]
pub struct Packed {
    a: u8,
    b: u32,
}

impl Packed {
    fn new(a: u8) -> Self {
        Self { a, b: a.into() }
    }
}

/// A key that is not there at once.
async fn key() -> String {
    "a".to_owned()
}

fn sent<F: Future + Send>(future: F) -> F {
    future
}

twice! {
    // The type of what is read follows from where it goes.
    pub fn cells(row: &Row) -> Cells {
        let id: u16 = row.get("id");
        Cells { id: id ^ row.parse::<u16>(), size: Some(row.get("size")) }
    }
    // A future that waits within a look-up goes to other threads.
    pub fn awaited(map: HashMap<String, u8>) -> Option<u8> {
        let future = sent(async move {
            let found = map.get(&key().await).copied();
            match map.contains_key(&key().await) {
                true => found,
                false => None,
            }
        });
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
    }

    // What a collection holds follows from later code.
    pub fn unique(items: Vec<Item>) -> Vec<Item> {
        let mut seen = BTreeSet::new();
        let mut numbers = HashMap::new();
        let mut unique = Vec::new();
        for item in items {
            if !seen.contains(&item) && numbers.get(&item).is_none() {
                unique.push(item.clone());
                numbers.insert(item.clone(), 1);
                seen.insert(item);
            }
        }
        unique
    }
    // A closure lets out what `self` and other references refer to.
    pub fn let_out(a: u8) -> Vec<Option<u8>> {
        fn inside<'a>(all: &'a [u8], it: &'a Source) -> impl Iterator<Item = Option<&'a u8>> {
            let numbers = (0..3).map(|index| all.get(index));
            numbers.chain(all.iter().filter(|_| all.contains(&1) && it.is_empty()).map(Some))
        }
        inside(&[a, 1], &Source { a }).map(|it| it.copied()).collect()
    }

    // A key is given away by whoever looks it up.
    pub fn given(text: &str, a: usize) -> (Option<&str>, Option<u8>) {
        let (range, other) = (a..text.len().min(3), 0..a);
        let (part, bytes) = (text.get(range), text.as_bytes());
        (part, bytes.get(other).and_then(|bytes| bytes.first().copied()))
    }
    // Fields of packed structs are compared and matched.
    #[wallace_instrument::white_box(copied)]
    pub fn packed(it: Packed) -> u8 {
        let kind = match it.b { 0 => 0, 1..=3 => 1, _ => 2 };
        if it.b < 3 && it.a != 1 || (it.b) == 5 { kind + 10 } else { kind }
    }

    // The right operand is converted to what the left one is compared with.
    pub fn converted(text: &str, it: char) -> (bool, bool, bool) {
        let (mut buffer, mut more) = ([0; 4], [0; 4]);
        let (first, number) = (text.get(..1), text.len());
        let is_first = first == Some(it.encode_utf8(&mut buffer));
        let is_less = (number, first) < (1, Some(it.encode_utf8(&mut more)));
        (is_first, is_less, text.as_bytes() == [it as u8] || [it] != ['b'])
    }

    // What is not in this build stands last.
    pub fn conditional(a: u8) -> u8 {
        let mut b = if a > 2 {
            #[cfg(not(never))]
            {
                a + 1
            }
            #[cfg(never)]
            unreachable!()
        } else {
            #[cfg(not(never))]
            { a }
            #[cfg(never)]
            a.0
        };
        b += 1;
        b
    }

    // What is generated may stand where a statement begins.
    pub fn block_first(a: Option<u8>, b: bool) -> bool {
        let mut seen = 0;
        if b { matches!(a, Some(3)) && { seen += 1; b }; }
        matches!(a, Some(1..=4)) || seen > 0
    }
    pub fn block_and(a: u8, b: bool) -> bool {
        matches!(a, 1 | 2) & b
    }
    pub fn block_compared(a: u8, b: bool) -> bool {
        matches!(a, 1 | 2) == b
    }

    // A negation is applied to other things than `bool`.
    pub fn negated_reference(a: &bool) -> u8 {
        if !a { 1 } else { 2 }
    }
    pub fn negated_borrow(a: &[u8], b: &u8) -> bool {
        !&a.contains(b) && !!!&a.is_empty()
    }
    pub fn negated_own(a: Flags, b: Opposite) -> u8 {
        let c = !a;
        if !b && !(c == a) { (!!c).0 } else { (!a).0 }
    }
    pub fn negated_closure(all: &[bool]) -> usize {
        all.iter().filter(|it| !**it).count() + all.iter().filter(|&it| !it || *it).count()
    }

    // Literals of structs stand in scrutinees.
    pub fn literal_tried(a: u8) -> Option<u8> {
        let found = Source { a }.find()?;
        Some(found + Source { a: 1 }.find()?)
    }
    pub fn literal_else(a: u8) -> u8 {
        let Some(3) = Source { a }.find() else { return 0 };
        1
    }
    pub fn literal_matched(a: u8) -> bool {
        matches!(Source { a }.find(), Some(3)) || Source { a } .find() == Some(4)
    }
    pub fn borrowed_else(a: u8) -> u8 {
        let found @ &(3..=9) = &Source::new(a).a else { return 0 };
        let Some(more @ 1..=9) = Some(*Source::new(*found).field()) else { return 1 };
        *found + more
    }

    // A text is given away by whoever reads it.
    pub fn moved(text: String, other: String) -> (Option<Name>, Option<Name>) {
        let name = Name::from_str(text);
        (name, Name::from_str(other))
    }
    pub fn moved_twice(text: String, other: String) -> Result<u64, std::num::ParseIntError> {
        let number = Name::parse::<u64>(text, other)?;
        Ok(number + u64::from_str("1")?)
    }
}

macro_rules! same {
    ($($function:ident($($argument:expr),*);)*) => {$(
        let (plain, instrumented) = (plain::$function($($argument),*), instrumented::$function($($argument),*));
        assert_eq!(plain, instrumented, stringify!($function($($argument),*)));
    )*};
}

#[test]
fn code_of_others_behaves_as_it_is_written() {
    let recorder = Recorder::new(&["wild"]);
    let text = |text: &str| text.to_owned();
    recorder.run(|| {
        for a in 0..6 {
            for b in [false, true] {
                same! {
                    block_first((a > 0).then_some(a), b);
                    block_and(a, b);
                    block_compared(a, b);
                    negated_reference(&b);
                    negated_borrow(&[1, 2], &a);
                    negated_own(Flags(a), Opposite(b));
                    negated_closure(&[b, true]);
                    literal_tried(a);
                    literal_else(a);
                    literal_matched(a);
                    borrowed_else(a);
                    cells(&Row(i64::from(a)));
                    conditional(a);
                    let_out(a);
                    given("abcd", a.into());
                    converted("abc", char::from(b'a' + a));
                    unique([a, 1, a, 2].map(Item).into());
                    packed(Packed::new(a));
                    awaited([("a".to_owned(), a)].into());
                    moved(text("a"), text(""));
                    moved_twice(text("1"), text("2"));
                    moved_twice(text("x"), text("2"));
                }
            }
        }
    });
    let read = recorder.recorded().targets;
    assert!(read.iter().any(|target| target.name.starts_with("MethodReplacement_at_wild")));
}
