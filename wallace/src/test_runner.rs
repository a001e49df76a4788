//! Running tests as they stand, without a language, against a service.

use std::str::FromStr;

use wallace_problems::limit::MutationGuard;
use wallace_suite::{Body, Step, TestCase, Verdict};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient,
    http::{HttpAddress, HttpConnection, HttpSettings},
};

use crate::error::RunError;

/// Where the service is that tests are run against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayTarget {
    /// Its driver, which starts it and brings its state back before each test.
    Driver(String),
    /// Its base URL; it runs already.
    Url(String),
}

/// A service that tests are run against.
#[derive(Debug)]
pub struct TestRunner {
    driver: Option<DriverClient>,
    transport: HttpConnection,
    guard: MutationGuard,
    base_url: String,
    // Connections are driven by it.
    _runtime: BlockingRuntime,
}

impl TestRunner {
    /// Connects to the service; one with a driver is started by it.
    ///
    /// # Errors
    /// When the driver or the service cannot be reached.
    pub fn connect(target: &ReplayTarget, allow_mutations: bool) -> Result<Self, RunError> {
        let runtime = BlockingRuntime::new()
            .map_err(|error| RunError::Internal(format!("no runtime for connections: {error}")))?;
        let (driver, base_url) = match target {
            ReplayTarget::Url(url) => (None, url.clone()),
            ReplayTarget::Driver(address) => {
                let mut driver = DriverClient::connect(address, &runtime)?;
                let info = driver.start_sut()?;
                driver.new_search()?;
                (Some(driver), info.base_url)
            }
        };
        let address = HttpAddress::from_str(&base_url)
            .map_err(|error| RunError::Settings(format!("the URL {base_url:?}: {error}")))?;
        let guard = MutationGuard::new(&address, allow_mutations || driver.is_some());
        let transport = HttpConnection::connect(address, HttpSettings::default(), &runtime)?;
        Ok(Self { driver, transport, guard, base_url, _runtime: runtime })
    }

    /// Runs a test, in the first state of the service where there is a driver. Values of secrets
    /// are taken from the environment.
    ///
    /// # Errors
    /// When the state cannot be brought back, or the test may change a service that is not on this
    /// machine and nobody allowed it.
    pub fn run(&mut self, test: &TestCase) -> Result<Verdict, RunError> {
        if !self.guard.permits_mutation() && test.steps.iter().any(may_change) {
            return Err(RunError::Settings(format!(
                "the test {} may change the service at {}, which is not on this machine; if that \
                 is wanted, say --allow-mutations",
                test.name, self.base_url
            )));
        }
        if let Some(driver) = &mut self.driver {
            driver.reset()?;
        }
        Ok(test.run(&mut self.transport, &|name| std::env::var(name).ok()))
    }
}

/// Whether a step may change the service, as far as its operation and method tell.
fn may_change(step: &Step) -> bool {
    match step.request.body {
        Body::GraphQl { .. } => !step.operation.starts_with("Query."),
        _ => !["GET", "HEAD", "OPTIONS", "TRACE"].contains(&step.request.method.as_str()),
    }
}
