//! From a solution of the search to neutral test cases.
//!
//! Nothing is resolved again: requests, and what earlier answers filled into them, are read from the
//! outcomes of the calls.

pub(crate) mod credential;
pub(crate) mod derivation;
mod graphql;
mod habit;
mod link;
pub(crate) mod repeat;
mod request;
mod rest;
mod secret;
mod set_up;
mod volatile;

use wallace_engine::{Solution, TargetKind, solution::SolutionTest};
use wallace_problems::{
    CallFailure, GenePath, HttpOutcome, HttpProblem, HttpRequest, HttpResponse, auth::User,
};

pub use credential::credential_variables;
pub use derivation::{Derivation, RecordedBody, RecordedResponse, Volatility};
pub use habit::AnswerHabits;
pub use link::{Link, Slot};

use crate::check::Captured;
use crate::expectation::Expectation;
use crate::name::TestNamer;
use crate::name::counted;
use crate::request::Request;
use crate::test_case::{Fault, Step, TestCase, TestKind};
use credential::credentials;
use habit::Shared;
use link::Links;
use repeat::{json, keep_reproduced, recorded, volatile_parts};
use request::keep_bytes;
use set_up::add_set_up;

/// A problem whose tests can be written as a suite: what is told of its calls. REST and GraphQL are
/// all there are.
pub trait SuiteProblem: HttpProblem + sealed::Sealed {
    /// Name of the operation of a call in a suite; none for a call that a test of requests and
    /// answers cannot make.
    fn step_operation(&self, action: &Self::Action) -> Option<String>;

    /// What the gene at an address of a call, as it was sent, is called, and where the request holds
    /// it; none where it must be sent as it was.
    fn slot(&self, action: &Self::Action, path: &GenePath) -> Option<(String, Slot)>;

    /// A call as it was sent, with the values that it takes from earlier answers in their places;
    /// without the credentials of its caller.
    fn written(&self, action: &Self::Action, sent: &HttpRequest, links: &[&Link]) -> Request;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for wallace_problems::rest::RestProblem {}
    impl Sealed for wallace_problems::graphql::GraphqlProblem {}
}

/// What is known besides the tests of a solution.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// The time of the run in seconds since 1970, by which times near it are recognised.
    pub recorded_at: Option<u64>,
    /// What answers showed over a run in which nothing brought the service back.
    pub habits: Option<&'a AnswerHabits>,
    /// Whether a test, by its position, was only seen beside what other tests left; of those beyond
    /// the end it is not so.
    pub is_shared: &'a [bool],
}

/// The tests of a solution, in its order. Callers are known by their position among `users`; their
/// credentials are read from environment variables, `WALLACE_CREDENTIALS_` and the name.
///
/// None stands for a test in which a call got no response in time, or one too long to be kept, or that
/// makes a call that cannot be written, and for one whose answers all came otherwise when it ran again:
/// there is nothing that could be expected. That a connection ends without an answer can be.
#[must_use]
pub fn lower<P: SuiteProblem>(
    problem: &P,
    users: &[User],
    solution: &Solution<P::Action>,
    surroundings: Surroundings<'_>,
) -> Vec<Option<TestCase>> {
    let mut namer = TestNamer::default();
    let tests = solution.tests.iter().enumerate();
    let lowering = Lowering { problem, users, surroundings };
    tests
        .map(|(place, test)| {
            let is_shared = surroundings.is_shared.get(place).is_some_and(|it| *it);
            lowering.test_case(test, is_shared, &mut namer)
        })
        .collect()
}

struct Lowering<'s, P> {
    problem: &'s P,
    users: &'s [User],
    surroundings: Surroundings<'s>,
}

