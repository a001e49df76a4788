//! From a solution of the search to neutral test cases.

use wallace_engine::{Solution, SolutionTest, TargetKind};
use wallace_problems::graphql::{GraphqlAction, GraphqlProblem, OperationKind};
use wallace_problems::{HttpOutcome, HttpProblem, HttpResponse, User, bound_action};

use crate::check::Captured;
use crate::credential::credentials;
use crate::derivation::Derivation;
use crate::expectation::Expectation;
use crate::link::Links;
use crate::name::TestNamer;
use crate::repeat::{json, keep_reproduced, recorded, volatile_parts};
use crate::request::Request;
use crate::set_up::add_rows;
use crate::test_case::{Fault, Step, TestCase, TestKind};

/// The tests of a solution, in its order. Callers are known by their position among `users`; their
/// credentials are read from environment variables, `WALLACE_CREDENTIALS_` and the name.
/// `recorded_at` is the time of the run in seconds since
/// 1970, by which times near it are recognised.
///
/// None stands for a test in which a call got no response, or one too long to be kept: there is
/// nothing that could be expected.
/// The same goes for a test that calls a subscription.
#[must_use]
pub fn lower(
    problem: &GraphqlProblem,
    users: &[User],
    solution: &Solution<GraphqlAction>,
    recorded_at: Option<u64>,
) -> Vec<Option<TestCase>> {
    let mut namer = TestNamer::default();
    let tests = solution.tests.iter();
    let lowering = Lowering { problem, users, recorded_at };
    tests.map(|test| lowering.test_case(test, &mut namer)).collect()
}

struct Lowering<'s> {
    problem: &'s GraphqlProblem,
    users: &'s [User],
    recorded_at: Option<u64>,
}

impl Lowering<'_> {
    fn test_case(
        &self,
        test: &SolutionTest<GraphqlAction>,
        namer: &mut TestNamer,
    ) -> Option<TestCase> {
        let links = Links::of(&test.evaluated);
        let places = 0..test.evaluated.outcomes.len();
        let steps: Option<Vec<Step>> = places.map(|place| self.step(test, place, &links)).collect();
        let mut case = finished(test, steps?, namer);
        let individual = &test.evaluated.individual;
        add_rows(self.problem.sql_tables(), individual, &mut case.steps);
        Some(case)
    }

    fn step(
        &self,
        test: &SolutionTest<GraphqlAction>,
        place: usize,
        links: &Links,
    ) -> Option<Step> {
        let evaluated = &test.evaluated;
        let response = evaluated.outcomes.get(place)?.response.as_ref().ok()?;
        if response.is_cut {
            return None;
        }
        let action = bound_action(&evaluated.individual, place, &evaluated.outcomes);
        let operation = self.problem.templates().operation(action.template)?;
        // Streams are beyond what a test of requests and answers can say.
        if operation.kind == OperationKind::Subscription {
            return None;
        }
        let operation = operation.coordinate.to_string();
        let mut request = links.request(self.problem, &action, place);
        if let Some(user) = action.user.and_then(|user| self.users.get(usize::from(user))) {
            request.headers.extend(credentials(user));
        }
        let captured = links.known_before(place);
        let recorded_at = self.recorded_at;
        let recording = Recording { request: &request, captured: &captured, recorded_at };
        let expectations = recording.expectations(response, &test.repeats, place);
        Some(Step { operation, request, captures: links.captures(place), expectations })
    }
}

/// The test of these steps: what did not come in every run is left out, and then it is named.
pub(crate) fn finished<A: wallace_engine::Action<Outcome = HttpOutcome>>(
    test: &SolutionTest<A>,
    steps: Vec<Step>,
    namer: &mut TestNamer,
) -> TestCase {
    let faults: Vec<Fault> = test.covers.iter().filter_map(Fault::of).collect();
    let kind = if faults.is_empty() { TestKind::Regression } else { TestKind::Fault };
    let mut purpose = vec![purpose(test)];
    purpose.extend(test.flaky.iter().filter(|flaky| flaky.name.kind() == TargetKind::Fault).map(
        |flaky| format!("Shown in {} of {} runs: {}.", flaky.seen, test.runs, flaky.name.as_str()),
    ));
    let mut case = TestCase { name: String::new(), purpose, kind, faults, steps };
    keep_reproduced(&mut case, &test.repeats);
    case.name = namer.name(&case.steps, &case.faults);
    case
}

/// Why the test is part of the suite.
fn purpose<A: wallace_engine::Action>(test: &SolutionTest<A>) -> String {
    if test.covers.is_empty() {
        return "Stands on a limit, or one step behind it.".to_owned();
    }
    let count = |kind| test.covers.iter().filter(|target| target.kind() == kind).count();
    let (lines, branches) = (count(TargetKind::Line), count(TargetKind::Branch));
    let all = test.covers.len();
    let others = all - lines - branches;
    format!(
        "Alone in the suite to cover {lines} lines, {branches} branch sides and {others} other targets."
    )
}

/// A call of a test and what is known besides its answers.
pub(crate) struct Recording<'a> {
    pub(crate) request: &'a Request,
    pub(crate) captured: &'a Captured,
    pub(crate) recorded_at: Option<u64>,
}

impl Recording<'_> {
    /// What to expect of the answer to the call at `place`, knowing the answers of further runs.
    pub(crate) fn expectations(
        &self,
        response: &HttpResponse,
        repeats: &[Vec<HttpOutcome>],
        place: usize,
    ) -> Vec<Expectation> {
        let volatile = volatile_parts(response, repeats, place);
        let Self { request, captured, recorded_at } = *self;
        let derivation = Derivation { request, captured, volatile: &volatile, recorded_at };
        derivation.expectations(&recorded(response, json(response).as_ref()))
    }
}
