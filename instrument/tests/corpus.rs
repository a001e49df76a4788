//! Tricky functions, compiled with and without the attribute, must behave the same.
//!
//! Each case gets the same generated inputs in both versions. What it returns is compared, and so
//! is the order in which its temporaries are dropped. That the corpus compiles under the lints
//! of this workspace (`forbid(unsafe_code)`) is a test as well.

#![forbid(unsafe_code)]
#![allow(
    clippy::all,
    clippy::match_wildcard_for_single_variants,
    clippy::needless_pass_by_value,
    clippy::unwrap_used,
    dead_code,
    invalid_nan_comparisons,
    unused_braces,
    unused_parens,
    reason = "the corpus is odd on purpose"
)]

use std::cell::RefCell;

thread_local! {
    static EVENTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Notes something that happened.
fn event(text: impl Into<String>) {
    EVENTS.with_borrow_mut(|events| events.push(text.into()));
}

/// A temporary whose end is noted.
#[derive(Debug, PartialEq, PartialOrd)]
struct Noisy(i64);

impl Noisy {
    fn value(&self) -> &i64 {
        &self.0
    }
    fn is_empty(&self) -> bool {
        event(format!("is_empty {}", self.0));
        self.0 % 2 == 0
    }
    fn contains(self, other: &Noisy) -> bool {
        event(format!("contains {} {}", self.0, other.0));
        self.0 > other.0
    }
}

impl Drop for Noisy {
    fn drop(&mut self) {
        event(format!("drop {}", self.0));
    }
}

/// What a case is run on.
#[derive(Debug, Clone)]
struct Input {
    a: i64,
    b: i64,
    s: String,
    t: String,
    x: f64,
    o: Option<i64>,
}

/// A parser whose methods change it and have the names of predicates.
#[derive(Debug)]
struct Scanner {
    text: Vec<char>,
    position: usize,
}

impl Scanner {
    fn new(text: &str) -> Self {
        Self { text: text.chars().collect(), position: 0 }
    }
    fn advance(&mut self) -> usize {
        self.position += 1;
        self.position
    }
    fn starts_with(&mut self, wanted: char) -> bool {
        let found = self.text.get(self.position) == Some(&wanted);
        self.position += usize::from(found);
        found
    }
    fn parse(&mut self) -> Result<&mut Self, String> {
        self.position = 0;
        if self.text.is_empty() { Err(String::from("empty")) } else { Ok(self) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Colour {
    Red,
    Green(i32),
}

macro_rules! twice {
    ($($code:tt)*) => {
        mod plain { use super::*; $($code)* }
        #[wallace_instrument::white_box]
        mod marked { use super::*; $($code)* }
    };
}

twice! {
    pub(crate) type Case = (&'static str, fn(&Input) -> String);

    pub(crate) const CASES: &[Case] = &[
        ("operators", operators), ("short_circuit", short_circuit), ("chains", chains),
        ("temporaries", temporaries), ("drops", drops), ("held", held), ("matches", matching),
        ("literals", literals), ("tuples", tuples), ("loops", loops), ("let_else", let_else),
        ("closures", closures), ("generic", generic_case), ("constants", constants),
        ("methods", methods), ("own_methods", own_methods), ("questions", questions),
        ("asynchronous", asynchronous), ("nested", nested), ("values", values),
        ("guards", guards), ("inference", inference), ("labels", labels), ("traits", traits),
        ("mutation", mutation), ("extended", extended), ("parsing", parsing), ("macros", macros),
        ("numbers", numbers), ("shadowing", shadowing), ("borrowing", borrowing), ("traced", traced),
        ("splitting", splitting), ("look_ups", look_ups), ("readings", readings), ("tries", tries),
        ("patterns", patterns), ("consuming", consuming),
    ];

    fn operators(i: &Input) -> String {
        let mut out = Vec::new();
        if i.a == i.b { out.push("eq"); } else if i.a < i.b { out.push("lt") } else { out.push("gt"); }
        if i.a != 5 { out.push("ne5") }
        if i.x >= 1.5 { out.push("x") }
        if i.s == "abc" { out.push("abc") } else if i.s.as_str() > i.t.as_str() { out.push("s>t") }
        if i.s != i.t { out.push("s!=t") }
        if i.o == Some(3) { out.push("some3") } else if i.o == None { out.push("none") }
        if &i.s == &i.t { out.push("refs") }
        if i.s.as_bytes() == b"abc" { out.push("bytes") }
        if i.s.chars().next() == Some('a') { out.push("char") }
        let b = i.a > 3 && i.b > 3;
        let c = (i.a > 3) as u8 + (i.b > 3) as u8;
        format!("{out:?} {b} {c} {}", !(i.a <= 0) & (i.b >= 0) ^ (i.a == 1))
    }

    fn short_circuit(i: &Input) -> String {
        fn noted(text: &str, value: bool) -> bool { event(text); value }
        let mut out = 0;
        if noted("p", i.a > 0) && noted("q", i.b > 0) || !noted("r", i.a == i.b) { out += 1; }
        if !(noted("s", i.a > 0) || noted("t", i.b > 0)) { out += 2; }
        let v = noted("u", i.a > 1) || noted("v", i.b > 1) && !noted("w", i.x > 0.0);
        if (((v))) { out += 4 }
        if true && v { out += 8 }
        if cfg!(debug_assertions) || v { out += 0 }
        format!("{out}")
    }

    fn chains(i: &Input) -> String {
        let mut out = String::new();
        if let Some(x) = i.o && x > 3 { out += "big " } else { out += "none " }
        if i.a > 0 && let Some(x) = i.o && x == i.a && let Ok(y) = i.s.parse::<i64>() {
            out += &format!("all {x} {y} ");
        } else if let Some(x) = i.o {
            out += &format!("some {x} ");
        } else if i.b > 0 && let [first, .., last] = i.s.as_bytes() && first < last {
            out += "ends ";
        }
        let v = if let Some(n @ 1..=9) = i.o && n != i.b { n } else { -1 };
        if let Some(x) = i.o { out += &x.to_string() }
        if let (Some(x), true) = (i.o, i.a > i.b) { out += &x.to_string(); } else { out += "!"; }
        format!("{out}{v}")
    }

    fn temporaries(i: &Input) -> String {
        let lock = std::sync::Mutex::new(vec![i.a, i.b]);
        let mut out = 0;
        if lock.lock().unwrap()[0] == 3 { lock.lock().unwrap().push(1); }
        if lock.lock().unwrap().is_empty() || *lock.lock().unwrap().last().unwrap() > 0 {
            lock.lock().unwrap().push(2);
        }
        while lock.lock().unwrap().len() < 5 { lock.lock().unwrap().push(out); out += 1; }
        while let Some(x) = { let last = lock.lock().unwrap().pop(); last } {
            if x > 1 && lock.lock().unwrap().len() > 1 { out += x; }
        }
        let cell = RefCell::new(i.s.clone());
        if cell.borrow().starts_with("a") { cell.borrow_mut().push('x'); }
        if cell.borrow().trim().contains(&*format!("{}", i.a)) { cell.borrow_mut().push('y'); }
        let flag = cell.borrow().len() > 3 && cell.borrow_mut().is_empty();
        format!("{out} {} {flag}", cell.into_inner())
    }

    fn drops(i: &Input) -> String {
        if Noisy(1) == Noisy(i.a) { event("then"); } else { event("else"); }
        if *Noisy(2).value() < *Noisy(i.b).value() && Noisy(3).is_empty() { event("both"); }
        let v = Noisy(4) > Noisy(i.a) || Noisy(5).contains(&Noisy(i.b));
        event("after");
        if let Some(x) = Some(Noisy(6)).as_ref() { event(format!("x {}", x.0)); } else { event("no"); }
        if let 1 = *Noisy(i.a).value() { event("one"); } else { event("other"); }
        match *Noisy(7).value() + i.a { 8 => event("eight"), 9..=12 => event("more"), _ => event("rest") }
        match Noisy(i.b).value() { &x if x == *Noisy(8).value() => event("is"), _ => event("not") }
        while *Noisy(9).value() < i.a && Noisy(10).is_empty() { event("body"); break; }
        let t = (*Noisy(11).value() == i.a, Noisy(12) == Noisy(13), Noisy(14));
        event("end");
        format!("{v} {} {}", t.0, t.1)
    }

    fn held(i: &Input) -> String {
        let mut scanner = Scanner::new(&i.s);
        let mut out = Vec::new();
        if scanner.position == scanner.advance() { out.push(1) }
        if scanner.position < scanner.advance() { out.push(2) }
        let mut n = i.a;
        if n == { n += 1; n - 1 } { out.push(3) }
        let numbers = [i.a, i.b];
        if numbers[0] == numbers.iter().sum::<i64>() { out.push(4) }
        let name = i.s.clone();
        if name == i.t.to_lowercase() { out.push(5) }
        if name != String::from("a") + &i.t { out.push(6) }
        if scanner.starts_with('a') && !scanner.starts_with('b') { out.push(7) }
        if scanner.parse().is_ok() { out.push(8) }
        format!("{out:?} {} {name}", scanner.position)
    }

    fn matching(i: &Input) -> String {
        let one = match i.a { 0 => "zero", 1 | 2 => "few", 3..=9 => "some", i64::MIN..0 => "minus", _ => "many" };
        let two = match i.s.as_str() { "" => 0, "abc" | "abd" => 1, x if x.len() > 3 => 2, _ => 3 };
        let three = match i.s.chars().next() { Some('a'..='f') => 'x', Some(c) if c == 'z' => c, Some(_) => 'y', None => '-' };
        let four = match (i.a > i.b, i.o) { (true, Some(n @ 1..)) => n, (true, _) => -1, (false, None) => -2, (false, Some(x)) => x };
        let five = match i.o { Some(x) => x, None => return format!("early {one} {two} {three} {four}") };
        let six = match &i.t { t if t.is_empty() => 1, t if t == "b" => 2, _ => 3 };
        match () { () => {} }
        let seven = match i.x { ..0.0 => 1, 0.0..=1.0 => 2, x if x.is_nan() => 3, _ => 4 };
        format!("{one} {two} {three} {four} {five} {six} {seven}")
    }

    fn literals(i: &Input) -> String {
        let lower = match i.s.to_lowercase().trim() { "mon" => 1, "tue" => 2, other => other.len() };
        let owned: &str = match i.s.clone() { s if s == "q" => "q", s if s.starts_with('a') => "a", _ => "-" };
        let moved = match (i.s.clone(), i.t.clone()) { (s, t) if s < t => s, (_, t) => t };
        let byte = match i.s.as_bytes() { [] => 0, [b'a', ..] => 1, [.., b'z'] => 2, _ => 3 };
        let number = match u8::try_from(i.a) { Ok(0) => 0, Ok(n @ 1..=127) => n, Ok(n) => n / 2, Err(_) => 1 };
        let text: String = match &i.t[..] { "x" => "y".into(), t => t.to_uppercase() };
        format!("{lower} {owned} {moved} {byte} {number} {text}")
    }

    fn tuples(i: &Input) -> String {
        let fizz = match (i.a % 3, i.b % 5) { (0, 0) => "fizzbuzz", (0, _) => "fizz", (_, 0) => "buzz", _ => "-" };
        let pair = (i.a, i.s.as_str());
        let two = match pair { (1, "a") => 1, (2..=5, _) => 2, (_, "b" | "c") => 3, _ => 4 };
        let mut counts = (i.a, 0);
        match (&mut counts, i.b) { ((x, _), 1) => *x += 1, ((_, y), _) => *y -= 1 }
        format!("{fizz} {two} {counts:?}")
    }

    fn loops(i: &Input) -> String {
        let mut n = i.a.rem_euclid(7);
        let mut out = Vec::new();
        while n > 0 { if n == 3 { n -= 2; continue } n -= 1; out.push(n); }
        let mut stack = vec![1, 2, i.b];
        while let Some(top) = stack.pop() { if top > 2 { break } out.push(top); }
        while let Some(&top) = stack.last() && top != 1 { stack.pop(); }
        let found = loop { n += 1; if n > 5 || n == i.a { break n } };
        for k in 0..3 { if k == 1 { continue } if k as i64 == i.b { break } out.push(k as i64) }
        let mut iterator = i.s.chars().peekable();
        while let Some(c) = iterator.peek() && c.is_alphabetic() { iterator.next(); }
        format!("{out:?} {found} {stack:?} {:?}", iterator.collect::<String>())
    }

    fn let_else(i: &Input) -> String {
        let Some(x) = i.o else { return format!("none {}", i.a == 0) };
        let Ok(n) = i.s.parse::<u8>() else {
            let why = if i.s.is_empty() { "empty" } else { "text" };
            return format!("{x} {why}");
        };
        let (Some(first), _) = (i.t.chars().next(), 1) else { return String::from("first") };
        format!("{x} {n} {first}")
    }

    fn closures(i: &Input) -> String {
        let list = [i.a, i.b, 3, 7];
        let big = list.iter().filter(|&&x| x > 3 && x != i.b).count();
        let all = list.iter().all(|x| *x >= 0) || list.iter().any(|x| x == &i.a);
        let words = [i.s.as_str(), i.t.as_str(), "abc"];
        let starting = words.iter().filter(|w| w.starts_with("a")).count();
        let found = words.iter().position(|w| w.eq_ignore_ascii_case("ABC"));
        let split = i.s.split(|c: char| c == ' ' || c.is_ascii_digit()).count();
        let trimmed = i.s.starts_with(|c: char| c.is_ascii_uppercase());
        let mut calls = 0;
        let mut count = |flag: bool| { if flag { calls += 1; } calls > 1 };
        let twice = count(i.a > 0) | count(i.b > 0);
        let sorted = { let mut l = list.to_vec(); l.sort_by(|p, q| if p < q { q.cmp(p) } else { q.cmp(p) }); l };
        format!("{big} {all} {starting} {found:?} {split} {trimmed} {twice} {calls} {sorted:?}")
    }

    fn larger<T: PartialOrd + Copy>(p: T, q: T) -> T { if p > q { p } else { q } }
    fn same<T: ?Sized + PartialEq<U>, U: ?Sized>(p: &T, q: &U) -> bool { p == q }
    fn shown<T>(p: T, q: impl PartialEq<T> + std::fmt::Debug) -> bool { q == p }
    fn longest<'a>(p: &'a str, q: &'a str) -> &'a str { if p.len() >= q.len() { p } else { q } }

    fn generic_case(i: &Input) -> String {
        let colours = [Colour::Red, Colour::Green(i.a as i32)];
        let odd = if colours[0] == colours[1] { 1 } else if colours[1] > Colour::Green(3) { 2 } else { 3 };
        format!("{} {} {} {} {} {odd}", larger(i.a, i.b), larger(i.x, 0.5), same(&i.s, "abc"), shown(3, i.a), longest(&i.s, &i.t))
    }

    const fn limit(n: i64) -> i64 { if n > 3 { 3 } else { n } }
    const LIMIT: i64 = limit(5);
    static TABLE: [bool; 3] = [1 > 2, 2 > 1, LIMIT == 3];
    fn constants(i: &Input) -> String {
        const SIZE: usize = if LIMIT == 3 { 4 } else { 5 };
        let zeros = [i.a > 0; SIZE];
        let array: [u8; { if SIZE > 3 { 2 } else { 1 } }] = [0; 2];
        let c = const { if SIZE > 3 { 1 } else { 2 } };
        let named = match i.a { LIMIT => "limit", i64::MAX => "max", _ => "-" };
        format!("{zeros:?} {array:?} {c} {named} {TABLE:?} {}", i.a == LIMIT)
    }

    fn methods(i: &Input) -> String {
        let mut out = Vec::new();
        if i.s.starts_with("ab") { out.push(1) }
        if i.s.ends_with('c') { out.push(2) }
        if i.s.trim().to_lowercase().contains(&i.t) { out.push(3) }
        if !i.s.is_empty() && i.t.is_empty() { out.push(4) }
        if i.s.eq_ignore_ascii_case(&i.t) { out.push(5) }
        if i.o.is_some() && i.o.is_some_and(|x| x > 2) { out.push(6) }
        if (1..=5).contains(&i.a) || (0..i.b).contains(&3) { out.push(7) }
        if vec![i.a, 1].contains(&i.b) { out.push(8) }
        if i.s.contains(['x', 'y']) || i.s.contains(char::is_numeric) { out.push(9) }
        if "abc".contains(i.s.as_str()) { out.push(10) }
        if format!("{}!", i.s).ends_with(&format!("{}!", i.t)) { out.push(11) }
        let set: std::collections::BTreeSet<&str> = ["abc", "b"].into_iter().collect();
        if set.contains(i.s.as_str()) { out.push(12) }
        let b = i.s.is_empty();
        let e = i.s.chars().rev().collect::<String>().starts_with(i.t.as_str());
        format!("{out:?} {b} {e}")
    }

    fn own_methods(i: &Input) -> String {
        let noisy = Noisy(i.a);
        let empty = noisy.is_empty();
        let moved = noisy.contains(&Noisy(i.b));
        let made = if Noisy(i.b).contains(&Noisy(1)) { 1 } else { 2 };
        struct Odd(Vec<i64>);
        impl Odd {
            fn is_empty(&mut self) -> Option<i64> { self.0.pop() }
            fn contains<'s>(&'s self, n: usize) -> &'s [i64] { if n > 1 { &self.0[..1] } else { &self.0 } }
        }
        let mut odd = Odd(vec![i.a, i.b, 1]);
        let popped = odd.is_empty();
        let part = odd.contains(i.a.unsigned_abs() as usize);
        format!("{empty} {moved} {made} {popped:?} {part:?}")
    }

    fn parsed(s: &str, t: &str) -> Result<i64, std::num::ParseIntError> {
        let p: i64 = s.parse()?;
        let q = t.trim().parse::<i64>()?;
        Ok(if p > q { p - q } else { q })
    }
    fn first(i: &Input) -> Option<char> { if i.a > 0 { let c = i.s.chars().next()?; Some(c) } else { i.t.chars().next() } }
    fn questions(i: &Input) -> String { format!("{:?} {:?}", parsed(&i.s, &i.t), first(i)) }

    async fn wait(n: i64) -> i64 { std::future::ready(()).await; n }
    async fn waited(i: &Input) -> i64 {
        let mut sum = 0;
        if i.a == wait(i.b).await { sum += 1; }
        if wait(i.a).await > 3 && wait(i.b).await < 9 { sum += 2; }
        while let Some(n) = Some(wait(sum).await) && n < 5 { sum += 3; }
        if i.s.starts_with(&wait(1).await.to_string()) { sum += 10; }
        match wait(i.a).await { 0 => sum, 1..=3 => sum + 100, _ => { let f = async { i.b > 2 }; if f.await { 7 } else { sum } } }
    }
    fn is_send<T: Send>(value: T) -> T { value }
    fn asynchronous(i: &Input) -> String {
        let mut future = std::pin::pin!(is_send(waited(i)));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match future.as_mut().poll(&mut context) {
            std::task::Poll::Ready(n) => n.to_string(),
            std::task::Poll::Pending => String::from("pending"),
        }
    }

    fn nested(i: &Input) -> String {
        fn inner(n: i64) -> bool { n > 1 && n != 4 }
        mod deep { pub(super) fn odd(n: i64) -> bool { if n % 2 == 0 { false } else { true } } }
        let v = { let x = inner(i.a); if x { deep::odd(i.b) } else { !deep::odd(i.b) } };
        let w = if { let y = i.a + 1; y > 2 } { 1 } else { 2 };
        let z = if match i.a { 1 => true, _ => false } { if i.b > 0 { 1 } else { 2 } } else { 3 };
        format!("{v} {w} {z}")
    }

    fn values(i: &Input) -> String {
        let r: &str = if i.a > 0 { &i.s } else if i.b > 0 { &i.t } else { "neither" };
        let boxed: Box<dyn Fn(i64) -> bool> = if i.a > 0 { Box::new(|x| x > 1) } else { Box::new(move |x| x < 1) };
        let list = vec![i.a < i.b, i.a == i.b, i.s.is_empty()];
        let array = [(i.a > 1, "x"), (i.b > 1, "y")];
        let lazy = (i.a != 0).then(|| i.b / i.a);
        let number = -match i.a { 0 => 1, n if n > 5 => 2, _ => 3 } + if i.b > 0 { 4 } else { 5 };
        let unit = match i.a { 1 => (), _ => if i.b > 0 { event("unit") } };
        let mut assigned = false;
        assigned |= i.a > 2;
        assigned &= i.b < 2 || assigned;
        format!("{r} {} {list:?} {array:?} {lazy:?} {number} {unit:?} {assigned}", boxed(i.b))
    }

    fn guards(i: &Input) -> String {
        let list = vec![i.a, i.b];
        let found = match list.as_slice() {
            [x, y] if x > y && *x != 3 => format!("{x}"),
            [_, y] if list.contains(&7) || *y == 2 => format!("y{y}"),
            rest if !rest.is_empty() => String::from("rest"),
            _ => unreachable!("the list has two elements"),
        };
        let owned = match Some(i.s.clone()) { Some(s) if s == i.t => s, Some(mut s) if s.len() > 2 => { s.push('!'); s } Some(s) => s, None => String::new() };
        format!("{found} {owned}")
    }

    fn inference(i: &Input) -> String {
        let mut total = 0;
        for n in [1u8, 2, 3] { if n == 2 { total += 1 } if i64::from(n) > i.a { total += 10 } }
        let mut best = None;
        for n in [i.a, i.b] { if best.is_none() || best < Some(n) { best = Some(n); } }
        let mut floats = vec![0.5, i.x];
        floats.retain(|f| *f < 3.0);
        let sum = floats.iter().copied().fold(0.0, |p, q| if q > p { q } else { p });
        let k = if i.a > 0 { 3 } else { 4 };
        if k == 3u16 { total += 100 }
        let mut items = Vec::new();
        if items.len() > 3 { items.pop(); }
        items.push("x");
        let parsed = i.s.parse().unwrap_or(7);
        if parsed == 7i32 { total += 1000 }
        if i.s.len() as u32 > 2 && 1 << 2 == 4 { total += 5000 }
        let none: Option<String> = None;
        if none == i.s.strip_prefix("a").map(str::to_owned) { total += 9 }
        if i.s.lines().collect::<Vec<_>>() == ["abc"] { total += 11 }
        format!("{total} {best:?} {sum} {items:?}")
    }

    fn labels(i: &Input) -> String {
        let mut out = 0;
        'outer: while let Some(n) = Some(out) {
            for k in 0..5 { out += 1; if out > 12 { break 'outer } if k == i.a { continue 'outer } if out > 11 { break 'outer } }
            if n > 8 && i.b > 0 { break }
        }
        let early = 'block: { if i.a > 2 { break 'block 1 } if i.b == 2 { break 'block 2 } 3 };
        'chain: while i.a > 0 && let Some(x) = i.o && x > 0 { if out % 2 == 0 { break 'chain } out += 1; }
        format!("{out} {early}")
    }

    trait Judge {
        fn limit(&self) -> i64;
        fn judge(&self, n: i64) -> bool { n > self.limit() && n != 5 }
    }
    struct Strict;
    impl Judge for Strict { fn limit(&self) -> i64 { 3 } }
    impl Judge for str { fn limit(&self) -> i64 { if self.is_empty() { 0 } else { self.len() as i64 } } }
    fn traits(i: &Input) -> String {
        let judges: [&dyn Judge; 1] = [&Strict];
        format!("{} {}", judges[0].judge(i.a), i.s.as_str().judge(i.b))
    }

    fn mutation(i: &Input) -> String {
        let mut words = std::collections::HashMap::new();
        for w in i.s.split(' ') { *words.entry(w).or_insert(0) += 1; if words[w] > 1 { event(w); } }
        let mut list = vec![i.a, i.b];
        if let Some(last) = list.last_mut() && *last > 1 { *last = 9; }
        if list.iter_mut().any(|x| { *x += 1; *x > 5 }) { list.push(0) }
        match list.first_mut() { Some(x) if *x == 3 => *x = 0, Some(x) => *x += 1, None => {} }
        let slot = &mut list[0];
        if *slot == 1 { *slot = 2 }
        format!("{list:?} {}", words.len())
    }

    fn extended(i: &Input) -> String {
        let kept = &(i.a > 1 && i.b > 1);
        let text = if i.a > 0 { &String::from("temporary") } else { &i.s };
        let chosen = match i.b { 0 => &Noisy(20), 1..=3 => &Noisy(21), _ => &Noisy(22) };
        event("still here");
        format!("{kept} {text} {}", chosen.0)
    }

    fn parsing(i: &Input) -> String {
        let a: Result<i32, _> = i.s.parse();
        let b = i.t.trim().parse::<f64>().unwrap_or(0.5);
        let c: bool = i.s.to_lowercase().parse().unwrap_or_default();
        let d = i.s.parse::<std::net::IpAddr>().is_ok();
        let e = if let Ok(n) = i.t.parse::<u8>() { n } else { 0 };
        format!("{a:?} {b} {c} {d} {e}")
    }

    fn macros(i: &Input) -> String {
        assert!(i.a > 0 || i.a <= 0);
        let v = if matches!(i.a, 1..=5 if i.b > 2) { 1 } else { 2 };
        let w = matches!(i.o, Some(n) if n > 3) && !matches!(i.s.as_str(), "abc");
        format!("{v} {w} {}", if i.a > i.b { "more" } else { "less" })
    }

    fn numbers(i: &Input) -> String {
        let huge = i.a as u128 > u128::MAX / 2 || i.a as i128 == i128::MIN;
        let nan = i.x == f64::NAN || i.x != i.x || f64::INFINITY > i.x;
        let narrow = (i.a as i8) < (i.b as i8) && (i.a as u8) != (i.b as u8);
        let pointer = std::ptr::from_ref(i) == std::ptr::from_ref(i);
        let range = (0.0..=1.0).contains(&i.x) || ('a'..='z').contains(&i.s.chars().next().unwrap_or('!'));
        format!("{huge} {nan} {narrow} {pointer} {range} {}", !(i.a as u8) > 100)
    }

    fn shadowing(i: &Input) -> String {
        let (left, right, outcome, observed, seen) = (i.a, i.b, i.x, &i.s, &i.t);
        let (value, pending, receiver, argument) = (i.a, i.b, &i.s, &i.t);
        let p = left == right || right > left + value && outcome < 3.0;
        let q = receiver.trim().starts_with(argument.trim()) || observed.contains(seen.as_str());
        let r = match (value, pending) { (1, 2) => value, (value, 3) => value, _ => pending };
        let s = if let Some(pending) = i.o && pending > left { pending } else { right };
        format!("{p} {q} {r} {s}")
    }

    #[tracing::instrument(skip_all, fields(large = i.a > 100))]
    fn traced_sum(i: &Input) -> Result<i64, String> {
        if i.a == i.b { return Err(i.s.clone()) }
        let sum = if i.a > i.b { i.a.wrapping_sub(i.b) } else { i.b };
        Ok(sum)
    }
    #[tracing::instrument(ret, skip(i))]
    async fn traced_wait(i: &Input) -> bool { wait(i.a).await > 2 && i.s.starts_with('a') }
    fn traced(i: &Input) -> String {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let waited = std::pin::pin!(traced_wait(i)).poll(&mut context);
        format!("{:?} {waited:?}", traced_sum(i))
    }

    struct Holder<'a> { name: &'a str, list: Vec<String> }
    impl<'a> Holder<'a> {
        fn name(&self) -> &'a str { if self.list.is_empty() { "none" } else { self.name } }
        fn find(&mut self, wanted: &str) -> Option<&mut String> {
            if self.name == wanted { self.list.push(wanted.to_owned()); }
            self.list.iter_mut().find(|word| word.as_str() == wanted)
        }
        fn take(self) -> String { if self.list.len() > 1 { self.list.into_iter().next().unwrap() } else { self.name.into() } }
    }
    fn splitting(i: &Input) -> String {
        fn tail(text: &str) -> Option<&str> { text.split('b').last() }
        fn trimmed(text: &str) -> impl Iterator<Item = &str> { text.trim().split(' ') }
        let parts: Vec<&str> = i.s.split("b").collect();
        let limited: Vec<String> = i.t.to_lowercase().splitn(2, 'b').map(str::to_owned).collect();
        let (a, b) = i.s.split_once('b').unwrap_or(("", &i.t));
        let c = i.s.to_string().rsplit_once("c").map(|(left, _)| left.len());
        let d = i.s.strip_prefix("a").or_else(|| i.s.strip_suffix('d')).unwrap_or(&i.t);
        let e = i.t.find("c").map_or(0, |at| at + 1) + i.s.chars().find(|c| *c == 'b').map_or(0, |_| 9);
        let f = i.s.replace('a', "z").trim_start_matches('z').len();
        let g: Vec<_> = i.t.split_whitespace().chain(i.s.split(char::is_numeric)).collect();
        if let Some(rest) = i.s.trim().strip_prefix("ab") && rest.len() > 0 { return rest.to_owned(); }
        format!("{parts:?} {limited:?} {a} {b} {c:?} {d} {e} {f} {g:?} {:?} {}", tail(&i.s), trimmed(&i.t).count())
    }

    #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
    struct Key(i64);
    struct Store { items: std::collections::BTreeMap<Key, i64>, asked: usize }
    impl Store {
        fn get(&mut self, key: i64) -> Option<&mut i64> { self.asked += 1; self.items.get_mut(&Key(key)) }
        fn contains_key(&mut self, key: &Key) -> bool { self.asked += 1; self.items.contains_key(key) }
    }

    fn look_ups(i: &Input) -> String {
        let map: std::collections::HashMap<String, i64> = [("abc".to_owned(), i.a), ("b".to_owned(), i.b)].into();
        let a = map.get(&i.s).copied().unwrap_or(-9);
        let b = map.get(i.t.as_str()).is_some_and(|n| *n > 3);
        let c = if map.contains_key(&i.t) { 1 } else { 2 };
        let list = vec![i.a, i.b, 7];
        let d = list.get(i.a.unsigned_abs() as usize % 5).copied();
        let e = list.contains(&i.b) && !list[..1].contains(&7) || [1, 2, 3].contains(&i.a);
        let f = list.iter().copied().find(|n| *n > 3);
        let mut store = Store { items: [(Key(1), 2), (Key(3), 4)].into(), asked: 0 };
        if let Some(value) = store.get(i.a) { *value += 1; }
        let g = store.contains_key(&Key(i.b));
        let keys: std::collections::BTreeSet<Key> = [Key(4)].into();
        let h = keys.contains(&Key(i.a)) || keys.get(&Key(i.b)).is_some();
        let slice: &[i64] = &list;
        let k = match slice.get(1..3) { Some([x, _]) if *x > 3 => 1, Some(_) => 2, None => 3 };
        format!("{a} {b} {c} {d:?} {e} {f:?} {g} {h} {k} {:?} {}", store.items, store.asked)
    }

    fn readings(i: &Input) -> String {
        use std::str::FromStr;
        let a = i64::from_str(&i.s).map_err(|_| "no");
        let b = u8::from_str_radix(&i.t, 16).unwrap_or(3);
        let c = <bool as FromStr>::from_str(&i.s).is_ok();
        let d = i.s.trim().parse::<char>().ok();
        format!("{a:?} {b} {c} {d:?}")
    }

    fn tried(i: &Input) -> Result<i64, String> {
        fn short(text: &str) -> Option<&str> { let rest = text.strip_prefix('a')?; Some(&rest[..1]) }
        let guard = RefCell::new(i.s.clone());
        let n: i64 = guard.borrow().parse().or_else(|_| i.t.parse::<i64>().map_err(|e| e.to_string()))?;
        let m = short(&i.s).map(str::len).ok_or("short")?;
        let all: Vec<i64> = i.t.split(' ').map(|part| part.parse::<i64>()).collect::<Result<_, _>>().map_err(|e| e.to_string())?;
        let closure = || -> Option<i64> { Some(i.o? + all.first()?) };
        Ok(closure().ok_or_else(|| String::from("none"))? + n + m as i64)
    }
    fn tries(i: &Input) -> String { format!("{:?}", tried(i)) }

    fn patterns(i: &Input) -> String {
        let Some(1..=4 | 7) = i.o else {
            if let ("abc", t @ ("a" | "b")) = (i.s.as_str(), i.t.as_str()) { return t.to_owned(); }
            return String::from("else");
        };
        let mut n = i.a;
        while let 3..=9 = n { n -= 2; }
        let word = if let "abc" | "q" = i.s.as_str() { 1 } else if let Ok(12) = i.t.parse::<i64>() { 2 } else { 3 };
        let bytes = i.s.as_bytes();
        let slice = match bytes { [] => 0, [b'a'] => 1, [b'a', .., b'c'] => 2, [_, rest @ ..] => 3 + rest.len() };
        if let Some(3) = i.o && let "a" = i.t.as_str() && word > 1 { return String::from("chain"); }
        let m = matches!(i.a, 1 | 2) || matches!(i.s.as_str(), "abc" | "b" if i.b > 1,) || matches!(bytes, [_, _]);
        let owned = Some(i.s.clone());
        let len = if let Some(ref text) = owned { text.len() } else { 0 };
        if let Some(text) = owned { event(text); }
        format!("{n} {word} {slice} {m} {len}")
    }

    struct Cache;
    impl Cache {
        fn get(&self, key: String) -> Option<usize> { Some(key.len()).filter(|n| *n > 1) }
        fn contains_key(&self, key: String) -> bool { key.len() > 2 }
    }
    struct Builder(Vec<String>);
    impl Builder {
        fn get(mut self, what: &str) -> Self { self.0.push(what.to_owned()); self }
        fn split(mut self, what: char) -> Self { self.0.push(what.to_string()); self }
        fn find(&mut self, what: &str) -> &mut Self { self.0.push(what.to_owned()); self }
        fn strip_prefix(self, what: &str) -> Result<String, String> { self.0.concat().strip_prefix(what).map(str::to_owned).ok_or(self.0.concat()) }
    }
    fn consuming(i: &Input) -> String {
        let (what, where_) = (i.s.clone(), i.t.clone());
        let taken = Cache.get(what);
        event(format!("{taken:?} {}", Cache.contains_key(where_)));
        let builder = Builder(vec![]).get("a").split('b');
        let mut builder = builder.get(&i.s).get(i.t.as_str());
        builder.find("x").find(&i.t);
        builder.strip_prefix("ab").unwrap_or_else(|other| other)
    }

    fn borrowing(i: &Input) -> String {
        let mut holder = Holder { name: &i.s, list: vec![i.t.clone()] };
        let name = holder.name();
        if let Some(word) = holder.find("abc") && word.len() > 2 { word.push('!'); }
        match holder.find(&i.t) { Some(word) if word.is_empty() => word.push('?'), Some(word) => word.clear(), None => {} }
        format!("{name} {}", holder.take())
    }
}

/// Inputs from a small generator, with values that the corpus compares with among them.
fn inputs() -> Vec<Input> {
    let mut state = 7u64;
    let mut draw = move |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let words = [
        "", "a", "b", "abc", "ABC", "abd", "abcx", "q", "x", "12", "200", "true", "mon", "z é",
        "a a 1", "1.5",
    ];
    let floats = [0.0, 0.5, 1.0, 1.5, -2.0, 1e300, f64::NAN, f64::INFINITY];
    (0..2_000)
        .map(|_| {
            let a = draw(14) as i64 - 3;
            Input {
                a: if draw(50) == 0 { i64::MIN } else { a },
                b: draw(12) as i64 - 2,
                s: words[draw(16) as usize].to_owned(),
                t: words[draw(16) as usize].to_owned(),
                x: floats[draw(8) as usize],
                o: (draw(3) > 0).then(|| draw(12) as i64 - 1),
            }
        })
        .collect()
}

thread_local! {
    static IS_IN_CASE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Some cases panic on some inputs, in both versions: without a word each time.
fn be_quiet_about_cases() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !IS_IN_CASE.get() {
                usual(panic);
            }
        }));
    });
}