impl<P: SuiteProblem> Lowering<'_, P> {
    fn test_case(
        &self,
        test: &SolutionTest<P::Action>,
        is_shared: bool,
        namer: &mut TestNamer,
    ) -> Option<TestCase> {
        let links = Links::of(self.problem, &test.evaluated);
        let places = 0..test.evaluated.outcomes.len();
        let mut sent = String::new();
        let steps: Option<Vec<Step>> =
            places.map(|place| self.step(test, place, &links, is_shared, &mut sent)).collect();
        let mut case = finished(test, steps?, namer);
        // What came otherwise each time leaves nothing that could fail, and a connection that ends
        // once in a while nothing that could pass.
        let was_dropped = test.evaluated.outcomes.iter().any(|it| it.response.is_err());
        if case.steps.iter().all(|step| step.expectations.is_empty())
            || was_dropped && !case.steps.iter().any(Step::expects_no_answer)
        {
            return None;
        }
        add_set_up(self.problem, &test.evaluated, &mut case.steps);
        Some(case)
    }

    /// The step of one call; what the test `sent` grows by it.
    fn step(
        &self,
        test: &SolutionTest<P::Action>,
        place: usize,
        links: &Links,
        is_shared: bool,
        sent: &mut String,
    ) -> Option<Step> {
        let (_, action) = test.evaluated.individual.actions().get(place)?;
        let outcome = test.evaluated.outcomes.get(place)?;
        let response = match &outcome.response {
            Ok(response) if !response.is_cut => Some(response),
            Err(CallFailure::Dropped) => None,
            Ok(_) | Err(_) => return None,
        };
        let operation = self.problem.step_operation(action)?;
        let bytes = outcome.request(self.problem, action);
        let mut request =
            self.problem.written(&outcome.sent(&**action), &bytes, &links.into(place));
        // Which of several mistakes a refusal names may depend on the order of members.
        if response.is_none_or(|response| response.status >= 400) {
            keep_bytes(&mut request, &bytes);
        }
        if let Some(user) = self.problem.caller(action).and_then(|user| self.users.get(user)) {
            request.headers.extend(credentials(user));
        }
        sent.push_str(&request.literal_text());
        let captured = links.known_before(place);
        let expectations = match response {
            Some(response) => {
                let shared = is_shared.then_some(sent.as_str());
                self.expectations((test, place), response, (&request, &captured), shared)
            }
            None => vec![Expectation::NoAnswer],
        };
        Some(Step { operation, request, captures: links.captures(place), expectations })
    }

    /// What is expected of an answer; `sent` is what the test sent up to it, where it was only seen
    /// beside what other tests left.
    fn expectations(
        &self,
        (test, place): (&SolutionTest<P::Action>, usize),
        response: &HttpResponse,
        (request, captured): (&Request, &Captured),
        sent: Option<&str>,
    ) -> Vec<Expectation> {
        let body = json(response);
        let mut volatile = volatile_parts(response, &test.repeats, place);
        if let (Some(habits), Some(body)) = (self.surroundings.habits, &body) {
            let is_repeated = !test.repeats.is_empty();
            let is_refusal = response.status >= 400;
            let shared = sent.map(|sent| Shared { sent, is_repeated, is_refusal });
            let (_, action) = &test.evaluated.individual.actions()[place];
            habits.add_to(&mut volatile, self.problem.operation(action), ("", body), shared);
        }
        let recorded_at = self.surroundings.recorded_at;
        let derivation = Derivation { request, captured, volatile: &volatile, recorded_at };
        derivation.expectations(&recorded(response, body.as_ref()))
    }
}

/// The test of these steps: what did not come in every run is left out, and then it is named.
fn finished<A: wallace_engine::Action<Outcome = HttpOutcome>>(
    test: &SolutionTest<A>,
    steps: Vec<Step>,
    namer: &mut TestNamer,
) -> TestCase {
    let faults: Vec<Fault> = test.covers.iter().filter_map(Fault::of).collect();
    let kind = if faults.is_empty() { TestKind::Regression } else { TestKind::Fault };
    let mut purpose = vec![purpose(test)];
    let own = test.covers.iter().filter(|target| target.kind() == TargetKind::Own);
    purpose.extend(own.map(|target| format!("Covers {}.", target.as_str())));
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
    let others = test.covers.len() - lines - branches;
    let other = if others == test.covers.len() { "target" } else { "other target" };
    let parts = [(lines, "line"), (branches, "branch side"), (others, other)];
    let parts = parts.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts.map(|(count, noun)| counted(*count, noun)).collect();
    let parts = match &*parts {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        parts => parts.concat(),
    };
    format!("Alone in the suite to cover {parts}.")
}
