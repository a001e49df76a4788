//! What the code written by the attribute calls. Not meant for other callers.
//!
//! Nothing of it is inlined into builds for debugging: there, the callers are not optimised, and this
//! crate may be.

use crate::comparison::{Operator, comparison, comparison_of_numbers};
use crate::decision::{Decision, missed};
use crate::kill::end_if_killed;
use crate::memo::{Memo, NO_STAMP, News, START};
use crate::observation::Observation;
use crate::recorder::Recorder;
use crate::scope::{Busy, settle, with_recorder};
use crate::shape::Shape;
use crate::site::{Function, Target};
use crate::state::{self, are_decisions_kept, is_ending, is_recording, note_line, stamp};
use crate::taint;
use crate::truthness::{ABSENT, BASE, FLAG, Truthness};
use wallace_sut_driver::StringUse;

/// Score of an arm whose pattern fits, but that an earlier arm or its guard kept from being taken.
const FITTING_ARM: f64 = 0.9;

/// Whether target `offset` has nothing more to learn: nobody records, or all is recorded.
#[inline]
pub(crate) fn is_settled(function: &'static Function, target: u32) -> bool {
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

/// Executes a line. Each way but the one of loops is a call of its own, with the same argument: so
/// nothing is put aside for it.
#[cfg_attr(not(debug_assertions), inline)]
pub fn line(target: &'static Target) {
    let stamp = note_line(target);
    if stamp == NO_STAMP {
        line_outside(target);
    } else if is_ending() || !target.memo.is_settled(stamp) {
        line_of_task(target);
    }
}

#[inline(never)]
fn line_of_task(target: &'static Target) {
    end_if_killed();
    if !target.memo.is_settled(state::stamp_of_task()) {
        reach_line(target);
    }
}

/// A line of code that is part of no task, and that nobody ends.
#[inline(never)]
fn line_outside(target: &'static Target) {
    if target.memo.is_settled(state::stamp_of_only()) {
        state::note_line_outside(target);
    } else if is_recording() {
        state::note_line_outside(target);
        reach_line(target);
    } else if state::is_start() && !target.memo.is_settled(START) {
        note_start(&target.memo);
    }
}

/// A line that `main` runs before there is a recorder: one that comes later takes it for a part of the
/// start.
#[cold]
#[inline(never)]
fn note_start(memo: &Memo) {
    if let Some(_busy) = Busy::start()
        && state::is_part_of_start()
    {
        memo.settle(START);
    }
}

#[inline(never)]
fn reach_line(target: &'static Target) {
    let Target { function, offset, .. } = *target;
    with_recorder(function, offset, |recorder, slot| {
        recorder.reach(slot, 1.0);
        if stamp() == recorder.stamp() {
            settle(function, offset, recorder);
        } else {
            recorder.set_last_line(slot);
        }
    });
}

/// Keeps values for target `offset`, which they missed with this score.
pub(crate) fn note_decision(
    function: &'static Function,
    offset: u32,
    score: f64,
    decide: impl FnOnce() -> Decision,
) {
    with_recorder(function, offset, |recorder, slot| recorder.note_decision(slot, score, decide));
}

/// Score of the missed side.
pub(crate) fn opposite(outcome: bool, scores: Truthness) -> f64 {
    if outcome { scores.when_false } else { scores.when_true }
}

/// Records both sides of a condition, unless that is no news.
pub(crate) fn branch(function: &'static Function, target: u32, outcome: bool, scores: Truthness) {
    if let Some(target) = function.target(target) {
        reach_branch(target, outcome, scores);
    }
}

#[inline(never)]
fn reach_branch(target: &'static Target, outcome: bool, scores: Truthness) {
    let Target { function, offset, memo } = target;
    let (opposite, stamp) = (opposite(outcome, scores), stamp());
    let news = memo.news(stamp, outcome, opposite);
    if news == News::Nothing {
        return;
    }
    with_recorder(function, *offset, |recorder, slot| {
        if news == News::Missed {
            // The condition of a loop comes nearer to its end with each round.
            recorder.reach(slot + u32::from(outcome), opposite);
        } else {
            recorder.branch(slot, scores);
            if recorder.is_covered(slot, 2) {
                return settle(function, *offset, recorder);
            }
        }
        if stamp == recorder.stamp() {
            memo.remember(stamp, outcome, opposite);
        }
    });
}

/// A condition on which no distance is defined.
#[cfg_attr(not(debug_assertions), inline)]
pub fn flag(target: &'static Target, outcome: bool) -> bool {
    if !has_no_news(&target.memo) {
        reach_flag(target, outcome);
    }
    outcome
}

#[inline(never)]
fn reach_flag(target: &'static Target, outcome: bool) {
    if are_decisions_kept() {
        let decide = || Decision::plain("the condition", outcome);
        note_decision(target.function, missed(target.offset, outcome), FLAG, decide);
    }
    reach_branch(target, outcome, Truthness::new(outcome, FLAG));
}

/// A comparison: its outcome and both operands.
///
/// Always inlined: the kinds of the operands are known where it is written, so that of the two
/// sides one is left.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn compare(
    target: &'static Target,
    operator: Operator,
    outcome: bool,
    left: &Observation<'_>,
    right: &Observation<'_>,
) -> bool {
    let (Observation::Number(left_number), Observation::Number(right_number)) = (left, right)
    else {
        return compare_any(target, operator, outcome, left, right);
    };
    if !has_no_news(&target.memo) {
        // Loops compare numbers: what they know of the types is worth its space.
        let scores = comparison_of_numbers(operator, outcome, *left_number, *right_number);
        reach_branch(target, outcome, scores);
        if are_decisions_kept() {
            keep_comparison(target, operator, outcome, left, right);
        }
    }
    outcome
}

