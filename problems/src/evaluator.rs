//! Evaluation over HTTP: the driver is told of each action, the action is sent to the system
//! under test, and the driver's results become scores.
//!
//! Black-box testing is the same evaluator without a driver.

mod fallback;
mod fruitless;
mod guard;
mod problem;
mod run;
mod spoil;
mod text_use;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, Method};
use wallace_engine::{Evaluation, EvaluationError, Evaluator, Individual, Wanted};
use wallace_sut_driver::{DriverClient, DriverError};

use self::fallback::Fallback;
use self::fruitless::Fruitless;
use self::run::Failure;
use crate::auth::{AuthError, Authenticator, LoginGuard};
use crate::http::{CallFailure, HttpOutcome, HttpRequest, HttpResponse, Transport};
use crate::limit::{Patience, Resting};
use crate::target::DriverTargets;

pub use problem::{Exchange, HttpProblem};

/// Waits before each try to reach a black-box service again: a restart takes some seconds.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(4)];

/// Why a run ends of which all users are lost.
const NOBODY_LEFT: &str = "no user can log in any more, see the notes of the run";

/// Opens the connection to the system under test, again after each of its starts.
pub type Connect = Box<dyn FnMut(&str) -> Result<Box<dyn Transport>, EvaluationError> + Send>;

/// The driver of a white-box system, and how to reach the system behind it.
pub struct Driven {
    /// Client of the driver, its system started and a search begun.
    pub driver: DriverClient,
    /// Opens the connection to the base URL that the driver tells after a start.
    pub connect: Connect,
}

impl std::fmt::Debug for Driven {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Driven").field("driver", &self.driver).finish_non_exhaustive()
    }
}

/// Runs tests over HTTP.
pub struct HttpEvaluator<P> {
    problem: Arc<P>,
    transport: Box<dyn Transport>,
    driven: Option<Driven>,
    reconnect: Option<(Connect, String)>,
    users: Option<Authenticator>,
    guard: Option<LoginGuard>,
    restarts: u64,
    resets_ahead: bool,
    resting: Resting,
    patience: Patience,
    /// Whether the last call was dropped.
    was_dropped: bool,
    /// Verb and path of the last call, where it was answered with a server error.
    failed: Option<Box<str>>,
    fallback: Fallback,
    /// Operations that answer 401 to users whose login holds.
    vain: BTreeSet<Box<str>>,
    /// Logins of each user that helped no call.
    fruitless: BTreeMap<usize, Fruitless>,
    /// Whether the service did not come back once: it is not waited for again.
    is_away: bool,
    /// Operations whose answers were right about where things are.
    right: BTreeSet<Box<str>>,
    targets: DriverTargets,
}

impl<P> std::fmt::Debug for HttpEvaluator<P> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("HttpEvaluator")
            .field("driven", &self.driven)
            .finish_non_exhaustive()
    }
}

impl<P: HttpProblem> HttpEvaluator<P> {
    /// An evaluator of a white-box system, or of a black-box one when nothing drives it.
    pub fn new(problem: Arc<P>, transport: Box<dyn Transport>, driven: Option<Driven>) -> Self {
        Self {
            problem,
            transport,
            driven,
            reconnect: None,
            users: None,
            guard: None,
            restarts: 0,
            resets_ahead: false,
            resting: Resting::default(),
            patience: Patience::default(),
            was_dropped: false,
            failed: None,
            fallback: Fallback::default(),
            vain: BTreeSet::new(),
            fruitless: BTreeMap::new(),
            is_away: false,
            right: BTreeSet::new(),
            targets: DriverTargets::default(),
        }
    }

    /// How the connection to a black-box service at `base_url` is opened again after the service
    /// refused one. Without it such a service counts as gone at once.
    #[must_use]
    pub fn with_reconnect(mut self, connect: Connect, base_url: impl Into<String>) -> Self {
        self.reconnect = Some((connect, base_url.into()));
        self
    }

    /// Lets calls be made by users. Without, every call is sent without credentials.
    #[must_use]
    pub fn with_users(mut self, users: Authenticator) -> Self {
        self.users = Some(users);
        self
    }

    /// Looks after the logins of the users: of a service that is not reset, what a call takes from
    /// them is gone for the rest of the run.
    #[must_use]
    pub fn with_guard(mut self, guard: LoginGuard) -> Self {
        self.guard = Some(guard);
        self
    }

    /// Whether the driver resets the system as soon as it has told the results of a test, and not
    /// before the next: while the results are looked into. What else it would tell of the test is
    /// lost then. Off by default.
    pub fn reset_ahead(&mut self, is_on: bool) {
        self.resets_ahead = is_on;
    }

    /// The users, and the secrets that must not be written.
    #[must_use]
    pub fn users(&self) -> Option<&Authenticator> {
        self.users.as_ref()
    }

    /// Sends one call beside all tests, as a user where one is named.
    ///
    /// # Errors
    /// When the user cannot log in.
    pub fn ask(
        &mut self,
        user: Option<usize>,
        request: &HttpRequest,
    ) -> Result<HttpOutcome, AuthError> {
        let mut request = request.clone();
        if let Some((users, user)) = self.users.as_mut().zip(user) {
            users.authenticate(user, &mut request, &mut *self.transport)?;
        }
        let response = self.transport.send(&request);
        self.note_failed(&request, &response);
        Ok(HttpOutcome::new(self.without_fallback(&request, response)))
    }

