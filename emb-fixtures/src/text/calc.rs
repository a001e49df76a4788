//! A calculator whose operator is a word.

use libm::{cos, log, sin, sqrt, tan};
use std::f64::consts::{E, PI};
use wallace_instrument::white_box;

/// The value of constant, function or operator `op`; 0 for an unknown one.
///
/// Division by 0 and roots of negative numbers give what floats give.
#[white_box]
pub(super) fn calc(op: &str, arg1: f64, arg2: f64) -> f64 {
    if op == "pi" {
        PI
    } else if op == "e" {
        E
    } else if op == "sqrt" {
        sqrt(arg1)
    } else if op == "log" {
        log(arg1)
    } else if op == "sine" {
        sin(arg1)
    } else if op == "cosine" {
        cos(arg1)
    } else if op == "tangent" {
        tan(arg1)
    } else if op == "plus" {
        arg1 + arg2
    } else if op == "subtract" {
        arg1 - arg2
    } else if op == "multiply" {
        arg1 * arg2
    } else if op == "divide" {
        arg1 / arg2
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::calc;

    #[test]
    fn every_operator() {
        for (op, expected) in [
            ("pi", std::f64::consts::PI),
            ("e", std::f64::consts::E),
            ("sqrt", 3.0),
            ("log", 2.197224577336219),
            ("sine", 0.4121184852417566),
            ("cosine", -0.9111302618846769),
            ("tangent", -0.45231565944180985),
            ("plus", 11.0),
            ("subtract", 7.0),
            ("multiply", 18.0),
            ("divide", 4.5),
            ("power", 0.0),
        ] {
            let actual = calc(op, 9.0, 2.0);
            assert!((actual - expected).abs() < 1e-12, "{op} gives {actual}");
        }
    }

    #[test]
    fn impossible_values_are_values() {
        assert!(calc("sqrt", -1.0, 0.0).is_nan());
        assert_eq!(calc("divide", 1.0, 0.0), f64::INFINITY);
    }
}
