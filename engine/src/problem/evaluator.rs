//! Evaluation: running one test.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::individual::Individual;
use crate::individual::action::{Action, ActionId};
use crate::target::{Score, TargetName};

/// What an evaluation should report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Wanted {
    /// Every target the test touches.
    Everything,
    /// Every target the test touches; by which action need not be told, where that costs time. What
    /// an evaluator leaves out is said by [`Evaluation::is_attributed`].
    Scores,
    /// These targets at least; others may be left out, and are then unknown and not 0.
    These(Vec<TargetName>),
}

/// Score of one target in one evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetScore {
    /// The target.
    pub name: TargetName,
    /// How near the test came.
    pub score: Score,
    /// The action that came nearest first; `None` when it was no action.
    pub action: Option<ActionId>,
}

/// What running a test gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation<A: Action> {
    /// Scores; targets that were not touched are left out.
    pub scores: Vec<TargetScore>,
    /// Outcome of each action that ran, in order; fewer than the actions when the test was cut
    /// short.
    pub outcomes: Vec<A::Outcome>,
    /// Calls made to the system under test, those of initialisation included.
    pub calls: u64,
    /// Whether targets that are left out were not reached. False when only some were asked for.
    pub is_complete: bool,
    /// Whether scores name the action that came nearest, and each outcome holds what belongs to its
    /// action. May be false when only scores were asked for.
    pub is_attributed: bool,
    /// Problem-specific order between equal scores, lower is better, by action; see D9 of the
    /// design: mean distance of failed WHERE clauses, for example. 0 where there is none.
    pub secondary: Vec<f64>,
}

impl<A: Action> Evaluation<A> {
    /// An evaluation that touched `scores`; every other target was not reached, one call was made
    /// for each outcome, and there is no secondary objective.
    #[must_use]
    pub fn new(scores: Vec<TargetScore>, outcomes: Vec<A::Outcome>) -> Self {
        let calls = outcomes.len() as u64;
        Self {
            scores,
            outcomes,
            calls,
            is_complete: true,
            is_attributed: true,
            secondary: Vec::new(),
        }
    }
}

/// Why a test could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// This test could not be run; others may.
    #[error("the test could not be run: {0}")]
    Failed(String),
    /// The system under test or its driver is gone: of several evaluators this one is left out and
    /// its test goes to another; where it is the last, the search ends with what it has.
    #[error("{0}")]
    Unreachable(String),
}

/// Runs tests against the system under test.
///
/// Blocking: a search with several workers owns one evaluator per worker.
pub trait Evaluator<A: Action>: Send {
    /// Runs one test from a clean state.
    ///
    /// # Errors
    /// When the test could not be run; see [`EvaluationError`].
    fn evaluate(
        &mut self,
        individual: &Individual<A>,
        wanted: &Wanted,
    ) -> Result<Evaluation<A>, EvaluationError>;

    /// Tries to reach again what was [`EvaluationError::Unreachable`]. Asked every now and then, of
    /// several evaluators only. The default cannot.
    ///
    /// # Errors
    /// When it is still gone.
    fn revive(&mut self) -> Result<(), EvaluationError> {
        Err(EvaluationError::Unreachable("it cannot be reached again".to_owned()))
    }
}

/// Targets beyond those of the evaluator: the user's own fitness.
pub trait TargetSource<A: Action>: Send {
    /// Scores that the test earned by what was observed.
    fn targets(&self, individual: &Individual<A>, outcomes: &[A::Outcome]) -> Vec<TargetScore>;
}
