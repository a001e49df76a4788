//! Several instances of one service: a test runs on whichever is free, and one that is gone is left
//! out until it is there again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wallace_engine::{Evaluation, EvaluationError, Evaluator, Individual, Wanted};
use wallace_problems::auth::Secrets;
use wallace_problems::{HttpEvaluator, HttpProblem};
use wallace_sut_driver::Units;

use crate::error::RunError;

/// Opens an instance, at first and after it was gone.
pub(crate) type Open<P> = Box<dyn FnMut() -> Result<HttpEvaluator<P>, RunError> + Send>;

/// What is known of one instance while a search uses it, and after.
struct Seat<P> {
    address: String,
    /// None while the instance is gone, and once its evaluator was handed over.
    evaluator: Option<HttpEvaluator<P>>,
    is_gone: bool,
    /// What only the users should know, those of evaluators that are gone included.
    secrets: Vec<Secrets>,
    losses: u64,
    /// Why it was gone the last time.
    reason: String,
}

impl<P: HttpProblem> Seat<P> {
    fn sit(&mut self, evaluator: HttpEvaluator<P>) {
        self.secrets.extend(evaluator.users().map(|users| users.secrets().clone()));
        self.evaluator = Some(evaluator);
        self.is_gone = false;
    }

    fn lose(&mut self, reason: String) {
        self.evaluator = None;
        self.is_gone = true;
        self.losses += 1;
        self.reason = reason;
    }
}

/// One instance, as it is lent to a search.
struct Instance<P> {
    open: Open<P>,
    seat: Arc<Mutex<Seat<P>>>,
}

/// A panic fails its test; the evaluator opens what it needs anew.
fn look<P>(seat: &Mutex<Seat<P>>) -> MutexGuard<'_, Seat<P>> {
    seat.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: HttpProblem> Instance<P> {
    /// Opens the instance; the seat stays free for others to look at.
    fn open(&mut self) -> Result<(), RunError> {
        let evaluator = (self.open)()?;
        look(&self.seat).sit(evaluator);
        Ok(())
    }
}

impl<P: HttpProblem> Evaluator<P::Action> for Instance<P> {
    fn evaluate(
        &mut self,
        individual: &Individual<P::Action>,
        wanted: &Wanted,
    ) -> Result<Evaluation<P::Action>, EvaluationError> {
        let mut seat = look(&self.seat);
        let Some(evaluator) = &mut seat.evaluator else {
            return Err(EvaluationError::Unreachable(seat.reason.clone()));
        };
        let result = evaluator.evaluate(individual, wanted);
        if let Err(EvaluationError::Unreachable(reason)) = &result {
            tracing::warn!(
                "the instance at {} is gone, and left out until it is back: {reason}",
                seat.address
            );
            seat.lose(reason.clone());
        }
        result
    }

    fn revive(&mut self) -> Result<(), EvaluationError> {
        self.open().map_err(|error| EvaluationError::Unreachable(error.to_string()))?;
        tracing::warn!("the instance at {} is there, and taken in", look(&self.seat).address);
        Ok(())
    }
}

/// The instances of a run; none where one evaluator is alone.
pub(crate) struct Instances<P> {
    seats: Vec<Arc<Mutex<Seat<P>>>>,
    /// Those that no search has borrowed.
    here: Vec<Instance<P>>,
}

impl<P: HttpProblem + 'static> Instances<P> {
    /// Opens instances, each with its address, at the same time: a start can take minutes. Those that
    /// are not there are taken in when they are.
    ///
    /// # Errors
    /// The reason of the first where none is there, or where one is of no use.
    pub(crate) fn open(places: Vec<(String, Open<P>)>) -> Result<Self, RunError> {
        let make = |(address, open)| {
            let (secrets, reason) = (Vec::new(), String::new());
            let is_gone = false;
            let seat = Seat { address, evaluator: None, is_gone, secrets, losses: 0, reason };
            Instance { open, seat: Arc::new(Mutex::new(seat)) }
        };
        let mut here: Vec<Instance<P>> = places.into_iter().map(make).collect();
        let opened: Vec<Result<(), RunError>> = std::thread::scope(|scope| {
            let starts = here.iter_mut().map(|instance| scope.spawn(|| instance.open()));
            let starts: Vec<_> = starts.collect();
            let panicked = || Err(RunError::Internal("opening an instance panicked".to_owned()));
            starts.into_iter().map(|it| it.join().unwrap_or_else(|_| panicked())).collect()
        });
        let is_there = opened.iter().any(Result::is_ok);
        for (result, instance) in opened.into_iter().zip(&here) {
            match result {
                Err(error) if !is_there || matches!(error, RunError::Settings(_)) => {
                    return Err(error);
                }
                Err(error) => look(&instance.seat).lose(error.to_string()),
                Ok(()) => {}
            }
        }
        Ok(Self { seats: here.iter().map(|it| Arc::clone(&it.seat)).collect(), here })
    }

    pub(crate) fn none() -> Self {
        Self { seats: Vec::new(), here: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.seats.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Their evaluators, for one search.
    pub(crate) fn lend(&mut self) -> Vec<Box<dyn Evaluator<P::Action>>> {
        self.here.drain(..).map(|it| Box::new(it) as Box<_>).collect()
    }

    /// Puts an evaluator that is there in the place of `evaluator`, for what comes after the search.
    pub(crate) fn hand_over(&mut self, evaluator: &mut HttpEvaluator<P>) {
        for seat in &self.seats {
            let mut seat = look(seat);
            let Some(living) = seat.evaluator.take() else { continue };
            let before = std::mem::replace(evaluator, living);
            seat.secrets.extend(before.users().map(|users| users.secrets().clone()));
            return;
        }
    }

    /// What only the users should know.
    pub(crate) fn secrets(&self) -> Vec<Secrets> {
        self.seats.iter().flat_map(|seat| look(seat).secrets.clone()).collect()
    }

    /// The largest sizes of the code that any of their drivers tells.
    pub(crate) fn grow(&self, units: &mut Units) {
        for seat in &self.seats {
            let mut seat = look(seat);
            let driver = seat.evaluator.as_mut().and_then(HttpEvaluator::driver);
            if let Some(info) = driver.and_then(|driver| driver.info().ok()) {
                units.grow(&info.units);
            }
        }
    }

    /// Which were gone for a while, or are.
    pub(crate) fn notes(&self) -> Vec<String> {
        let told = self.seats.iter().filter_map(|seat| {
            let seat = look(seat);
            let Seat { address, is_gone, losses, reason, .. } = &*seat;
            match losses {
                0 => None,
                _ if *is_gone => Some(format!("the instance at {address} is gone: {reason}")),
                1 => Some(format!("the instance at {address} was gone for a while")),
                _ => Some(format!("the instance at {address} was gone {losses} times")),
            }
        });
        told.collect()
    }
}
