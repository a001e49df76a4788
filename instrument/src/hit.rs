//! What the code written by the attribute calls. Not meant for other callers.

use crate::comparison::{Operator, comparison};
use crate::memo::{Memo, NO_STAMP};
use crate::observation::Observation;
use crate::predicate::{Predicate, predicate};
use crate::recorder::Recorder;
use crate::scope::{is_recording, note_line, settle, stamp, with_recorder};
use crate::shape::Shape;
use crate::site::Function;
use crate::taint;
use crate::truthness::{ABSENT, BASE, FLAG, Truthness};
use wallace_sut_driver::StringUse;

/// Score of an arm whose pattern fits, but that an earlier arm or its guard kept from being taken.
const FITTING_ARM: f64 = 0.9;

/// Whether target `offset` has nothing more to learn: nobody records, or all is recorded.
#[inline]
fn is_settled(function: &'static Function, target: u32) -> bool {
    function.memo(target).is_some_and(has_no_news)
}

/// As [`is_settled`], where the memo is at hand: lines and conditions are what loops are made of.
#[inline]
fn has_no_news(memo: &Memo) -> bool {
    match stamp() {
        NO_STAMP => !is_recording(),
        stamp => memo.is_settled(stamp),
    }
}

/// Executes a line.
#[inline]
pub fn line(function: &'static Function, target: u32, memo: &'static Memo) {
    note_line(function, target);
    if !has_no_news(memo) {
        reach_line(function, target);
    }
}

#[inline(never)]
fn reach_line(function: &'static Function, target: u32) {
    with_recorder(function, target, |recorder, slot| {
        recorder.reach(slot, 1.0);
        if stamp() == recorder.stamp() {
            settle(function, target, recorder);
        } else {
            recorder.set_last_line(slot);
        }
    });
}

/// Records both sides of a condition, unless that is no news.
fn branch(function: &'static Function, target: u32, outcome: bool, scores: Truthness) {
    let opposite = if outcome { scores.when_false } else { scores.when_true };
    let memo = function.memo(target);
    if memo.is_some_and(|memo| memo.knows(stamp(), outcome, opposite)) {
        return;
    }
    with_recorder(function, target, |recorder, slot| {
        recorder.branch(slot, scores);
        if recorder.is_covered(slot, 2) {
            settle(function, target, recorder);
        } else if let (Some(memo), true) = (memo, stamp() == recorder.stamp()) {
            memo.remember(stamp(), outcome, opposite);
        }
    });
}

/// A condition on which no distance is defined.
#[inline]
pub fn flag(function: &'static Function, target: u32, memo: &'static Memo, outcome: bool) -> bool {
    if !has_no_news(memo) {
        reach_flag(function, target, outcome);
    }
    outcome
}

#[inline(never)]
fn reach_flag(function: &'static Function, target: u32, outcome: bool) {
    branch(function, target, outcome, Truthness::new(outcome, FLAG));
}

/// A comparison: its outcome and both operands.
#[inline]
pub fn compare(
    function: &'static Function,
    target: u32,
    memo: &'static Memo,
    operator: Operator,
    operands: (bool, Observation<'_>, Observation<'_>),
) -> bool {
    let (outcome, left, right) = operands;
    if may_be_tainted(left, right) || !has_no_news(memo) {
        reach_comparison(function, target, operator, operands);
    }
    outcome
}

#[inline(never)]
fn reach_comparison(
    function: &'static Function,
    target: u32,
    operator: Operator,
    (outcome, left, right): (bool, Observation<'_>, Observation<'_>),
) {
    if may_be_tainted(left, right) {
        note_uses(function, |inputs| taint::in_comparison(operator, left, right, inputs));
    }
    if !is_settled(function, target) {
        branch(function, target, outcome, comparison(operator, outcome, left, right));
    }
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
    if may_be_tainted(receiver, argument) {
        note_uses(function, |inputs| taint::in_predicate(method, receiver, argument, inputs));
    }
    if !is_settled(function, target) {
        branch(function, target, outcome, predicate(method, outcome, receiver, argument));
    }
}

fn note_uses(function: &'static Function, find: impl Fn(&[String]) -> Vec<StringUse>) {
    if !is_recording() {
        return;
    }
    with_recorder(function, 0, |recorder, _| recorder.note_uses(find));
}

/// Whether the operands are texts that taint analysis must look at.
#[inline]
fn may_be_tainted(left: Observation<'_>, right: Observation<'_>) -> bool {
    matches!(left, Observation::Text(_) | Observation::Pattern(_))
        && matches!(right, Observation::Text(_))
}

/// Notes how a text is parsed; `R` is the result type of the parser.
pub fn parse<R>(function: &'static Function, text: Observation<'_>, result: R) -> R {
    let Observation::Text(text) = text else {
        return result;
    };
    note_uses(function, |inputs| {
        let type_name = parsed_type(std::any::type_name::<R>());
        taint::in_parse(text, type_name, inputs).into_iter().collect()
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
    if !is_recording() {
        return;
    }
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
#[inline]
pub fn arm(function: &'static Function, target: u32, arm: u32, count: u32) {
    if !is_settled(function, target + arm) {
        reach_arm(function, target, arm, count);
    }
}

fn reach_arm(function: &'static Function, target: u32, arm: u32, count: u32) {
    with_recorder(function, target, |recorder, slot| {
        recorder.reach(slot + arm, 1.0);
        reach_others(recorder, slot, count);
        settle(function, target + arm, recorder);
    });
}

fn reach_others(recorder: &Recorder, slot: u32, count: u32) {
    for other in slot..slot + count {
        recorder.reach(other, ABSENT);
    }
}

/// A pattern of `if let`, `while let` or `let else` fits, or does not. Returns true.
#[inline]
pub fn matched(function: &'static Function, target: u32, outcome: bool) -> bool {
    if !is_settled(function, target) {
        branch(function, target, outcome, Truthness::new(outcome, BASE));
    }
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
/// copied and keeps a reference otherwise, by the same choice as [`crate::observation::Probe`].
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
