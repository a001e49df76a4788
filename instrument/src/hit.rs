//! What the code written by the attribute calls. Not meant for other callers.

use crate::comparison::{Operator, comparison};
use crate::observation::Observation;
use crate::predicate::{Predicate, predicate};
use crate::recorder::Recorder;
use crate::scope::with_recorder;
use crate::shape::Shape;
use crate::site::Function;
use crate::taint;
use crate::truthness::{ABSENT, BASE, FLAG, Truthness};

/// Score of an arm whose pattern fits, but that an earlier arm or its guard kept from being taken.
const FITTING_ARM: f64 = 0.9;

/// Executes a line.
#[inline]
pub fn line(function: &'static Function, target: u32) {
    with_recorder(function, target, |recorder, slot| recorder.line(slot));
}

/// A condition on which no distance is defined.
pub fn flag(function: &'static Function, target: u32, outcome: bool) -> bool {
    with_recorder(function, target, |recorder, slot| {
        recorder.branch(slot, Truthness::new(outcome, FLAG));
    });
    outcome
}

/// A comparison: its outcome and both operands.
pub fn compare(
    function: &'static Function,
    target: u32,
    operator: Operator,
    (outcome, left, right): (bool, Observation<'_>, Observation<'_>),
) -> bool {
    with_recorder(function, target, |recorder, slot| {
        if may_be_tainted(left, right) {
            recorder.note_uses(|inputs| taint::in_comparison(operator, left, right, inputs));
        }
        if !recorder.is_covered(slot, 2) {
            recorder.branch(slot, comparison(operator, outcome, left, right));
        }
    });
    outcome
}

/// A call of a known method. `outcome` is looked at only if it is a truth value.
pub fn call(
    function: &'static Function,
    target: u32,
    method: Predicate,
    (outcome, receiver, argument): (Observation<'_>, Observation<'_>, Observation<'_>),
) {
    let Observation::Boolean(outcome) = outcome else {
        return;
    };
    with_recorder(function, target, |recorder, slot| {
        if may_be_tainted(receiver, argument) {
            recorder.note_uses(|inputs| taint::in_predicate(method, receiver, argument, inputs));
        }
        if !recorder.is_covered(slot, 2) {
            recorder.branch(slot, predicate(method, outcome, receiver, argument));
        }
    });
}

/// Whether the operands are texts that taint analysis must look at.
fn may_be_tainted(left: Observation<'_>, right: Observation<'_>) -> bool {
    matches!(left, Observation::Text(_) | Observation::Pattern(_))
        && matches!(right, Observation::Text(_))
}

/// Notes how a text is parsed; `R` is the result type of the parser.
pub fn parse<R>(function: &'static Function, text: Observation<'_>, result: R) -> R {
    let Observation::Text(text) = text else {
        return result;
    };
    with_recorder(function, 0, |recorder, _| {
        recorder.note_uses(|inputs| {
            let type_name = parsed_type(std::any::type_name::<R>());
            taint::in_parse(text, type_name, inputs).into_iter().collect()
        });
    });
    result
}

/// `T` of `core::result::Result<T, E>`.
fn parsed_type(result: &str) -> &str {
    let inner = result.strip_prefix("core::result::Result<").unwrap_or("");
    inner.split([',', '<']).next().unwrap_or("")
}

/// The patterns of a `match` are about to be tried on a value: arms with a distance get a score.
pub fn near(
    function: &'static Function,
    target: u32,
    elements: &[Observation<'_>],
    shapes: &'static [(u32, Shape)],
) {
    with_recorder(function, target, |recorder, slot| {
        if elements.iter().any(|element| matches!(element, Observation::Text(_))) {
            recorder.note_uses(|inputs| taint::in_match(elements, shapes, inputs));
        }
        for (arm, shape) in shapes {
            if !recorder.is_covered(slot + arm, 1) {
                let score = shape.closeness(elements);
                recorder.reach(slot + arm, score.min(FITTING_ARM));
            }
        }
    });
}

/// Arm `arm` of `count` is taken; the others were reached.
pub fn arm(function: &'static Function, target: u32, arm: u32, count: u32) {
    with_recorder(function, target, |recorder, slot| {
        if recorder.is_covered(slot + arm, 1) {
            return;
        }
        recorder.reach(slot + arm, 1.0);
        reach_others(recorder, slot, count);
    });
}

fn reach_others(recorder: &Recorder, slot: u32, count: u32) {
    for other in slot..slot + count {
        recorder.reach(other, ABSENT);
    }
}

/// A pattern of `if let`, `while let` or `let else` fits, or does not. Returns true.
pub fn matched(function: &'static Function, target: u32, outcome: bool) -> bool {
    with_recorder(function, target, |recorder, slot| {
        recorder.branch(slot, Truthness::new(outcome, BASE));
    });
    true
}

/// Target of the pattern of a chain that is being tried; nothing else is undecided.
#[derive(Debug, Default)]
pub struct Pending(Option<u32>);

impl Pending {
    /// No pattern is being tried.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// A pattern is about to be tried. Returns true.
    #[inline]
    pub const fn attempt(&mut self, target: u32) -> bool {
        self.0 = Some(target);
        true
    }

    /// The pattern fits. Returns true.
    #[inline]
    pub fn fits(&mut self, function: &'static Function, target: u32) -> bool {
        self.0 = None;
        matched(function, target, true)
    }

    /// The chain is false; if a pattern was being tried, that is why.
    #[inline]
    pub fn fails(&mut self, function: &'static Function) {
        if let Some(target) = self.0.take() {
            matched(function, target, false);
        }
    }
}

/// An operand kept by value, where the original code would have copied it.
#[derive(Debug)]
pub struct Held<T>(T);

impl<T> std::ops::Deref for Held<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A left operand whose right neighbour may change it.
///
/// The built-in operators copy the left operand before the right one is evaluated, so that
/// `self.position == self.advance()` is fine; a reference to it would not be. Copies what can be
/// copied and keeps a reference otherwise, by the same choice as [`crate::Probe`].
#[derive(Debug)]
pub struct Operand<'a, T: ?Sized>(pub &'a T);

/// Holds operands that can be copied.
pub trait HoldCopy {
    /// Type of the operand.
    type Value;
    /// A copy.
    fn white_box_hold(&self) -> Held<Self::Value>;
}

/// Holds any other operand.
pub trait HoldReference<'a> {
    /// Type of the operand.
    type Value: ?Sized;
    /// The reference itself.
    fn white_box_hold(&self) -> &'a Self::Value;
}

impl<T: Copy> HoldCopy for Operand<'_, T> {
    type Value = T;
    #[inline]
    fn white_box_hold(&self) -> Held<T> {
        Held(*self.0)
    }
}

impl<'a, T: ?Sized> HoldReference<'a> for &Operand<'a, T> {
    type Value = T;
    #[inline]
    fn white_box_hold(&self) -> &'a T {
        self.0
    }
}
