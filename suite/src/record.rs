//! What a run leaves behind, in one value: every report is made from it, and it is kept as
//! `run.json`, so that reports can be made again, faults replayed and targets explained later.

mod call;
mod ledger;
mod target;

use std::collections::BTreeMap;
use std::hash::Hasher;

use serde::{Deserialize, Serialize};

use crate::report::RunFacts;
use crate::test_case::{Fault, TestSuite};
use crate::writer::{SuiteFile, TestLocation};

pub use crate::lower::{AnswerHabits, Surroundings};
pub use call::{AnswerRecord, CallRecord};
pub use ledger::{LedgerRow, LedgerSum, Phase};
pub use target::{Moment, OpenReason, OpenTarget, Operands, Place, TargetRecord};

/// Name of the file that holds the record, in the folder of the results.
pub const RECORD_FILE: &str = "run.json";

/// Version of the layout of the file.
pub const RECORD_VERSION: u32 = 3;

/// A run and everything it found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// [`RECORD_VERSION`] of the program that made it.
    pub version: u32,
    /// The tests, neutral of any language.
    pub suite: TestSuite,
    /// Where they were written.
    pub files: Vec<WrittenFile>,
    /// Counts of the run, its operations and warnings.
    pub facts: RunFacts,
    /// What the run was asked for, as words to show.
    pub settings: BTreeMap<String, String>,
    /// Why it ended.
    pub reason: String,
    /// Counters of the whole run.
    pub totals: Totals,
    /// The calls of each test as they were made, by its position in the suite.
    pub calls: Vec<Vec<CallRecord>>,
    /// Distinct faults, ordered by code, operation and context.
    pub faults: Vec<FaultRecord>,
    /// Every target that was reached, and those that are known not to be; ordered by name.
    pub targets: Vec<TargetRecord>,
    /// Tests that came nearest to targets that are open, and are not part of the suite.
    pub near_tests: Vec<NearTest>,
    /// How coverage grew.
    pub timeline: Vec<TimePoint>,
    /// What every call that went out was made for; empty in records of earlier programs.
    #[serde(default)]
    pub ledger: Vec<LedgerRow>,
    /// Source text of files that could be read, by path; only for pages to show.
    #[serde(skip)]
    pub sources: BTreeMap<String, String>,
    /// The folder of the results as it was named, if it is relative to where the command ran.
    pub folder: String,
}

/// Counters of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Calls of the search.
    pub calls: u64,
    /// Tests evaluated.
    pub evaluations: u64,
    /// Tests that could not be run.
    pub failures: u64,
    /// Seconds of the search.
    pub seconds: f64,
    /// Targets covered.
    pub covered: usize,
    /// Targets reached.
    pub reached: usize,
    /// Operations that can be called.
    pub operations: usize,
    /// Operations that answered at least once without errors.
    pub answered: usize,
    /// Whether the service was observed by a driver.
    pub is_white_box: bool,
}

/// A file of the suite and the tests in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFile {
    /// Path below the folder of the results.
    pub path: String,
    /// Its tests in order.
    pub tests: Vec<WrittenTest>,
}

/// Where a test stands in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenTest {
    /// Position in the suite.
    pub test: usize,
    /// Its name there.
    pub name: String,
    /// First line, from 1.
    pub start_line: usize,
    /// Last line, included.
    pub end_line: usize,
}

/// A distinct fault: one cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Code, operation, context and explanation, where it showed itself first.
    #[serde(flatten)]
    pub fault: Fault,
    /// Operations and contexts at which the same cause showed itself besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<(String, String)>,
    /// Tests of the suite that show it; the first is the shortest.
    pub tests: Vec<usize>,
    /// The calls that show it, where no test of the suite does: one got no answer in time.
    pub calls: Vec<CallRecord>,
    /// In how many of how many runs of the test it came; none where the test ran once only.
    pub repeated: Option<(u32, u32)>,
    /// Whether a baseline says that it is known, and why.
    pub known: Option<String>,
}

/// A test that is not part of the suite.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NearTest {
    /// `near_1` and so on; or the name of the test of the suite that makes the same calls.
    pub name: String,
    /// Its calls.
    pub calls: Vec<CallRecord>,
}

