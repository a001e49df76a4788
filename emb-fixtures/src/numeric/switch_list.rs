//! The names of what can be made wrong in the numerical operations.

use crate::amendment::{Amendment, Amendments, amendments, joined};
use crate::graphql::{Messages, unnamed_arguments};
use crate::switch::{Switch, Switches};

/// What can be made wrong behind both faces.
const SWITCHES: &[Switch] = &[
    Switch::new("triangle-zero-side-accepted", "a = 0 passes as a side of a scalene triangle"),
    Switch::new("triangle-flat-accepted", "a + b = c passes as a scalene triangle"),
    Switch::new("triangle-equilateral-as-isosceles", "three equal sides give 2"),
    Switch::new("triangle-last-pair-dropped", "a = c alone gives scalene"),
    Switch::new("triangle-first-side-unchecked", "a may be 0 or negative"),
    Switch::new("triangle-second-side-unchecked", "b may be 0 or negative"),
    Switch::new("triangle-third-side-unchecked", "c may be 0 or negative"),
    Switch::new("triangle-long-first-accepted", "a may be as long as b and c together, or longer"),
    Switch::new("triangle-long-second-accepted", "b may be as long as a and c together, or longer"),
    Switch::new("triangle-long-third-accepted", "c may be as long as a and b together, or longer"),
    Switch::new("triangle-first-pair-dropped", "a = b gives scalene"),
    Switch::new("triangle-second-pair-dropped", "b = c gives scalene"),
    Switch::new("triangle-scalene-as-isosceles", "three different sides give 2"),
    Switch::new("remainder-limit-excluded", "10000 itself is refused"),
    Switch::new("remainder-zero-divisor-gives-zero", "b = 0 gives 0 in place of -1"),
    Switch::new("remainder-operands-swapped", "gives the remainder of b by a"),
    Switch::new("remainder-sign-lost", "negative remainders come out positive"),
    Switch::new("remainder-multiple-gives-divisor", "the last subtraction is left out"),
    Switch::new("remainder-large-dividend-as-zero", "a beyond the limits gives 0"),
    Switch::new("remainder-large-divisor-gives-dividend", "b beyond the limits gives a"),
    Switch::new("remainder-smaller-dividend-as-zero", "a nearer to 0 than b gives 0"),
    Switch::new("bessj-order-two-accepted", "n = 2 gives 0 in place of an error"),
    Switch::new("bessj-limit-excluded", "n = 1000 is refused"),
    Switch::new("bessj-zero-gives-one", "x = 0 gives 1"),
    Switch::new("bessj-odd-sign-lost", "odd orders ignore the sign of x"),
    Switch::new("bessj-order-off-by-one", "gives order n + 1"),
    Switch::new("bessj-small-order-gives-one", "n < 2 gives 1 in place of an error"),
    Switch::new("bessj-large-order-gives-zero", "n > 1000 gives 0 in place of an error"),
    Switch::new("expint-negative-order-accepted", "n < 0 gives 0 in place of an error"),
    Switch::new("expint-order-zero-undivided", "n = 0 gives exp(-x), not divided by x"),
    Switch::new("expint-zero-argument-off-by-one", "x = 0 gives 1/n in place of 1/(n-1)"),
    Switch::new("expint-large-argument-unscaled", "x > 1 lacks the factor exp(-x)"),
    Switch::new("expint-negative-argument-gives-zero", "x < 0 gives 0 in place of an error"),
    Switch::new("expint-divergent-gives-zero", "x = 0 with n 0 or 1 gives 0"),
    Switch::new("expint-small-argument-scaled", "x up to 1 gets a factor exp(-x)"),
    Switch::new("expint-order-one-as-two", "n = 1 gives order 2"),
    Switch::new("fisher-limit-excluded", "1000 degrees of freedom are refused"),
    Switch::new("fisher-degrees-swapped", "m and n change places"),
    Switch::new("fisher-complement", "gives the upper tail"),
    Switch::new("fisher-both-odd-halved", "odd m with odd n gives half the probability"),
    Switch::new("fisher-large-first-degrees-as-one", "m > 1000 gives 1 in place of an error"),
    Switch::new("fisher-large-second-degrees-as-one", "n > 1000 gives 1 in place of an error"),
    Switch::new("fisher-undefined-as-zero", "what is no number becomes 0"),
    Switch::new("fisher-impossible-as-half", "probability 0 becomes 0.5"),
    Switch::new("gammq-negative-argument-accepted", "x < 0 gives 1 in place of an error"),
    Switch::new("gammq-zero-parameter-accepted", "a = 0 gives 0 in place of an error"),
    Switch::new("gammq-arguments-swapped", "a and x change places"),
    Switch::new("gammq-series-not-complemented", "x < a + 1 gives the lower tail"),
    Switch::new("gammq-negative-parameter-accepted", "a < 0 gives 0 in place of an error"),
    Switch::new("gammq-unsettled-as-half", "no convergence gives 0.5"),
    Switch::new("gammq-zero-argument-as-zero", "x = 0 gives 0 in place of 1"),
    Switch::new("gammq-fraction-complemented", "x of a + 1 and above gives the lower tail"),
];

const MESSAGES: &[Amendment<&str>] = unnamed_arguments! {
    "triangle" "triangleClassification": "a" "b" "c";
    "remainder" "remainder": "a" "b";
    "bessj" "bessj": "n" "x";
    "expint" "expint": "n" "x";
    "fisher" "fisher": "m" "n" "x";
    "gammq" "gammq": "a" "x";
};

/// What the refusals of a GraphQL instance become.
pub(crate) fn messages(switches: Switches) -> Messages {
    Amendments::new(switches, MESSAGES)
}

const STATUSES: &[Amendment<u16>] = amendments! {
    "/api/triangle" {
        "triangle-refused-as-422": "400" => 422,
        "triangle-empty-argument-as-400": "no such path" => 400,
        "triangle-other-method-as-404": "no such method" => 404,
    }
    "/api/remainder" {
        "remainder-refused-as-422": "400" => 422,
        "remainder-empty-argument-as-400": "no such path" => 400,
        "remainder-other-method-as-404": "no such method" => 404,
    }
    "/api/bessj" {
        "bessj-refused-as-422": "400" => 422,
        "bessj-empty-argument-as-400": "no such path" => 400,
        "bessj-other-method-as-404": "no such method" => 404,
    }
    "/api/expint" {
        "expint-refused-as-422": "400" => 422,
        "expint-empty-argument-as-400": "no such path" => 400,
        "expint-other-method-as-404": "no such method" => 404,
    }
    "/api/fisher" {
        "fisher-refused-as-422": "400" => 422,
        "fisher-empty-argument-as-400": "no such path" => 400,
        "fisher-other-method-as-404": "no such method" => 404,
    }
    "/api/gammq" {
        "gammq-refused-as-422": "400" => 422,
        "gammq-empty-argument-as-400": "no such path" => 400,
        "gammq-other-method-as-404": "no such method" => 404,
    }
};

/// What the statuses of a REST instance become.
pub(crate) fn statuses(switches: Switches) -> Amendments<u16> {
    Amendments::new(switches, STATUSES)
}

/// What can be made wrong behind GraphQL.
pub(crate) const GRAPHQL_SWITCHES: &[Switch] =
    &joined::<_, { SWITCHES.len() + MESSAGES.len() }>(SWITCHES, MESSAGES);

/// What can be made wrong behind REST.
pub(crate) const REST_SWITCHES: &[Switch] =
    &joined::<_, { SWITCHES.len() + STATUSES.len() }>(SWITCHES, STATUSES);
