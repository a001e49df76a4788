//! Evaluation over HTTP: the driver is told of each action, the action is sent to the system
//! under test, and the driver's results become scores.
//!
//! Black-box testing is the same evaluator without a driver.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use wallace_engine::{
    Action, ActionId, Evaluation, EvaluationError, Evaluator, Individual, Score, TargetName,
    TargetScore, Wanted,
};
use wallace_genes::Specialisation;
use wallace_sut_driver::{
    DriverClient, DriverError, ResultsQuery, SpecialisationKind, StringSpecialisation, TestResults,
};

use crate::auth::{AuthError, Authenticator};
use crate::binding::bound_action;
use crate::http::{
    CallFailure, HttpOutcome, HttpRequest, HttpResponse, RequestReads, TextUse, Transport,
};
use crate::sql::{SqlOutcome, SqlTables, secondary};

/// Waits before each try to reach a black-box service again: a restart takes some seconds.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(200), Duration::from_secs(1), Duration::from_secs(4)];

/// How the actions of a problem become calls, and what the calls earn.
pub trait HttpProblem: Send + Sync {
    /// A call.
    type Action: Action<Outcome = HttpOutcome>;

    /// Name of the operation, as it is announced to the driver.
    fn operation(&self, action: &Self::Action) -> &str;
    /// The call as a request.
    fn request(&self, action: &Self::Action) -> HttpRequest;
    /// Scores of targets that the responses of a test earn, besides those of the driver; each with
    /// the action that earned it.
    fn judge(
        &self,
        test: &[Exchange<'_, Self::Action>],
        reach: &mut dyn FnMut(ActionId, TargetName, Score),
    );

    /// The action at `place` as it is sent, bound genes filled in from earlier calls; `None` ends
    /// the test before it. The default leaves a gene as it is when there is nothing to fill in.
    fn bound<'a>(
        &self,
        individual: &'a Individual<Self::Action>,
        place: usize,
        outcomes: &[HttpOutcome],
    ) -> Option<Cow<'a, Self::Action>> {
        Some(bound_action(individual, place, outcomes))
    }

    /// The tables of the database behind the service; none where nobody tells of one, or rows are
    /// not wanted. The default has none.
    fn sql_tables(&self) -> Option<&SqlTables> {
        None
    }

    /// Position of the user who makes the call among those of the evaluator's [`Authenticator`];
    /// none for a call without credentials, which is the default.
    fn caller(&self, _action: &Self::Action) -> Option<usize> {
        None
    }
}

