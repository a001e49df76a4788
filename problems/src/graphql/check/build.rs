//! Building blocks of checks: calls that will probably go well, things to do them with, and
//! bindings between them.

use serde_json::Value;
use wallace_engine::{ActionId, Binding, BindingSource, Individual, Learnt};
use wallace_genes::{
    Draw, Gene, GenePath, GeneSettings, GeneSpec, PathStep, SpecId, TemplateId, simplest,
};

use crate::binding::put_scalar;
use crate::graphql::action::{Check, GraphqlAction};
use crate::graphql::link::{Producer, Purpose, select};
use crate::graphql::memory::GraphqlMemory;
use crate::graphql::planner::Planner;
use crate::graphql::sampler::{Sampler, guess_at};
use crate::graphql::schema::{FieldId, TypeId};
use crate::graphql::scope::Scope;
use crate::graphql::site::visit_sites;

type Test = Individual<GraphqlAction>;

/// What a check is built from.
pub(super) struct Build<'a, 'd> {
    pub(super) scope: &'a Scope,
    pub(super) learnt: &'a Learnt<GraphqlMemory>,
    pub(super) draw: &'d mut Draw,
    pub(super) check: Check,
}

impl<'a> Build<'a, '_> {
    /// What plans calls before others.
    pub(super) fn planner(&mut self) -> Planner<'a, '_> {
        Planner { scope: self.scope, learnt: self.learnt, draw: self.draw }
    }

    /// What samples single calls.
    pub(super) fn sampler(&mut self) -> Sampler<'a, '_> {
        Sampler { scope: self.scope, learnt: self.learnt, draw: self.draw }
    }

    /// One of some things, or nothing of none.
    pub(super) fn one_of<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        things.get(self.draw.rng.below(things.len().max(1)))
    }

    /// A call that went well, by the user with whom it did.
    pub(super) fn example(&mut self, template: TemplateId) -> Option<GraphqlAction> {
        self.learnt.memory.operation(template)?;
        Some(self.sampler().example(template)?.checked(self.check))
    }

    /// A call with as little as possible and guessed values, by the user with whom it goes best.
    pub(super) fn simple(&mut self, template: TemplateId) -> GraphqlAction {
        let user = self.sampler().best_user(template);
        self.sampler().simple_call(template, user).checked(self.check)
    }

    /// A call that gives all arguments and selects much.
    pub(super) fn full(&mut self, template: TemplateId) -> GraphqlAction {
        let usual = (*self.draw.settings).clone();
        let wide = GeneSettings { absent: 0.1, null: 0.0, selected_fields: 12, ..usual };
        let user = self.sampler().best_user(template);
        self.sampler().call_within(wide, template, user).checked(self.check)
    }

    /// A call that went well, or else a simple one.
    pub(super) fn likely(&mut self, template: TemplateId) -> GraphqlAction {
        match self.example(template) {
            Some(example) => example,
            None => self.simple(template),
        }
    }

    /// How often the check was made of the operation before.
    pub(super) fn tries(&self, template: TemplateId) -> usize {
        let tries = self.learnt.memory.checks.get(&super::key(self.check, template));
        tries.copied().unwrap_or(0) as usize
    }

    /// Gives one enum argument of the operation, be it there or not, its next value: each check of
    /// the operation takes another.
    pub(super) fn next_enum(&mut self, action: &mut GraphqlAction) {
        let operation = self.scope.operation(action.template);
        let graph = operation.spec.graph();
        let mut values = Vec::new();
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            if let (GeneSpec::Enum(names), true) = (graph.spec(site.spec), site.path.0.len() == 1) {
                let all = 0..names.values.len() as u32;
                values.extend(all.map(|value| (site.path.clone(), Gene::Enum(value))));
            }
        });
        let tries = self.tries(action.template);
        if let Some((path, value)) = values.get(tries % values.len().max(1))
            && let Some(place) = path.find_mut(&mut action.gene)
        {
            *place = value.clone();
        }
    }

    /// The call with each value of its first enum argument, or the call alone.
    pub(super) fn enum_variants(&self, action: &GraphqlAction) -> Vec<GraphqlAction> {
        const MOST: u32 = 6;
        let operation = self.scope.operation(action.template);
        let graph = operation.spec.graph();
        let mut found: Option<(GenePath, u32)> = None;
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            if let (GeneSpec::Enum(names), Gene::Enum(_), None) =
                (graph.spec(site.spec), site.gene, &found)
            {
                found = Some((site.path.clone(), names.values.len() as u32));
            }
        });
        let Some((path, count)) = found else { return vec![action.clone()] };
        let variant = |value: u32| {
            let mut action = action.clone();
            if let Some(place) = path.find_mut(&mut action.gene) {
                *place = Gene::Enum(value);
            }
            action
        };
        (0..count.min(MOST)).map(variant).collect()
    }

    /// Texts that a call gives, by address.
    pub(super) fn texts(&self, action: &GraphqlAction) -> Vec<(GenePath, String)> {
        let operation = self.scope.operation(action.template);
        let mut texts = Vec::new();
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            if let Gene::String(string) = site.gene {
                texts.push((site.path.clone(), string.text.to_string()));
            }
        });
        texts
    }

    /// The arguments of a call that are texts or numbers and identify nothing, be they there or not:
    /// address, values, and coordinate.
    pub(super) fn plain_places(&self, action: &GraphqlAction) -> Vec<(GenePath, SpecId, String)> {
        let operation = self.scope.operation(action.template);
        let graph = operation.spec.graph();
        let links = &self.scope.links;
        let arguments = self.scope.schema().field(operation.field).arguments.len() as u32;
        let mut places = Vec::new();
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            let is_own =
                matches!(site.path.0.first(), Some(PathStep::Field(at)) if *at < arguments);
            let is_id = links.source(site.coordinate).is_some_and(|it| it.purpose == Purpose::Id);
            let is_plain = matches!(
                graph.spec(site.spec),
                GeneSpec::Integer(_) | GeneSpec::Long(_) | GeneSpec::Float(_) | GeneSpec::String(_)
            );
            if is_own && is_plain && !is_id && site.is_whole {
                places.push((site.path.clone(), site.spec, site.coordinate.to_owned()));
            }
        });
        places
    }

    /// Gives arguments that identify nothing another value, be they there or not: one or two, in
    /// case others are better left alone, or all.
    pub(super) fn vary(&mut self, action: &mut GraphqlAction) {
        let operation = self.scope.operation(action.template);
        let graph = operation.spec.graph();
        let mut places = self.plain_places(action);
        if self.draw.rng.chance(0.5) {
            let few = 1 + self.draw.rng.below(2);
            while places.len() > few {
                places.remove(self.draw.rng.below(places.len()));
            }
        }
        for (path, spec, coordinate) in &places {
            let largest = if self.draw.rng.chance(0.5) { 4 } else { 999 };
            let number = self.draw.rng.between(1, largest);
            let value = match graph.spec(*spec) {
                GeneSpec::Integer(_) => Gene::Integer(number as i32),
                GeneSpec::Long(_) => Gene::Long(number),
                GeneSpec::Float(_) => Gene::float(number as f64),
                spec => match guess_at(self.scope, coordinate, spec, self.draw) {
                    Some(Gene::String(guess)) if !guess.text.is_empty() => Gene::String(guess),
                    _ => Gene::text(format!("Wallace {number}")),
                },
            };
            put(&mut action.gene, path, value);
        }
        wallace_genes::repair(&operation.spec, &mut action.gene, &self.draw.settings);
    }

    /// A query that reads one thing by the key, with the address of the argument to fill.
    pub(super) fn reader(&mut self, key: &str) -> Option<(GraphqlAction, GenePath)> {
        let readers = self.scope.links.readers(key).iter();
        let readers: Vec<&(TemplateId, usize)> =
            readers.filter(|(template, _)| self.scope.is_callable(*template)).collect();
        let (template, position) = **self.one_of(&readers)?;
        let mut action = self.likely(template);
        let path = GenePath(vec![PathStep::Field(position as u32)]);
        let place = path.find_mut(&mut action.gene)?;
        if matches!(place, Gene::Absent | Gene::Null) {
            let operation = self.scope.operation(template);
            let GeneSpec::Tuple(tuple) = operation.spec.spec() else { return None };
            let spec = tuple.elements.get(position)?.spec;
            let spec = self.scope.templates.present(spec);
            *place = simplest(&operation.spec.at(spec), &self.draw.settings);
        }
        Some((action, path))
    }

    /// A value of the pool under the key.
    pub(super) fn known(&mut self, key: &str) -> Option<Value> {
        let values = self.learnt.memory.pool.get(key)?;
        Some(values[self.draw.rng.below(values.len())].clone())
    }

    /// Puts a value where an argument identifies by the key. Returns whether there was one.
    pub(super) fn identify(&self, action: &mut GraphqlAction, key: &str, value: &Value) -> bool {
        let identities = self.scope.identities(action);
        let places = identities.iter().filter(|identity| identity.key == key);
        let mut has_put = false;
        for identity in places {
            has_put |= put_scalar(&mut action.gene, &identity.path, value);
        }
        has_put
    }

    /// Selects, in a call, the field of the key and all plain fields beside it. Returns the
    /// pointer to the key's value and the way to the object.
    pub(super) fn select_object(
        &self,
        action: &mut GraphqlAction,
        producer: &Producer,
    ) -> Option<String> {
        let operation = self.scope.operation(action.template);
        let templates = &self.scope.templates;
        let pointer =
            select(templates, operation, &mut action.gene, &producer.path, &self.draw.settings)?;
        let (_, way) = producer.path.split_last()?;
        let owner = producer.path.last()?.owner;
        for field in self.plain_fields(owner) {
            let path: Vec<FieldId> = way.iter().copied().chain([field]).collect();
            select(templates, operation, &mut action.gene, &path, &self.draw.settings);
        }
        Some(pointer)
    }

    /// Selects all plain fields of what an operation answers with, whichever type that has.
    pub(super) fn select_plain(&self, action: &mut GraphqlAction) {
        let operation = self.scope.operation(action.template);
        let returned = self.scope.returned(action.template);
        let possible = self.scope.schema().definition(returned).possible_types();
        for owner in [returned].iter().chain(possible) {
            for field in self.plain_fields(*owner) {
                let templates = &self.scope.templates;
                select(templates, operation, &mut action.gene, &[field], &self.draw.settings);
            }
        }
    }

    /// The fields of a type that give a scalar or an enum and take no arguments.
    pub(super) fn plain_fields(&self, owner: TypeId) -> Vec<FieldId> {
        let schema = self.scope.schema();
        let is_plain = |field: &FieldId| {
            let definition = schema.field(*field);
            definition.arguments.is_empty()
                && !schema.definition(schema.returned(*field)).is_composite()
        };
        schema.fields(owner).filter(is_plain).collect()
    }

    /// How the operation itself leads to the key.
    pub(super) fn producer(&self, template: TemplateId, key: &str) -> Option<Producer> {
        let producers = self.scope.links.producers(key).iter();
        producers
            .filter(|producer| producer.operation == template)
            .min_by_key(|it| it.path.len())
            .cloned()
    }

    /// Appends a call and what must come before it.
    pub(super) fn append(&mut self, test: &mut Test, action: GraphqlAction) -> ActionId {
        self.planner().append(test, action, 2)
    }
}

/// Binds an argument of a call to a value of an earlier answer.
pub(super) fn bind(test: &mut Test, from: ActionId, pointer: &str, to: ActionId, path: &GenePath) {
    let source = BindingSource::Response { action: from, pointer: pointer.to_owned() };
    test.bind(Binding { source, action: to, path: path.clone() });
}

/// Puts a value where an argument or input field may stand, be it there or not.
pub(super) fn put(gene: &mut Gene, path: &GenePath, value: Gene) {
    let Some((last, way)) = path.0.split_last() else { return };
    match (GenePath(way.to_vec()).find_mut(gene), last) {
        (Some(Gene::Object(object)), PathStep::Field(field)) => object.set(*field, value),
        (Some(Gene::Tuple(elements)), PathStep::Field(index)) => {
            if let Some(place) = elements.get_mut(*index as usize) {
                *place = value;
            }
        }
        _ => {}
    }
}

/// A test of these calls.
pub(super) fn test_of(actions: impl IntoIterator<Item = GraphqlAction>) -> Option<Test> {
    Some(Individual::new(actions))
}