/// Coverage at a moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct TimePoint {
    /// Calls made.
    pub calls: u64,
    /// Seconds since the search began.
    pub seconds: f64,
    /// Used share of the budget.
    pub used: f64,
    /// Targets covered.
    pub covered: usize,
    /// Lines covered.
    pub lines: usize,
    /// Branch sides covered.
    pub branches: usize,
    /// Distinct faults.
    pub faults: usize,
}

impl RunRecord {
    /// Notes where the tests were written.
    pub fn set_files(&mut self, files: &[SuiteFile]) {
        let with_tests = files.iter().filter(|file| !file.tests.is_empty());
        self.files = with_tests.map(WrittenFile::of).collect();
    }

    /// The file and the name that a test of the suite was given first.
    #[must_use]
    pub fn written(&self, test: usize) -> Option<(&WrittenFile, &WrittenTest)> {
        let mut all = self.files.iter().flat_map(|file| file.tests.iter().map(move |t| (file, t)));
        all.find(|(_, written)| written.test == test)
    }

    /// The calls that show a fault.
    #[must_use]
    pub fn evidence<'a>(&'a self, fault: &'a FaultRecord) -> &'a [CallRecord] {
        let shown = fault.tests.first().and_then(|test| self.calls.get(*test));
        shown.map_or(&fault.calls, |calls| calls)
    }

    /// Faults that no baseline knows.
    pub fn new_faults(&self) -> impl Iterator<Item = &FaultRecord> {
        self.faults.iter().filter(|fault| fault.known.is_none())
    }

    /// The content of [`RECORD_FILE`].
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("the record has text keys only") + "\n"
    }

    /// The record in the content of [`RECORD_FILE`].
    ///
    /// # Errors
    /// When it is no record, or one of another version.
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        let value: serde_json::Value = serde_json::from_str(text)?;
        let found = value.get("version").and_then(serde_json::Value::as_u64).unwrap_or_default();
        if found != u64::from(RECORD_VERSION) {
            return Err(RecordError::OtherVersion { found });
        }
        Ok(serde_json::from_value(value)?)
    }
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is of another version.
    #[error("it has version {found}, and this is version {RECORD_VERSION}: make the results again")]
    OtherVersion {
        /// The version.
        found: u64,
    },
    /// It is no record.
    #[error("it is no record of a run: {0}")]
    Malformed(#[from] serde_json::Error),
}

impl WrittenFile {
    fn of(file: &SuiteFile) -> Self {
        Self { path: file.path.clone(), tests: file.tests.iter().map(WrittenTest::of).collect() }
    }
}

impl WrittenTest {
    fn of(location: &TestLocation) -> Self {
        let TestLocation { test, name, start_line, end_line } = location;
        Self { test: *test, name: name.clone(), start_line: *start_line, end_line: *end_line }
    }
}

impl FaultRecord {
    /// What tells the fault from others, in this run and in the next.
    #[must_use]
    pub fn key(&self) -> (u16, &str, &str) {
        (self.fault.code, &self.fault.operation, &self.fault.context)
    }

    /// Operations and contexts at which the cause showed itself.
    pub fn sites(&self) -> impl Iterator<Item = (&str, &str)> {
        let first = (self.fault.operation.as_str(), self.fault.context.as_str());
        let also = self.also.iter().map(|(operation, context)| (&**operation, &**context));
        std::iter::once(first).chain(also)
    }

    /// The other operations, as a sentence; empty where there are none.
    #[must_use]
    pub fn elsewhere(&self) -> String {
        let here = self.fault.operation.as_str();
        let mut others: Vec<&str> =
            self.sites().map(|site| site.0).filter(|it| *it != here).collect();
        others.sort_unstable();
        others.dedup();
        match &others[..] {
            [] => String::new(),
            [one] => format!("The same cause shows itself at {one}."),
            [first, second, third, rest @ ..] if !rest.is_empty() => {
                let rest = rest.len();
                format!(
                    "The same cause shows itself at {first}, {second}, {third} and {rest} more."
                )
            }
            some => format!("The same cause shows itself at {}.", some.join(", ")),
        }
    }

    /// A short name to link to and to ask for: the code and eight digits made of the key.
    #[must_use]
    pub fn id(&self) -> String {
        let (code, operation, context) = self.key();
        // The same on every platform and in every version.
        let mut hasher = fnv::FnvHasher::default();
        hasher.write(format!("{operation}\n{context}").as_bytes());
        let hash = hasher.finish();
        format!("F{code}-{:08x}", (hash >> 32) ^ (hash & 0xffff_ffff))
    }
}
