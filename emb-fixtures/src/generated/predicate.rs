//! Conditions as data, evaluated with the heuristics and the taint of the instrumentation.

use serde_json::Value;
use wallace_instrument::{Number, Observation, Operator, Predicate as Method};

use super::pattern::Pattern;
use super::table::Place;

/// Number of state variables.
pub(super) const STATES: usize = 3;

/// The state that a service keeps between calls.
pub(super) type State = [i64; STATES];

/// A whole number that depends on a call.
#[derive(Debug, Clone)]
pub(super) enum Term {
    Constant(i64),
    Argument(String),
    Sum(String, String),
    Scaled(String, i64),
    /// Length of a text or a list.
    Length(String),
    State(usize),
}

impl Term {
    pub(super) fn value(&self, arguments: &Value, state: &State) -> i64 {
        let integer =
            |pointer: &String| arguments.pointer(pointer).and_then(Value::as_i64).unwrap_or(0);
        match self {
            Self::Constant(constant) => *constant,
            Self::Argument(pointer) => integer(pointer),
            Self::Sum(left, right) => integer(left) + integer(right),
            Self::Scaled(pointer, factor) => integer(pointer) * factor,
            Self::Length(pointer) => {
                let length = match arguments.pointer(pointer) {
                    Some(Value::Array(items)) => items.len(),
                    Some(Value::String(text)) => text.chars().count(),
                    _ => 0,
                };
                i64::try_from(length).unwrap_or(i64::MAX)
            }
            Self::State(index) => state.get(*index).copied().unwrap_or(0),
        }
    }
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Less,
    AtMost,
}

impl Comparison {
    fn holds<T: PartialOrd + Copy>(self, left: T, right: T) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
        }
    }

    fn operator(self) -> Operator {
        if self == Self::Equal { Operator::Equal } else { Operator::Order }
    }
}

/// A constant, or the argument at a pointer.
#[derive(Debug, Clone)]
pub(super) enum Operand<T> {
    Constant(T),
    Argument(String),
}

/// What is asked of a text.
#[derive(Debug, Clone)]
pub(super) enum Question {
    Equals(Operand<String>),
    StartsWith(String),
    EndsWith(String),
    Contains(String),
    Matches(Pattern),
}

/// A condition over the arguments of a call and the state.
#[derive(Debug, Clone)]
pub(super) enum Predicate {
    Integers(Term, Comparison, Term),
    Floats(String, Comparison, Operand<f64>),
    Text(String, Question),
    /// Whether a list holds a number.
    Holds(String, i64),
    Flag(String),
}

impl Predicate {
    /// Whether it holds, noted at `place` if there is one.
    pub(super) fn holds(&self, arguments: &Value, state: &State, place: Option<Place>) -> bool {
        match self {
            Self::Integers(left, comparison, right) => {
                let (left, right) = (left.value(arguments, state), right.value(arguments, state));
                let outcome = comparison.holds(left, right);
                compare(place, comparison.operator(), outcome, integer(left), integer(right))
            }
            Self::Floats(pointer, comparison, right) => {
                let (left, right) = (float(arguments, pointer), float_operand(arguments, right));
                let outcome = comparison.holds(left, right);
                let observe = |value| Observation::Number(Number::Float(value));
                compare(place, comparison.operator(), outcome, observe(left), observe(right))
            }
            Self::Text(pointer, question) => {
                question.holds(text(arguments, pointer), arguments, place)
            }
            Self::Holds(pointer, wanted) => holds(arguments, pointer, *wanted, place),
            Self::Flag(pointer) => {
                let outcome = arguments.pointer(pointer) == Some(&Value::Bool(true));
                place.inspect(|place| place.flag(outcome));
                outcome
            }
        }
    }
}

fn compare(
    place: Option<Place>,
    operator: Operator,
    outcome: bool,
    left: Observation<'_>,
    right: Observation<'_>,
) -> bool {
    place.inspect(|place| place.compare(operator, outcome, left, right));
    outcome
}

fn integer(value: i64) -> Observation<'static> {
    Observation::Number(Number::Integer(value.into()))
}

fn float(arguments: &Value, pointer: &str) -> f64 {
    arguments.pointer(pointer).and_then(Value::as_f64).unwrap_or(0.0)
}

fn float_operand(arguments: &Value, operand: &Operand<f64>) -> f64 {
    match operand {
        Operand::Constant(constant) => *constant,
        Operand::Argument(pointer) => float(arguments, pointer),
    }
}

fn text<'a>(arguments: &'a Value, pointer: &str) -> &'a str {
    arguments.pointer(pointer).and_then(Value::as_str).unwrap_or("")
}

/// As a loop over the list would tell: the element that comes nearest counts.
fn holds(arguments: &Value, pointer: &str, wanted: i64, place: Option<Place>) -> bool {
    let items = arguments.pointer(pointer).and_then(Value::as_array);
    let items: Vec<i64> = items.into_iter().flatten().filter_map(Value::as_i64).collect();
    let outcome = items.contains(&wanted);
    place.inspect(|place| place.look_up(outcome, &items, wanted));
    outcome
}

impl Question {
    fn holds(&self, text: &str, arguments: &Value, place: Option<Place>) -> bool {
        let (method, part) = match self {
            Self::Equals(operand) => {
                let other = match operand {
                    Operand::Constant(constant) => constant.as_str(),
                    Operand::Argument(pointer) => self::text(arguments, pointer),
                };
                let (left, right) = (Observation::Text(text), Observation::Text(other));
                return compare(place, Operator::Equal, text == other, left, right);
            }
            Self::Matches(pattern) => {
                let outcome = pattern.regex.is_match(text);
                let receiver = Observation::Pattern(pattern.regex.as_str());
                place.inspect(|place| {
                    place.call(Method::IsMatch, outcome, receiver, Observation::Text(text));
                });
                return outcome;
            }
            Self::StartsWith(part) => (Method::StartsWith, part),
            Self::EndsWith(part) => (Method::EndsWith, part),
            Self::Contains(part) => (Method::Contains, part),
        };
        let outcome = match method {
            Method::StartsWith => text.starts_with(part.as_str()),
            Method::EndsWith => text.ends_with(part.as_str()),
            _ => text.contains(part.as_str()),
        };
        place.inspect(|place| {
            place.call(method, outcome, Observation::Text(text), Observation::Text(part));
        });
        outcome
    }
}
