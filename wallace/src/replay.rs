//! Running tests of an earlier run again, from its record.

use std::str::FromStr;

use wallace_problems::Transport;
use wallace_suite::{RunRecord, TestCase, Verdict};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, HttpAddress, HttpConnection, HttpSettings,
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

/// Which tests are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplayChoice {
    /// All of the suite.
    All,
    /// Those that show the fault of this id.
    Fault(String),
    /// Those whose names hold this text.
    Test(String),
}

/// What came of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Name of the test.
    pub test: String,
    /// Ids of the faults that it shows.
    pub faults: Vec<String>,
    /// Whether the answers were as recorded.
    pub verdict: Verdict,
}

/// Runs tests of a record again. Values of secrets are taken from the environment.
///
/// # Errors
/// When nothing is chosen, or the driver or the service cannot be reached.
pub fn replay(
    record: &RunRecord,
    target: &ReplayTarget,
    choice: &ReplayChoice,
    tell: &mut dyn FnMut(&Replayed),
) -> Result<Vec<Replayed>, RunError> {
    let chosen = chosen(record, choice)?;
    let runtime = BlockingRuntime::new()
        .map_err(|error| RunError::Internal(format!("no runtime for connections: {error}")))?;
    let (mut driver, base_url) = match target {
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
    let connection = HttpConnection::connect(address, HttpSettings::default(), &runtime)?;
    let mut transport: Box<dyn Transport> = Box::new(connection);
    let mut replayed = Vec::new();
    for (index, test) in chosen {
        if let Some(driver) = &mut driver {
            driver.reset()?;
        }
        let verdict = test.run(&mut *transport, &|name| std::env::var(name).ok());
        let shown = record.faults.iter().filter(|fault| fault.tests.contains(&index));
        let faults = shown.map(wallace_suite::FaultRecord::id).collect();
        let one = Replayed { test: test.name.clone(), faults, verdict };
        tell(&one);
        replayed.push(one);
    }
    Ok(replayed)
}

/// The tests to run, with their positions in the suite.
fn chosen<'a>(
    record: &'a RunRecord,
    choice: &ReplayChoice,
) -> Result<Vec<(usize, &'a TestCase)>, RunError> {
    let tests = record.suite.tests.iter().enumerate();
    let shows = |index: usize, id: &str| {
        let mut faults = record.faults.iter().filter(|fault| fault.tests.contains(&index));
        faults.any(|fault| fault.id().starts_with(id))
    };
    let chosen: Vec<(usize, &TestCase)> = tests
        .filter(|(index, test)| match choice {
            ReplayChoice::All => true,
            ReplayChoice::Fault(id) => shows(*index, id),
            ReplayChoice::Test(text) => test.name.contains(text.as_str()),
        })
        .collect();
    if chosen.is_empty() {
        let known: Vec<String> = record.faults.iter().map(wallace_suite::FaultRecord::id).collect();
        let reason = match choice {
            ReplayChoice::All => "the record holds no tests".to_owned(),
            ReplayChoice::Fault(id) => {
                format!("no test of the record shows fault {id}; it holds {}", known.join(", "))
            }
            ReplayChoice::Test(text) => format!("no test of the record is called {text:?}"),
        };
        return Err(RunError::Settings(reason));
    }
    Ok(chosen)
}
