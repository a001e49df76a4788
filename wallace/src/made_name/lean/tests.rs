//! Which tests lean on what others left.

use std::sync::Arc;

use wallace_engine::{Individual, solution::SolutionTest};
use wallace_genes::{Draw, Knowledge, sample};
use wallace_problems::rest::{RestAction, RestProblem};
use wallace_problems::{AnswerPlace, Filled, Found, Gene, GenePath, HttpResponse};

use super::*;
use crate::made_thing::tests::service;

/// A call of an operation.
fn call_of(problem: &RestProblem, name: &str) -> RestAction {
    let mut operations = problem.templates().operations().iter();
    let operation = operations.find(|it| problem.template_name(it.id) == name).unwrap();
    let mut draw = Draw::new(1, 0, Arc::default());
    let gene = sample(&operation.spec, operation.id, &Knowledge::default(), &mut draw);
    RestAction::new(operation.id, gene)
}

#[test]
fn what_stands_behind_a_told_name_changes_nothing() {
    let names = ["RXhwZXJpbWVudDox", "ab"].map(str::to_owned).into_iter().collect();
    let made = MadeNames { names, ..MadeNames::default() };
    let told = ["RXhwZXJpbWVudDox", "RXhwZXJpbWVudDox\u{19}", "ab"];
    assert!(told.map(|name| made.begins_as_told(name)) == [true; 3]);
    assert!(["RXhwZXJpbWVudDo", "abc", "a"].map(|name| made.begins_as_told(name)) == [false; 3]);
}

#[test]
fn what_takes_whatever_is_said_does_not_ask_for_what_others_made() {
    let problem = service();
    let action = &call_of(&problem, "POST:/zones");
    let answer = HttpResponse { status: 200, ..HttpResponse::default() };
    let outcome = &HttpOutcome::new(Ok(answer));
    let body = bytes::Bytes::from_static(br#"{"nodes":[{"at":{"key":"7f3a9c"}}]}"#);
    let request =
        &HttpRequest { method: http::Method::POST, body, ..HttpProblem::request(&problem, action) };
    let (said, members) = (in_body(request), in_members(request));
    let problem = &problem;
    let call = |is_change, went_well| Call {
        problem,
        action,
        outcome,
        request,
        said: said.clone(),
        members: members.clone(),
        evaluation: 1,
        is_change,
        went_well,
    };
    let name = || BTreeSet::from(["7f3a9c".to_owned()]);
    let leans = |made: &MadeNames, call, known| {
        made.names_others(&call, &Known { names: known, ..Known::default() })
    };
    let mut made = MadeNames { names: name(), ..MadeNames::default() };
    assert!(leans(&made, call(true, true), BTreeSet::new()));
    made.loose.insert(format!("{} nodes/key", problem.operation(action)));
    assert!(!leans(&made, call(true, true), BTreeSet::new()));
    assert!(leans(&made, call(true, false), BTreeSet::new()));
    // What others chose and no answer told, a reading may find all the same.
    let made = MadeNames { chosen: name(), ..MadeNames::default() };
    assert!(leans(&made, call(false, true), BTreeSet::new()));
    assert!(!leans(&made, call(false, true), name()));
}

#[test]
fn what_an_address_is_given_must_be_there() {
    let problem = &service();
    let action = &call_of(problem, "DELETE:/zones/{zone_id}");
    let answer = HttpResponse { status: 401, ..HttpResponse::default() };
    let path = "/zones/z77".parse().unwrap();
    let call = Call {
        problem,
        action,
        outcome: &HttpOutcome::new(Ok(answer)),
        request: &HttpRequest { path, ..HttpProblem::request(problem, action) },
        said: Vec::new(),
        members: Vec::new(),
        evaluation: 1,
        is_change: true,
        went_well: false,
    };
    let name = || BTreeSet::from(["z77".to_owned()]);
    let made = MadeNames { names: name(), ..MadeNames::default() };
    assert!(made.is_given_others(&call, &Known::default()));
    assert!(!made.is_given_others(&call, &Known { names: name(), ..Known::default() }));
    assert!(!MadeNames::default().is_given_others(&call, &Known::default()));
}

#[test]
fn strangers_are_turned_away_where_all_of_them_are() {
    let problem = service();
    let action = call_of(&problem, "POST:/zones");
    let answer =
        |status: u16| HttpOutcome::new(Ok(HttpResponse { status, ..HttpResponse::default() }));
    let mut made = MadeNames::default();
    let turned = |made: &MadeNames, status| made.is_turned_away(&problem, &action, &answer(status));
    assert!(turned(&made, 401) && turned(&made, 405) && !turned(&made, 404));
    made.open.insert(problem.operation(&action).to_owned());
    assert!(!turned(&made, 401) && turned(&made, 405));
}

#[test]
fn a_place_that_others_filled_leans_on_them_also_where_a_stranger_is_turned_away() {
    let problem = service();
    let call = |name: &str| call_of(&problem, name);
    let answer =
        |status: u16| HttpOutcome::new(Ok(HttpResponse { status, ..HttpResponse::default() }));
    let list = call("GET:/zones");
    let mut made = MadeNames::default();
    made.places.learn(&HttpProblem::request(&problem, &list), &serde_json::json!([]));
    let individual = Individual::new([list, call("DELETE:/zones/{zone_id}")]);
    let place = AnswerPlace::Body("/1/id".to_owned());
    let from = Some(Found { action: individual.actions()[0].0, place });
    let filled = Filled { path: GenePath::default(), value: Gene::text("z"), from };
    let refused = HttpOutcome { filled: vec![filled], ..answer(401) };
    let test = SolutionTest::observed(individual, vec![answer(200), refused], 2, Vec::new());
    assert_eq!(made.lean(&problem, &test.evaluated, None), Some(Lean::Surely));
    assert_eq!(MadeNames::default().lean(&problem, &test.evaluated, None), None);
}
