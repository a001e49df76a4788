//! What refusals say of the arguments of an operation: which are missed, which do harm, and which
//! values are taken.
//!
//! Without a driver only answers tell. An argument that is named by the message of an error, or by an
//! error among the data, is what the refusal is about; one that was not sent joins the next calls.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_genes::{Gene, GenePath, SpecId, TemplateId, sample};

use super::action::GraphqlAction;
use super::answer::Answer;
use super::sampler::Sampler;
use super::scope::argument_name;
use super::site::visit_sites;
use super::template::Templates;
use super::verdict::is_bad_value;
use crate::binding::put_scalar;
use crate::part::{PartRecord, PartRecords, put};
use crate::refusal::Refusal;

/// Most arguments whose values are remembered, and most values of one.
const MOST_ARGUMENTS: usize = 10_000;
const MOST_VALUES: usize = 20;
/// Share of arguments with such values that get one.
const TOLD: f64 = 0.6;

/// What refusals said of arguments.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Refusals {
    parts: PartRecords,
    /// Values that an argument takes, by its coordinate.
    values: BTreeMap<Box<str>, Vec<Value>>,
}

/// An argument of one call.
struct Argument {
    coordinate: Box<str>,
    path: GenePath,
    spec: SpecId,
    is_sent: bool,
    is_optional: bool,
}

impl Refusals {
    /// Notes how a call went with each of its arguments.
    pub(crate) fn note(&mut self, action: &GraphqlAction, answer: &Answer, templates: &Templates) {
        let Some(operation) = templates.operation(action.template) else { return };
        if !action.form.has_shape() || action.check.is_some() || answer.is_refused() {
            return;
        }
        let arguments = arguments(templates, action);
        if answer.gave(&operation.name) {
            for argument in arguments.iter().filter(|argument| argument.is_optional) {
                self.parts.accept(argument.key(action.template), argument.is_sent);
            }
            return;
        }
        let Some(refusal) = answer.refusal(&operation.name).map(|it| Refusal::of(&it)) else {
            return;
        };
        let names = arguments.iter().map(|it| (argument_name(&it.coordinate), it.path.0.len()));
        let names: Vec<(&str, usize)> = names.collect();
        let named = refusal.named(&names);
        // A refusal without a name is about any of them, unless it is about something else.
        let is_about_any =
            named.is_empty() && refusal.said().iter().any(|said| is_bad_value(&said.text));
        for (place, argument) in arguments.iter().enumerate().filter(|(_, it)| it.is_optional) {
            let is_named = named.contains(&place);
            if is_named || is_about_any {
                self.parts.refuse(argument.key(action.template), argument.is_sent, is_named);
            }
        }
        let names: Vec<&str> = names.into_iter().map(|(name, _)| name).collect();
        for (place, value) in refusal.values(&names) {
            self.note_value(&arguments[place].coordinate, value);
        }
    }

    fn note_value(&mut self, coordinate: &str, value: &str) {
        if self.values.len() < MOST_ARGUMENTS || self.values.contains_key(coordinate) {
            let known = self.values.entry(coordinate.into()).or_default();
            let value = Value::from(value);
            if known.len() < MOST_VALUES && !known.contains(&value) {
                known.push(value);
            }
        }
    }
}

impl Argument {
    fn key(&self, operation: TemplateId) -> Box<str> {
        format!("{} {}", operation.0, self.coordinate).into()
    }
}

impl Sampler<'_, '_> {
    /// Takes away the arguments that do harm, and adds those that refusals missed.
    pub(super) fn leave_out(&mut self, action: &mut GraphqlAction) {
        let scope = self.scope;
        for argument in arguments(&scope.templates, action).iter().filter(|it| it.is_optional) {
            let records = &self.learnt.memory.refusals.parts;
            let Some(record) = records.get(&argument.key(action.template)) else { continue };
            if argument.is_sent && !self.draw.rng.chance(PartRecord::stays(record)) {
                put(&mut action.gene, &argument.path, Gene::Absent);
            } else if !argument.is_sent && record.missed > 0 {
                let spec = scope.templates.spec_at(argument.spec);
                let value = sample(&spec, action.template, &self.learnt.knowledge, self.draw);
                if !value.is_placeholder() {
                    put(&mut action.gene, &argument.path, value);
                }
            }
        }
    }

    /// Puts values that refusals named where they are taken.
    pub(super) fn put_told(&mut self, action: &mut GraphqlAction) {
        let values = &self.learnt.memory.refusals.values;
        if values.is_empty() {
            return;
        }
        for argument in arguments(&self.scope.templates, action) {
            let told = values.get(&argument.coordinate);
            if let Some(told) = told.filter(|_| argument.is_sent && self.draw.rng.chance(TOLD)) {
                let value = &told[self.draw.rng.below(told.len())];
                put_scalar(&mut action.gene, &argument.path, value);
            }
        }
    }
}

fn arguments(templates: &Templates, action: &GraphqlAction) -> Vec<Argument> {
    let mut arguments = Vec::new();
    let Some(operation) = templates.operation(action.template) else { return arguments };
    visit_sites(templates, operation, &action.gene, &mut |site| {
        if site.is_whole {
            arguments.push(Argument {
                coordinate: site.coordinate.into(),
                path: site.path.clone(),
                spec: site.spec,
                is_sent: !matches!(site.gene, Gene::Absent | Gene::Null),
                is_optional: site.is_optional,
            });
        }
    });
    arguments
}
