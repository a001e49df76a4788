//! Scores of methods that answer yes or no about a text, a collection or a range.

use crate::observation::{Number, Observation};
use crate::text;
use crate::truthness::{
    ABSENT, BASE, Truthness, closeness, closeness_above, difference, order_closeness,
};

/// Distance to a regular expression that the text does not match. Without an edit distance to
/// the language of the expression it is one step for all.
const NO_MATCH: f64 = 1.0;

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
    /// `is_match`
    IsMatch,
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
        (Observation::Pattern(_), Observation::Text(_)) => closeness(NO_MATCH),
        (Observation::Length(0), _) => ABSENT,
        _ => BASE,
    };
    Truthness::new(outcome, opposite)
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
        Predicate::Contains => text::containment(text, part),
        Predicate::EqualIgnoringCase => {
            text::equality(&text.to_ascii_lowercase(), &part.to_ascii_lowercase())
        }
        Predicate::IsEmpty | Predicate::IsMatch => BASE,
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
