//! Scores of methods that answer yes or no about a text, a collection or a range.

use crate::elements::Collection;
use crate::observation::{Number, Observation};
use crate::text;
use crate::truthness::{
    ABSENT, BASE, Truthness, closeness, closeness_above, difference, order_closeness,
};
use crate::{comparison, pattern_distance};

/// Distance to a regular expression on which no edit distance is defined: one step for all.
pub(crate) const NO_MATCH: f64 = 1.0;

/// A method that the attribute knows by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Predicate {
    /// `is_empty`
    IsEmpty,
    /// `starts_with`
    StartsWith,
    /// `ends_with`
    EndsWith,
    /// `contains`
    Contains,
    /// `eq_ignore_ascii_case`
    EqualIgnoringCase,
    /// `is_match` and `captures`
    IsMatch,
    /// `find`, `split_once`, `split` and others that look for a part of a text
    Find,
    /// `get` and `contains_key`
    Key,
}

/// Scores of a predicate that gave `outcome`.
#[must_use]
pub fn predicate(
    predicate: Predicate,
    outcome: bool,
    receiver: Observation<'_>,
    argument: Observation<'_>,
) -> Truthness {
    let opposite = match (receiver, argument) {
        (Observation::Interval(low, high, _), value) => interval(low, high, value),
        _ if predicate == Predicate::IsEmpty => emptiness(receiver),
        _ if outcome => BASE,
        (Observation::Text(text), Observation::Text(part)) => texts(predicate, text, part),
        (Observation::Text(text), Observation::Character(part)) => character(predicate, text, part),
        (Observation::Character(left), Observation::Character(right)) => {
            characters_ignoring_case(left, right)
        }
        (Observation::Pattern(pattern), Observation::Text(text)) => match_closeness(pattern, text),
        (Observation::Length(0), _) => ABSENT,
        _ => BASE,
    };
    Truthness::new(outcome, opposite)
}

/// Closeness of `text` to a match of `pattern`, when there is none.
fn match_closeness(pattern: &str, text: &str) -> f64 {
    closeness(pattern_distance::edits(pattern, text).map_or(NO_MATCH, f64::from))
}

/// Scores of a look-up in a collection that gave `outcome`: the nearest element counts, or how far
/// an index is outside.
pub(crate) fn lookup(
    predicate: Predicate,
    outcome: bool,
    collection: Collection<'_>,
    (receiver, key): (Observation<'_>, Observation<'_>),
) -> Truthness {
    let is_indexed = predicate == Predicate::Key && collection.is_indexed();
    if let (Observation::Length(length), Observation::Number(index), true) =
        (receiver, key, is_indexed)
    {
        return Truthness::new(outcome, index_closeness(outcome, length, index));
    }
    if outcome {
        return Truthness::new(true, BASE);
    }
    let mut nearest = if receiver == Observation::Length(0) { ABSENT } else { BASE };
    collection.each(&mut |element| nearest = nearest.max(likeness(element, key)));
    Truthness::new(false, nearest)
}

/// How near an element is to being the one that is looked up: above [`BASE`] however far it is,
/// since any element is nearer than none.
fn likeness(element: Observation<'_>, key: Observation<'_>) -> f64 {
    match (element.number(), key.number()) {
        (Some(element), Some(key)) => closeness_above(BASE, difference(element, key)),
        _ => comparison::comparison(comparison::Operator::Equal, false, element, key).when_true,
    }
}

fn index_closeness(outcome: bool, length: usize, index: Number) -> f64 {
    let length = Number::Integer(i128::try_from(length).unwrap_or(i128::MAX));
    let distance = difference(length, index);
    if outcome { order_closeness(distance) } else { closeness_above(BASE, distance + 1.0) }
}

fn emptiness(receiver: Observation<'_>) -> f64 {
    let length = match receiver {
        Observation::Text(text) => text::length(text),
        Observation::Length(length) => length,
        _ => 0,
    };
    if length == 0 { BASE } else { closeness(text::count(length)) }
}

fn texts(predicate: Predicate, text: &str, part: &str) -> f64 {
    match predicate {
        Predicate::StartsWith => text::prefix(text, part),
        Predicate::EndsWith => text::suffix(text, part),
        Predicate::Contains | Predicate::Find => text::containment(text, part),
        Predicate::EqualIgnoringCase => {
            text::equality(&text.to_ascii_lowercase(), &part.to_ascii_lowercase())
        }
        Predicate::IsEmpty | Predicate::IsMatch | Predicate::Key => BASE,
    }
}

fn character(predicate: Predicate, text: &str, wanted: char) -> f64 {
    let distance = |found: char| f64::from(u32::from(found).abs_diff(u32::from(wanted)));
    let nearest = match predicate {
        Predicate::StartsWith => text.chars().next().map(distance),
        Predicate::EndsWith => text.chars().next_back().map(distance),
        _ => text.chars().map(distance).reduce(f64::min),
    };
    nearest.map_or(ABSENT, |distance| closeness_above(BASE, distance))
}

fn characters_ignoring_case(left: char, right: char) -> f64 {
    let code = |character: char| u32::from(character.to_ascii_lowercase());
    closeness_above(BASE, f64::from(code(left).abs_diff(code(right))))
}

/// The nearer end of the interval is where the answer changes.
fn interval(low: Number, high: Number, value: Observation<'_>) -> f64 {
    value
        .number()
        .map_or(BASE, |value| order_closeness(difference(low, value).min(difference(value, high))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_looked_up_with_a_way_to_them_from_anywhere() {
        let scores = |items: &[i64]| {
            let key = Observation::Number(Number::Integer(-755));
            let operands = (Observation::Length(items.len()), key);
            lookup(Predicate::Contains, false, Collection::Known(&items), operands).when_true
        };
        let ways: [&[i64]; 5] = [&[], &[957_868], &[7], &[957_868, -700], &[-754, 7]];
        let scores = ways.map(scores);
        assert!(scores.is_sorted_by(|one, other| one < other), "{scores:?}");
        assert_eq!(scores[0], ABSENT);
    }
}
