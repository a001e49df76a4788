//! What comes before a call so that it may go well: mutations after which it did, and room where
//! earlier calls left too much.

use wallace_engine::{Binding, BindingSource, Individual};
use wallace_genes::TemplateId;

use super::Planner;
use crate::graphql::action::GraphqlAction;
use crate::graphql::link::{Effect, Producer, select};
use crate::graphql::memory::Example;
use crate::graphql::schema::OperationKind;
use crate::graphql::scope::Need;

/// Least and greatest share of preparations that begin by taking out what is there.
const EMPTIED: (f64, f64) = (0.2, 0.9);
/// Share of enablers that are made as when they last were of use.
const PROVEN: f64 = 0.5;
/// Share of the others that give as little as possible.
const PLAIN: f64 = 0.5;
/// Examples of an enabler that are taken.
const NEWEST: usize = 3;
/// Most things taken out.
const MOST_TAKEN: usize = 4;

/// A call that takes something out of what holds it, and how to learn what is there.
pub(crate) struct Taking {
    pub(crate) call: GraphqlAction,
    pub(crate) need: Need,
    producer: Producer,
}

impl Planner<'_, '_> {
    /// Appends what a call may need to be there, all by its user: at times what was there before is
    /// taken out, then a mutation is made after which the call went well before.
    pub(crate) fn prepare(&mut self, test: &mut Individual<GraphqlAction>, action: &GraphqlAction) {
        let memory = self.learnt.memory.operation(action.template);
        let known = memory.map(|memory| memory.user(action.user)).unwrap_or_default();
        // The more often it failed, the likelier something is in its way.
        let failed = 1.0 - f64::from(known.successes + 1) / f64::from(known.calls + 2);
        if self.draw.rng.chance(failed.clamp(EMPTIED.0, EMPTIED.1)) {
            self.take_out(test, action.user);
        }
        if let Some(enabler) = self.enabler(action.template, action.user) {
            test.push(enabler);
        }
    }

    /// A mutation that something may have to be there for, as far as is known: one after which the
    /// operation often went well, by the same user.
    fn enabler(&mut self, template: TemplateId, user: Option<u16>) -> Option<GraphqlAction> {
        let memory = self.learnt.memory.operation(template);
        let enablers = self.scope.callable.iter().copied().filter(|other| {
            let operation = self.scope.operation(*other);
            let known = self.learnt.memory.operation(*other).map(|known| known.user(user));
            *other != template
                && operation.kind == OperationKind::Mutation
                && known.is_some_and(|known| known.successes > 0)
        });
        let enablers: Vec<TemplateId> = enablers.collect();
        let weight = |other: &TemplateId| {
            let known = memory.map(|memory| memory.after(*other)).unwrap_or_default();
            let share = f64::from(known.successes + 1) / f64::from(known.calls + 2);
            share * share
        };
        let weights: Vec<f64> = enablers.iter().map(weight).collect();
        let chosen = enablers[self.draw.rng.weighted(&weights)?];
        self.enabling_call(chosen, (template, user))
    }

    /// A call of an enabler: as it was when the operation went well after it, or with as little as
    /// possible, or as it went well lately.
    fn enabling_call(
        &mut self,
        chosen: TemplateId,
        (template, user): (TemplateId, Option<u16>),
    ) -> Option<GraphqlAction> {
        let memory = self.learnt.memory.operation(template);
        let proven = memory.and_then(|memory| memory.enabling(chosen));
        if let Some(example) = proven.filter(|_| self.draw.rng.chance(PROVEN)) {
            return Some(GraphqlAction::new(chosen, example.gene.clone()).by(user));
        }
        if self.draw.rng.chance(PLAIN) {
            // What is left out the service chooses so that it fits.
            return Some(self.sampler().simple_call(chosen, user));
        }
        let examples = &self.learnt.memory.operation(chosen)?.examples;
        // The newest: what an older one needed may be gone.
        let own = examples.iter().rev().filter(|it| it.user == user);
        let own: Vec<&Example> = own.take(NEWEST).collect();
        let example = own.get(self.draw.rng.below(own.len().max(1))).copied();
        let example = example.or_else(|| examples.last())?;
        Some(GraphqlAction::new(chosen, example.gene.clone()).by(user))
    }

    /// Appends calls that take things out of what holds them, one after the other: what piled up
    /// may be in the way.
    fn take_out(&mut self, test: &mut Individual<GraphqlAction>, user: Option<u16>) {
        let mut takings = self.takings(user);
        if takings.is_empty() {
            return;
        }
        let Taking { call, need, producer } =
            takings.swap_remove(self.draw.rng.below(takings.len()));
        let operation = self.scope.operation(producer.operation);
        for _ in 0..=self.draw.rng.below(MOST_TAKEN) {
            let mut look = self.sampler().productive_call(operation).by(user);
            let settings = &self.draw.settings;
            let found =
                select(&self.scope.templates, operation, &mut look.gene, &producer.path, settings);
            let Some(pointer) = found else { return };
            let from = test.push(look);
            let to = test.push(call.clone());
            let source = BindingSource::Response { action: from, pointer };
            test.bind(Binding { source, action: to, path: need.path.clone() });
        }
    }