/// What a case does: its result or that it panicked, and its events.
fn behaviour(case: fn(&Input) -> String, input: &Input) -> (Option<String>, Vec<String>) {
    EVENTS.with_borrow_mut(Vec::clear);
    be_quiet_about_cases();
    IS_IN_CASE.set(true);
    let result = std::panic::catch_unwind(|| case(input)).ok();
    IS_IN_CASE.set(false);
    (result, EVENTS.with_borrow_mut(std::mem::take))
}

/// The first difference between the two versions, which is none.
fn difference(recorder: &std::sync::Arc<wallace_instrument::Recorder>) -> Option<String> {
    for ((name, plain), (_, marked)) in plain::CASES.iter().zip(marked::CASES) {
        for input in inputs() {
            let expected = behaviour(*plain, &input);
            let unrecorded = behaviour(*marked, &input);
            let recorded = recorder.run(|| behaviour(*marked, &input));
            if unrecorded != expected || recorded != expected {
                return Some(format!(
                    "{name} of {input:?}: {expected:?}, {unrecorded:?}, {recorded:?}"
                ));
            }
        }
    }
    None
}

#[test]
fn marked_functions_behave_as_plain_ones() {
    let recorder = wallace_instrument::Recorder::new(&["corpus::marked"]);
    assert_eq!(plain::CASES.len(), marked::CASES.len());
    assert_eq!(difference(&recorder), None);
    let recorded = recorder.recorded();
    let missed: Vec<_> = recorded
        .targets
        .iter()
        .filter(|target| target.score < 1.0)
        .map(|target| target.name)
        .collect();
    let total = recorder.target_names().len();
    let untouched = total - recorded.targets.len();
    assert!(
        (missed.len() + untouched) * 10 < total,
        "{untouched} of {total} untouched, missed: {missed:#?}"
    );
}

/// Best scores of one test that runs `case` on all `inputs`.
fn scores(
    recorder: &std::sync::Arc<wallace_instrument::Recorder>,
    case: fn(&Input) -> String,
    inputs: &[Input],
) -> std::collections::BTreeMap<&'static str, f64> {
    recorder.new_test();
    for input in inputs {
        recorder.run(|| behaviour(case, input));
    }
    recorder.recorded().targets.into_iter().map(|target| (target.name, target.score)).collect()
}

/// What a site remembers within a test must not change what the test records.
#[test]
fn a_test_records_the_best_of_its_requests() {
    let recorder = wallace_instrument::Recorder::new(&["corpus::marked"]);
    let mut differences = Vec::new();
    for (name, case) in marked::CASES {
        for inputs in inputs().chunks(20).take(20) {
            let together = scores(&recorder, *case, inputs);
            let mut alone = std::collections::BTreeMap::new();
            for input in inputs {
                for (target, score) in scores(&recorder, *case, std::slice::from_ref(input)) {
                    let best = alone.entry(target).or_insert(0.0);
                    *best = score.max(*best);
                }
            }
            if together != alone {
                differences.push(format!("{name}: {together:?} {alone:?}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences[0]);
}
