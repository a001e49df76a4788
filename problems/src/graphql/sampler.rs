//! Sampling of calls: random values, guesses, values seen earlier, and calls that went well before.

mod caller;
mod careful;
mod id;
mod selector;
mod typename;
mod value;

pub(crate) use id::names_nothing;
pub(crate) use value::guess_at;

use std::sync::Arc;

use wallace_engine::Learnt;
use wallace_genes::{
    Draw, Gene, GeneSettings, TemplateId, mutate, sample, simplest, site::collect_sites,
};

use super::action::GraphqlAction;
use super::link::{Purpose, select};
use super::memory::{Example, GraphqlMemory};
use super::schema::OperationKind;
use super::scope::Scope;
use super::site::visit_sites;
use super::template::OperationTemplate;

/// Share of calls that start from one that went well before.
const FROM_EXAMPLE: f64 = 0.4;
/// Calls after which an operation that never went well is given up, as far as it has a share of its own.
const GIVEN_UP: u64 = 100;
/// Share of calls that start from one that went well of which one argument is set to an edge.
const BOUNDARY: f64 = 0.5;

/// Samples calls.
pub(crate) struct Sampler<'a, 'd> {
    pub(crate) scope: &'a Scope,
    pub(crate) learnt: &'a Learnt<GraphqlMemory>,
    pub(crate) draw: &'d mut Draw,
}

