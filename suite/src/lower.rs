//! From a solution of the search to neutral test cases.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_engine::{Evaluated, Solution, SolutionTest};
use wallace_problems::graphql::{GraphqlAction, GraphqlProblem};
use wallace_problems::{HttpResponse, bound_action};

use crate::derivation::{Derivation, RecordedBody, RecordedResponse};
use crate::link::Links;
use crate::name::TestNamer;
use crate::test_case::{Fault, Step, TestCase, TestKind};

/// The tests of a solution, in its order. `recorded_at` is the time of the run in seconds since
/// 1970, by which times near it are recognised.
///
/// None stands for a test in which a call got no response: there is nothing that could be expected.
#[must_use]
pub fn lower(
    problem: &GraphqlProblem,
    solution: &Solution<GraphqlAction>,
    recorded_at: Option<u64>,
) -> Vec<Option<TestCase>> {
    let mut namer = TestNamer::default();
    let tests = solution.tests.iter();
    tests.map(|test| test_case(problem, test, recorded_at, &mut namer)).collect()
}

fn test_case(
    problem: &GraphqlProblem,
    test: &SolutionTest<GraphqlAction>,
    recorded_at: Option<u64>,
    namer: &mut TestNamer,
) -> Option<TestCase> {
    let evaluated = &test.evaluated;
    let links = Links::of(evaluated);
    let places = 0..evaluated.outcomes.len();
    let steps: Option<Vec<Step>> =
        places.map(|place| step(problem, evaluated, place, &links, recorded_at)).collect();
    let steps = steps?;
    let faults: Vec<Fault> =
        test.covers.iter().filter_map(|target| fault(target.as_str())).collect();
    let name = namer.name(&steps, &faults);
    let kind = if faults.is_empty() { TestKind::Regression } else { TestKind::Fault };
    let purpose = vec![purpose(test)];
    Some(TestCase { name, purpose, kind, faults, steps })
}

/// Why the test is part of the suite.
pub(crate) fn purpose<A: wallace_engine::Action>(test: &SolutionTest<A>) -> String {
    let count = |prefix: &str| {
        test.covers.iter().filter(|target| target.as_str().starts_with(prefix)).count()
    };
    let (lines, branches, all) = (count("Line"), count("Branch"), test.covers.len());
    let others = all - lines - branches;
    format!(
        "Alone in the suite to cover {lines} lines, {branches} branch sides and {others} other targets."
    )
}

fn step(
    problem: &GraphqlProblem,
    evaluated: &Evaluated<GraphqlAction>,
    place: usize,
    links: &Links,
    recorded_at: Option<u64>,
) -> Option<Step> {
    let response = evaluated.outcomes.get(place)?.response.as_ref().ok()?;
    let action = bound_action(&evaluated.individual, place, &evaluated.outcomes);
    let operation = problem.templates().operation(action.template)?.coordinate.to_string();
    let request = links.request(problem, &action, place);
    let (captured, nothing) = (links.known_before(place), BTreeMap::new());
    let derivation =
        Derivation { request: &request, captured: &captured, volatile: &nothing, recorded_at };
    let expectations = expectations(&derivation, response);
    Some(Step { operation, request, captures: links.captures(place), expectations })
}

pub(crate) fn expectations(
    derivation: &Derivation<'_>,
    response: &HttpResponse,
) -> Vec<crate::Expectation> {
    let json: Option<Value> = serde_json::from_str(&response.body).ok();
    let body = match &json {
        _ if response.body.is_empty() => RecordedBody::Empty,
        Some(json) => RecordedBody::Json(json),
        None => RecordedBody::Text(&response.body),
    };
    let content_type = Some(response.content_type.as_str()).filter(|text| !text.is_empty());
    derivation.expectations(&RecordedResponse { status: response.status, content_type, body })
}

/// The fault that a target named `fault:<code>:<operation>:<context>` stands for.
#[must_use]
pub fn fault(target: &str) -> Option<Fault> {
    let mut parts = target.strip_prefix("fault:")?.splitn(3, ':');
    let code = parts.next()?.parse().ok()?;
    // In names of targets a colon separates the parts, so that REST operations have a blank.
    let operation = parts.next()?.replacen(" /", ":/", 1);
    let context = parts.next().unwrap_or_default().to_owned();
    let explanation = match code {
        100 => vec!["The service answered with a server error (status 500 to 599).".to_owned()],
        _ => crate::code::fault_code(code)
            .map(|known| known.meaning.to_owned())
            .into_iter()
            .collect(),
    };
    Some(Fault { code, operation, context, explanation })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_back_from_their_targets() {
        let found = fault("fault:100:Query.book:shop::book_42_find:x").unwrap();
        assert_eq!((found.code, found.operation.as_str()), (100, "Query.book"));
        assert_eq!(found.context, "shop::book_42_find:x");
        let rest = fault("fault:103:DELETE /users/{id}:gone").unwrap();
        assert_eq!(
            (rest.operation.as_str(), rest.context.as_str()),
            ("DELETE:/users/{id}", "gone")
        );
        assert_eq!(fault("Line_at_a_00001"), None);
    }
}
