//! One run of a test: rows, calls in order, and what the driver says of them; then its scores.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wallace_engine::{Evaluation, Individual, Score, TargetScore, Wanted};
use wallace_sut_driver::{DriverError, ResultsQuery, TestResults};

use super::fruitless::Fruitless;
use super::text_use::text_uses;
use super::{Exchange, HttpEvaluator, HttpProblem};
use crate::auth::AuthError;
use crate::binding::filled;
use crate::http::{CallFailure, HttpOutcome, HttpRequest, HttpResponse, RequestReads};
use crate::sql::SqlOutcome;
use crate::store::{Insertion, StoreOutcome};
use crate::{sql, store};

/// Why a test could not be run.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error(transparent)]
    Login(#[from] AuthError),
}

/// What happened in one run of a test.
pub(super) struct Run<'a, A: Clone> {
    sent: Vec<Cow<'a, A>>,
    pub(super) outcomes: Vec<HttpOutcome>,
    /// How long each call took.
    elapsed: Vec<Duration>,
    results: TestResults,
    pub(super) is_lost: bool,
    /// Whether the driver was told of each action.
    is_attributed: bool,
    /// Whether each row that the test begins with was inserted.
    is_inserted: Vec<bool>,
    /// The same of documents and keys, in their order.
    is_stored: Vec<bool>,
}

impl<A: Clone> Run<'_, A> {
    fn new() -> Self {
        Self {
            sent: Vec::new(),
            outcomes: Vec::new(),
            elapsed: Vec::new(),
            results: TestResults::default(),
            is_lost: false,
            is_attributed: true,
            is_inserted: Vec::new(),
            is_stored: Vec::new(),
        }
    }

    fn has_failed(&self) -> bool {
        self.outcomes.last().is_some_and(|outcome| outcome.response.is_err())
    }
}

