//! Searching a service from a `#[test]`, without sockets.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;

use wallace_engine::{Budget, Search, SearchSettings, StopSignal};
use wallace_problems::{Oracle, TargetSource};

use crate::error::RunError;
use crate::local_service::LocalService;
use crate::runtime::blocking;
use crate::service_family::ServiceFamily;
use crate::settings::{Settings, Target};
use crate::target_system::{self, Given, Opened, TargetSystem};
use crate::test_run::TestRun;

/// Tests a service in this process: an `axum::Router`, or any other `tower` service of HTTP requests.
///
/// Whether it serves GraphQL or REST is found out ([`LocalService`]). Code of the service that is
/// marked with `#[white_box]` guides the search; without any, the search knows only the responses.
///
/// ```no_run
/// # fn router() -> axum::Router { axum::Router::new() }
/// # fn main() -> Result<(), wallace::RunError> {
/// wallace::test(router()).calls(500).run()?.assert_no_faults();
/// # Ok(())
/// # }
/// ```
pub fn test(service: impl Into<LocalService>) -> ServiceTest {
    ServiceTest {
        service: service.into(),
        calls: 5_000,
        settings: Settings::of(Target::InProcess, "wallace-out"),
        given: Given::default(),
    }
}

/// A search that is about to run; made by [`test()`].
#[must_use = "nothing is tested before `run`"]
pub struct ServiceTest {
    service: LocalService,
    calls: u64,
    /// Nothing is written, and nothing connected to.
    settings: Settings,
    given: Given,
}

impl std::fmt::Debug for ServiceTest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut output = formatter.debug_struct("ServiceTest");
        output.field("service", &self.service).field("calls", &self.calls);
        output.field("search", &self.settings.search).finish_non_exhaustive()
    }
}

impl ServiceTest {
    /// As [`LocalService::graphql`].
    pub fn graphql(mut self, endpoint: &str) -> Self {
        self.service = self.service.graphql(endpoint);
        self
    }

    /// As [`LocalService::openapi`].
    pub fn openapi(mut self, text_or_place: &str) -> Self {
        self.service = self.service.openapi(text_or_place);
        self
    }

    /// Calls of the search, 1 and up. Default 5,000.
    pub fn calls(mut self, calls: u64) -> Self {
        self.calls = calls;
        self
    }

    /// Seed of the search: the same seed finds the same. Default 42.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.search.seed = seed;
        self
    }

    /// All parameters of the search, the seed included.
    pub fn search(mut self, search: SearchSettings) -> Self {
        self.settings.search = search;
        self
    }

    /// As [`LocalService::unit_prefix`].
    pub fn unit_prefix(mut self, prefix: &str) -> Self {
        self.service = self.service.unit_prefix(prefix);
        self
    }

    /// As [`LocalService::on_reset`].
    pub fn on_reset(
        mut self,
        reset: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.service = self.service.on_reset(reset);
        self
    }

    /// As [`LocalService::on_async_reset`].
    pub fn on_async_reset<F>(mut self, reset: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.service = self.service.on_async_reset(reset);
        self
    }

    /// Calls as the users of an authentication file, as `--auth` of the command does.
    pub fn auth(mut self, file: impl Into<PathBuf>) -> Self {
        self.settings.auth = Some(file.into());
        self
    }

    /// Judges every call and test by an oracle of your own too; may be called several times.
    pub fn oracle(mut self, oracle: impl Oracle + 'static) -> Self {
        self.given.oracles.push(Box::new(oracle));
        self
    }

    /// Adds targets of your own; may be called several times.
    pub fn targets(mut self, source: impl TargetSource + 'static) -> Self {
        self.given.targets.push(Box::new(source));
        self
    }

    /// Runs the search, and makes its tests small.
    ///
    /// # Errors
    /// When no description is found or the one there is cannot be used, the reset fails at the start,
    /// or it is called from a task of a runtime of one thread: it blocks, so that a `#[tokio::test]`
    /// needs `flavor = "multi_thread"`. What the service holds of that runtime, as a pool of connections,
    /// is used there.
    pub fn run(self) -> Result<TestRun, RunError> {
        blocking(|| self.run_blocking())
    }

    fn run_blocking(self) -> Result<TestRun, RunError> {
        let Self { service, calls, settings, mut given } = self;
        settings.parameters().check().map_err(|error| RunError::Settings(error.to_string()))?;
        given.service = Some(service);
        match target_system::open(&settings, given, &StopSignal::default())? {
            Opened::Graphql(system) => Ok(searched(system, calls)),
            Opened::Rest(system) => Ok(searched(system, calls)),
        }
    }
}

fn searched<P: ServiceFamily>(mut system: TargetSystem<P>, calls: u64) -> TestRun {
    let problem = Arc::clone(&system.problem);
    let search = Search::new(&*problem, system.search.clone(), Budget::calls(calls));
    let solution = search.run(&mut system.evaluator);
    let info = system.evaluator.driver().and_then(|driver| driver.info().ok());
    let units = info.map(|info| info.units).unwrap_or_default();
    TestRun::new((&*problem, &system.users), &solution, system.search.seed, units)
}
