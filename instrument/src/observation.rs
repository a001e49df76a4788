//! What a heuristic can see of a value.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

/// Longest text that is copied to be seen after a call, in bytes.
const LONGEST_KEPT: usize = 2_048;

/// A number of any width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// A whole number; those above the range of `i128` are clamped.
    Integer(i128),
    /// A floating point number.
    Float(f64),
}

/// A view of a value: as much of it as distances are defined on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Observation<'a> {
    /// An integer or a float.
    Number(Number),
    /// A truth value.
    Boolean(bool),
    /// A character.
    Character(char),
    /// A text.
    Text(&'a str),
    /// A regular expression, by its pattern.
    Pattern(&'a str),
    /// A collection, by its length.
    Length(usize),
    /// Numbers from the first to the second; the flag says whether the second belongs to it.
    Interval(Number, Number, bool),
    /// `None` or `Err`. (`Some` and `Ok` are seen as what they hold.)
    Absent,
    /// A value on which no distance is defined.
    Unknown,
}

/// Values on which a distance is defined.
///
/// Implement it for an own type to give comparisons of that type a gradient, for example by the
/// number or the text that it wraps.
pub trait Observable {
    /// What heuristics may see of this value.
    fn observe(&self) -> Observation<'_>;
}

/// Chooses between [`ObserveKnown`] and [`ObserveUnknown`] by the type it holds.
///
/// `(&Probe(&value)).white_box_observe()` finds the first trait by value and the second only
/// through one more reference: a choice at compile time, without specialisation.
#[derive(Debug)]
pub struct Probe<'a, T: ?Sized>(pub &'a T);

/// Observes values of types that have a distance.
pub trait ObserveKnown<'a> {
    /// What heuristics may see.
    fn white_box_observe(&self) -> Observation<'a>;
}

/// Observes values of any other type: there is nothing to see.
pub trait ObserveUnknown {
    /// Always [`Observation::Unknown`], which borrows nothing from the value.
    fn white_box_observe(&self) -> Observation<'static>;
}

impl<'a, T: Observable + ?Sized> ObserveKnown<'a> for Probe<'a, T> {
    #[inline]
    fn white_box_observe(&self) -> Observation<'a> {
        self.0.observe()
    }
}

impl<T: ?Sized> ObserveUnknown for &Probe<'_, T> {
    #[inline]
    fn white_box_observe(&self) -> Observation<'static> {
        Observation::Unknown
    }
}

impl Observation<'_> {
    /// The value as a number: characters are their code points.
    pub(crate) fn number(&self) -> Option<Number> {
        match *self {
            Observation::Number(number) => Some(number),
            Observation::Character(character) => Some(Number::Integer(u32::from(character).into())),
            _ => None,
        }
    }
}

/// An observation that borrows nothing: the value may be moved while it is kept.
#[derive(Debug)]
pub struct Kept {
    observation: Observation<'static>,
    text: Option<Box<str>>,
}

impl Kept {
    /// Keeps an observation; of texts only those that are short, and only while anything is
    /// recorded.
    #[must_use]
    pub fn new(observation: Observation<'_>) -> Self {
        let text = |text: &str| {
            let is_wanted = text.len() <= LONGEST_KEPT && crate::state::is_recording();
            is_wanted.then(|| Box::from(text))
        };
        let (observation, text) = match observation {
            Observation::Text(value) => (Observation::Unknown, text(value)),
            Observation::Number(number) => (Observation::Number(number), None),
            Observation::Character(character) => (Observation::Character(character), None),
            Observation::Boolean(boolean) => (Observation::Boolean(boolean), None),
            Observation::Absent => (Observation::Absent, None),
            _ => (Observation::Unknown, None),
        };
        Self { observation, text }
    }

    /// What was kept.
    #[must_use]
    pub fn observe(&self) -> Observation<'_> {
        self.text.as_deref().map_or(self.observation, Observation::Text)
    }
}