    /// Notes whether a call was answered with a server error.
    fn note_failed(&mut self, request: &HttpRequest, response: &Result<HttpResponse, CallFailure>) {
        let is_failure = response.as_ref().is_ok_and(|response| response.status >= 500);
        self.failed =
            is_failure.then(|| format!("{} {}", request.method, request.path.path()).into());
    }

    /// What calls go over.
    pub fn transport(&mut self) -> &mut dyn Transport {
        &mut *self.transport
    }

    /// Headers by which a user says who it is, after a login where one is needed.
    ///
    /// # Errors
    /// When the user cannot log in.
    pub fn headers_of(&mut self, user: usize) -> Result<HeaderMap, AuthError> {
        let mut request = HttpRequest {
            method: Method::GET,
            path: PathAndQuery::from_static("/"),
            headers: HeaderMap::new(),
            body: Bytes::new(),
        };
        if let Some(users) = &mut self.users {
            users.authenticate(user, &mut request, &mut *self.transport)?;
        }
        Ok(request.headers)
    }

    /// Logs every user in; what is wrong with those who cannot.
    pub fn check_users(&mut self) -> Vec<String> {
        let transport = &mut *self.transport;
        let errors = self.users.as_mut().map(|users| users.check(transport)).unwrap_or_default();
        errors.iter().map(ToString::to_string).collect()
    }

    /// Gives the driver back, for what is read at the end of a run.
    #[must_use]
    pub fn driver(&mut self) -> Option<&mut DriverClient> {
        self.driven.as_mut().map(|driven| &mut driven.driver)
    }

    /// How often the system was started again after a test that it did not survive.
    #[must_use]
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Begins anew with a black-box service that was started again: over a new connection, with new
    /// logins.
    ///
    /// # Errors
    /// When no connection can be opened.
    pub fn begin_anew(&mut self) -> Result<(), EvaluationError> {
        self.reconnect()?;
        self.resting = Resting::default();
        if let Some(guard) = &self.guard {
            guard.begin_anew();
        }
        self.renew_users();
        Ok(())
    }

    /// Lets each user log in anew with the next call.
    fn renew_users(&mut self) {
        if let Some(users) = &mut self.users {
            for user in 0..users.users().len() {
                users.renew(user);
            }
        }
    }

    /// Starts the system again after it was lost.
    fn restart(&mut self) -> Result<(), EvaluationError> {
        let Some(driven) = &mut self.driven else {
            self.reconnect()?;
            // What was lost and is back may not know its sessions any more.
            self.renew_users();
            return Ok(());
        };
        // A system that hangs would not be started again while it runs; one that has died cannot be
        // stopped, which is no trouble.
        if let Err(error) = driven.driver.stop_sut() {
            tracing::debug!("the system could not be stopped: {error}");
        }
        self.restarts += 1;
        self.targets.clear();
        let info = driven.driver.start_sut().map_err(unreachable)?;
        driven.driver.new_search().map_err(unreachable)?;
        self.transport = (driven.connect)(&info.base_url)?;
        Ok(())
    }

    /// What a test comes to whose user cannot log in: nothing, and the end of the run where nobody is
    /// left.
    fn without(&mut self, error: &AuthError) -> EvaluationError {
        if self.is_nobody_left() {
            return EvaluationError::Unreachable(NOBODY_LEFT.to_owned());
        }
        EvaluationError::Failed(error.to_string())
    }

    /// Opens the connection again to a black-box service that refused one: it may be starting.
    fn reconnect(&mut self) -> Result<(), EvaluationError> {
        let gone = || {
            let reason = "the service does not answer any more: see whether it still runs";
            EvaluationError::Unreachable(reason.to_owned())
        };
        let Some((connect, address)) = &mut self.reconnect else { return Err(gone()) };
        for pause in &PAUSES[..if self.is_away { 1 } else { PAUSES.len() }] {
            std::thread::sleep(*pause);
            if let Ok(transport) = connect(address) {
                self.transport = transport;
                self.is_away = false;
                return Ok(());
            }
        }
        self.is_away = true;
        Err(gone())
    }
}

impl<P: HttpProblem> Evaluator<P::Action> for HttpEvaluator<P> {
    fn evaluate(
        &mut self,
        individual: &Individual<P::Action>,
        wanted: &Wanted,
    ) -> Result<Evaluation<P::Action>, EvaluationError> {
        match self.run(individual, wanted) {
            Ok(run) if !run.is_lost => return self.guarded(individual, wanted, run),
            Ok(_) => {}
            Err(Failure::Login(error)) => return Err(self.without(&error)),
            Err(Failure::Driver(error)) if is_driver_gone(&error) => {
                return Err(unreachable(error));
            }
            Err(error) => tracing::warn!("a test failed, the system is started again: {error}"),
        }
        self.restart()?;
        match self.run(individual, wanted) {
            Ok(run) if run.is_lost => {
                Err(EvaluationError::Failed("the system under test ended during the test".into()))
            }
            Ok(run) => Ok(self.evaluation(individual, run)),
            Err(Failure::Driver(error)) if is_driver_gone(&error) => Err(unreachable(error)),
            Err(error) => Err(EvaluationError::Failed(error.to_string())),
        }
    }
}

/// Whether the driver itself is gone, so that starting its system again cannot help.
fn is_driver_gone(error: &DriverError) -> bool {
    matches!(error, DriverError::Unreachable { .. } | DriverError::Disconnected { .. })
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function of map_err")]
fn unreachable(error: DriverError) -> EvaluationError {
    EvaluationError::Unreachable(error.to_string())
}
