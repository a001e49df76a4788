//! Checks on edges: one argument at an end of its range, the others as they went well.
//!
//! Large numbers go to the largest things that are known: what stays within bounds for each may
//! pass them in a product or sum.

use serde_json::Value;
use wallace_engine::Individual;
use wallace_genes::{Gene, GenePath, GeneSpec, TemplateId, repair};

use super::build::{Build, put, test_of};
use crate::binding::put_scalar;
use crate::graphql::action::GraphqlAction;
use crate::graphql::schema::OperationKind;
use crate::graphql::scope::Identity;

/// Texts that are hardly any.
const TEXTS: [&str; 2] = ["", " "];
/// Numbers that services take and that they must not: large round ones first, which often are the
/// limits themselves.
const NUMBERS: [i32; 6] = [10_000, 1_000, 100, 0, -1, i32::MAX];
/// From here on a number is large.
const LARGE: i32 = 100;
/// Most things that get a value.
const THINGS: usize = 3;
/// How often the things with the largest number of all are taken, and not those of another field.
const LARGEST: f64 = 0.7;

impl Build<'_, '_> {
    /// A call that went well with its next argument at an edge, for a few things, and what that
    /// left is taken out again.
    pub(super) fn edge(&mut self, template: TemplateId) -> Option<Individual<GraphqlAction>> {
        let mut action = self.example(template)?;
        let mut edges = self.edges(&action);
        if edges.is_empty() {
            return None;
        }
        let (path, value) = edges.swap_remove(self.tries(template) % edges.len());
        let is_large = matches!(value, Gene::Integer(number) if number >= LARGE);
        put(&mut action.gene, &path, value);
        let operation = self.scope.operation(template);
        repair(&operation.spec, &mut action.gene, &self.draw.settings);
        self.widen(&mut action);
        // What is only read is the same for all things.
        if operation.kind == OperationKind::Query {
            return test_of([action]);
        }
        let Some(identity) = self.scope.identities(&action).into_iter().next() else {
            return test_of([action]);
        };
        let things = self.things(&identity.key, is_large);
        let calls = things.iter().filter_map(|thing| {
            let mut call = action.clone();
            put_scalar(&mut call.gene, &identity.path, thing).then_some(call)
        });
        let mut calls: Vec<GraphqlAction> = calls.collect();
        if is_large {
            calls.extend(self.undone(&action, &identity, &things));
        }
        test_of(calls)
    }

    /// All edges of the arguments of a call: the first one of each argument, then the second ones.
    fn edges(&self, action: &GraphqlAction) -> Vec<(GenePath, Gene)> {
        let graph = self.scope.operation(action.template).spec.graph();
        let places = self.plain_places(action);
        let edges = (0..NUMBERS.len()).flat_map(|number| {
            places.iter().filter_map(move |(path, spec, _)| {
                Some((path.clone(), edge_of(graph.spec(*spec), number)?))
            })
        });
        edges.collect()
    }

    /// Things of a kind: the largest, or any.
    fn things(&mut self, key: &str, is_large: bool) -> Vec<Value> {
        let mut fields = self.learnt.memory.extremes.largest(key);
        if is_large && !fields.is_empty() {
            let is_first = self.draw.rng.chance(LARGEST);
            let field = if is_first { 0 } else { self.draw.rng.below(fields.len()) };
            return fields.swap_remove(field);
        }
        let known = self.learnt.memory.pool.get(key);
        let mut known: Vec<Value> = known.into_iter().flatten().cloned().collect();
        while known.len() > THINGS {
            known.swap_remove(self.draw.rng.below(known.len()));
        }
        known
    }

    /// Calls that take the things out again of what the call puts them in, where it does.
    fn undone(
        &mut self,
        action: &GraphqlAction,
        identity: &Identity,
        things: &[Value],
    ) -> Vec<GraphqlAction> {
        let returned = self.scope.returned(action.template);
        let takings = self.planner().takings(action.user);
        let fitting = takings.into_iter().find(|taking| {
            taking.need.source.keys.first() == Some(&identity.key)
                && self.scope.holder(taking.call.template, &taking.need) == Some(returned)
        });
        let Some(taking) = fitting else { return Vec::new() };
        let calls = things.iter().filter_map(|thing| {
            let mut call = taking.call.clone();
            put_scalar(&mut call.gene, &taking.need.path, thing).then_some(call)
        });
        calls.collect()
    }
}

