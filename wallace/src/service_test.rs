//! Searching a service from a `#[test]`, without sockets.

use std::str::FromStr;
use std::sync::Arc;

use axum::body::Body;
use http::uri::PathAndQuery;
use http::{Request, Response};
use tower_service::Service;
use wallace_engine::{Budget, EvaluationError, Search, SearchSettings};
use wallace_instrument::{Driver, DriverError, ProblemInfo, RecordedService, Recorder};
use wallace_problems::graphql::{GraphqlProblem, Templates};
use wallace_problems::{Driven, HttpEvaluator, Oracle};
use wallace_sut_driver::DriverClient;

use crate::error::RunError;
use crate::in_process::InProcess;
use crate::target_system::introspect;
use crate::test_run::TestRun;

/// Brings the state of a service back.
type Reset = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// Tests a service in this process: an `axum::Router`, or any other `tower` service of HTTP requests.
///
/// Code of the service that is marked with `#[white_box]` guides the search; without any, the
/// search knows only the responses.
///
/// ```no_run
/// # fn router() -> axum::Router { axum::Router::new() }
/// # fn main() -> Result<(), wallace::RunError> {
/// wallace::test(router()).calls(500).run()?.assert_no_faults();
/// # Ok(())
/// # }
/// ```
pub fn test<S>(service: S) -> ServiceTest<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
{
    ServiceTest {
        service,
        endpoint: "/graphql".to_owned(),
        calls: 5_000,
        search: SearchSettings::default(),
        prefixes: Vec::new(),
        reset: Box::new(|| Ok(())),
        oracles: Vec::new(),
    }
}

/// A search that is about to run; made by [`test()`].
#[must_use = "nothing is tested before `run`"]
pub struct ServiceTest<S> {
    service: S,
    endpoint: String,
    calls: u64,
    search: SearchSettings,
    prefixes: Vec<String>,
    reset: Reset,
    oracles: Vec<Box<dyn Oracle>>,
}

impl<S> std::fmt::Debug for ServiceTest<S> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut output = formatter.debug_struct("ServiceTest");
        output.field("endpoint", &self.endpoint).field("calls", &self.calls);
        output.field("search", &self.search).finish_non_exhaustive()
    }
}

impl<S> ServiceTest<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Future: Send> + Clone + Send + 'static,
    S::Future: 'static,
{
    /// Path of the GraphQL endpoint. Default `/graphql`.
    pub fn graphql(mut self, endpoint: &str) -> Self {
        endpoint.clone_into(&mut self.endpoint);
        self
    }

    /// Calls of the search, 1 and up. Default 5,000.
    pub fn calls(mut self, calls: u64) -> Self {
        self.calls = calls;
        self
    }

    /// Seed of the search: the same seed finds the same. Default 42.
    pub fn seed(mut self, seed: u64) -> Self {
        self.search.seed = seed;
        self
    }

    /// All parameters of the search, the seed included.
    pub fn search(mut self, search: SearchSettings) -> Self {
        self.search = search;
        self
    }

    /// Looks only at the module `prefix` and all below it; may be called several times. Name the
    /// service's own modules where tests of several services run at once in one process.
    pub fn unit_prefix(mut self, prefix: &str) -> Self {
        self.prefixes.push(prefix.to_owned());
        self
    }

    /// Calls `reset` before each test: it must bring the state of the service back. The default does
    /// nothing, which fits services without state.
    pub fn on_reset(
        mut self,
        reset: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.reset = Box::new(reset);
        self
    }

    /// Judges every call and test by an oracle of your own too; may be called several times.
    pub fn oracle(mut self, oracle: impl Oracle + 'static) -> Self {
        self.oracles.push(Box::new(oracle));
        self
    }

    /// Runs the search, and makes its tests small.
    ///
    /// # Errors
    /// When the schema cannot be read or used, or the reset fails at the start.
    pub fn run(self) -> Result<TestRun, RunError> {
        self.search.check().map_err(|error| RunError::Settings(error.to_string()))?;
        let path = PathAndQuery::from_str(&self.endpoint).map_err(|error| {
            RunError::Settings(format!("{:?} is no path ({error})", self.endpoint))
        })?;
        let prefixes: Vec<&str> = self.prefixes.iter().map(String::as_str).collect();
        let recorder = Recorder::new(&prefixes);
        let service: RecordedService<S> = recorder.record(self.service);
        let problem_info = ProblemInfo::GraphQl { endpoint: self.endpoint };
        let driver = Driver::new("service in this process", problem_info).recorder(recorder);
        let controller = driver.in_process().on_quick_reset(self.reset).controller();
        let controller = controller.map_err(internal)?;
        let mut driver = DriverClient::in_process(controller);
        driver.start_sut()?;
        let mut transport = InProcess::new(service)?;
        let schema = introspect(&mut transport, &path, &mut |_, _| Ok(()))?;
        let templates = Arc::new(Templates::new(Arc::new(schema))?);
        let problem = GraphqlProblem::new(templates, path, &self.search)?;
        let problem = Arc::new(self.oracles.into_iter().fold(problem, GraphqlProblem::with_oracle));
        driver.new_search()?;
        let lost = |_: &str| {
            let reason = "a service in this process cannot be started again".to_owned();
            Err(EvaluationError::Unreachable(reason))
        };
        let driven = Driven { driver, connect: Box::new(lost) };
        let mut evaluator =
            HttpEvaluator::new(Arc::clone(&problem), Box::new(transport), Some(driven));
        let seed = self.search.seed;
        let solution =
            Search::new(&*problem, self.search, Budget::calls(self.calls)).run(&mut evaluator);
        let units = evaluator.driver().and_then(|driver| driver.info().ok());
        Ok(TestRun::new(problem, solution, seed, units.map(|info| info.units)))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used as a function of map_err")]
fn internal(error: DriverError) -> RunError {
    RunError::Internal(error.to_string())
}
