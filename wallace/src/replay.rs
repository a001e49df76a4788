//! Running tests of an earlier run again, from its record.

use wallace_suite::{
    TestCase,
    record::{FaultRecord, RunRecord},
};

use crate::error::RunError;

pub use crate::test_runner::{ReplayTarget, TestRunner};
pub use wallace_suite::Verdict;

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
/// As [`TestRunner`], and when nothing is chosen.
pub fn replay(
    record: &RunRecord,
    target: &ReplayTarget,
    choice: &ReplayChoice,
    allow_mutations: bool,
    tell: &mut dyn FnMut(&Replayed),
) -> Result<Vec<Replayed>, RunError> {
    let chosen = chosen(record, choice)?;
    let mut runner = TestRunner::connect(target, allow_mutations)?;
    let mut replayed = Vec::new();
    for (index, test) in chosen {
        let verdict = runner.run(test)?;
        let faults = faults_of(record, index).map(FaultRecord::id).collect();
        let one = Replayed { test: test.name.clone(), faults, verdict };
        tell(&one);
        replayed.push(one);
    }
    Ok(replayed)
}

/// The faults that a test shows.
fn faults_of(record: &RunRecord, test: usize) -> impl Iterator<Item = &FaultRecord> {
    record.faults.iter().filter(move |fault| fault.tests.contains(&test))
}

/// The tests to run, with their positions in the suite.
fn chosen<'a>(
    record: &'a RunRecord,
    choice: &ReplayChoice,
) -> Result<Vec<(usize, &'a TestCase)>, RunError> {
    let tests = record.suite.tests.iter().enumerate();
    let shows =
        |index: usize, id: &str| faults_of(record, index).any(|fault| fault.id().starts_with(id));
    let chosen: Vec<(usize, &TestCase)> = tests
        .filter(|(index, test)| match choice {
            ReplayChoice::All => true,
            ReplayChoice::Fault(id) => shows(*index, id),
            ReplayChoice::Test(text) => test.name.contains(text.as_str()),
        })
        .collect();
    if chosen.is_empty() {
        let known: Vec<String> = record.faults.iter().map(FaultRecord::id).collect();
        let reason = match choice {
            ReplayChoice::All => "the record holds no tests".to_owned(),
            ReplayChoice::Fault(id) => match known.is_empty() {
                true => format!("no test shows fault {id}: the run found no fault"),
                false if known.iter().any(|known| known.starts_with(id.as_str())) => format!(
                    "no test of the suite shows fault {id}, since none stands by itself: report.html has \
                     the calls that showed it, as lines for a shell"
                ),
                false => {
                    format!("no test of the record shows fault {id}; it holds {}", known.join(", "))
                }
            },
            ReplayChoice::Test(text) => format!("no test of the record is called {text:?}"),
        };
        return Err(RunError::Settings(reason));
    }
    Ok(chosen)
}
