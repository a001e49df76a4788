//! What refusals say of the arguments of an operation: which are missed, which do harm, and which
//! values are taken.
//!
//! Without a driver only answers tell. An argument that is named by the message of an error, or by an
//! error among the data, is what the refusal is about; one that was not sent joins the next calls.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_genes::{Gene, GenePath, GeneSpec, SpecId, TemplateId, sample};

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
/// Levels of objects that were left out in which a name is looked for, and most members there.
const DEPTH: usize = 3;
const MOST_BELOW: usize = 300;
/// Calls in vain after which what was refused stays in some of the calls, and their share.
const IN_VAIN: u64 = 10;
const UNSURE: f64 = 0.5;
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
        if named.is_empty() {
            self.note_below(action.template, &arguments, &refusal, templates);
        }
        let names: Vec<&str> = names.into_iter().map(|(name, _)| name).collect();
        for (place, value) in refusal.values(&names) {
            self.note_value(&arguments[place].coordinate, &value);
        }
    }

    /// What a refusal names may be missed inside of an object that was left out: then both are missed.
    fn note_below(
        &mut self,
        operation: TemplateId,
        arguments: &[Argument],
        refusal: &Refusal,
        templates: &Templates,
    ) {
        let mut below: Vec<Vec<Box<str>>> = Vec::new();
        for argument in arguments.iter().filter(|it| it.is_optional && !it.is_sent) {
            members_below(
                templates,
                argument.spec,
                &mut vec![argument.coordinate.clone()],
                &mut below,
            );
        }
        let names = below
            .iter()
            .map(|chain| (chain.last().map_or("", |it| argument_name(it)), chain.len()));
        let names: Vec<(&str, usize)> = names.collect();
        let named = refusal.named(&names);
        for coordinate in named.into_iter().flat_map(|place| &below[place]) {
            self.parts.refuse(key(operation, coordinate), false, true);
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
        key(operation, &self.coordinate)
    }
}

fn key(operation: TemplateId, coordinate: &str) -> Box<str> {
    format!("{} {coordinate}", operation.0).into()
}

/// The members of an object that was left out, and of the objects in it, each with what it is in.
fn members_below(
    templates: &Templates,
    spec: SpecId,
    above: &mut Vec<Box<str>>,
    found: &mut Vec<Vec<Box<str>>>,
) {
    let GeneSpec::Object(object) = templates.graph().spec(templates.present(spec)) else { return };
    for field in &object.fields {
        let coordinate: Box<str> = format!("{}.{}", object.type_name, field.name).into();
        // An object in itself has no names that it does not have outside.
        if found.len() >= MOST_BELOW || above.contains(&coordinate) {
            return;
        }
        above.push(coordinate);
        found.push(above.clone());
        if above.len() <= DEPTH {
            members_below(templates, field.spec, above, found);
        }
        above.pop();
    }
}

impl Sampler<'_, '_> {
    /// Takes away the arguments that do harm, and adds those that refusals missed, also inside of what was
    /// added.
    pub(super) fn leave_out(&mut self, action: &mut GraphqlAction) {
        let scope = self.scope;
        let records = &self.learnt.memory.refusals.parts;
        // Where nothing goes well without a part either, it is not known to do harm.
        let is_in_vain = self.learnt.memory.calls_in_vain(action.template) >= IN_VAIN;
        let is_unsure = is_in_vain && self.draw.rng.chance(UNSURE);
        let arguments_sent = arguments(&scope.templates, action);
        for argument in arguments_sent.iter().filter(|it| it.is_optional && !is_unsure) {
            let record = records.get(&argument.key(action.template)).filter(|_| argument.is_sent);
            if record.is_some_and(|record| !self.draw.rng.chance(PartRecord::stays(record))) {
                put(&mut action.gene, &argument.path, Gene::Absent);
            }
        }
        for _ in 0..=DEPTH {
            let mut has_added = false;
            for argument in arguments(&scope.templates, action) {
                let record = records.get(&argument.key(action.template));
                let is_missed = argument.is_optional
                    && !argument.is_sent
                    && record.is_some_and(|record| record.missed > 0);
                if !is_missed {
                    continue;
                }
                let spec = scope.templates.spec_at(argument.spec);
                let value = sample(&spec, action.template, &self.learnt.knowledge, self.draw);
                if !value.is_placeholder() {
                    put(&mut action.gene, &argument.path, value);
                    has_added = true;
                }
            }
            if !has_added {
                return;
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

#[cfg(test)]
mod tests {
    use wallace_genes::ObjectGene;

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::schema::Schema;
    use crate::http::{HttpOutcome, HttpResponse};

    #[test]
    fn what_is_missed_inside_of_what_was_left_out_is_missed_with_it() {
        let sdl = "type Query { a: Int } type Mutation { make(input: MakeInput!): Int }
            input MakeInput { fields: Fields other: Int } input Fields { title: String note: String }";
        let templates = Templates::new(Schema::from_sdl(sdl).unwrap().into()).unwrap();
        let place = templates.operations().iter().position(|it| &*it.name == "make").unwrap();
        let id = TemplateId(u32::try_from(place).unwrap());
        let empty = Gene::Object(ObjectGene { fields: Vec::new() });
        let action = GraphqlAction::new(id, Gene::Tuple(vec![empty]));
        let body =
            r#"{"data":{"make":null},"errors":[{"message":"title is required"}]}"#.to_owned();
        let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
        let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
        let mut refusals = Refusals::default();
        refusals.note(&action, &answer, &templates);
        let missed = |coordinate: &str| {
            refusals.parts.get(&key(id, coordinate)).map_or(0, |record| record.missed)
        };
        let coordinates = ["MakeInput.fields", "Fields.title", "Fields.note", "MakeInput.other"];
        assert_eq!(coordinates.map(missed), [1, 1, 0, 0]);
    }
}
