//! What a run remembers of the service: values it gave, calls that went well, who may do what.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::{Binding, BindingSource, Individual};
use wallace_genes::{Gene, TemplateId};

use super::action::{Check, Form, GraphqlAction};
use super::answer::{Answer, Sight, walk};
use super::extreme::Extremes;
use super::link::{Effect, Links, object_key};
use super::moment::Moments;
use super::pool::{ANY_ID, Pool};
use super::refusal::Refusals;
use super::scalar::ScalarKinds;
use super::schema::{OperationKind, Schema, TypeKind};
use super::template::Templates;
use crate::sql::SqlMemory;
use crate::store::StoreMemory;

/// Memory of a run; part of the state of the search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphqlMemory {
    pub(crate) pool: Pool,
    operations: BTreeMap<TemplateId, OperationMemory>,
    /// How often each form but the plain one was answered with data, and how often not.
    #[serde(default)]
    forms: BTreeMap<String, (u32, u32)>,
    /// How often each check of an operation was made.
    pub(crate) checks: BTreeMap<String, u32>,
    /// How many of those were in vain: what was to be made for them was not made.
    #[serde(default)]
    vain: BTreeMap<String, u32>,
    /// The largest numbers seen.
    #[serde(default)]
    pub(crate) extremes: Extremes,
    /// Which custom scalars are numbers or objects.
    #[serde(default)]
    pub(crate) scalar_kinds: ScalarKinds,
    /// How dates and times are written, as refusals told.
    #[serde(default)]
    pub(crate) moments: Moments,
    /// What refusals said.
    #[serde(default)]
    pub(crate) refusals: Refusals,
    /// What is known of the database.
    #[serde(default)]
    pub(crate) sql: SqlMemory,
    /// What is known of documents and keys.
    #[serde(default)]
    pub(crate) stores: StoreMemory,
}

impl GraphqlMemory {
    /// What is remembered of what tests begin with.
    pub(crate) fn beginnings(&self) -> (&SqlMemory, &StoreMemory) {
        (&self.sql, &self.stores)
    }
}

/// What is remembered of one operation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct OperationMemory {
    /// Calls that gave a value and no error, the newest last.
    pub(crate) examples: Vec<Example>,
    /// By user; nobody comes first.
    users: BTreeMap<u16, UserMemory>,
    /// How the operation fared in a test in which a mutation of the same user went well before it,
    /// by that mutation.
    #[serde(default)]
    after: BTreeMap<TemplateId, UserMemory>,
    /// The last call of each of those mutations after which the operation went well.
    #[serde(default)]
    enabling: BTreeMap<TemplateId, Example>,
}

/// A call that gave a value and no error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Example {
    pub(crate) gene: Gene,
    pub(crate) user: Option<u16>,
}

/// How a user fares with an operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UserMemory {
    pub(crate) calls: u32,
    pub(crate) successes: u32,
    pub(crate) refusals: u32,
}

/// A call as it was sent, with its answer, if there was one.
pub(crate) type Call<'a> = (Cow<'a, GraphqlAction>, Option<Answer>);

/// Calls that were all refused for who made them, after which an operation is closed.
const CLOSED: u64 = 12;

/// Most calls remembered of one operation.
const EXAMPLES: usize = 8;

impl GraphqlMemory {
    /// What is remembered of an operation.
    pub(crate) fn operation(&self, id: TemplateId) -> Option<&OperationMemory> {
        self.operations.get(&id)
    }

    /// Whether the operation ever gave a value without an error.
    pub(crate) fn has_succeeded(&self, id: TemplateId) -> bool {
        self.operation(id).is_some_and(|memory| !memory.examples.is_empty())
    }

    /// How often an operation was called.
    pub(crate) fn calls(&self, id: TemplateId) -> u64 {
        self.users(id).map(|user| u64::from(user.calls)).sum()
    }

    /// Whether nobody may call an operation, as far as refusals tell: what is sent makes no difference.
    pub(crate) fn is_closed(&self, id: TemplateId) -> bool {
        let refused: u64 = self.users(id).map(|user| u64::from(user.refusals)).sum();
        refused >= CLOSED && refused == self.calls(id)
    }

    /// The calls of an operation that never gave a value; none once one did.
    pub(crate) fn calls_in_vain(&self, id: TemplateId) -> u64 {
        let has_given = self.users(id).any(|user| user.successes > 0);
        if has_given { 0 } else { self.calls(id) }
    }

