//! What a search of a service in this process found.

use std::fmt::Write;

use wallace_engine::{
    Problem, Solution, TargetKind, TargetName,
    solution::{SolutionTest, TargetResult},
};
use wallace_problems::{AnswerPlace, HttpOutcome, auth::User};
use wallace_suite::{Fault, credential_variables, report::counted};
use wallace_sut_driver::Units;

use crate::coverage::Coverage;
use crate::service_family::ServiceFamily;
use crate::test_fault::{TakenValue, TestFault, TestStep};

/// Shortest text from an earlier answer that is looked for in a request, in bytes: a shorter one may
/// stand there for other reasons, and is mostly a number that comes again.
const SHORTEST_TAKEN: usize = 8;

/// The result of [`ServiceTest::run`](crate::ServiceTest::run).
#[derive(Debug)]
pub struct TestRun {
    tests: Vec<Vec<TestStep>>,
    faults: Vec<TestFault>,
    targets: Vec<TargetResult>,
    calls: u64,
    seed: u64,
    units: Units,
}

impl TestRun {
    pub(crate) fn new<P: ServiceFamily>(
        (problem, users): (&P, &[User]),
        solution: &Solution<<P as Problem>::Action>,
        seed: u64,
        units: Units,
    ) -> Self {
        let mut faults = Vec::new();
        let mut tests = Vec::new();
        for test in &solution.tests {
            let steps = steps(problem, users, test);
            let shown = test.covers.iter().filter_map(fault);
            faults.extend(shown.map(|name| TestFault { name, steps: steps.clone() }));
            tests.push(steps);
        }
        faults.sort_by(|left, right| left.name.cmp(&right.name));
        let (targets, calls) = (solution.targets.clone(), solution.statistics.calls);
        Self { tests, faults, targets, calls, seed, units }
    }

    /// The requests of the smallest set of tests that covers what was covered, with their answers.
    #[must_use]
    pub fn tests(&self) -> &[Vec<TestStep>] {
        &self.tests
    }

    /// Every target that was reached, and how near the search came to it.
    #[must_use]
    pub fn targets(&self) -> &[TargetResult] {
        &self.targets
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
        let of_kind = self.targets.iter().filter(|target| target.name.kind() == kind);
        let covered = of_kind.filter(|target| target.score.is_covered()).count();
        Coverage { covered, total, at_start: 0 }
    }

    /// The faults, by name; each test is as small as the search could make it.
    #[must_use]
    pub fn faults(&self) -> &[TestFault] {
        &self.faults
    }

    /// Ends the test if anything is wrong with the service.
    ///
    /// # Panics
    /// When a fault was found. The message has the requests that show it, and a test to paste.
    pub fn assert_no_faults(&self) {
        assert!(self.faults.is_empty(), "{}", self.describe());
    }

    fn describe(&self) -> String {
        let (count, calls, seed) = (self.faults.len(), self.calls, self.seed);
        let count = counted(count, "fault");
        let mut text = format!("{count} in {calls} calls (seed {seed})\n");
        for (number, fault) in (1..).zip(&self.faults) {
            // Writing to a text cannot fail.
            let _ = write!(text, "\n{number}. {}\n\n{}\n{}", fault.name, fault, fault.test(number));
        }
        text
    }
}

/// Name of the fault that a target stands for, if it stands for one.
fn fault(name: &TargetName) -> Option<String> {
    let fault = Fault::of(name)?;
    Some(format!("{}:{}:{}", fault.code, fault.operation, fault.context))
}

/// The requests of a test as they were sent.
fn steps<P: ServiceFamily>(
    problem: &P,
    users: &[User],
    test: &SolutionTest<<P as Problem>::Action>,
) -> Vec<TestStep> {
    let evaluated = &test.evaluated;
    let calls = evaluated.individual.actions().iter().zip(&evaluated.outcomes);
    let steps = calls.map(|((_, action), outcome)| {
        let action: &<P as Problem>::Action = action;
        let request = outcome.request(problem, action);
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let headers = request.headers.iter();
        let response = outcome.response.as_ref();
        let user = problem.caller(action).and_then(|user| users.get(user));
        TestStep {
            method: request.method.to_string(),
            path: request.path.to_string(),
            headers: headers
                .map(|(name, value)| (name.to_string(), lossy(value.as_bytes())))
                .collect(),
            credentials: user.map(credential_variables).unwrap_or_default(),
            body: lossy(&request.body),
            taken: taken(test, outcome),
            response: response
                .map(|response| (response.status, response.body.clone()))
                .map_err(|failure| *failure),
        }
    });
    steps.collect()
}

/// What a call took from the bodies of earlier answers.
fn taken<A>(test: &SolutionTest<A>, outcome: &HttpOutcome) -> Vec<TakenValue>
where
    A: wallace_engine::Action<Outcome = HttpOutcome>,
{
    let evaluated = &test.evaluated;
    let taken = outcome.filled.iter().filter_map(|filled| {
        let from = filled.from.as_ref()?;
        let AnswerPlace::Body(pointer) = &from.place else { return None };
        let step = evaluated.individual.position(from.action)?;
        let text = evaluated.outcomes.get(step)?.response.as_ref().ok()?.text_at(pointer)?;
        let pointer = pointer.clone();
        (text.len() >= SHORTEST_TAKEN).then_some(TakenValue { step, pointer, text })
    });
    let mut taken: Vec<TakenValue> = taken.collect();
    taken.dedup();
    taken
}