/// The edge of this number, where values of the kind have so many.
fn edge_of(spec: &GeneSpec, number: usize) -> Option<Gene> {
    let of_numbers = NUMBERS.get(number).copied();
    match spec {
        GeneSpec::Integer(_) => of_numbers.map(Gene::Integer),
        GeneSpec::Long(_) => of_numbers.map(|number| Gene::Long(i64::from(number))),
        GeneSpec::Float(_) => of_numbers.map(|number| Gene::float(f64::from(number))),
        GeneSpec::String(_) => TEXTS.get(number).map(|text| Gene::text(*text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use wallace_engine::{Learnt, SearchSettings};
    use wallace_genes::{Draw, GeneSettings, simplest};

    use super::*;
    use crate::graphql::action::{Check, Form};
    use crate::graphql::answer::Answer;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::problem::GraphqlProblem;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    const SDL: &str = "type Query { basket: Basket } type Basket { weight: Int! stones: [Stone] }
        type Stone { id: ID! weight: Int! }
        type Mutation { fill(stoneId: ID!, times: Int! = 1): Basket removeFromBasket(stoneId: ID!): Basket
            carve(stoneId: ID!, text: String!): Stone }";

    fn problem() -> GraphqlProblem {
        let templates = Templates::new(Arc::new(Schema::from_sdl(SDL).unwrap())).unwrap();
        let path = http::uri::PathAndQuery::from_static("/");
        GraphqlProblem::new(Arc::new(templates), path, &SearchSettings::default())
            .unwrap()
            .black_box()
    }

    /// The documents of the check of an operation, after so many tries, where it went well and
    /// stones are known.
    fn documents(problem: &GraphqlProblem, name: &str, tries: u32) -> Vec<String> {
        let operation =
            problem.templates().operations().iter().find(|it| *it.name == *name).unwrap();
        let action =
            GraphqlAction::new(operation.id, simplest(&operation.spec, &GeneSettings::default()));
        let mut learnt = Learnt::<GraphqlMemory>::default();
        let body = format!(r#"{{"data":{{"{name}":{{}}}}}}"#);
        let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
        let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
        learnt.memory.note(&action, &answer, problem.templates(), &problem.scope.links);
        for number in 0..9 {
            let (id, key) = (json!(format!("s{number}")), "Stone.id");
            let stone = json!({"id": id, "weight": 10 * number});
            learnt.memory.pool.add(key, &id);
            learnt.memory.extremes.note_thing(key, &id, stone.as_object().unwrap());
        }
        learnt.memory.checks.insert(super::super::key(Check::Edge, operation.id), tries);
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let check = Check::Edge;
        let mut build = Build { scope: &problem.scope, learnt: &learnt, draw: &mut draw, check };
        let test = build.edge(operation.id).unwrap();
        test.actions().iter().map(|it| problem.document(&it.1, Style::Compact).0).collect()
    }

    #[test]
    fn large_numbers_go_to_the_largest_things_and_are_taken_out_again() {
        let problem = problem();
        let documents = documents(&problem, "fill", 1);
        assert_eq!(documents.len(), 6, "{documents:#?}");
        for (place, id) in ["s8", "s7", "s6"].iter().enumerate() {
            let fills = format!(r#"fill(stoneId:"{id}",times:1000){{"#);
            let takes = format!(r#"removeFromBasket(stoneId:"{id}")"#);
            assert!(documents[place].contains(&fills), "{documents:#?}");
            assert!(documents[place].contains("weight"), "{documents:#?}");
            assert!(documents[place + 3].contains(&takes), "{documents:#?}");
        }
    }

    #[test]
    fn each_try_takes_another_edge() {
        let problem = problem();
        let empty = documents(&problem, "carve", 0);
        assert_eq!(empty.len(), THINGS);
        assert!(empty.iter().all(|it| it.contains(r#"text:"""#)), "{empty:#?}");
        let blank = documents(&problem, "carve", 3);
        assert!(blank.iter().all(|it| it.contains(r#"text:" ""#)), "{blank:#?}");
    }
}