macro_rules! observe_integers {
    ($($type:ty)*) => {$(
        impl Observable for $type {
            #[cfg_attr(not(debug_assertions), inline)]
            fn observe(&self) -> Observation<'_> {
                let clamped = i128::try_from(*self).unwrap_or(i128::MAX);
                Observation::Number(Number::Integer(clamped))
            }
        }
        impl Observable for std::num::NonZero<$type> {
            #[cfg_attr(not(debug_assertions), inline)]
            fn observe(&self) -> Observation<'_> {
                let clamped = i128::try_from(self.get()).unwrap_or(i128::MAX);
                Observation::Number(Number::Integer(clamped))
            }
        }
    )*};
}
observe_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! observe_by {
    ($([$($generics:tt)*] $type:ty, $value:ident => $observation:expr;)*) => {$(
        impl<$($generics)*> Observable for $type {
            #[cfg_attr(not(debug_assertions), inline)]
            fn observe(&self) -> Observation<'_> {
                let $value = self;
                $observation
            }
        }
    )*};
}
observe_by! {
    [] f32, value => Observation::Number(Number::Float(f64::from(*value)));
    [] f64, value => Observation::Number(Number::Float(*value));
    [] bool, value => Observation::Boolean(*value);
    [] char, value => Observation::Character(*value);
    [] std::time::Duration, value => Observation::Number(Number::Float(value.as_secs_f64()));
    [] str, value => Observation::Text(value);
    [] String, value => Observation::Text(value);
    [] regex::Regex, value => Observation::Pattern(value.as_str());
    [T] [T], value => Observation::Length(value.len());
    [T, const N: usize] [T; N], value => Observation::Length(value.len());
    [T] Vec<T>, value => Observation::Length(value.len());
    [T] VecDeque<T>, value => Observation::Length(value.len());
    [K, V, S] HashMap<K, V, S>, value => Observation::Length(value.len());
    [T, S] HashSet<T, S>, value => Observation::Length(value.len());
    [K, V] BTreeMap<K, V>, value => Observation::Length(value.len());
    [T] BTreeSet<T>, value => Observation::Length(value.len());
    [T: Observable + ?Sized] &T, value => (**value).observe();
    [T: Observable + ?Sized] &mut T, value => (**value).observe();
    [T: Observable + ?Sized] Box<T>, value => (**value).observe();
    [T: Observable + ?Sized] Rc<T>, value => (**value).observe();
    [T: Observable + ?Sized] Arc<T>, value => (**value).observe();
    [T: Observable + ToOwned + ?Sized] Cow<'_, T>, value => (**value).observe();
    [T: Observable] LazyLock<T>, value => (**value).observe();
    [] axum::http::HeaderName, value => Observation::Text(value.as_str());
    [] axum::http::HeaderValue, value => value.to_str().map_or(Observation::Unknown, Observation::Text);
    [] axum::http::StatusCode, value => Observation::Number(Number::Integer(value.as_u16().into()));
    [] axum::http::Method, value => Observation::Text(value.as_str());
    [T: Observable, E] Result<T, E>, value => value.as_ref().map_or(Observation::Absent, T::observe);
    [T: Observable] Option<T>, value => value.as_ref().map_or(Observation::Absent, T::observe);
    [T: Observable] Range<T>, value => interval(value.start.observe(), value.end.observe(), false);
    [T: Observable] RangeInclusive<T>, value => interval(value.start().observe(), value.end().observe(), true);
    [T: Observable] RangeFrom<T>, value => interval(value.start.observe(), Observation::Number(Number::Float(f64::INFINITY)), true);
    [T: Observable] RangeTo<T>, value => interval(Observation::Number(Number::Float(f64::NEG_INFINITY)), value.end.observe(), false);
    [T: Observable] RangeToInclusive<T>, value => interval(Observation::Number(Number::Float(f64::NEG_INFINITY)), value.end.observe(), true);
}

fn interval<'a>(low: Observation<'a>, high: Observation<'a>, is_closed: bool) -> Observation<'a> {
    match (low.number(), high.number()) {
        (Some(low), Some(high)) => Observation::Interval(low, high, is_closed),
        _ => Observation::Unknown,
    }
}

#[cfg(test)]
#[allow(clippy::needless_borrow, reason = "the borrow is what chooses the trait")]
mod tests {
    use super::*;

    struct Opaque;

    #[test]
    fn known_types_are_seen_and_others_are_not() {
        let text = String::from("ab");
        assert_eq!((&Probe(&text)).white_box_observe(), Observation::Text("ab"));
        let nested: Option<&Cow<'_, str>> = Some(&Cow::Borrowed("x"));
        assert_eq!((&Probe(&nested)).white_box_observe(), Observation::Text("x"));
        assert_eq!((&Probe(&Opaque)).white_box_observe(), Observation::Unknown);
        assert_eq!((&Probe(&Some(Opaque))).white_box_observe(), Observation::Unknown);
        let absent: Option<u8> = None;
        assert_eq!((&Probe(&absent)).white_box_observe(), Observation::Absent);
        let large = Observation::Number(Number::Integer(i128::MAX));
        assert_eq!((&Probe(&u128::MAX)).white_box_observe(), large);
    }
}
