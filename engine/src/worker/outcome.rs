//! One evaluation, with whatever the user's code does in it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::evaluator::{Evaluation, EvaluationError, Evaluator, Wanted};

pub(crate) type Outcome<A> = Result<Evaluation<A>, EvaluationError>;

/// Runs code of the user; the message of its panic when it does.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "no message".to_owned())
    })
}

/// Evaluates, turning a panic of the evaluator into a failed evaluation; and whether it panicked.
pub(crate) fn evaluate<A: Action>(
    evaluator: &mut dyn Evaluator<A>,
    individual: &Individual<A>,
    wanted: &Wanted,
) -> (Outcome<A>, bool) {
    match caught(|| evaluator.evaluate(individual, wanted)) {
        Ok(result) => (result, false),
        Err(panic) => {
            (Err(EvaluationError::Failed(format!("the evaluator panicked: {panic}"))), true)
        }
    }
}