impl<P: HttpProblem> HttpEvaluator<P> {
    pub(super) fn run<'a>(
        &mut self,
        individual: &'a Individual<P::Action>,
        wanted: &Wanted,
    ) -> Result<Run<'a, P::Action>, Failure> {
        if let Some(driven) = &mut self.driven {
            driven.driver.reset()?;
        }
        let mut run = Run::new();
        run.is_attributed = *wanted != Wanted::Scores;
        self.insert(individual, &mut run)?;
        self.store(individual, &mut run)?;
        for index in 0..individual.actions().len() {
            // What the call needs from an earlier one is not there: the rest would mean nothing.
            let Some((action, filled)) = filled(&*self.problem, individual, index, &run.outcomes)
            else {
                break;
            };
            let operation = self.problem.operation(&action);
            // To a driver that is not told of more, the whole test is the first action.
            if let Some(driven) = &mut self.driven
                && (index == 0 || run.is_attributed)
            {
                driven.driver.begin_action(index, operation, &[])?;
            }
            let request = self.problem.request(&action);
            if self.is_forbidden(&action, &request) || self.resting.includes(operation, index == 0)
            {
                break;
            }
            self.transport.wait_at_most(self.patience.of(operation));
            let start = Instant::now();
            let response = self.send(&action, &request);
            let elapsed = start.elapsed();
            self.transport.wait_at_most(None);
            let response = self.without_blame(&action, &request, response?)?;
            let response = self.without_fallback(&request, response);
            run.elapsed.push(elapsed);
            let failure = response.as_ref().err().copied();
            let operation = self.problem.operation(&action);
            self.patience.note(operation, failure == Some(CallFailure::TimedOut), elapsed);
            let request = Some(Arc::new(request));
            let outcome = HttpOutcome { request, filled, ..HttpOutcome::new(response) };
            self.note(&action, &outcome);
            // What a driver starts is alone with its caller, and limits it for some other reason.
            if let (Ok(response), None) = (&outcome.response, &self.driven) {
                self.resting.note(self.problem.operation(&action), response);
            }
            run.sent.push(action);
            run.outcomes.push(outcome);
            // After a failed call the state is unknown, so what follows would mean nothing.
            if failure.is_some() {
                run.is_lost = failure == Some(CallFailure::Refused);
                break;
            }
        }
        if let Some(driven) = &mut self.driven {
            let query = ResultsQuery { kill_switch: run.has_failed(), ..ResultsQuery::default() };
            run.results = driven.driver.results(query)?;
        }
        self.read_located(&mut run)?;
        if let Some(driven) = &mut self.driven
            && self.resets_ahead
            && !run.has_failed()
        {
            driven.driver.begin_reset();
        }
        Ok(run)
    }

    /// Reads what the last call of a test says it made, once nothing is booked on the test any more:
    /// what an earlier one made may be gone. Where that was there once, it is not looked at again.
    fn read_located(&mut self, run: &mut Run<'_, P::Action>) -> Result<(), Failure> {
        let Some((action, outcome)) = run.sent.last().zip(run.outcomes.last_mut()) else {
            return Ok(());
        };
        let operation = self.problem.operation(action);
        let sent = outcome.request.as_deref().zip(outcome.response.as_ref().ok());
        let read = sent
            .filter(|_| !self.right.contains(operation))
            .and_then(|(request, answer)| self.problem.read_located(action, request, answer));
        let Some(read) = read else { return Ok(()) };
        let operation = Box::from(operation);
        outcome.located = self.send(action, &read)?.ok().map(|answer| answer.status);
        if outcome.located.is_some_and(|status| !matches!(status, 404 | 410)) {
            self.right.insert(operation);
        }
        Ok(())
    }

    /// Inserts the rows that the test begins with. A row that the database refuses is told to the
    /// problem, which learns from it.
    fn insert(
        &mut self,
        individual: &Individual<P::Action>,
        run: &mut Run<'_, P::Action>,
    ) -> Result<(), Failure> {
        let Some(driven) = &mut self.driven else { return Ok(()) };
        let rows = self.problem.sql_tables().map(|tables| tables.rows(individual));
        let rows = rows.unwrap_or_default();
        if rows.is_empty() {
            return Ok(());
        }
        run.is_inserted = match driven.driver.insert(&rows) {
            Ok(done) => done.is_inserted,
            // All of them, for a reason of the driver's own; the test goes on without.
            Err(DriverError::Rejected { .. } | DriverError::InvalidInsertion { .. }) => {
                vec![false; rows.len()]
            }
            Err(error) => return Err(error.into()),
        };
        Ok(())
    }

    /// Inserts the documents and keys that the test begins with, likewise.
    fn store(
        &mut self,
        individual: &Individual<P::Action>,
        run: &mut Run<'_, P::Action>,
    ) -> Result<(), Failure> {
        let Some(driven) = &mut self.driven else { return Ok(()) };
        let all = self.problem.stores().map(|stores| stores.insertions(individual));
        let all = all.unwrap_or_default();
        let (mut documents, mut keys) = (Vec::new(), Vec::new());
        for insertion in &all {
            match insertion {
                Insertion::Document(document) => documents.push(document.clone()),
                Insertion::Key(key) => keys.push(key.clone()),
            }
        }
        let known = |told: Result<Vec<bool>, DriverError>| match told {
            Err(DriverError::Rejected { .. } | DriverError::Malformed { .. }) => Ok(Vec::new()),
            other => other,
        };
        let documents = known(driven.driver.insert_documents(&documents))?;
        let keys = known(driven.driver.insert_keys(&keys))?;
        let (mut documents, mut keys) = (documents.into_iter(), keys.into_iter());
        let is_stored = all.iter().map(|insertion| match insertion {
            Insertion::Document(_) => documents.next().unwrap_or(false),
            Insertion::Key(_) => keys.next().unwrap_or(false),
        });
        run.is_stored = is_stored.collect();
        Ok(())
    }

    /// A service that drops a call may be ending, and drops the next one for that alone: nothing listens
    /// any more. What fails may also end it a moment after its answer, so that a call behind a server error
    /// is made once more before it is blamed.
    fn without_blame(
        &mut self,
        action: &P::Action,
        request: &HttpRequest,
        response: Result<HttpResponse, CallFailure>,
    ) -> Result<Result<HttpResponse, CallFailure>, AuthError> {
        let is_dropped = response == Err(CallFailure::Dropped);
        let was_dropped = std::mem::replace(&mut self.was_dropped, is_dropped);
        if is_dropped && was_dropped && self.is_gone() {
            return Ok(Err(CallFailure::Closed));
        }
        let failed = self.failed.take();
        self.note_failed(request, &response);
        let Some(failed) = failed.filter(|_| is_dropped && self.driven.is_none()) else {
            return Ok(response);
        };
        let again = self.send(action, request)?;
        self.note_failed(request, &again);
        if again == Err(CallFailure::Dropped) {
            return Ok(again);
        }
        self.was_dropped = false;
        if let Some(guard) = &self.guard {
            guard.tell(format!(
                "the service ended during {} or right after {failed}, which it had answered with a server \
                 error: see whether that ends it",
                self.problem.operation(action)
            ));
        }
        Ok(again.map_err(|_| CallFailure::Closed))
    }

    /// An answer of a black-box service, where it is the page for whatever is not known, says so.
    pub(super) fn without_fallback(
        &mut self,
        request: &HttpRequest,
        response: Result<HttpResponse, CallFailure>,
    ) -> Result<HttpResponse, CallFailure> {
        match response {
            Ok(response) if self.driven.is_none() => {
                Ok(self.fallback.told(request, response, &mut *self.transport))
            }
            other => other,
        }
    }

    /// Whether nothing listens where a black-box service was.
    fn is_gone(&mut self) -> bool {
        self.reconnect.as_mut().is_some_and(|(connect, address)| connect(address).is_err())
    }

    /// Sends one call as its user. A 401 may mean that credentials expired, so that the user logs
    /// in once more; the second answer stands.
    fn send(
        &mut self,
        action: &P::Action,
        plain: &HttpRequest,
    ) -> Result<Result<HttpResponse, CallFailure>, AuthError> {
        let Some(user) = self.problem.caller(action).filter(|_| self.users.is_some()) else {
            return Ok(self.transport.send(plain));
        };
        let response = match self.send_as(user, plain) {
            Ok(response) => response,
            Err(error) => return self.without_login(user, plain, error),
        };
        let is_refused = response.as_ref().is_ok_and(|response| response.status == 401);
        if !is_refused {
            self.fruitless.remove(&user);
            return Ok(response);
        }
        let operation = self.problem.operation(action);
        // Some operations want another kind of user, however often this one logs in.
        let is_vain = self.vain.contains(operation);
        if is_vain || self.fruitless.get_mut(&user).is_some_and(Fruitless::is_to_wait) {
            return Ok(response);
        }
        let operation = Box::from(operation);
        let is_known = self.knows(user);
        if is_known || !self.users.as_mut().is_some_and(|users| users.renew(user)) {
            self.vain.extend(is_known.then_some(operation));
            return Ok(response);
        }
        let response = match self.send_as(user, plain) {
            Ok(response) => response,
            Err(error) => return self.without_login(user, plain, error),
        };
        match response.as_ref().map(|response| response.status) {
            Ok(401) => self.fruitless.entry(user).or_default().add(),
            Ok(_) => self.tell_loss(user, true),
            Err(_) => {}
        }
        Ok(response)
    }

    /// Sends a request as a user, after a login where one is needed.
    fn send_as(
        &mut self,
        user: usize,
        plain: &HttpRequest,
    ) -> Result<Result<HttpResponse, CallFailure>, AuthError> {
        let mut request = plain.clone();
        if let Some(users) = &mut self.users {
            users.authenticate(user, &mut request, &mut *self.transport)?;
        }
        Ok(self.transport.send(&request))
    }

    /// Whether a read that strangers are refused goes well as the user, whose login holds then.
    fn knows(&mut self, user: usize) -> bool {
        let witnesses = self.guard.as_ref().map(|guard| guard.witnesses(user));
        let Some(witness) = witnesses.and_then(|all| all.into_iter().next()) else { return false };
        let response = self.send_as(user, &witness.request);
        response.is_ok_and(|response| self.problem.went_well(&HttpOutcome::new(response)))
    }

    pub(super) fn evaluation(
        &mut self,
        individual: &Individual<P::Action>,
        mut run: Run<'_, P::Action>,
    ) -> Evaluation<P::Action> {
        let is_sql = self.problem.sql_tables().is_some();
        let has_stores = self.problem.stores().is_some();
        for (outcome, feedback) in run.outcomes.iter_mut().zip(&mut run.results.actions) {
            if let Some(activity) = feedback.database.as_deref().filter(|_| is_sql) {
                outcome.sql = Some(Box::new(SqlOutcome::of(activity)));
            }
            if let Some(activity) = feedback.database.as_deref().filter(|_| has_stores) {
                outcome.stores = StoreOutcome::of(activity).map(Box::new);
            }
            outcome.last_statement = feedback.last_statement.take();
            outcome.text_uses = text_uses(std::mem::take(&mut feedback.specialisations));
            outcome.reads = RequestReads {
                query_parameters: std::mem::take(&mut feedback.query_parameters),
                headers: std::mem::take(&mut feedback.headers),
            };
        }
        if let Some(first) = run.outcomes.first_mut().filter(|_| !run.is_inserted.is_empty()) {
            first.sql.get_or_insert_default().is_inserted = std::mem::take(&mut run.is_inserted);
        }
        if let Some(first) = run.outcomes.first_mut().filter(|_| !run.is_stored.is_empty()) {
            first.stores.get_or_insert_default().is_inserted = std::mem::take(&mut run.is_stored);
        }
        let id = |index: usize| individual.actions().get(index).map(|(id, _)| *id);
        let mut scores: Vec<TargetScore> = Vec::with_capacity(run.results.targets.len() + 8);
        for target in run.results.targets {
            let name = self.targets.name(target.target);
            let action = target.action.filter(|_| run.is_attributed).and_then(id);
            scores.push(TargetScore { name, score: Score::new(target.score), action });
        }
        let answers = run.outcomes.iter().zip(&run.elapsed);
        let calls = individual.actions().iter().zip(&run.sent).zip(answers);
        let test: Vec<Exchange<'_, P::Action>> = calls
            .filter_map(|(((id, _), action), (outcome, elapsed))| {
                let (request, elapsed) = (outcome.request.as_deref()?, *elapsed);
                Some(Exchange { id: *id, action: &**action, request, outcome, elapsed })
            })
            .collect();
        self.problem.judge(&test, &mut |action, name, score| {
            scores.push(TargetScore { name, score, action: Some(action) });
        });
        drop(test);
        for response in run.outcomes.iter_mut().filter_map(|it| it.response.as_mut().ok()) {
            response.cut();
        }
        let is_guided = is_sql || run.outcomes.iter().any(|outcome| outcome.stores.is_some());
        let secondary = if is_guided {
            run.outcomes.iter().map(guidance).collect()
        } else if self.driven.is_some() {
            Vec::new()
        } else {
            let outcomes = run.outcomes.iter().enumerate();
            outcomes.map(|(index, it)| self.problem.leaning(individual, index, it)).collect()
        };
        let is_attributed = run.is_attributed;
        Evaluation { secondary, is_attributed, ..Evaluation::new(scores, run.outcomes) }
    }
}

/// The secondary objective of a call that a driver tells of.
fn guidance(outcome: &HttpOutcome) -> f64 {
    sql::secondary(outcome.sql.as_deref()) + store::secondary(outcome.stores.as_deref())
}
