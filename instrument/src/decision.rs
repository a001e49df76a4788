//! The values of decisions, for people who ask why a target is not covered.
//!
//! A recorder keeps the nearest values of each side that was missed, if somebody asked for them.

use wallace_sut_driver::RecordedOperands;

use crate::comparison::Operator;
use crate::observation::{Number, Observation};
use crate::predicate::Predicate;
use crate::shape::Shape;

/// Longest text that is kept, in characters.
const LONGEST: usize = 200;

/// The values of one decision.
#[derive(Debug, Clone)]
pub(crate) struct Decision {
    pub(crate) left: String,
    pub(crate) relation: &'static str,
    pub(crate) right: String,
    pub(crate) has_distance: bool,
}

/// The first of the two targets of a condition that gave `outcome` is `target`: the missed side.
pub(crate) fn missed(target: u32, outcome: bool) -> u32 {
    target + u32::from(outcome)
}

impl Decision {
    /// A comparison that missed a side.
    pub(crate) fn comparison(
        operator: Operator,
        outcome: bool,
        left: Observation<'_>,
        right: Observation<'_>,
    ) -> Self {
        let has_distance = left != Observation::Unknown && right != Observation::Unknown;
        let relation = wanted(operator, !outcome);
        Self { left: shown(left), relation, right: shown(right), has_distance }
    }

    /// A method that gave the other answer.
    pub(crate) fn predicate(
        method: Predicate,
        outcome: bool,
        receiver: Observation<'_>,
        argument: Observation<'_>,
    ) -> Self {
        let relation = asked(method, !outcome);
        let has_distance = receiver != Observation::Unknown;
        let right = match method {
            Predicate::IsEmpty => "nothing".to_owned(),
            _ => shown(argument),
        };
        Self { left: shown(receiver), relation, right, has_distance }
    }

    /// A truth value, a pattern or a call without values to see.
    pub(crate) fn plain(what: &'static str, outcome: bool) -> Self {
        let side = |is_true: bool| format!("{what}: {is_true}");
        Self { left: side(outcome), relation: "is not", right: side(!outcome), has_distance: false }
    }

    /// A text that was or was not read as a type.
    pub(crate) fn parsed(text: &str, type_name: &str, outcome: bool) -> Self {
        let relation = if outcome { "should not be read as" } else { "should be read as" };
        let left = shown(Observation::Text(text));
        let has_distance = !outcome && !type_name.is_empty();
        Self { left, relation, right: type_name.to_owned(), has_distance }
    }

    /// An arm that was not taken, since another was.
    pub(crate) fn other_arm(taken: u32, other: u32) -> Self {
        let arm = |number: u32| format!("arm {}", number + 1);
        let (left, right) = (arm(taken), arm(other));
        Self { left, relation: "was taken, not", right, has_distance: false }
    }

    /// A value that an arm did not take.
    pub(crate) fn arm(elements: &[Observation<'_>], shape: &Shape) -> Self {
        let elements: Vec<String> = elements.iter().map(|element| shown(*element)).collect();
        let has_distance = !matches!(shape, Shape::Unknown);
        let right = pattern(shape);
        Self { left: elements.join(", "), relation: "should match", right, has_distance }
    }
}

fn wanted(operator: Operator, is_true: bool) -> &'static str {
    match (operator, is_true) {
        (Operator::Equal, true) | (Operator::NotEqual, false) => "should equal",
        (Operator::Equal, false) | (Operator::NotEqual, true) => "should differ from",
        (Operator::Order, _) => RecordedOperands::ORDER,
    }
}

fn asked(method: Predicate, is_true: bool) -> &'static str {
    match (method, is_true) {
        (Predicate::IsEmpty, true) => "should hold",
        (Predicate::IsEmpty, false) => "should hold more than",
        (Predicate::StartsWith, true) => "should start with",
        (Predicate::StartsWith, false) => "should not start with",
        (Predicate::EndsWith, true) => "should end with",
        (Predicate::EndsWith, false) => "should not end with",
        (Predicate::Contains | Predicate::Find | Predicate::Key, true) => "should contain",
        (Predicate::Contains | Predicate::Find | Predicate::Key, false) => "should not contain",
        (Predicate::EqualIgnoringCase, true) => "should equal, whatever the case,",
        (Predicate::EqualIgnoringCase, false) => "should differ, whatever the case, from",
        (Predicate::IsMatch, true) => "should match",
        (Predicate::IsMatch, false) => "should not match",
    }
}

fn shown(value: Observation<'_>) -> String {
    match value {
        Observation::Number(number) => numeral(number),
        Observation::Boolean(boolean) => boolean.to_string(),
        Observation::Character(character) => format!("{character:?}"),
        Observation::Text(text) => format!("{:?}", cut(text)),
        Observation::Pattern(pattern) => format!("/{}/", cut(pattern)),
        Observation::Length(length) => format!("a collection of {length}"),
        Observation::Interval(low, high, is_closed) => {
            let sign = if is_closed { "..=" } else { ".." };
            format!("{}{sign}{}", numeral(low), numeral(high))
        }
        Observation::Absent => "nothing".to_owned(),
        Observation::Unknown => "a value without distance".to_owned(),
    }
}

fn numeral(number: Number) -> String {
    match number {
        Number::Integer(integer) => integer.to_string(),
        Number::Float(float) => format!("{float:?}"),
    }
}

fn pattern(shape: &Shape) -> String {
    let list = |shapes: &[Shape], between: &str| {
        shapes.iter().map(pattern).collect::<Vec<_>>().join(between)
    };
    match shape {
        Shape::Any => "_".to_owned(),
        Shape::Unknown => "a pattern without distance".to_owned(),
        Shape::Integers(low, high) if low == high => low.to_string(),
        Shape::Integers(low, high) => format!("{low}..={high}"),
        Shape::Floats(low, high) => format!("{low:?}..={high:?}"),
        Shape::Text(text) => format!("{:?}", cut(text)),
        Shape::Lengths(least, usize::MAX) => format!("{least} elements or more"),
        Shape::Lengths(least, most) if least == most => format!("{least} elements"),
        Shape::Lengths(least, most) => format!("{least} to {most} elements"),
        Shape::Boolean(boolean) => boolean.to_string(),
        Shape::Absent => "nothing".to_owned(),
        Shape::Present => "something".to_owned(),
        Shape::Either(shapes) => list(shapes, " | "),
        Shape::Each(shapes) => format!("({})", list(shapes, ", ")),
    }
}

fn cut(text: &str) -> &str {
    text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end])
}
