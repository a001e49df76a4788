//! Workers at work: which test goes to which, and what becomes of it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::evaluator::{EvaluationError, Evaluator, Wanted};
use crate::worker::Workers;
use crate::worker::outcome::{Outcome, caught};
use crate::worker::thread::{Report, Task, work};

/// Time between two looks whether the run is to stop.
const LOOK: Duration = Duration::from_millis(100);

/// What a worker is doing, as far as the search knows.
enum Place<A: Action> {
    Idle(Sender<Task<A>>),
    Busy(Sender<Task<A>>, u64),
    /// Was given up; comes back when it answers, unless it was replaced.
    Lost(Option<Sender<Task<A>>>),
    /// Has lost its system; comes back when that does.
    Away(Sender<Task<A>>),
    Ended,
}

/// Workers at work.
pub(crate) struct Pool<'e, A: Action> {
    workers: &'e mut Workers<A>,
    wanted: usize,
    places: Vec<Place<A>>,
    queue: VecDeque<Task<A>>,
    done: BTreeMap<u64, Outcome<A>>,
    reports: (Sender<Report<A>>, Receiver<Report<A>>),
    /// Tickets below are of no interest any more.
    forgotten: u64,
    refusal: String,
}

impl<'e, A: Action> Pool<'e, A> {
    pub(crate) fn new(workers: &'e mut Workers<A>) -> Self {
        let evaluators = std::mem::take(&mut workers.evaluators);
        let wanted = evaluators.len();
        let mut pool = Self {
            workers,
            wanted,
            places: Vec::new(),
            queue: VecDeque::new(),
            done: BTreeMap::new(),
            reports: mpsc::channel(),
            forgotten: 0,
            refusal: "there is no evaluator".to_owned(),
        };
        for evaluator in evaluators {
            pool.start(evaluator);
        }
        pool
    }

    fn start(&mut self, evaluator: Box<dyn Evaluator<A>>) {
        let (sender, tasks) = mpsc::channel();
        let (worker, reports) = (self.places.len(), self.reports.0.clone());
        let thread = std::thread::Builder::new().name(format!("evaluator {worker}"));
        match thread.spawn(move || work(worker, evaluator, &tasks, &reports)) {
            Ok(_) => self.places.push(Place::Idle(sender)),
            Err(error) => self.refusal = format!("no thread for an evaluator: {error}"),
        }
    }

    /// Starts a worker in place of a lost one, when it is known how.
    fn replace(&mut self) -> bool {
        let Some(make) = &mut self.workers.make else { return false };
        match caught(make) {
            Ok(Ok(evaluator)) => self.start(evaluator),
            Ok(Err(error)) => self.refusal = error.to_string(),
            Err(panic) => self.refusal = format!("making an evaluator panicked: {panic}"),
        }
        true
    }

    pub(crate) fn submit(&mut self, ticket: u64, individual: Individual<A>, wanted: Wanted) {
        self.queue.push_back(Task { ticket, individual, wanted, taken: 0 });
        self.dispatch();
    }

    fn dispatch(&mut self) {
        for place in &mut self.places {
            if !matches!(place, Place::Idle(_)) {
                continue;
            }
            let Some(task) = self.queue.pop_front() else { return };
            let Place::Idle(sender) = std::mem::replace(place, Place::Ended) else { continue };
            let ticket = task.ticket;
            match sender.send(task) {
                Ok(()) => *place = Place::Busy(sender, ticket),
                Err(refused) => self.queue.push_front(refused.0),
            }
        }
    }

    /// The result of a submitted test, waiting for it no longer than the limit allows.
    pub(crate) fn take(&mut self, ticket: u64) -> Outcome<A> {
        loop {
            if let Some(result) = self.done.remove(&ticket) {
                return result;
            }
            self.dispatch();
            let can_answer = |place: &Place<A>| {
                matches!(place, Place::Busy(..) | Place::Lost(Some(_)) | Place::Idle(_))
            };
            let is_busy = self.places.iter().any(|place| matches!(place, Place::Busy(..)));
            let lost = self.places.iter().filter(|place| matches!(place, Place::Lost(_))).count();
            let is_over = lost > self.wanted * Workers::<A>::MOST_LOST;
            if is_over || !self.places.iter().any(can_answer) {
                if !is_over && self.one_comes_back() {
                    continue;
                }
                return Err(EvaluationError::Unreachable(self.refusal.clone()));
            }
            match self.wait() {
                Some(report) => self.note(report),
                None if is_busy => self.lose(),
                None => return Err(EvaluationError::Unreachable(self.refusal.clone())),
            }
        }
    }

