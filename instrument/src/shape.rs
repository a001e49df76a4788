//! How near a value came to a pattern of a `match`.

use crate::observation::{Number, Observation};
use crate::text;
use crate::truthness::{ABSENT, BASE, closeness_above, difference};

/// What a pattern asks of a value, as far as a distance is defined on it.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Any value: `_` or a binding.
    Any,
    /// Something without a distance.
    Unknown,
    /// An integer, or a character by its code point, between both ends.
    Integers(i128, i128),
    /// A float between both ends.
    Floats(f64, f64),
    /// This text.
    Text(&'static str),
    /// A collection of at least and at most so many elements.
    Lengths(usize, usize),
    /// This truth value.
    Boolean(bool),
    /// `None` or `Err`.
    Absent,
    /// `Some` or `Ok` of anything.
    Present,
    /// One of several patterns.
    Either(&'static [Shape]),
    /// The elements of a tuple, one after the other.
    Each(&'static [Shape]),
}

impl Shape {
    /// Closeness in `(0, 1]` of the elements of a matched value; 1 when they fit.
    ///
    /// A value that is no tuple has one element. The elements of a tuple are averaged, as the
    /// operands of a conjunction are in the family's distances.
    pub(crate) fn closeness(&self, elements: &[Observation<'_>]) -> f64 {
        match self {
            Shape::Either(shapes) => {
                let each = shapes.iter().map(|shape| shape.closeness(elements));
                each.fold(BASE, f64::max)
            }
            Shape::Each(shapes) if shapes.len() == elements.len() => {
                let pairs = shapes.iter().zip(elements);
                let sum: f64 = pairs.map(|(shape, &element)| shape.one(element)).sum();
                sum / text::count(elements.len().max(1))
            }
            shape => match elements {
                [element] => shape.one(*element),
                _ => shape.one(Observation::Unknown),
            },
        }
    }

    fn one(&self, value: Observation<'_>) -> f64 {
        match (*self, value) {
            (Shape::Any, _) | (Shape::Absent, Observation::Absent) => 1.0,
            (Shape::Either(_), value) => self.closeness(&[value]),
            (Shape::Unknown | Shape::Each(_) | Shape::Absent, _) => BASE,
            (_, Observation::Absent) => ABSENT,
            (Shape::Present, _) => 1.0,
            (Shape::Boolean(wanted), Observation::Boolean(found)) => {
                closeness_above(BASE, f64::from(u8::from(wanted != found)))
            }
            (Shape::Text(wanted), Observation::Text(found)) => text::equality(found, wanted),
            (Shape::Integers(low, high), value) => {
                range(Number::Integer(low), Number::Integer(high), value)
            }
            (Shape::Floats(low, high), value) => {
                range(Number::Float(low), Number::Float(high), value)
            }
            (Shape::Lengths(least, most), Observation::Length(length)) => {
                let distance = least.saturating_sub(length).max(length.saturating_sub(most));
                closeness_above(BASE, text::count(distance))
            }
            (Shape::Text(_) | Shape::Boolean(_) | Shape::Lengths(..), _) => BASE,
        }
    }

    /// Texts that the pattern names for element `index`.
    pub(crate) fn texts(&self, index: usize, found: &mut Vec<&'static str>) {
        match *self {
            Shape::Text(text) if index == 0 => found.push(text),
            Shape::Either(shapes) => shapes.iter().for_each(|shape| shape.texts(index, found)),
            Shape::Each(shapes) => {
                if let Some(shape) = shapes.get(index) {
                    shape.texts(0, found);
                }
            }
            _ => {}
        }
    }
}

fn range(low: Number, high: Number, value: Observation<'_>) -> f64 {
    let Some(value) = value.number() else {
        return BASE;
    };
    let distance = if is_above(low, value) {
        difference(low, value)
    } else if is_above(value, high) {
        difference(value, high)
    } else {
        0.0
    };
    closeness_above(BASE, distance)
}

#[expect(clippy::cast_precision_loss, reason = "patterns of floats meet floats only")]
fn is_above(left: Number, right: Number) -> bool {
    match (left, right) {
        (Number::Integer(left), Number::Integer(right)) => left > right,
        (Number::Float(left), Number::Float(right)) => left > right,
        (Number::Integer(left), Number::Float(right)) => left as f64 > right,
        (Number::Float(left), Number::Integer(right)) => left > right as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i128) -> Observation<'static> {
        Observation::Number(Number::Integer(value))
    }

    #[test]
    fn ranges_texts_and_tuples_are_graded() {
        let range = Shape::Integers(5, 9);
        assert_eq!(range.closeness(&[number(7)]), 1.0);
        assert!(range.closeness(&[number(11)]) > range.closeness(&[number(20)]));
        assert!(range.closeness(&[number(4)]) > range.closeness(&[number(3)]));
        let texts = Shape::Either(&[Shape::Text("mon"), Shape::Text("tue")]);
        let near = texts.closeness(&[Observation::Text("tuf")]);
        assert!(near > texts.closeness(&[Observation::Text("xxx")]) && near < 1.0);
        let pair = Shape::Each(&[Shape::Integers(0, 0), Shape::Any]);
        assert_eq!(pair.closeness(&[number(0), number(3)]), 1.0);
        assert!(pair.closeness(&[number(1), number(3)]) < 1.0);
        assert_eq!(Shape::Present.closeness(&[Observation::Absent]), ABSENT);
    }
}