#[inline(never)]
fn compare_any(
    target: &'static Target,
    operator: Operator,
    outcome: bool,
    left: &Observation<'_>,
    right: &Observation<'_>,
) -> bool {
    if may_be_tainted(*left, *right) {
        note_uses(target.function, |inputs| taint::in_comparison(operator, *left, *right, inputs));
    }
    if !has_no_news(&target.memo) {
        let scores = comparison(operator, outcome, *left, *right);
        reach_branch(target, outcome, scores);
        if are_decisions_kept() {
            keep_comparison(target, operator, outcome, left, right);
        }
    }
    outcome
}

#[cold]
#[inline(never)]
fn keep_comparison(
    target: &'static Target,
    operator: Operator,
    outcome: bool,
    left: &Observation<'_>,
    right: &Observation<'_>,
) {
    let opposite = opposite(outcome, comparison(operator, outcome, *left, *right));
    let decide = || Decision::comparison(operator, outcome, *left, *right);
    note_decision(target.function, missed(target.offset, outcome), opposite, decide);
}

pub(crate) fn note_uses(function: &'static Function, find: impl Fn(&[String]) -> Vec<StringUse>) {
    if !is_recording() {
        return;
    }
    with_recorder(function, 0, |recorder, _| recorder.note_uses(find));
}

/// Whether taint analysis must look at the operands.
#[inline]
pub(crate) fn may_be_tainted(left: Observation<'_>, right: Observation<'_>) -> bool {
    matches!(left, Observation::Text(_) | Observation::Pattern(_))
        && matches!(right, Observation::Text(_) | Observation::Character(_))
        && (may_be_input(&left) || may_be_input(&right))
}

fn may_be_input(operand: &Observation<'_>) -> bool {
    matches!(operand, Observation::Text(text) if taint::may_be_input(text))
}

/// The patterns of a `match` are about to be tried on a value: arms with a distance get a score.
///
/// `memo` is the distance from the target of an arm to the one under which it is remembered.
pub fn near(
    function: &'static Function,
    (target, memo): (u32, u32),
    elements: &[Observation<'_>],
    shapes: &'static [(u32, Shape)],
) {
    if !is_recording() {
        return;
    }
    let is_tainted = elements.iter().any(may_be_input);
    let has_news = |(arm, shape): &(u32, Shape)| {
        let memo = function.memo(target + memo + arm);
        memo.is_some_and(|memo| {
            !memo.is_settled(stamp()) && is_nearer(memo, arm_score(shape, elements))
        })
    };
    if is_tainted || are_decisions_kept() || shapes.iter().any(has_news) {
        reach_near(function, (target, memo), elements, shapes);
    }
}

/// Score of an arm that is not taken yet.
fn arm_score(shape: &Shape, elements: &[Observation<'_>]) -> f64 {
    shape.closeness(elements).min(FITTING_ARM)
}

/// Whether an arm that was not taken in this test comes nearer than it did before.
fn is_nearer(memo: &Memo, score: f64) -> bool {
    memo.news(stamp(), false, score) != News::Nothing
}

#[inline(never)]
fn reach_near(
    function: &'static Function,
    (target, memo): (u32, u32),
    elements: &[Observation<'_>],
    shapes: &'static [(u32, Shape)],
) {
    with_recorder(function, target, |recorder, slot| {
        if elements.iter().any(may_be_input) {
            recorder.note_uses(|inputs| taint::in_match(elements, shapes, inputs));
        }
        for (arm, shape) in shapes {
            let memo = function.memo(target + memo + arm);
            let memo = memo.filter(|_| stamp() == recorder.stamp());
            if recorder.is_covered(slot + arm, 1) {
                memo.inspect(|memo| memo.settle(stamp()));
                continue;
            }
            let score = arm_score(shape, elements);
            recorder.reach(slot + arm, score);
            if are_decisions_kept() {
                let decide = || Decision::arm(elements, shape);
                recorder.note_decision(slot + arm, score, decide);
            }
            if let Some(memo) = memo.filter(|memo| is_nearer(memo, score)) {
                memo.remember(stamp(), false, score);
            }
        }
    });
}

/// Arm `arm` of `count` is taken; the others were reached.
#[cfg_attr(not(debug_assertions), inline)]
pub fn arm(function: &'static Function, target: u32, arm: u32, count: u32) {
    if !is_settled(function, target + arm) {
        reach_arm(function, target, arm, count);
    }
}

fn reach_arm(function: &'static Function, target: u32, arm: u32, count: u32) {
    with_recorder(function, target, |recorder, slot| {
        recorder.reach(slot + arm, 1.0);
        reach_others(recorder, slot, count);
        if are_decisions_kept() {
            for other in (0..count).filter(|other| *other != arm) {
                // Below what arms with a distance score, so that their values stay.
                let decide = || Decision::other_arm(arm, other);
                recorder.note_decision(slot + other, 0.0, decide);
            }
        }
        settle(function, target + arm, recorder);
    });
}

fn reach_others(recorder: &Recorder, slot: u32, count: u32) {
    for other in slot..slot + count {
        recorder.reach(other, ABSENT);
    }
}

/// A pattern of `if let`, `while let` or `let else` fits, or does not. Returns true.
#[cfg_attr(not(debug_assertions), inline)]
pub fn matched(function: &'static Function, target: u32, outcome: bool) -> bool {
    if !is_settled(function, target) {
        if are_decisions_kept() {
            let decide = || Decision::plain("the pattern fits", outcome);
            note_decision(function, missed(target, outcome), BASE, decide);
        }
        branch(function, target, outcome, Truthness::new(outcome, BASE));
    }
    true
}
