//! Input objects that say which thing is meant, by one of several members: an id, or something else that
//! is unique.
//!
//! All members may be left out, so that schemas allow none and all of them. With none nothing is found, or
//! whatever comes first; with several they rarely belong together.

use std::sync::Arc;

use wallace_genes::{Gene, GenePath, GeneSettings, GeneSpec, PathStep, sample, spec::ObjectSpec};

use super::Sampler;
use crate::graphql::action::GraphqlAction;
use crate::graphql::link::Effect;
use crate::graphql::schema::OperationKind;
use crate::graphql::site::visit_sites;
use crate::kind::names_thing;
use crate::part::put;
use crate::word::singulars;

/// Share of such objects that get one member.
const ONE: f64 = 0.8;
/// Share of these that get the first one that names a thing.
const FIRST: f64 = 0.6;

impl Sampler<'_, '_> {
    /// Leaves one member in each input object that says which thing is meant.
    pub(super) fn select_one(&mut self, action: &mut GraphqlAction) {
        let scope = self.scope;
        if !scope.is_black_box {
            return;
        }
        let operation = scope.operation(action.template);
        let is_change = operation.kind == OperationKind::Mutation
            && scope.links.effect(action.template) != Effect::Delete;
        let is_vain = self.learnt.memory.calls_in_vain(action.template) > 0;
        let graph = operation.spec.graph();
        let mut found: Vec<(GenePath, &ObjectSpec, Vec<u32>)> = Vec::new();
        visit_sites(&scope.templates, operation, &action.gene, &mut |site| {
            let (GeneSpec::Object(object), Gene::Object(value)) =
                (graph.spec(site.spec), site.gene)
            else {
                return;
            };
            let given = value.fields.len();
            let is_selector = object.type_name.contains("Unique");
            let is_meant = is_selector && given != 1 || !is_change && is_vain && given == 0;
            let naming = if is_meant { self.naming(object) } else { Vec::new() };
            if !naming.is_empty() {
                found.push((site.path.clone(), object, naming));
            }
        });
        let usual = Arc::clone(&self.draw.settings);
        self.draw.settings = GeneSettings { absent: 1.0, null: 0.0, ..(*usual).clone() }.into();
        for (path, object, naming) in found {
            if !self.draw.rng.chance(ONE) {
                continue;
            }
            let is_first = self.draw.rng.chance(FIRST);
            let place = if is_first { 0 } else { self.draw.rng.below(naming.len()) };
            let chosen = naming[place];
            let below = scope.templates.present(object.fields[chosen as usize].spec);
            let spec = scope.templates.spec_at(below);
            let value = sample(&spec, action.template, &self.learnt.knowledge, self.draw);
            for member in 0..object.fields.len() as u32 {
                let mut path = path.clone();
                path.0.push(PathStep::Field(member));
                let is_chosen = member == chosen;
                let value = if is_chosen { value.clone() } else { Gene::Absent };
                put(&mut action.gene, &path, value);
            }
        }
        self.draw.settings = usual;
    }

    /// The members of an input object that may each name a thing, where none of all must be there: ids
    /// and the like first.
    fn naming(&self, object: &ObjectSpec) -> Vec<u32> {
        let templates = &self.scope.templates;
        let is_optional = |field: &wallace_genes::Field| templates.graph().is_optional(field.spec);
        if !object.fields.iter().all(is_optional) {
            return Vec::new();
        }
        let scalars = (0..).zip(&object.fields).filter(|(_, field)| {
            let spec = templates.graph().spec(templates.present(field.spec));
            matches!(spec, GeneSpec::String(_) | GeneSpec::Integer(_) | GeneSpec::Long(_))
        });
        let mut named: Vec<(bool, u32)> =
            scalars.map(|(place, field)| (!names_thing(&singulars(&field.name)), place)).collect();
        named.sort_unstable();
        // Without an id it is a filter, whose members go together.
        let has_id = named.first().is_some_and(|(is_other, _)| !is_other);
        named.into_iter().filter(|_| has_id).map(|(_, place)| place).collect()
    }
}
