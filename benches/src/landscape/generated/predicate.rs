//! Conditions of generated branches.

use wallace_genes::{Gene, Specialisation};

use super::super::distance::Truth;
use super::super::step::Trace;

/// A whole number.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Number {
    /// A constant.
    Constant(i64),
    /// An integer argument.
    Argument(usize),
    /// What earlier calls left.
    Register(usize),
    /// Characters of a text argument, or elements of a list argument.
    Size(usize),
    /// Sum over a list argument.
    Total(usize),
    /// An integer argument times a factor, plus another integer argument.
    Linear(i64, usize, usize),
}

impl Number {
    pub(super) fn value(&self, arguments: &[Gene], state: &[i64]) -> i64 {
        match self {
            Self::Constant(value) => *value,
            Self::Argument(place) => integer(&arguments[*place]),
            Self::Register(register) => state[*register],
            Self::Size(place) => match &arguments[*place] {
                Gene::String(string) => string.text.chars().count() as i64,
                list => list.parts().count() as i64,
            },
            Self::Total(place) => arguments[*place].parts().map(integer).sum(),
            Self::Linear(factor, one, other) => {
                factor * integer(&arguments[*one]) + integer(&arguments[*other])
            }
        }
    }
}

/// A condition.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Predicate {
    /// Two whole numbers are equal.
    Equal(Number, Number),
    /// A whole number is less than another.
    Less(Number, Number),
    /// A double argument is less than a constant.
    FloatLess(usize, f64),
    /// A double argument equals a constant.
    FloatEqual(usize, f64),
    /// A text argument equals a constant.
    Text(usize, String),
    /// Two text arguments are equal.
    SameText(usize, usize),
    /// A text argument starts with a constant.
    Prefix(usize, String),
    /// A list argument contains a constant.
    Contains(usize, i64),
    /// A name argument is this one; without gradient.
    Name(usize, u32),
    /// A flag argument is set; an integer to the code, so that its other side has half a score.
    Flag(usize),
}

impl Predicate {
    pub(super) fn truth(&self, arguments: &[Gene], state: &[i64], trace: &mut Trace) -> Truth {
        match self {
            Self::Equal(one, other) => {
                Truth::equal(one.value(arguments, state), other.value(arguments, state))
            }
            Self::Less(one, other) => {
                Truth::less(one.value(arguments, state), other.value(arguments, state))
            }
            Self::FloatLess(place, constant) => {
                Truth::float_less(float(&arguments[*place]), *constant)
            }
            Self::FloatEqual(place, constant) => {
                Truth::float_equal(float(&arguments[*place]), *constant)
            }
            Self::Text(place, constant) => {
                let text = text(&arguments[*place]);
                trace.compare(text, || Specialisation::Constant(constant.as_str().into()));
                Truth::same_text(text, constant)
            }
            Self::SameText(one, other) => {
                Truth::same_text(text(&arguments[*one]), text(&arguments[*other]))
            }
            Self::Prefix(place, constant) => {
                let text = text(&arguments[*place]);
                let pattern = || format!("{constant}.*").into();
                trace
                    .compare(text, || Specialisation::Regex { pattern: pattern(), is_whole: true });
                Truth::starts_with(text, constant)
            }
            Self::Contains(place, constant) => {
                let list: Vec<i64> = arguments[*place].parts().map(integer).collect();
                Truth::contains(&list, *constant)
            }
            Self::Name(place, name) => Truth::flat(arguments[*place] == Gene::Enum(*name)),
            Self::Flag(place) => {
                let is_set = arguments[*place] == Gene::Boolean(true);
                if is_set { Truth::held(0.5) } else { Truth::failed(0.5) }
            }
        }
    }
}

pub(super) fn integer(gene: &Gene) -> i64 {
    if let Gene::Integer(value) = gene { i64::from(*value) } else { 0 }
}

pub(super) fn float(gene: &Gene) -> f64 {
    if let Gene::Float(value) = gene { value.get() } else { 0.0 }
}

pub(super) fn text(gene: &Gene) -> &str {
    if let Gene::String(string) = gene { &string.text } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        let list = Gene::Array(vec![Gene::Integer(4), Gene::Integer(-1)]);
        let arguments = [Gene::Integer(3), Gene::Integer(7), Gene::text("a\u{e9}"), list];
        let value = |number: Number| number.value(&arguments, &[9]);
        assert_eq!(value(Number::Linear(2, 0, 1)), 13);
        assert_eq!(value(Number::Size(2)), 2);
        assert_eq!(value(Number::Size(3)), 2);
        assert_eq!(value(Number::Total(3)), 3);
        assert_eq!(value(Number::Register(0)), 9);
    }

    #[test]
    fn a_prefix_of_a_tainted_text_is_told() {
        let mut trace = Trace::default();
        let predicate = Predicate::Prefix(0, "id-".to_owned());
        assert!(!predicate.truth(&[Gene::text("_EM_1_XYZ_")], &[], &mut trace).holds());
        assert!(predicate.truth(&[Gene::text("id-7")], &[], &mut trace).holds());
        assert_eq!(trace.comparisons.len(), 1);
    }
}