    /// The next report; `None` when there is none within the limit.
    fn wait(&self) -> Option<Report<A>> {
        let Some(limit) = self.workers.limit else { return self.reports.1.recv().ok() };
        self.reports.1.recv_timeout(limit).ok()
    }

    /// Waits for a worker that is away, as long as was asked for.
    fn one_comes_back(&mut self) -> bool {
        let Some((patience, stop)) = self.workers.patience.clone() else { return false };
        let end = Instant::now() + patience;
        let is_away = |place: &Place<A>| matches!(place, Place::Away(_));
        while self.places.iter().any(is_away) && Instant::now() < end && !stop.is_set() {
            if let Ok(report) = self.reports.1.recv_timeout(LOOK) {
                self.note(report);
            }
            if self.places.iter().any(|place| matches!(place, Place::Idle(_))) {
                return true;
            }
        }
        false
    }

    fn note(&mut self, report: Report<A>) {
        match report {
            Report::Away { worker, task, reason } => self.note_away(worker, *task, reason),
            Report::Back { worker } => {
                let place = std::mem::replace(&mut self.places[worker], Place::Ended);
                if let Place::Away(sender) = place {
                    self.places[worker] = Place::Idle(sender);
                }
            }
            Report::Done { worker, ticket, result, has_panicked } => {
                let place = std::mem::replace(&mut self.places[worker], Place::Ended);
                if let Place::Busy(..) = place
                    && ticket >= self.forgotten
                {
                    self.done.insert(ticket, result);
                }
                // Dropping the sender of a worker that is replaced ends its thread.
                if let Place::Busy(sender, _) | Place::Lost(Some(sender)) = place
                    && !(has_panicked && self.replace())
                {
                    self.places[worker] = Place::Idle(sender);
                }
            }
            Report::Ended { worker, .. } => self.places[worker] = Place::Ended,
        }
    }

    /// A worker is away: what it was to do goes to another first, unless that seems to be the cause.
    fn note_away(&mut self, worker: usize, task: Task<A>, reason: String) {
        let place = std::mem::replace(&mut self.places[worker], Place::Ended);
        let is_awaited = matches!(place, Place::Busy(..)) && task.ticket >= self.forgotten;
        if let Place::Busy(sender, _) | Place::Lost(Some(sender)) = place {
            self.places[worker] = Place::Away(sender);
        }
        if is_awaited && task.taken >= Workers::<A>::MOST_TAKEN {
            let reason = format!("{} evaluators were gone after the test: {reason}", task.taken);
            self.done.insert(task.ticket, Err(EvaluationError::Failed(reason)));
        } else if is_awaited {
            self.queue.push_front(task);
        }
        self.refusal = reason;
    }

    /// Gives up every evaluation under way: nobody answered for as long as the limit.
    fn lose(&mut self) {
        let limit = self.workers.limit.unwrap_or_default();
        let reason = format!("the evaluation did not end within {} s", limit.as_secs_f64());
        self.refusal = format!("no evaluator answers any more: {reason}");
        for worker in 0..self.places.len() {
            let place = std::mem::replace(&mut self.places[worker], Place::Ended);
            self.places[worker] = match place {
                Place::Busy(sender, ticket) => {
                    if ticket >= self.forgotten {
                        self.done.insert(ticket, Err(EvaluationError::Failed(reason.clone())));
                    }
                    Place::Lost((!self.replace()).then_some(sender))
                }
                other => other,
            };
        }
    }

    /// Forgets what was submitted so far; whatever is under way ends unheard.
    pub(crate) fn forget(&mut self, next_ticket: u64) {
        self.queue.clear();
        self.done.clear();
        self.forgotten = next_ticket;
    }
}

impl<A: Action> Drop for Pool<'_, A> {
    /// Ends the workers and gives their evaluators back, as far as they come back.
    fn drop(&mut self) {
        let mut left: Vec<bool> = self
            .places
            .iter()
            .map(|place| matches!(place, Place::Idle(_) | Place::Busy(..)))
            .collect();
        self.places.iter_mut().for_each(|place| *place = Place::Ended);
        let mut back = BTreeMap::new();
        while left.contains(&true) {
            match self.wait() {
                Some(Report::Ended { worker, evaluator }) => {
                    // One that was away is as good as gone.
                    if std::mem::take(&mut left[worker]) {
                        back.insert(worker, evaluator);
                    }
                }
                Some(Report::Away { worker, .. }) => left[worker] = false,
                Some(Report::Done { .. } | Report::Back { .. }) => {}
                None => break,
            }
        }
        self.workers.evaluators = back.into_values().collect();
    }
}