impl<'a> Sampler<'a, '_> {
    /// A call of any operation.
    pub(crate) fn random_call(&mut self) -> GraphqlAction {
        let callable = &self.scope.callable;
        let mut template = callable[self.draw.rng.below(callable.len())];
        let is_stream = self.scope.operation(template).kind == OperationKind::Subscription;
        let memory = &self.learnt.memory;
        // A stream on which nothing happens costs its whole time.
        let is_silent = is_stream && memory.is_silent(template);
        // With a driver a refusal may reach code, too.
        let is_vain = is_silent || self.scope.is_black_box && memory.is_closed(template);
        if is_vain && self.draw.rng.chance(0.95) {
            template = callable[self.draw.rng.below(callable.len())];
        }
        self.call(template)
    }

    /// Any operation that never went well and is not given up.
    pub(crate) fn unanswered(&mut self) -> Option<TemplateId> {
        let memory = &self.learnt.memory;
        let is_open = |id: &TemplateId| {
            let is_stream = self.scope.operation(*id).kind == OperationKind::Subscription;
            let in_vain = memory.calls_in_vain(*id);
            (1..GIVEN_UP).contains(&in_vain)
                && !memory.is_closed(*id)
                && !(is_stream && memory.is_silent(*id))
        };
        let open: Vec<TemplateId> = self.scope.callable.iter().copied().filter(is_open).collect();
        open.get(self.draw.rng.below(open.len().max(1))).copied()
    }

    /// A call with random values, guesses, and values seen earlier.
    pub(crate) fn call(&mut self, template: TemplateId) -> GraphqlAction {
        if self.scope.is_black_box
            && let Some(known) = self.varied_example(template)
        {
            return known;
        }
        let settings = self.careful(template);
        let gene = self.sampled(settings, template);
        let user = self.some_user(template);
        let mut action = self.improved(template, gene, user);
        self.ask_little(&mut action);
        action
    }

    /// A call with as little as possible, and guesses.
    pub(crate) fn simple_call(&mut self, template: TemplateId, user: Option<u16>) -> GraphqlAction {
        let gene = simplest(&self.scope.operation(template).spec, &self.draw.settings);
        self.improved(template, gene, user)
    }

    /// The first call of an operation: as little as possible, but also the ids that it shows, so that
    /// the calls after it are about things that are there: what it lists, and what it makes. What a
    /// query asks for itself need not be: how absent things are answered is seen once.
    pub(crate) fn first_call(&mut self, template: TemplateId, user: Option<u16>) -> GraphqlAction {
        let scope = self.scope;
        if !scope.is_black_box {
            return self.simple_call(template, user);
        }
        let operation = scope.operation(template);
        let gene = simplest(&operation.spec, &self.draw.settings);
        let mut action = GraphqlAction::new(template, gene).by(user);
        self.guess(&mut action);
        if !scope.is_query(template) {
            self.fill_from_pool(&mut action, 1.0);
        }
        self.show_ids(&mut action);
        action
    }

    /// Selects the nearest values that some argument wants.
    fn show_ids(&self, action: &mut GraphqlAction) {
        let scope = self.scope;
        let operation = scope.operation(action.template);
        for producer in scope.links.nearest(action.template) {
            let (gene, path) = (&mut action.gene, &producer.path);
            select(&scope.templates, operation, gene, path, &self.draw.settings);
        }
    }

    /// A call with random values under other settings, and guesses.
    pub(crate) fn call_within(
        &mut self,
        settings: GeneSettings,
        template: TemplateId,
        user: Option<u16>,
    ) -> GraphqlAction {
        let gene = self.sampled(Arc::new(settings), template);
        self.improved(template, gene, user)
    }

    /// Random values under other settings.
    fn sampled(&mut self, settings: Arc<GeneSettings>, template: TemplateId) -> Gene {
        let usual = std::mem::replace(&mut self.draw.settings, settings);
        let spec = &self.scope.operation(template).spec;
        let gene = sample(spec, template, &self.learnt.knowledge, self.draw);
        self.draw.settings = usual;
        gene
    }

    fn improved(&mut self, template: TemplateId, gene: Gene, user: Option<u16>) -> GraphqlAction {
        let mut action = GraphqlAction::new(template, gene).by(user);
        self.join_one(&mut action);
        self.fill_empty(&mut action);
        self.select_one(&mut action);
        self.improve(&mut action);
        action
    }

    /// A call that will probably go well: one that did, or the simplest with guessed values.
    pub(crate) fn productive_call(&mut self, operation: &OperationTemplate) -> GraphqlAction {
        let template = operation.id;
        if !self.examples(template).is_empty()
            && self.draw.rng.chance(0.7)
            && let Some(example) = self.example(template)
        {
            return example;
        }
        self.new_call(operation)
    }

    /// The simplest call of an operation with guessed values.
    pub(crate) fn new_call(&mut self, operation: &OperationTemplate) -> GraphqlAction {
        let gene = simplest(&operation.spec, &self.draw.settings);
        let user = self.some_user(operation.id);
        self.improved(operation.id, gene, user)
    }

    /// Calls of an operation that went well.
    pub(crate) fn examples(&self, template: TemplateId) -> &'a [Example] {
        self.learnt.memory.operation(template).map_or(&[], |memory| &memory.examples)
    }

    /// One of the calls that went well, by the user with whom it did, about a thing that is there.
    pub(crate) fn example(&mut self, template: TemplateId) -> Option<GraphqlAction> {
        let examples = self.examples(template);
        let example = examples.get(self.draw.rng.below(examples.len().max(1)))?;
        let mut action = GraphqlAction::new(template, example.gene.clone()).by(example.user);
        self.put_known_ids(&mut action);
        Some(action)
    }

    /// A call that went well, with a few of its genes changed.
    fn varied_example(&mut self, template: TemplateId) -> Option<GraphqlAction> {
        if self.examples(template).is_empty() || !self.draw.rng.chance(FROM_EXAMPLE) {
            return None;
        }
        let mut action = self.example(template)?;
        let spec = &self.scope.operation(template).spec;
        // Where the rest is as it was, the edge is what the answer is about.
        let is_boundary = self.draw.rng.chance(BOUNDARY);
        let changes = if is_boundary { 0 } else { self.draw.rng.below(3) };
        for _ in 0..changes {
            let mut weights = Vec::new();
            collect_sites(spec, &action.gene, &mut weights);
            if !weights.is_empty() {
                let site = self.draw.rng.below(weights.len());
                let knowledge = &self.learnt.knowledge;
                mutate(spec, template, &mut action.gene, &[site], knowledge, self.draw);
            }
        }
        if changes > 0 {
            // An id is no number that is near another one.
            self.put_known_ids(&mut action);
        }
        if is_boundary {
            self.put_boundary(&mut action);
        }
        // What went well with one thing may be refused the second time.
        if self.draw.rng.chance(if is_boundary { 0.8 } else { 0.5 }) {
            self.fill_from_pool(&mut action, if is_boundary { 1.0 } else { 0.5 });
        }
        if self.draw.rng.chance(0.1) {
            action.user = self.some_user(template);
        }
        Some(action)
    }

    /// Puts a value at the edge of what is usual into one argument: where the rest is right, this
    /// is what shows whether it is checked.
    fn put_boundary(&mut self, action: &mut GraphqlAction) {
        const NUMBERS: [i32; 7] = [0, -1, 1, 100, 1_000, 10_000, i32::MAX];
        let operation = self.scope.operation(action.template);
        let mut places = Vec::new();
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            // What identifies something only finds nothing at its edge.
            let is_id = self
                .scope
                .links
                .source(site.coordinate)
                .is_some_and(|it| it.purpose == Purpose::Id);
            if matches!(site.gene, Gene::String(_) | Gene::Integer(_)) && !is_id {
                places.push(site.path.clone());
            }
        });
        let Some(path) = places.get(self.draw.rng.below(places.len().max(1))) else { return };
        let number = NUMBERS[self.draw.rng.below(NUMBERS.len())];
        if let Some(place) = path.find_mut(&mut action.gene) {
            *place = match place {
                Gene::Integer(_) => Gene::Integer(number),
                _ => Gene::text(""),
            };
        }
        let spec = &operation.spec;
        wallace_genes::repair(spec, &mut action.gene, &self.draw.settings);
    }
}
