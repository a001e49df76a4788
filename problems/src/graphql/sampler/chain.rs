//! Chains: calls that give what the last one needs.

use wallace_engine::{Binding, BindingSource, Individual, Learnt};
use wallace_genes::{Draw, TemplateId, simplest};

use super::value::{Need, put_from_pool};
use crate::graphql::action::GraphqlAction;
use crate::graphql::link::{Effect, Producer, Purpose, select};
use crate::graphql::memory::GraphqlMemory;
use crate::graphql::problem::GraphqlProblem;
use crate::graphql::schema::TypeId;
use crate::graphql::template::OperationTemplate;

/// Share of chains for what makes something that begin with what it may need to be there.
const PREPARED: f64 = 0.4;
/// Most producers before a call.
const CHAIN: usize = 3;

impl GraphqlProblem {
    /// A test whose last call has what it needs from calls before it: ids of things that were just
    /// made or listed.
    pub(crate) fn chain(
        &self,
        action: GraphqlAction,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Individual<GraphqlAction> {
        let mut test = Individual::new([]);
        let is_creation = self.links.effect(action.template) == Effect::Create;
        if self.is_black_box && is_creation && draw.rng.chance(PREPARED) {
            self.prepare(&mut test, &action, learnt, draw);
        }
        self.append(&mut test, action, CHAIN, learnt, draw);
        test
    }

    /// Appends a call after producers of what it needs; `depth` bounds producers of producers.
    pub(crate) fn append(
        &self,
        test: &mut Individual<GraphqlAction>,
        mut action: GraphqlAction,
        depth: usize,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> wallace_engine::ActionId {
        let mut bindings = Vec::new();
        for need in self.needs(&action) {
            let is_id = matches!(need.source.purpose, Purpose::Id | Purpose::Cursor);
            let is_known = put_from_pool(&mut action.gene, &need, &learnt.memory, draw);
            let wants = if is_known { 0.5 } else { 1.0 };
            let consumer = (action.template, action.user);
            // What is taken out of a thing is best asked of the thing.
            let wants = if self.holder(consumer.0, &need).is_some() { 0.9 } else { wants };
            if is_id
                && depth > 0
                && test.actions().len() + 1 < self.max_size
                && draw.rng.chance(wants)
                && let Some(source) = self.produce(test, (consumer, &need), depth - 1, learnt, draw)
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

    /// The type that an operation takes something of another type out of, or changes it in: what
    /// holds the thing that is needed.
    pub(crate) fn holder(&self, consumer: TemplateId, need: &Need) -> Option<TypeId> {
        let is_change = matches!(self.links.effect(consumer), Effect::Update | Effect::Delete);
        let holder = self.links.resource(consumer).filter(|_| is_change)?;
        let own = format!("{}.", self.templates.schema().definition(holder).name);
        let key = need.source.keys.first()?;
        (need.source.purpose == Purpose::Id && !key.starts_with(&own)).then_some(holder)
    }

    /// A call that gives what is needed, appended unless there is one already.
    fn produce(
        &self,
        test: &mut Individual<GraphqlAction>,
        ((consumer, user), need): ((TemplateId, Option<u16>), &Need),
        depth: usize,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<BindingSource> {
        let producers: Vec<&Producer> =
            need.source.keys.iter().flat_map(|key| self.links.producers(key)).collect();
        let holder = self.holder(consumer, need);
        let holds = |it: &Producer| {
            let returned = self.templates.operations()[it.operation.0 as usize].field;
            let returned = self.templates.schema().field(returned).type_ref.named();
            let is_held = holder.is_some_and(|holder| {
                returned == holder || it.path.iter().any(|field| field.owner == holder)
            });
            if is_held && !it.is_mutation { 20.0 } else { 1.0 }
        };
        let weights: Vec<f64> =
            producers.iter().map(|it| self.weight(it, learnt) * holds(it)).collect();
        let producer = producers.get(draw.rng.weighted(&weights)?)?;
        let operation = &self.templates.operations()[producer.operation.0 as usize];
        let known =
            test.actions().iter().position(|(_, known)| known.template == producer.operation);
        let place = match known.filter(|_| draw.rng.chance(0.7)) {
            Some(place) => place,
            None => {
                let mut action = self.productive_call(operation, learnt, draw);
                if user.is_some() && draw.rng.chance(0.6) {
                    action.user = user;
                }
                self.append(test, action, depth, learnt, draw);
                test.actions().len() - 1
            }
        };
        let settings = std::sync::Arc::clone(&draw.settings);
        let id = test.actions()[place].0;
        let gene = &mut test.action_mut(place).gene;
        let pointer = select(&self.templates, operation, gene, &producer.path, &settings)?;
        Some(BindingSource::Response { action: id, pointer })
    }

    /// Short ways are likelier, and operations that went well; those that end something are out.
    fn weight(&self, producer: &Producer, learnt: &Learnt<GraphqlMemory>) -> f64 {
        let is_callable = self.callable.binary_search(&producer.operation).is_ok();
        if !is_callable || self.links.effect(producer.operation) == Effect::Delete {
            return 0.0;
        }
        let success = if learnt.memory.has_succeeded(producer.operation) { 4.0 } else { 1.0 };
        let making =
            if self.links.effect(producer.operation) == Effect::Create { 2.0 } else { 1.0 };
        success * making / producer.path.len().max(1) as f64
    }

    /// A call that will probably go well: one that did, or the simplest with guessed values.
    pub(crate) fn productive_call(
        &self,
        operation: &OperationTemplate,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> GraphqlAction {
        let template = operation.id;
        let examples = learnt.memory.operation(template).map_or(&[][..], |memory| &memory.examples);
        if !examples.is_empty() && draw.rng.chance(0.7) {
            let example = &examples[draw.rng.below(examples.len())];
            return GraphqlAction::new(template, example.gene.clone()).by(example.user);
        }
        let gene = simplest(&operation.spec, &draw.settings);
        let user = self.some_user(template, learnt, draw);
        let mut action = GraphqlAction::new(template, gene).by(user);
        self.improve(&mut action, learnt, draw);
        action
    }
}
