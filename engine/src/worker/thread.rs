//! The thread of a worker.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::evaluator::{EvaluationError, Evaluator, Wanted};
use crate::worker::Workers;
use crate::worker::outcome::{Outcome, caught, evaluate};

/// A test that is handed to a worker.
pub(super) struct Task<A: Action> {
    pub(super) ticket: u64,
    pub(super) individual: Individual<A>,
    pub(super) wanted: Wanted,
    /// Workers whose system was gone after it.
    pub(super) taken: u32,
}

/// What a worker tells.
pub(super) enum Report<A: Action> {
    Done {
        worker: usize,
        ticket: u64,
        result: Outcome<A>,
        has_panicked: bool,
    },
    /// The system of a worker is gone; the test may run elsewhere.
    Away {
        worker: usize,
        task: Box<Task<A>>,
        reason: String,
    },
    Back {
        worker: usize,
    },
    Ended {
        worker: usize,
        evaluator: Box<dyn Evaluator<A>>,
    },
}

/// The life of a worker: tests, one after the other, until no more are handed to it.
pub(super) fn work<A: Action>(
    worker: usize,
    mut evaluator: Box<dyn Evaluator<A>>,
    tasks: &Receiver<Task<A>>,
    reports: &Sender<Report<A>>,
) {
    let mut has_run = false;
    while let Ok(mut task) = tasks.recv() {
        let (result, has_panicked) = evaluate(&mut *evaluator, &task.individual, &task.wanted);
        let (report, is_away) = match result {
            Err(EvaluationError::Unreachable(reason)) => {
                // Whoever was never there was not taken by this test.
                task.taken += u32::from(has_run);
                (Report::Away { worker, task: Box::new(task), reason }, true)
            }
            result => {
                has_run = true;
                (Report::Done { worker, ticket: task.ticket, result, has_panicked }, false)
            }
        };
        if reports.send(report).is_err() {
            return;
        }
        if is_away && !is_revived(worker, &mut *evaluator, tasks, reports) {
            break;
        }
    }
    // Nobody may be there any more to take it.
    let _ = reports.send(Report::Ended { worker, evaluator });
}

/// Tries to reach again what is gone, until that works; whether it does before the search is over.
fn is_revived<A: Action>(
    worker: usize,
    evaluator: &mut dyn Evaluator<A>,
    tasks: &Receiver<Task<A>>,
    reports: &Sender<Report<A>>,
) -> bool {
    // Nothing is handed to a worker that is away.
    while let Err(RecvTimeoutError::Timeout) = tasks.recv_timeout(Workers::<A>::PAUSE) {
        if matches!(caught(|| evaluator.revive()), Ok(Ok(()))) {
            return reports.send(Report::Back { worker }).is_ok();
        }
    }
    false
}
