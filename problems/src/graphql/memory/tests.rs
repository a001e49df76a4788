//! Tests of what a run remembers.

use std::sync::Arc;

use wallace_genes::{GenePath, GeneSettings, simplest};

use super::*;
use crate::http::{HttpOutcome, HttpResponse};

const SDL: &str = "type Query { tower(id: ID): Tower } type Tower { id: ID! }
    type Mutation { fill(times: Int! = 1): Int build: Tower }";

fn templates() -> Templates {
    Templates::new(Arc::new(Schema::from_sdl(SDL).unwrap())).unwrap()
}

/// A call that gave something or nothing.
fn call(templates: &Templates, name: &str, has_given: bool) -> Call<'static> {
    let operation = templates.operations().iter().find(|it| *it.name == *name).unwrap();
    let gene = simplest(&operation.spec, &GeneSettings::default());
    let value = if has_given { "1" } else { "null" };
    let body = format!(r#"{{"data":{{"{name}":{value}}}}}"#);
    let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
    let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None);
    (Cow::Owned(GraphqlAction::new(operation.id, gene)), answer)
}

#[test]
fn what_came_before_a_success_is_kept_and_not_what_came_before_a_failure() {
    let templates = templates();
    let mut memory = GraphqlMemory::default();
    let (fill, built) = (call(&templates, "fill", true), call(&templates, "build", true));
    let (useful, tower) = (fill.0.clone(), built.0.template);
    memory.note_order(&[fill, built], &templates);
    let mut other = call(&templates, "fill", true);
    other.0.to_mut().gene = Gene::Absent;
    memory.note_order(&[other, call(&templates, "build", false)], &templates);
    let known = memory.operation(tower).unwrap();
    assert_eq!(known.enabling(useful.template), Some(&Example::of(&useful)));
    assert_eq!(
        (known.after(useful.template).calls, known.after(useful.template).successes),
        (2, 1)
    );
}

#[test]
fn values_at_edges_are_no_examples() {
    let templates = templates();
    let links = Links::new(&templates);
    let mut memory = GraphqlMemory::default();
    let (fill, answer) = call(&templates, "fill", true);
    let (answer, id) = (answer.unwrap(), fill.template);
    memory.note(&fill.clone().into_owned().checked(Check::Edge), &answer, &templates, &links);
    assert!(!memory.has_succeeded(id));
    memory.note(&fill.into_owned().checked(Check::ReadBack), &answer, &templates, &links);
    assert!(memory.has_succeeded(id));
}

#[test]
fn a_check_whose_thing_was_not_made_counts_half() {
    let templates = templates();
    let mut memory = GraphqlMemory::default();
    for has_given in [true, false] {
        let build = call(&templates, "build", has_given);
        let read = call(&templates, "tower", true);
        let mut test = Individual::new([]);
        let made = test.push(build.0.clone().into_owned());
        let marked = read.0.clone().into_owned().checked(Check::Foreign);
        let reader = test.push(marked.clone());
        let source = BindingSource::Response { action: made, pointer: "/data/build/id".into() };
        assert!(test.bind(Binding { source, action: reader, path: GenePath::default() }));
        let calls = [build, (Cow::Owned(marked), read.1)];
        memory.note_checks(&test, &calls, &templates);
    }
    let key = memory.checks.keys().next().unwrap().clone();
    assert_eq!((memory.checks[&key], memory.effort(&key)), (2, 1.5));
}

#[test]
fn what_nobody_may_call_is_closed() {
    let templates = templates();
    let links = Links::new(&templates);
    let body = r#"{"data":null,"errors":[{"message":"no","extensions":{"code":"FORBIDDEN"}}]}"#;
    let response = HttpResponse { status: 200, body: body.to_owned(), ..HttpResponse::default() };
    let refused = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
    let mut memory = GraphqlMemory::default();
    let (fill, well) = call(&templates, "fill", true);
    let mut note = |answer: &Answer, times: usize| {
        (0..times).for_each(|_| memory.note(&fill, answer, &templates, &links));
        memory.is_closed(fill.template)
    };
    assert!(!note(&refused, 11) && note(&refused, 1));
    assert!(!note(&well.unwrap(), 1));
}