/// One call of a test, as it was sent and answered.
#[derive(Debug)]
pub struct Exchange<'a, A> {
    /// The action.
    pub id: ActionId,
    /// The action as it was sent, bound genes filled in.
    pub action: &'a A,
    /// What was sent.
    pub request: &'a HttpRequest,
    /// What came of it.
    pub outcome: &'a HttpOutcome,
    /// How long that took. Not part of the outcome: no other run repeats it.
    pub elapsed: Duration,
}

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
    restarts: u64,
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
        Self { problem, transport, driven, reconnect: None, users: None, restarts: 0 }
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

    /// The users, and the secrets that must not be written.
    #[must_use]
    pub fn users(&self) -> Option<&Authenticator> {
        self.users.as_ref()
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

    fn run<'a>(
        &mut self,
        individual: &'a Individual<P::Action>,
        wanted: &Wanted,
    ) -> Result<Run<'a, P::Action>, Failure> {
        if let Some(driven) = &mut self.driven {
            driven.driver.reset()?;
        }
        let mut run = Run::new();
        run.is_attributed = individual.actions().len() < 2 || *wanted != Wanted::Scores;
        self.insert(individual, &mut run)?;
        for index in 0..individual.actions().len() {
            // What the call needs from an earlier one is not there: the rest would mean nothing.
            let Some(action) = self.problem.bound(individual, index, &run.outcomes) else { break };
            // To a driver that is not told of more, the whole test is the first action.
            if let Some(driven) = &mut self.driven
                && (index == 0 || run.is_attributed)
            {
                driven.driver.begin_action(index, self.problem.operation(&action), &[])?;
            }
            let request = self.problem.request(&action);
            let start = Instant::now();
            let response = self.send(&action, &request)?;
            run.elapsed.push(start.elapsed());
            let failure = response.as_ref().err().copied();
            run.sent.push((action, request));
            run.outcomes.push(HttpOutcome::new(response));
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
        Ok(run)
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

    /// Sends one call as its user. A 401 may mean that credentials expired, so that the user logs
    /// in once more; the second answer stands.
    fn send(
        &mut self,
        action: &P::Action,
        plain: &HttpRequest,
    ) -> Result<Result<HttpResponse, CallFailure>, AuthError> {
        let Some((users, user)) = self.users.as_mut().zip(self.problem.caller(action)) else {
            return Ok(self.transport.send(plain));
        };
        let transport = &mut *self.transport;
        let mut request = plain.clone();
        users.authenticate(user, &mut request, transport)?;
        let response = transport.send(&request);
        let is_refused = response.as_ref().is_ok_and(|response| response.status == 401);
        if !is_refused || !users.renew(user) {
            return Ok(response);
        }
        let mut request = plain.clone();
        users.authenticate(user, &mut request, transport)?;
        Ok(transport.send(&request))
    }

    /// Starts the system again after it was lost.
    fn restart(&mut self) -> Result<(), EvaluationError> {
        let Some(driven) = &mut self.driven else {
            return self.reconnect();
        };
        // A system that hangs would not be started again while it runs; one that has died cannot be
        // stopped, which is no trouble.
        if let Err(error) = driven.driver.stop_sut() {
            tracing::debug!("the system could not be stopped: {error}");
        }
        self.restarts += 1;
        let info = driven.driver.start_sut().map_err(unreachable)?;
        driven.driver.new_search().map_err(unreachable)?;
        self.transport = (driven.connect)(&info.base_url)?;
        Ok(())
    }

    /// Opens the connection again to a black-box service that refused one: it may be starting.
    fn reconnect(&mut self) -> Result<(), EvaluationError> {
        let gone = || {
            let reason = "the service does not answer any more: see whether it still runs";
            EvaluationError::Unreachable(reason.to_owned())
        };
        let Some((connect, address)) = &mut self.reconnect else { return Err(gone()) };
        for pause in PAUSES {
            std::thread::sleep(pause);
            if let Ok(transport) = connect(address) {
                self.transport = transport;
                return Ok(());
            }
        }
        Err(gone())
    }

    fn evaluation(
        &self,
        individual: &Individual<P::Action>,
        mut run: Run<'_, P::Action>,
    ) -> Evaluation<P::Action> {
        let is_sql = self.problem.sql_tables().is_some();
        for (outcome, feedback) in run.outcomes.iter_mut().zip(&mut run.results.actions) {
            if let Some(activity) = feedback.database.as_deref().filter(|_| is_sql) {
                outcome.sql = Some(Box::new(SqlOutcome::of(activity)));
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
        let id = |index: usize| individual.actions().get(index).map(|(id, _)| *id);
        let mut scores: Vec<TargetScore> = Vec::with_capacity(run.results.targets.len() + 8);
        for target in run.results.targets {
            let name = TargetName::new(target.name);
            let action = target.action.filter(|_| run.is_attributed).and_then(id);
            scores.push(TargetScore { name, score: Score::new(target.score), action });
        }
        let answers = run.outcomes.iter().zip(&run.elapsed);
        let calls = individual.actions().iter().zip(&run.sent).zip(answers);
        let test: Vec<Exchange<'_, P::Action>> = calls
            .map(|(((id, _), (action, request)), (outcome, elapsed))| Exchange {
                id: *id,
                action: &**action,
                request,
                outcome,
                elapsed: *elapsed,
            })
            .collect();
        self.problem.judge(&test, &mut |action, name, score| {
            scores.push(TargetScore { name, score, action: Some(action) });
        });
        drop(test);
        for response in run.outcomes.iter_mut().filter_map(|it| it.response.as_mut().ok()) {
            response.cut();
        }
        let secondary = if is_sql {
            run.outcomes.iter().map(|outcome| secondary(outcome.sql.as_deref())).collect()
        } else {
            Vec::new()
        };
        let is_attributed = run.is_attributed;
        Evaluation { secondary, is_attributed, ..Evaluation::new(scores, run.outcomes) }
    }
}

impl<P: HttpProblem> Evaluator<P::Action> for HttpEvaluator<P> {
    fn evaluate(
        &mut self,
        individual: &Individual<P::Action>,
        wanted: &Wanted,
    ) -> Result<Evaluation<P::Action>, EvaluationError> {
        match self.run(individual, wanted) {
            Ok(run) if !run.is_lost => return Ok(self.evaluation(individual, run)),
            Ok(_) => {}
            Err(Failure::Login(error)) => return Err(EvaluationError::Failed(error.to_string())),
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

/// Why a test could not be run.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error(transparent)]
    Login(#[from] AuthError),
}

/// Whether the driver itself is gone, so that starting its system again cannot help.
fn is_driver_gone(error: &DriverError) -> bool {
    matches!(error, DriverError::Unreachable { .. } | DriverError::Disconnected { .. })
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function of map_err")]
fn unreachable(error: DriverError) -> EvaluationError {
    EvaluationError::Unreachable(error.to_string())
}

/// What happened in one run of a test.
struct Run<'a, A: Clone> {
    sent: Vec<(Cow<'a, A>, HttpRequest)>,
    outcomes: Vec<HttpOutcome>,
    /// How long each call took.
    elapsed: Vec<Duration>,
    results: TestResults,
    is_lost: bool,
    /// Whether the driver was told of each action.
    is_attributed: bool,
    /// Whether each row that the test begins with was inserted.
    is_inserted: Vec<bool>,
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
        }
    }

    fn has_failed(&self) -> bool {
        self.outcomes.last().is_some_and(|outcome| outcome.response.is_err())
    }
}

fn text_uses(uses: Vec<StringSpecialisation>) -> Vec<TextUse> {
    let known = |use_: StringSpecialisation| {
        let specialisation = specialisation(use_.kind, use_.value)?;
        Some(TextUse { tainted: use_.tainted, specialisation })
    };
    uses.into_iter().filter_map(known).collect()
}

fn specialisation(kind: SpecialisationKind, value: Option<String>) -> Option<Specialisation> {
    let regex = |is_whole: bool, pattern: Option<String>| {
        Some(Specialisation::Regex { pattern: pattern?.into(), is_whole })
    };
    match kind {
        SpecialisationKind::Constant => Some(Specialisation::Constant(value?.into())),
        SpecialisationKind::ConstantIgnoreCase => {
            Some(Specialisation::ConstantIgnoreCase(value?.into()))
        }
        SpecialisationKind::Integer => Some(Specialisation::Integer),
        SpecialisationKind::Long => Some(Specialisation::Long),
        SpecialisationKind::Float | SpecialisationKind::Double => Some(Specialisation::Float),
        SpecialisationKind::Boolean => Some(Specialisation::Boolean),
        SpecialisationKind::RegexWhole => regex(true, value),
        SpecialisationKind::RegexPartial => regex(false, value),
        other => regex(true, written_like(other)),
    }
}

const DATE: &str = "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
const MINUTES: &str = "([01][0-9]|2[0-3]):[0-5][0-9]";

/// The pattern of the texts that are read as values of this kind.
fn written_like(kind: SpecialisationKind) -> Option<String> {
    Some(match kind {
        SpecialisationKind::DateYyyyMmDd | SpecialisationKind::DateFormatUnknownPattern => {
            DATE.to_owned()
        }
        SpecialisationKind::DateYyyyMmDdHhMm => format!("{DATE} {MINUTES}"),
        SpecialisationKind::IsoLocalDateTime => format!("{DATE}T{MINUTES}:[0-5][0-9]"),
        SpecialisationKind::IsoLocalTime => format!("{MINUTES}:[0-5][0-9]"),
        SpecialisationKind::Uuid => {
            "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}".to_owned()
        }
        SpecialisationKind::Url | SpecialisationKind::Uri => "https?://[a-z]+/[a-z]+".to_owned(),
        _ => return None,
    })
}
