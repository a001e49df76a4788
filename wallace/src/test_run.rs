//! What a search of a service in this process found.

use std::fmt::Write;
use std::sync::Arc;

use wallace_engine::{Solution, SolutionTest, TargetKind, TargetName};
use wallace_problems::graphql::{GraphqlAction, GraphqlProblem};
use wallace_problems::{CallFailure, HttpOutcome, HttpProblem, HttpRequest};
use wallace_suite::Fault;
use wallace_sut_driver::Units;

use crate::coverage::Coverage;

/// Longest part of a response that is shown, in characters.
const SHOWN: usize = 300;

/// The result of [`ServiceTest::run`](crate::ServiceTest::run).
#[derive(Debug)]
pub struct TestRun {
    problem: Arc<GraphqlProblem>,
    solution: Solution<GraphqlAction>,
    seed: u64,
    units: Units,
}

/// A fault, with the smallest test that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestFault {
    /// Name of the fault: code, operation and what tells it from others.
    pub name: String,
    /// The requests that show it, in order: method, path, headers and body, and what came of each.
    pub steps: Vec<TestStep>,
}

/// One request of a test that shows a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestStep {
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Headers.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: String,
    /// Status and body of the response, or why there was none.
    pub response: Result<(u16, String), CallFailure>,
}

impl TestRun {
    pub(crate) fn new(
        problem: Arc<GraphqlProblem>,
        solution: Solution<GraphqlAction>,
        seed: u64,
        units: Option<Units>,
    ) -> Self {
        Self { problem, solution, seed, units: units.unwrap_or_default() }
    }

    /// The smallest set of tests that covers what was covered, and the archive by target.
    #[must_use]
    pub fn solution(&self) -> &Solution<GraphqlAction> {
        &self.solution
    }

    /// Coverage of the lines of marked code.
    #[must_use]
    pub fn lines(&self) -> Coverage {
        self.coverage(TargetKind::Line, self.units.lines)
    }

    /// Coverage of the branch sides of marked code.
    #[must_use]
    pub fn branches(&self) -> Coverage {
        self.coverage(TargetKind::Branch, self.units.branches)
    }

    fn coverage(&self, kind: TargetKind, total: usize) -> Coverage {
        Coverage { covered: self.solution.covered_of(kind).count(), total }
    }

    /// The faults, by name; each test is as small as the search could make it.
    #[must_use]
    pub fn faults(&self) -> Vec<TestFault> {
        let tests = self.solution.tests.iter();
        let mut faults: Vec<TestFault> = tests
            .flat_map(|test| test.covers.iter().filter_map(|name| self.fault(name, test)))
            .collect();
        faults.sort_by(|left, right| left.name.cmp(&right.name));
        faults
    }

    fn fault(&self, name: &TargetName, test: &SolutionTest<GraphqlAction>) -> Option<TestFault> {
        let fault = Fault::of(name)?;
        let evaluated = &test.evaluated;
        let calls = evaluated.individual.actions().iter().zip(&evaluated.outcomes);
        let steps =
            calls.map(|((_, action), outcome)| step(&self.problem.request(action), outcome));
        let name = format!("{}:{}:{}", fault.code, fault.operation, fault.context);
        Some(TestFault { name, steps: steps.collect() })
    }

    /// Ends the test if anything is wrong with the service.
    ///
    /// # Panics
    /// When a fault was found. The message has the requests that show it, and a test to paste.
    pub fn assert_no_faults(&self) {
        let faults = self.faults();
        assert!(faults.is_empty(), "{}", self.describe(&faults));
    }

    fn describe(&self, faults: &[TestFault]) -> String {
        let calls = self.solution.statistics.calls;
        let (count, seed) = (faults.len(), self.seed);
        let mut text = format!("{count} faults in {calls} calls (seed {seed})\n");
        for (number, fault) in (1..).zip(faults) {
            // Writing to a text cannot fail.
            let _ = write!(text, "\n{number}. {}\n\n{}\n{}", fault.name, fault, fault.test(number));
        }
        text
    }
}

fn step(request: &HttpRequest, outcome: &HttpOutcome) -> TestStep {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = request.headers.iter();
    let response = outcome.response.as_ref();
    TestStep {
        method: request.method.to_string(),
        path: request.path.to_string(),
        headers: headers.map(|(name, value)| (name.to_string(), lossy(value.as_bytes()))).collect(),
        body: lossy(&request.body),
        response: response
            .map(|response| (response.status, response.body.clone()))
            .map_err(|failure| *failure),
    }
}

impl std::fmt::Display for TestFault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for step in &self.steps {
            writeln!(formatter, "   {} {}", step.method, step.path)?;
            if !step.body.is_empty() {
                writeln!(formatter, "   {}", step.body)?;
            }
            match &step.response {
                Ok((status, body)) => {
                    let body: String = body.chars().take(SHOWN).collect();
                    writeln!(formatter, "   -> {status} {body}")?;
                }
                Err(failure) => writeln!(formatter, "   -> no response ({})", failure.as_str())?,
            }
        }
        Ok(())
    }
}

impl TestFault {
    /// A test that fails while the fault is there, to be pasted beside the others; `number` tells it
    /// from other such tests.
    #[must_use]
    pub fn test(&self, number: usize) -> String {
        let mut text = format!(
            "#[test]\nfn fault_{number}() {{\n    \
             let mut service = wallace::InProcess::new(router()).unwrap(); // your router\n"
        );
        let (last, before) = match self.steps.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &[][..]),
        };
        for step in before {
            let _ = writeln!(text, "    let _ = {};", call(step));
        }
        if let Some(last) = last {
            let _ = writeln!(text, "    let answer = {}.unwrap();", call(last));
            let _ = writeln!(text, "    {}", assertion(last));
        }
        text.push_str("}\n");
        text
    }
}

/// The code of a call.
fn call(step: &TestStep) -> String {
    let headers: Vec<String> =
        step.headers.iter().map(|(name, value)| format!("({name:?}, {value:?})")).collect();
    let (method, path, headers) = (&step.method, &step.path, headers.join(", "));
    format!("service.call({method:?}, {path:?}, &[{headers}], {})", raw(&step.body))
}

/// A raw literal of a text.
fn raw(text: &str) -> String {
    if text.contains('\r')
        || text.chars().any(|character| character.is_control() && character != '\n')
    {
        return format!("{text:?}");
    }
    let longest =
        text.split('"').skip(1).map(|rest| rest.chars().take_while(|c| *c == '#').count());
    let hashes = "#".repeat(longest.max().map_or(0, |most| most + 1));
    format!("r{hashes}\"{text}\"{hashes}")
}

/// What must hold once the fault is mended.
fn assertion(step: &TestStep) -> &'static str {
    match &step.response {
        Err(_) => "assert!(answer.status < 500, \"{answer:?}\");",
        Ok((500.., _)) => "assert!(answer.status < 500, \"{answer:?}\");",
        Ok(_) => "assert!(!answer.body.contains(\"\\\"errors\\\"\"), \"{answer:?}\");",
    }
}