    /// The ways in which a user may take something out of what holds it.
    pub(crate) fn takings(&mut self, user: Option<u16>) -> Vec<Taking> {
        let scope = self.scope;
        let mut takings = Vec::new();
        for taker in scope.callable.iter().filter(|it| scope.links.effect(**it) == Effect::Delete) {
            let call = self.sampler().productive_call(scope.operation(*taker)).by(user);
            for need in scope.needs(&call) {
                let Some(holder) = scope.holder(*taker, &need) else { continue };
                let mut producers =
                    need.source.keys.iter().flat_map(|key| scope.links.producers(key));
                let producer = producers.find(|it| {
                    !it.is_mutation
                        && scope.is_callable(it.operation)
                        && scope.returned(it.operation) == holder
                });
                if let Some(producer) = producer.cloned() {
                    takings.push(Taking { call: call.clone(), need, producer });
                }
            }
        }
        takings
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::sync::Arc;

    use wallace_engine::Learnt;
    use wallace_engine::SearchSettings;
    use wallace_genes::{Draw, GeneSettings, simplest};

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::answer::Answer;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::problem::GraphqlProblem;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    const SDL: &str = "type Query { basket: Basket }
        type Mutation { rename(name: String): String fill(stoneId: ID!): Basket
            removeFromBasket(stoneId: ID!): Basket createTower: Tower }
        type Basket { stones: [Stone] } type Stone { id: ID! } type Tower { id: ID! }";

    fn problem() -> GraphqlProblem {
        let schema = Arc::new(Schema::from_sdl(SDL).unwrap());
        let templates = Arc::new(Templates::new(schema).unwrap());
        let path = http::uri::PathAndQuery::from_static("/graphql");
        GraphqlProblem::new(templates, path, &SearchSettings::default()).unwrap().black_box()
    }

    fn id(problem: &GraphqlProblem, name: &str) -> TemplateId {
        problem.templates().operations().iter().find(|it| *it.name == *name).unwrap().id
    }

    fn call(problem: &GraphqlProblem, name: &str) -> GraphqlAction {
        let template = id(problem, name);
        let spec = &problem.templates().operations()[template.0 as usize].spec;
        GraphqlAction::new(template, simplest(spec, &GeneSettings::default()))
    }

    /// Notes a test whose calls gave something or nothing.
    fn note(problem: &GraphqlProblem, memory: &mut GraphqlMemory, test: &[(&str, bool)]) {
        let calls = test.iter().map(|(name, has_given)| {
            let value = if *has_given { "1" } else { "null" };
            let body = format!(r#"{{"data":{{"{name}":{value}}}}}"#);
            let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None);
            (Cow::Owned(call(problem, name)), answer)
        });
        let calls: Vec<_> = calls.collect();
        for (action, answer) in &calls {
            memory.note(
                action,
                answer.as_ref().unwrap(),
                problem.templates(),
                &problem.scope.links,
            );
        }
        memory.note_order(&calls, problem.templates());
    }

    #[test]
    fn what_made_a_call_go_well_comes_before_it() {
        let problem = problem();
        let mut learnt = Learnt::<GraphqlMemory>::default();
        for _ in 0..10 {
            note(&problem, &mut learnt.memory, &[("fill", true), ("createTower", true)]);
            note(&problem, &mut learnt.memory, &[("rename", true), ("createTower", false)]);
        }
        let tower = call(&problem, "createTower");
        let (mut fills, mut renames) = (0, 0);
        for number in 0..200 {
            let mut draw = Draw::new(1, number, Arc::new(GeneSettings::default()));
            let mut test = Individual::new([]);
            let (scope, draw) = (&problem.scope, &mut draw);
            Planner { scope, learnt: &learnt, draw }.prepare(&mut test, &tower);
            let last = test.actions().last().unwrap().1.template;
            fills += u32::from(last == id(&problem, "fill"));
            renames += u32::from(last == id(&problem, "rename"));
        }
        assert!(fills > 190 && renames < 10, "{fills} {renames}");
    }

    #[test]
    fn what_piled_up_is_taken_out_one_by_one() {
        let problem = problem();
        let learnt = Learnt::<GraphqlMemory>::default();
        let (look, take) = (id(&problem, "basket"), id(&problem, "removeFromBasket"));
        let tower = call(&problem, "createTower");
        let mut longest = 0;
        for number in 0..50 {
            let mut draw = Draw::new(1, number, Arc::new(GeneSettings::default()));
            let mut test = Individual::new([]);
            let (scope, draw) = (&problem.scope, &mut draw);
            Planner { scope, learnt: &learnt, draw }.prepare(&mut test, &tower);
            let calls: Vec<TemplateId> = test.actions().iter().map(|it| it.1.template).collect();
            assert!(calls.chunks(2).all(|pair| pair == [look, take]), "{calls:?}");
            assert_eq!(test.bindings().len(), calls.len() / 2);
            for binding in test.bindings() {
                let BindingSource::Response { pointer, .. } = &binding.source else { panic!() };
                assert_eq!(pointer, "/data/basket/stones/0/id");
            }
            longest = longest.max(calls.len());
        }
        assert_eq!(longest, 2 * MOST_TAKEN);
    }
}
