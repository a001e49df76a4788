//! Scores of single comparisons and predicates, as data.
//!
//! Where a row stands without a note, the number is that of the JVM drivers of the family for
//! the same operands (their `TruthnessUtils` and method replacements).

use wallace_instrument::{
    Number, Observation, Operator, Predicate, Truthness, comparison, predicate,
};

const fn integer(value: i128) -> Observation<'static> {
    Observation::Number(Number::Integer(value))
}

const fn float(value: f64) -> Observation<'static> {
    Observation::Number(Number::Float(value))
}

const fn text(value: &str) -> Observation<'_> {
    Observation::Text(value)
}

#[track_caller]
fn check(scores: Truthness, when_true: f64, when_false: f64) {
    let is_near = |found: f64, wanted: f64| (found - wanted).abs() < 1e-6;
    assert!(
        is_near(scores.when_true, when_true) && is_near(scores.when_false, when_false),
        "{scores:?} is not ({when_true}, {when_false})"
    );
}

type Row = (Operator, Observation<'static>, Observation<'static>, bool, f64, f64);

#[test]
fn comparisons_score_as_in_the_table() {
    use Operator::{Equal, NotEqual, Order};
    let rows: &[Row] = &[
        (Equal, integer(5), integer(10), false, 1.0 / 6.0, 1.0),
        (NotEqual, integer(5), integer(10), true, 1.0, 1.0 / 6.0),
        (Order, integer(5), integer(10), true, 1.0, 0.163_934),
        (Order, integer(10), integer(10), false, 0.909_091, 1.0),
        // The family gives 0 to the side that was missed where numbers are equal.
        (Equal, integer(5), integer(5), true, 1.0, 0.5),
        (NotEqual, integer(5), integer(5), false, 0.5, 1.0),
        (Equal, text("foo"), text("bar"), false, 0.140_909, 1.0),
        (Equal, text(""), text("a"), false, 0.100_014, 1.0),
        (Equal, text("a"), text("a"), true, 1.0, 0.1),
        (Equal, Observation::Boolean(true), Observation::Boolean(false), false, 0.5, 1.0),
        (Equal, Observation::Character('a'), Observation::Character('d'), false, 0.25, 1.0),
        (Equal, Observation::Absent, integer(3), false, 0.05, 1.0),
        (Equal, Observation::Unknown, Observation::Unknown, false, 0.1, 1.0),
        // Floats are compared like integers here, and not by three targets of their own.
        (Equal, float(0.25), float(0.5), false, 0.8, 1.0),
        (Order, float(1.5), float(-1.5), true, 1.0, 1.0 / 4.1),
        // Not finite: as far away as can be.
        (Equal, float(f64::NAN), float(f64::NAN), false, 0.0, 1.0),
        (Order, float(f64::INFINITY), integer(0), false, 0.0, 1.0),
    ];
    for &(operator, left, right, outcome, when_true, when_false) in rows {
        let scores = comparison(operator, outcome, left, right);
        check(scores, when_true, when_false);
        assert!(scores.when_true > 0.0 && scores.when_false > 0.0, "{left:?} {right:?}");
    }
}

type PredicateRow = (Predicate, Observation<'static>, Observation<'static>, bool, f64, f64);

#[test]
fn predicates_score_as_in_the_table() {
    use Predicate::{Contains, EndsWith, EqualIgnoringCase, IsEmpty, IsMatch, StartsWith};
    let units = 65_535.0;
    let none = Observation::Unknown;
    let rows: &[PredicateRow] = &[
        (Contains, text("hello"), text("xy"), false, 0.043_478, 1.0),
        (Contains, text("hello"), text("ell"), true, 1.0, 0.1),
        (Contains, text("fo"), text("ba"), false, 0.1 + 0.9 / 19.0, 1.0),
        (StartsWith, text("foobar"), text("bar"), false, 0.140_909, 1.0),
        (StartsWith, text("f"), text("bar"), false, 1.0 / (1.0 + 5.0 * units), 1.0),
        (EndsWith, text("barfoo"), text("bar"), false, 0.140_909, 1.0),
        (EndsWith, text("f"), text("bar"), false, 1.0 / (1.0 + 7.0 * units), 1.0),
        (IsEmpty, text("abc"), none, false, 0.25, 1.0),
        (IsEmpty, text(""), none, true, 1.0, 0.1),
        (IsEmpty, Observation::Length(9), none, false, 0.1, 1.0),
        (EqualIgnoringCase, text("FOO"), text("bar"), false, 0.140_909, 1.0),
        // One step to any text that matches, until there is an edit distance.
        (IsMatch, Observation::Pattern("a+"), text("b"), false, 0.5, 1.0),
        (Contains, Observation::Length(0), none, false, 0.05, 1.0),
        (Contains, Observation::Length(3), none, false, 0.1, 1.0),
    ];
    for &(method, receiver, argument, outcome, when_true, when_false) in rows {
        check(predicate(method, outcome, receiver, argument), when_true, when_false);
    }
}
