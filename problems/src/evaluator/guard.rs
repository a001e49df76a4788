//! After each test of a black-box service: whether the users can still do what they could.

use std::time::{Duration, Instant};

use wallace_engine::{Evaluation, EvaluationError, Individual, Wanted};

use super::run::{Failure, Run};
use super::{HttpEvaluator, HttpProblem, NOBODY_LEFT};
use crate::auth::{AuthError, Authenticator, LoginGuard, ShownEffect, WatchedCall, Witness};
use crate::http::{CallFailure, HttpOutcome, HttpRequest, HttpResponse};

/// Waits before a login that is gone is tried again: some services lock up for a moment.
const PAUSES: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(2)];

/// How long a run waits whose users are all locked out, and how often it looks.
const LONGEST_LOCK: Duration = Duration::from_secs(35);
const LOOK: Duration = Duration::from_millis(200);
/// Time for a login behind the end of what the service asked to wait.
const LOCK_SLACK: Duration = Duration::from_secs(3);

/// What came of looking after the logins.
#[derive(Debug, Default)]
pub(super) struct Care {
    /// Calls that it took.
    pub(super) calls: u64,
    /// Whether a login was lost, or another test had spoiled the service: what the test saw says nothing.
    pub(super) has_lost: bool,
}

impl<P: HttpProblem> HttpEvaluator<P> {
    /// Whether the guard forbids a call.
    pub(super) fn is_forbidden(&self, action: &P::Action, request: &HttpRequest) -> bool {
        if self.driven.is_none() && self.problem.leads_elsewhere(action, request) {
            return true;
        }
        let Some(guard) = &self.guard else { return false };
        let operation = self.problem.operation(action);
        if self.problem.makers(action).is_some_and(|makers| !guard.may_take(operation, &makers)) {
            return true;
        }
        let touch = self.problem.touch(action, request);
        guard.forbids(self.problem.caller(action), operation, request, touch.as_ref())
    }

    /// Notes what came of a call.
    pub(super) fn note(&self, action: &P::Action, outcome: &HttpOutcome) {
        let Some((guard, request)) = self.guard.as_ref().zip(outcome.request.as_deref()) else {
            return;
        };
        let went_well = self.problem.went_well(outcome);
        if went_well && self.problem.makers(action).is_some() {
            guard.take(self.problem.operation(action));
        }
        let call = WatchedCall {
            user: self.problem.caller(action),
            operation: self.problem.operation(action),
            request,
            is_read: self.problem.is_read(action),
            went_well,
            is_refused: !went_well && self.problem.is_refused(outcome),
            is_unknown: !went_well && self.problem.is_unknown(outcome),
            status: outcome.status().unwrap_or_default(),
            effect: ShownEffect::Unknown,
        };
        guard.note(&call, outcome.response.as_ref().ok());
    }

    /// Asks the witnesses of users that are in doubt after a test.
    pub(super) fn look_after(&mut self) -> Result<Care, Failure> {
        let Some(guard) = self.guard.clone() else { return Ok(Care::default()) };
        if let Some(users) = &mut self.users {
            guard.know(users.secrets());
            users.take_answers().iter().for_each(|answer| guard.learn_login(answer));
        }
        let mut care = Care::default();
        if guard.begins() {
            care.calls += self.look_around(&guard)?;
        }
        if let Some((user, candidate)) = guard.candidate() {
            care.calls += 1;
            // Only what strangers are refused proves anything; what is not answered does not.
            let outcome = self.ask(None, &candidate)?;
            let status = outcome.status().filter(|_| !self.problem.went_well(&outcome));
            if let Some(refusal) = status {
                guard.accept(user, Witness { request: candidate, refusal });
            }
        }
        for (user, witnesses) in guard.doubted() {
            self.doubt(&guard, user, &witnesses, &mut care)?;
        }
        self.try_again(&guard, &mut care);
        Ok(care)
    }

    /// Logs those in again who are out, where it is time to try.
    fn try_again(&mut self, guard: &LoginGuard, care: &mut Care) {
        for user in guard.due() {
            if let Some(users) = &mut self.users {
                users.renew(user);
            }
            let witnesses = guard.witnesses(user);
            let is_back = match witnesses.is_empty() {
                true => self.headers_of(user).is_ok(),
                false => self.proves(user, &witnesses, care).unwrap_or(false),
            };
            if is_back {
                guard.back(user);
            }
        }
    }

    /// Whether nobody is left who can log in, after a while in which somebody may be let in again.
    pub(super) fn is_nobody_left(&mut self) -> bool {
        let Some(guard) = self.guard.clone() else { return false };
        let since = Instant::now();
        let wanted = self.users.as_ref().and_then(Authenticator::locked_for);
        let longest = wanted.map_or(LONGEST_LOCK, |wanted| LONGEST_LOCK.max(wanted + LOCK_SLACK));
        while guard.is_over() && since.elapsed() < longest && !guard.is_ended() {
            std::thread::sleep(LOOK);
            self.try_again(&guard, &mut Care::default());
        }
        guard.is_over()
    }