    /// Whether at least half of the calls of an operation gave a value.
    pub(crate) fn goes_well(&self, id: TemplateId) -> bool {
        let successes: u64 = self.users(id).map(|user| u64::from(user.successes)).sum();
        successes > 0 && 2 * successes >= self.calls(id)
    }

    fn users(&self, id: TemplateId) -> impl Iterator<Item = &UserMemory> {
        self.operation(id).into_iter().flat_map(|memory| memory.users.values())
    }

    /// Whether an operation was called a few times and never gave anything.
    pub(crate) fn is_silent(&self, id: TemplateId) -> bool {
        self.operation(id).is_some_and(|memory| memory.examples.is_empty()) && self.calls(id) >= 3
    }

    /// Whether the service answered a call in this form with data.
    pub(crate) fn offers(&self, form: Form) -> bool {
        self.forms.get(form.as_str()).is_some_and(|(answered, _)| *answered > 0)
    }

    /// Whether it is not known yet that the service refuses this form.
    pub(crate) fn may_offer(&self, form: Form) -> bool {
        const ENOUGH: u32 = 6;
        let known = self.forms.get(form.as_str());
        known.is_none_or(|(answered, refused)| *answered > 0 || *refused < ENOUGH)
    }

    /// Counts the checks that a test was made for.
    pub(crate) fn note_checks(
        &mut self,
        test: &Individual<GraphqlAction>,
        calls: &[Call<'_>],
        templates: &Templates,
    ) {
        let is_vain = test.bindings().iter().any(|it| is_missing(test, it, calls, templates));
        let marked = test
            .actions()
            .iter()
            .filter_map(|(_, action)| Some(super::check::key(action.check?, action.template)));
        let keys: std::collections::BTreeSet<String> = marked.collect();
        for key in keys {
            if is_vain {
                *self.vain.entry(key.clone()).or_default() += 1;
            }
            *self.checks.entry(key).or_default() += 1;
        }
    }

    /// How often a check was made, where one in vain counts half.
    pub(crate) fn effort(&self, check: &str) -> f64 {
        let count = |counts: &BTreeMap<String, u32>| counts.get(check).copied().unwrap_or(0);
        f64::from(count(&self.checks)) - f64::from(count(&self.vain)) / 2.0
    }

    /// Counts how the calls of a test fared after mutations of the same user that went well.
    pub(crate) fn note_order(&mut self, calls: &[Call<'_>], templates: &Templates) {
        let mut before: Vec<&GraphqlAction> = Vec::new();
        for (action, answer) in calls {
            let (Some(operation), Some(answer)) = (templates.operation(action.template), answer)
            else {
                continue;
            };
            if operation.kind != OperationKind::Mutation || !action.form.has_shape() {
                continue;
            }
            let has_given = answer.gave(&operation.name);
            let memory = self.operations.entry(action.template).or_default();
            for earlier in
                before.iter().filter(|it| it.user == action.user && it.template != action.template)
            {
                memory.note_after(earlier, has_given);
            }
            if has_given {
                before.retain(|it| (it.template, it.user) != (action.template, action.user));
                before.push(action);
            }
        }
    }

    /// Remembers a call and its answer.
    pub(crate) fn note(
        &mut self,
        action: &GraphqlAction,
        answer: &Answer,
        templates: &Templates,
        links: &Links,
    ) {
        let Some(operation) = templates.operation(action.template) else { return };
        if !action.form.has_shape() {
            return;
        }
        if action.form != Form::Literals {
            let count = self.forms.entry(action.form.as_str().to_owned()).or_default();
            count.0 += u32::from(answer.has_data());
            count.1 += u32::from(!answer.has_data());
        }
        let memory = self.operations.entry(action.template).or_default();
        let user = memory.users.entry(action.user.map_or(0, |user| user + 1)).or_default();
        user.calls += 1;
        user.refusals += u32::from(answer.is_refused());
        if answer.gave(&operation.name) {
            user.successes += 1;
            // A value at an edge stands for nothing usual: what follows from it is in the way.
            if action.check != Some(Check::Edge) {
                memory.remember(Example::of(action));
            }
            self.extremes.note_call(templates, operation, &action.gene);
            if links.effect(action.template) == Effect::Delete {
                action.gene.visit_texts(&mut |_, sent| self.extremes.forget(&sent.text));
            }
        }
        if let Some(data) = answer.data().filter(|_| !links.is_empty()) {
            self.harvest(templates, links, action, data);
        }
    }

    /// Keeps the values of an answer that some argument wants, and which things are the largest.
    fn harvest(
        &mut self,
        templates: &Templates,
        links: &Links,
        action: &GraphqlAction,
        data: &serde_json::Map<String, Value>,
    ) {
        let Some(operation) = templates.operation(action.template) else { return };
        let schema = templates.schema();
        let root = data.get(&*operation.name).filter(|_| operation.kind == OperationKind::Query);
        for (key, value) in root.into_iter().flat_map(|root| Links::names(operation, root)) {
            self.pool.add(&key, value);
        }
        let selections = [templates.called_field(operation, &action.gene)];
        walk(schema, &selections, data, &mut |field, sight| match sight {
            Sight::Leaf(scalar, value) => {
                let scalar_name = &schema.definition(scalar).name;
                self.scalar_kinds.note_value(scalar_name, value);
                let key = object_key(scalar_name, &schema.field(field).name);
                if matches!(value, Value::Object(_) | Value::Array(_)) && links.is_wanted(&key) {
                    self.pool.add(&key, &Value::from(value.to_string()));
                }
                for key in keys(schema, field, scalar) {
                    if links.is_wanted(&key) {
                        self.pool.add(&key, value);
                    }
                }
            }
            Sight::Object(Some(id), object) if object.values().any(Value::is_number) => {
                for (name, value) in object {
                    let key = format!("{}.{name}", schema.definition(id).name);
                    if links.is_wanted(&key) {
                        self.extremes.note_thing(&key, value, object);
                    }
                }
            }
            _ => {}
        });
    }
}

impl Example {
    fn of(action: &GraphqlAction) -> Self {
        Self { gene: action.gene.clone(), user: action.user }
    }
}

impl OperationMemory {
    /// Counts how the operation fared after a mutation that went well.
    fn note_after(&mut self, earlier: &GraphqlAction, has_given: bool) {
        let count = self.after.entry(earlier.template).or_default();
        count.calls += 1;
        count.successes += u32::from(has_given);
        if has_given {
            self.enabling.insert(earlier.template, Example::of(earlier));
        }
    }

    fn remember(&mut self, example: Example) {
        if let Some(known) = self.examples.iter().position(|known| *known == example) {
            let known = self.examples.remove(known);
            self.examples.push(known);
            return;
        }
        if self.examples.len() == EXAMPLES {
            // The first one stays: it is the simplest.
            self.examples.remove(1);
        }
        self.examples.push(example);
    }

    /// How the operation fares after a mutation that went well.
    pub(crate) fn after(&self, mutation: TemplateId) -> UserMemory {
        self.after.get(&mutation).copied().unwrap_or_default()
    }

    /// The last call of a mutation after which the operation went well.
    pub(crate) fn enabling(&self, mutation: TemplateId) -> Option<&Example> {
        self.enabling.get(&mutation)
    }

    /// How a user fares with the operation.
    pub(crate) fn user(&self, user: Option<u16>) -> UserMemory {
        self.users.get(&user.map_or(0, |user| user + 1)).copied().unwrap_or_default()
    }
}

/// Whether a marked call was to get something from a call that gave nothing.
fn is_missing(
    test: &Individual<GraphqlAction>,
    binding: &Binding,
    calls: &[Call<'_>],
    templates: &Templates,
) -> bool {
    let call = |id| test.position(id).and_then(|place| calls.get(place));
    let is_marked = call(binding.action).is_some_and(|(action, _)| action.check.is_some());
    let BindingSource::Response { action: source, .. } = &binding.source else { return false };
    let has_given = call(*source).is_some_and(|(action, answer)| {
        let operation = templates.operation(action.template);
        let pair = operation.zip(answer.as_ref());
        pair.is_some_and(|(operation, answer)| answer.gave(&operation.name))
    });
    is_marked && !has_given
}

/// The keys under which the value of a field may be wanted.
fn keys(
    schema: &Schema,
    field: super::schema::FieldId,
    scalar: super::schema::TypeId,
) -> Vec<String> {
    let name = &schema.field(field).name;
    let definition = schema.definition(scalar);
    if !matches!(definition.kind, TypeKind::Scalar { .. }) {
        return Vec::new();
    }
    let mut keys =
        vec![schema.coordinate(field), format!("*.{name}"), format!("scalar:{}", definition.name)];
    if super::link::is_id(name, &definition.name) {
        keys.push(ANY_ID.to_owned());
    }
    keys
}

#[cfg(test)]
mod tests;
