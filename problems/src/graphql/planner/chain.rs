//! Chains: calls that give what the last one needs.

use wallace_engine::{ActionId, Binding, BindingSource, Individual};
use wallace_genes::TemplateId;

use super::Planner;
use crate::graphql::action::GraphqlAction;
use crate::graphql::link::{Effect, Producer, Purpose, select};
use crate::graphql::scope::Need;

/// Share of chains for what makes something that begin with what it may need to be there.
const PREPARED: f64 = 0.4;
/// Most producers before a call.
const CHAIN: usize = 3;

impl Planner<'_, '_> {
    /// A test whose last call has what it needs from calls before it: ids of things that were just
    /// made or listed.
    pub(crate) fn chain(&mut self, action: GraphqlAction) -> Individual<GraphqlAction> {
        if let Some(test) = self.sign_in(&action) {
            return test;
        }
        let mut test = Individual::new([]);
        let is_creation = self.scope.links.effect(action.template) == Effect::Create;
        if self.scope.is_black_box && is_creation && self.draw.rng.chance(PREPARED) {
            self.prepare(&mut test, &action);
        }
        self.append(&mut test, action, CHAIN);
        test
    }

    /// Appends a call after producers of what it needs; `depth` bounds producers of producers.
    pub(crate) fn append(
        &mut self,
        test: &mut Individual<GraphqlAction>,
        mut action: GraphqlAction,
        depth: usize,
    ) -> ActionId {
        let mut bindings = Vec::new();
        for need in self.scope.needs(&action) {
            // A text that is only called as another was may be one that the call chooses itself.
            let is_own = need.source.purpose == Purpose::Same
                && !self.draw.rng.chance(Purpose::Same.share());
            if need.is_of_made {
                continue;
            }
            let is_known = !is_own && self.sampler().put_from_pool(&mut action, &need);
            let is_asked_for = match need.source.purpose {
                Purpose::Id | Purpose::Cursor => true,
                // One name is as good as another, once there is any.
                Purpose::Named => !is_known,
                Purpose::Scalar | Purpose::Same => false,
            };
            let wants = if is_known { 0.5 } else { 1.0 };
            let consumer = (action.template, action.user);
            // What is taken out of a thing is best asked of the thing.
            let wants = if self.scope.holder(consumer.0, &need).is_some() { 0.9 } else { wants };
            if is_asked_for
                && depth > 0
                && test.actions().len() + 1 < self.scope.max_size
                && self.draw.rng.chance(wants)
                && let Some(source) = self.produce(test, (consumer, &need), depth - 1)
            {
                bindings.push((source, need.path));
            }
        }
        let id = test.push(action);
        for (source, path) in bindings {
            test.bind(Binding { source, action: id, path });
        }
        id
    }

    /// A call that gives what is needed, appended unless there is one already.
    fn produce(
        &mut self,
        test: &mut Individual<GraphqlAction>,
        ((consumer, user), need): ((TemplateId, Option<u16>), &Need),
        depth: usize,
    ) -> Option<BindingSource> {
        let scope = self.scope;
        let producers: Vec<&Producer> =
            need.source.keys.iter().flat_map(|key| scope.links.producers(key)).collect();
        let holder = scope.holder(consumer, need);
        let holds = |it: &Producer| {
            let returned = scope.returned(it.operation);
            let is_held = holder.is_some_and(|holder| {
                returned == holder || it.path.iter().any(|field| field.owner == holder)
            });
            if is_held && !it.is_mutation { 20.0 } else { 1.0 }
        };
        let weights: Vec<f64> = producers.iter().map(|it| self.weight(it) * holds(it)).collect();
        let producer = producers.get(self.draw.rng.weighted(&weights)?)?;
        let operation = scope.operation(producer.operation);
        let known =
            test.actions().iter().position(|(_, known)| known.template == producer.operation);
        let place = match known.filter(|_| self.draw.rng.chance(0.7)) {
            Some(place) => place,
            None => {
                let mut action = self.sampler().productive_call(operation);
                if user.is_some() && self.draw.rng.chance(0.6) {
                    action.user = user;
                }
                self.append(test, action, depth);
                test.actions().len() - 1
            }
        };
        let id = test.actions()[place].0;
        let gene = &mut test.action_mut(place).gene;
        let pointer =
            select(&scope.templates, operation, gene, &producer.path, &self.draw.settings)?;
        Some(BindingSource::Response { action: id, pointer })
    }

    /// Short ways are likelier, and operations that went well; those that end something are out.
    fn weight(&self, producer: &Producer) -> f64 {
        let effect = self.scope.links.effect(producer.operation);
        if !self.scope.is_callable(producer.operation) || effect == Effect::Delete {
            return 0.0;
        }
        let success = if self.learnt.memory.has_succeeded(producer.operation) { 4.0 } else { 1.0 };
        let making = if effect == Effect::Create { 2.0 } else { 1.0 };
        success * making / producer.path.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use wallace_engine::Learnt;
    use wallace_genes::{Draw, GeneSettings};

    use super::*;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::scope::Scope;
    use crate::graphql::template::Templates;

    #[test]
    fn a_name_that_no_answer_showed_is_asked_for() {
        let sdl = "type Query { shelves: [Shelf] size(ownerName: String!): Int }
            type Shelf { id: ID! owner: Owner } type Owner { name: String }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let callable: Vec<TemplateId> = templates.operations().iter().map(|it| it.id).collect();
        let scope = Scope::new(Arc::clone(&templates), callable, 5);
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        let first_of = |learnt: &Learnt<GraphqlMemory>| {
            let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
            let mut planner = Planner { scope: &scope, learnt, draw: &mut draw };
            let action = planner.sampler().call(TemplateId(1));
            let test = planner.chain(action);
            let first = test.actions()[0].1.clone();
            let operation = &templates.operations()[first.template.0 as usize];
            (templates.render(operation, &first.gene, Style::Compact), test.bindings().len())
        };
        let (first, bindings) = first_of(&learnt);
        assert!(first.starts_with("query{shelves{") && first.contains("owner{name"), "{first}");
        assert_eq!(bindings, 1);
        learnt.memory.pool.add("Owner.name", &json!("Ann"));
        assert_eq!(first_of(&learnt), (r#"query{size(ownerName:"Ann")}"#.to_owned(), 0));
    }

    #[test]
    fn what_is_made_has_an_id_of_its_own() {
        let sdl = "type Query { shelves: [Shelf] } type Shelf { id: ID! }
            type Mutation { createShelf(id: ID!, size: Int): Shelf moveShelf(id: ID!): Shelf }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let callable: Vec<TemplateId> = templates.operations().iter().map(|it| it.id).collect();
        let mut scope = Scope::new(Arc::clone(&templates), callable, 5);
        scope.is_black_box = true;
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        learnt.memory.pool.add("Shelf.id", &json!("s1"));
        let known = |name: &str| {
            let operation = templates.operations().iter().find(|it| *it.name == *name).unwrap();
            let is_known = |number: &u64| {
                let mut draw = Draw::new(1, *number, Arc::new(GeneSettings::default()));
                let mut planner = Planner { scope: &scope, learnt: &learnt, draw: &mut draw };
                let action = planner.sampler().simple_call(operation.id, None);
                let test = planner.chain(action);
                let gene = &test.actions().last().unwrap().1.gene;
                templates.render(operation, gene, Style::Compact).contains("s1")
            };
            (0..100).filter(is_known).count()
        };
        assert!(known("createShelf") < 30 && known("moveShelf") > 70);
    }
}
