//! Checks: what was tried least comes first, what was answered in every way comes no more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use wallace_engine::{Individual, Learnt, Problem, SearchSettings};
use wallace_genes::{Draw, GeneSettings, TemplateId};
use wallace_problems::rest::{
    Check, OracleSettings, RestAction, RestMemory, RestProblem, RestSettings, Templates,
    TestSettings, Tries,
};

use crate::support::{openapi, read};

fn problem(is_white_box: bool) -> RestProblem {
    let id = "parameters: [{name: id, in: path, required: true, schema: {type: string}}]";
    let body = "requestBody: {content: {application/json: {schema: {type: object, \
                required: [kind], properties: {kind: {enum: [a, b, c]}, note: {type: string}}}}}}";
    let done = "security: [{key: []}], responses: {'200': {description: done}}";
    let paths = format!(
        "{{/wares: {{get: {{{done}}}, post: {{{body}, {done}}}}}, \
         '/wares/{{id}}': {{get: {{{id}, {done}}}, put: {{{id}, {body}, {done}}}, \
           delete: {{{id}, {done}}}}}}}"
    );
    let schemes = "{}, securitySchemes: {key: {type: http, scheme: bearer}}";
    let description = openapi(&paths, schemes).replace("schemas: {}, security", "security");
    let templates =
        Arc::new(Templates::new(Arc::new(read("checks", &description).unwrap())).unwrap());
    let oracles = OracleSettings { security: true, ..OracleSettings::default() };
    let settings = RestSettings {
        may_change: true,
        users: 2,
        is_white_box,
        oracles,
        tests: if is_white_box { TestSettings::white_box() } else { TestSettings::default() },
        ..RestSettings::default()
    };
    RestProblem::new(templates, &settings, &SearchSettings::default()).unwrap()
}

fn sample(
    problem: &RestProblem,
    learnt: &Learnt<RestMemory>,
    number: u64,
) -> Individual<RestAction> {
    problem.sample(learnt, &mut Draw::new(3, number, Arc::new(GeneSettings::default())))
}

/// The marked call of a test.
fn marked(test: &Individual<RestAction>) -> Option<(TemplateId, Check)> {
    test.actions().iter().find_map(|(_, action)| Some((action.template, action.check?)))
}

/// Counts the check of a test as one that told something.
fn count(memory: &mut RestMemory, (id, check): (TemplateId, Check)) {
    let all = memory.checks.entry(id).or_default();
    match all.iter_mut().find(|tries| tries.check == check) {
        Some(tries) => tries.told += 1,
        None => all.push(Tries { check, told: 1, refused: 0 }),
    }
}

#[test]
fn every_check_of_every_operation_is_tried_before_any_is_tried_often() {
    let problem = problem(false);
    let mut learnt = Learnt::<RestMemory>::default();
    let mut seen: Vec<(TemplateId, Check)> = Vec::new();
    for number in 0..3_000 {
        if let Some(made) = marked(&sample(&problem, &learnt, number)) {
            count(&mut learnt.memory, made);
            seen.push(made);
        }
    }
    let all: BTreeSet<String> = seen.iter().map(|made| format!("{made:?}")).collect();
    assert!(all.len() > 30, "{all:?}");
    for check in [Check::Again, Check::Replace, Check::Gone, Check::Walk, Check::Other(1)] {
        assert!(seen.iter().any(|(_, known)| *known == check), "{check:?}");
    }
    // Rare ones have one try when common ones have six.
    let first = &seen[..all.len() * 6];
    let early: BTreeSet<String> = first.iter().map(|made| format!("{made:?}")).collect();
    assert!(early.len() * 10 >= all.len() * 9, "{} of {}", early.len(), all.len());
}

#[test]
fn what_was_answered_in_every_way_comes_no_more() {
    let problem = problem(false);
    let mut learnt = Learnt::<RestMemory>::default();
    let share = |learnt: &Learnt<RestMemory>| {
        (0..500).filter(|number| marked(&sample(&problem, learnt, *number)).is_some()).count()
    };
    assert!(share(&learnt) > 300);
    let mut known: BTreeMap<String, (TemplateId, Check)> = BTreeMap::new();
    for number in 0..20_000 {
        let Some(made) = marked(&sample(&problem, &learnt, number)) else { continue };
        known.insert(format!("{made:?}"), made);
        count(&mut learnt.memory, made);
    }
    for made in known.values() {
        (0..100).for_each(|_| count(&mut learnt.memory, *made));
    }
    assert_eq!(share(&learnt), 0);
}

#[test]
fn checked_calls_are_made_by_users_for_whom_they_worked() {
    let problem = problem(false);
    let put = problem.template_named("PUT:/wares/{id}").unwrap();
    let successes = BTreeMap::from([(put, BTreeSet::from([1]))]);
    let memory = RestMemory { successes, ..RestMemory::default() };
    let learnt = Learnt { memory, ..Learnt::default() };
    let mut callers = BTreeSet::new();
    for number in 0..2_000 {
        let test = sample(&problem, &learnt, number);
        let is_it = |action: &RestAction| action.check == Some(Check::Again);
        let found = test.actions().iter().find(|(_, action)| is_it(action));
        callers.extend(found.map(|(_, action)| action.caller));
    }
    assert_eq!(callers, BTreeSet::from([Some(1)]));
}

#[test]
fn checks_are_few_where_a_driver_tells_what_calls_reach() {
    let problem = problem(true);
    let learnt = Learnt::<RestMemory>::default();
    let count =
        (0..2_000).filter(|number| marked(&sample(&problem, &learnt, *number)).is_some()).count();
    assert!((20..200).contains(&count), "{count} of 2000");
}
