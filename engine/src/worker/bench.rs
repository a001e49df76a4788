//! Where tests are evaluated.

use std::collections::VecDeque;

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::evaluator::{EvaluationError, Evaluator, Wanted};
use crate::worker::outcome::{Outcome, evaluate};
use crate::worker::pool::Pool;

/// Where tests are evaluated: on this thread or on others.
pub(crate) enum Bench<'e, A: Action> {
    Alone { evaluator: &'e mut dyn Evaluator<A>, queue: VecDeque<(Individual<A>, Wanted)> },
    Shared(Pool<'e, A>),
}

impl<'e, A: Action> Bench<'e, A> {
    pub(crate) fn alone(evaluator: &'e mut dyn Evaluator<A>) -> Self {
        Self::Alone { evaluator, queue: VecDeque::new() }
    }

    /// Hands a test out. Tickets ascend, and results are taken in their order.
    pub(crate) fn submit(&mut self, ticket: u64, individual: &Individual<A>, wanted: Wanted) {
        match self {
            Self::Alone { queue, .. } => queue.push_back((individual.clone(), wanted)),
            Self::Shared(pool) => pool.submit(ticket, individual.clone(), wanted),
        }
    }

    /// The result of the oldest test that was handed out and not taken in.
    pub(crate) fn take(&mut self, ticket: u64) -> Outcome<A> {
        match self {
            Self::Alone { evaluator, queue } => {
                let Some((individual, wanted)) = queue.pop_front() else {
                    return Err(EvaluationError::Failed("nothing was handed out".to_owned()));
                };
                evaluate(&mut **evaluator, &individual, &wanted).0
            }
            Self::Shared(pool) => pool.take(ticket),
        }
    }

    /// Forgets what was handed out.
    pub(crate) fn forget(&mut self, next_ticket: u64) {
        match self {
            Self::Alone { queue, .. } => queue.clear(),
            Self::Shared(pool) => pool.forget(next_ticket),
        }
    }
}