    /// Asks for each user who that is, so that what is the user's own is known before it is changed.
    fn look_around(&mut self, guard: &LoginGuard) -> Result<u64, Failure> {
        let users = self.users.as_ref().map_or(0, |users| users.users().len());
        let reads = if users > 0 { self.problem.own_reads() } else { Vec::new() };
        let mut calls = 0;
        for user in 0..users {
            for request in &reads {
                calls += 1;
                let outcome = self.ask(Some(user), request)?;
                if self.problem.went_well(&outcome) {
                    guard.propose(user, request);
                }
                if let Ok(response) = outcome.response {
                    guard.learn(request, &response);
                }
            }
        }
        Ok(calls)
    }

    /// The evaluation of a test, after the logins were looked after. A test that lost one, or met a
    /// lost one, is run once more: what it saw said nothing of the service.
    pub(super) fn guarded(
        &mut self,
        individual: &Individual<P::Action>,
        wanted: &Wanted,
        run: Run<'_, P::Action>,
    ) -> Result<Evaluation<P::Action>, EvaluationError> {
        let failed = |error: Failure| EvaluationError::Failed(error.to_string());
        let mut care = self.look_after().map_err(failed)?;
        self.restore(&run, &mut care);
        let mut run = run;
        if care.has_lost {
            if self.is_nobody_left() {
                return Err(EvaluationError::Unreachable(NOBODY_LEFT.to_owned()));
            }
            care.calls += run.outcomes.len() as u64;
            run = self.run(individual, wanted).map_err(failed)?;
            if run.is_lost {
                self.restart()?;
            }
        }
        let mut evaluation = self.evaluation(individual, run);
        evaluation.calls += care.calls;
        Ok(evaluation)
    }

    fn doubt(
        &mut self,
        guard: &LoginGuard,
        user: usize,
        witnesses: &[Witness],
        care: &mut Care,
    ) -> Result<(), Failure> {
        let (mut is_stranger, mut knows) = (false, true);
        for witness in witnesses {
            care.calls += 1;
            let outcome = self.ask(Some(user), &witness.request)?;
            if self.problem.went_well(&outcome) {
                guard.prove(user);
                return Ok(());
            }
            is_stranger |= self.problem.is_unknown(&outcome);
            // Absent or not his, which no stranger is told.
            let is_absent = outcome.status().filter(|status| matches!(status, 403 | 404 | 410));
            knows &= is_absent.is_some_and(|status| status != witness.refusal);
        }
        if !is_stranger && guard.suspect(user, knows) {
            return Ok(());
        }
        care.has_lost = true;
        let mut is_back = false;
        for pause in std::iter::once(Duration::ZERO).chain(PAUSES) {
            std::thread::sleep(pause);
            if let Some(users) = &mut self.users {
                users.renew(user);
            }
            // A login that is refused is no reason to stop: that is what is to be found out.
            is_back = self.proves(user, witnesses, care).unwrap_or(false);
            // Of an end in the middle nothing can be told.
            if is_back || guard.is_ended() || self.is_locked() {
                break;
            }
        }
        if guard.is_ended() {
            return Ok(());
        }
        self.tell_loss(user, is_back);
        Ok(())
    }

    /// A login was refused in the middle of a run: it is tried again after a while, since services
    /// lock up for a moment, and a user who stays out calls no more. Where logins are not looked
    /// after, that is an error.
    pub(super) fn without_login(
        &mut self,
        user: usize,
        request: &HttpRequest,
        error: AuthError,
    ) -> Result<Result<HttpResponse, CallFailure>, AuthError> {
        if self.guard.is_none() {
            return Err(error);
        }
        for pause in PAUSES {
            if self.is_locked() {
                break;
            }
            std::thread::sleep(pause);
            if let Ok(outcome) = self.ask(Some(user), request) {
                return Ok(outcome.response);
            }
        }
        self.tell_loss(user, false);
        Err(error)
    }

    /// Whether the login asks to be left alone for a while.
    fn is_locked(&self) -> bool {
        self.users.as_ref().and_then(Authenticator::locked_for).is_some_and(|left| !left.is_zero())
    }

    /// Tells the guard that a login was lost.
    pub(super) fn tell_loss(&mut self, user: usize, is_back: bool) {
        let has_run_out = self.users.as_mut().is_some_and(|users| users.has_run_out(user));
        if let Some(guard) = self.guard.as_ref().filter(|_| has_run_out && is_back) {
            return guard.ran_out(user);
        }
        let users = self.users.as_ref().map(Authenticator::users);
        if let Some((guard, users)) = self.guard.as_ref().zip(users) {
            let name = users.get(user).map_or("", |user| &user.name);
            guard.lost(user, name, is_back);
            if let Some(wanted) = self.users.as_ref().and_then(Authenticator::locked_for) {
                guard.wait(user, wanted);
            }
        }
    }

    /// Whether one of the witnesses goes well as the user.
    fn proves(
        &mut self,
        user: usize,
        witnesses: &[Witness],
        care: &mut Care,
    ) -> Result<bool, Failure> {
        for witness in witnesses {
            care.calls += 1;
            let outcome = self.ask(Some(user), &witness.request)?;
            if self.problem.went_well(&outcome) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
