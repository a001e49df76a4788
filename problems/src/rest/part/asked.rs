//! Members and parameters that refusals ask for although the description does not tell of them.
//!
//! `"policy" is required`, says a service whose description knows no policy. As long as nothing of an
//! operation was accepted, what its refusals miss joins the next calls; its form is what refusals say
//! of it, else one form after another. What a refusal does not know is not sent again.

use serde_json::Value;
use wallace_genes::{Specialisation, TemplateId};

use super::Part;
use super::missed::{is_unwanted, missed};
use crate::refusal::{Refusal, Said};
use crate::rest::action::{RestAction, UndocumentedPlace};
use crate::rest::memory::RestMemory;
use crate::rest::operations::Operations;
use crate::rest::schema::{Flat, Kind, SchemaId, Schemas};
use crate::rest::undocumented::{MemberForm, Reading};
use crate::word::plain;

/// Most undocumented members and parameters of one operation.
const MOST_ASKED: usize = 12;
/// The header that names the type of a body.
const TYPE: &str = "Content-Type";

/// Learns what an operation that never worked is missing, and how calls with it went.
pub(super) fn learn(
    (operations, action): (&Operations, &RestAction),
    parts: &[Part],
    refusal: Option<&Refusal>,
    memory: &mut RestMemory,
) {
    let id = action.template;
    let said = refusal.map_or(&[][..], Refusal::said);
    for extra in &action.undocumented {
        let about: Vec<&str> = said
            .iter()
            .filter(|said| said.tells(&plain(&extra.name)))
            .map(|said| &*said.text)
            .collect();
        let is_accepted = refusal.is_none();
        if let Some(record) = memory.parts.get_mut(&key(id, &extra.name)) {
            record.sent = record.sent.saturating_add(1);
            record.accepted = record.accepted.saturating_add(u32::from(is_accepted));
        }
        let known = memory.readings.get_mut(&id).into_iter().flatten();
        for reading in known.filter(|reading| reading.name == extra.name) {
            if reading.place == UndocumentedPlace::Body && !about.is_empty() {
                reading.form = MemberForm::told(&about.join(" ")).unwrap_or(reading.form.next());
            }
        }
    }
    withdraw(action, said, memory);
    if memory.successes.contains_key(&id) {
        return;
    }
    for said in said {
        for steps in missed(said) {
            let place = place_of(operations, id, said);
            let name = name_of((operations, action), place, &steps);
            // What has a record is asked for already, or was withdrawn.
            if is_known((operations, action), parts, &name) || memory.asked(id, &name).is_some() {
                continue;
            }
            let known = memory.readings.entry(id).or_default();
            if known.len() < MOST_ASKED && !known.iter().any(|reading| reading.name == name) {
                let form = MemberForm::told(&said.text).unwrap_or(MemberForm::of_name(&name));
                memory.parts.begin(key(id, &name));
                known.push(Reading { place, name, values: Vec::new(), form });
            }
        }
    }
}

/// Learns that a call without a body was refused for want of its type: some services ask for one all the
/// same.
pub(super) fn learn_type(operations: &Operations, id: TemplateId, memory: &mut RestMemory) {
    let has_body = !operations.get(id).bodies.is_empty();
    if has_body || memory.successes.contains_key(&id) || memory.asked(id, TYPE).is_some() {
        return;
    }
    memory.parts.begin(key(id, TYPE));
    memory.readings.entry(id).or_default().push(Reading {
        place: UndocumentedPlace::Header,
        name: TYPE.to_owned(),
        values: vec![Specialisation::Constant("application/json".into())],
        form: MemberForm::default(),
    });
}

/// Takes back what was asked for, where a refusal says that nobody knows it. Its record stays, so
/// that it is not asked for again.
fn withdraw(action: &RestAction, said: &[Said], memory: &mut RestMemory) {
    let id = action.template;
    for extra in &action.undocumented {
        let is_unknown = said.iter().any(|said| is_unwanted(said, &extra.name));
        if is_unknown && memory.asked(id, &extra.name).is_some() {
            let known = memory.readings.entry(id).or_default();
            known.retain(|reading| reading.name != extra.name);
        }
    }
}

/// What tells an undocumented part of an operation from its other parts.
pub(super) fn key(id: TemplateId, name: &str) -> Box<str> {
    format!("{} asked {name}", id.0).into()
}

/// What is missing by its name; in a body by the names of the objects above it too, as far as there
/// are such. What else stands before it is the name of a type, or of another kind of place.
fn name_of(
    (operations, action): (&Operations, &RestAction),
    place: UndocumentedPlace,
    steps: &[&str],
) -> String {
    let bodies = &operations.get(action.template).bodies;
    let above = steps.len() - 1;
    let first = match place {
        // Where no body is described, the refusal alone tells of it.
        UndocumentedPlace::Body if bodies.is_empty() => 0,
        UndocumentedPlace::Body => {
            let has_object = |first: &usize| has_object(operations, action, &steps[*first..above]);
            (0..above).find(has_object).unwrap_or(above)
        }
        _ => above,
    };
    steps[first..].join(".")
}

/// Whether the body of a call has an object at these steps: as it was sent, or as it is described.
fn has_object(operations: &Operations, action: &RestAction, steps: &[&str]) -> bool {
    let is_object = |flat: Flat| {
        flat.kinds.is_told() && flat.kinds.allows(Kind::Object) || !flat.properties.is_empty()
    };
    sent(operations, action, steps).is_some_and(|value| value.is_object())
        || described(operations, action.template, steps).any(is_object)
}

/// What a call sends at these steps of its body.
fn sent(operations: &Operations, action: &RestAction, steps: &[&str]) -> Option<Value> {
    let (_, mut body) = operations.templates.values(action.template, &action.gene).body?;
    let pointer: String = steps.iter().map(|step| format!("/{step}")).collect();
    body.pointer_mut(&pointer).map(Value::take)
}

/// What bodies are described to hold at these steps.
fn described(
    operations: &Operations,
    id: TemplateId,
    steps: &[&str],
) -> impl Iterator<Item = Flat> {
    let schemas = &operations.templates.description().schemas;
    let bodies = operations.get(id).bodies.iter();
    bodies.filter_map(|body| described_in(schemas, body.schema, steps))
}

fn described_in(schemas: &Schemas, body: SchemaId, steps: &[&str]) -> Option<Flat> {
    let mut flat = schemas.flat(&[body.into()]);
    for step in steps {
        let (_, member) = flat.properties.iter().find(|(name, _)| **name == **step)?;
        let member: Vec<_> = member.iter().map(|schema| (*schema).into()).collect();
        flat = schemas.flat(&member);
    }
    Some(flat)
}

/// Whether the description knows a part of this name, or the call sends one.
fn is_known((operations, action): (&Operations, &RestAction), parts: &[Part], name: &str) -> bool {
    let is_asked = |name: &str| action.undocumented.iter().any(|it| plain(&it.name) == name);
    if name.contains('.') {
        let steps: Vec<&str> = name.split('.').collect();
        return is_asked(&plain(name))
            || sent(operations, action, &steps).is_some()
            || described(operations, action.template, &steps).next().is_some();
    }
    let name = plain(name);
    let body = sent(operations, action, &[]);
    let members = body.iter().filter_map(Value::as_object).flat_map(|members| members.keys());
    let mut members = members.map(|member| plain(member));
    let mut parameters = operations.get(action.template).parameters.iter();
    parts.iter().any(|part| plain(&part.name) == name)
        || parameters.any(|parameter| plain(&parameter.name) == name)
        || members.any(|member| member == name)
        || is_asked(&name)
}

/// Where what is missing is looked for: where the refusal says, else in the body of what takes one.
fn place_of(operations: &Operations, id: TemplateId, said: &Said) -> UndocumentedPlace {
    let told = |word: &str| said.around.iter().any(|name| plain(name) == word);
    let is_body = told("body") || !operations.get(id).method.is_safe();
    match () {
        () if told("query") || said.text.contains("query parameter") => UndocumentedPlace::Query,
        () if told("header") || said.text.contains(" header") => UndocumentedPlace::Header,
        () if is_body => UndocumentedPlace::Body,
        () => UndocumentedPlace::Query,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_genes::{Gene, StringGene};

    use super::*;
    use crate::rest::action::Undocumented;
    use crate::rest::problem::support::{named, problem};

    #[test]
    fn a_call_without_a_body_gets_the_type_that_it_is_refused_for() {
        let problem = problem(ACCOUNTS, 0);
        let mut memory = RestMemory::default();
        for name in ["POST:/free", "POST:/free", "POST:/accounts"] {
            learn_type(problem.operations(), named(&problem, name), &mut memory);
        }
        let asked = |name: &str| memory.readings.get(&named(&problem, name)).map_or(0, Vec::len);
        assert_eq!((asked("POST:/free"), asked("POST:/accounts")), (1, 0));
    }

    const ACCOUNTS: &str = "{/accounts: {post: {requestBody: {content: {application/json: {schema: \
        {type: object, properties: {data: {type: object}, name: {type: string}}}}}}}}, \
        /free: {post: {}}}";

    /// What calls of an operation send besides what is described, after these refusals of such calls.
    fn sent_after(name: &str, refusals: &[&str]) -> Value {
        let problem = problem(ACCOUNTS, 0);
        let (operations, id) = (problem.operations(), named(&problem, name));
        let mut memory = RestMemory::default();
        let mut action = RestAction::new(id, Gene::Constant);
        for refusal in refusals {
            let refusal = Refusal::read(refusal);
            learn((operations, &action), &[], Some(&refusal), &mut memory);
            let asked = memory.readings.get(&id).into_iter().flatten();
            let member = |reading: &Reading| Undocumented {
                place: UndocumentedPlace::Body,
                name: reading.name.clone(),
                value: StringGene::plain("7"),
            };
            action.undocumented = asked.map(member).collect();
        }
        let body = problem.templates().request(&action, "").body;
        serde_json::from_slice(&body).unwrap_or_default()
    }

    #[test]
    fn what_is_missing_in_a_thing_is_put_into_it() {
        let misses = r#"{"message":"data.id in body: Accounts must have an ID.","details":[
            {"location":"body","name":"data.id","description":"Accounts must have an ID."}]}"#;
        let inside = json!({"data": {"id": 7}});
        assert_eq!(sent_after("POST:/accounts", &[misses]), inside);
        // Where nothing is described, the refusal alone tells.
        assert_eq!(sent_after("POST:/free", &[r#"{"message":"'data.id' is required"}"#]), inside);
        // `Cat` is a type, and no member.
        let of_a_type = r#"{"detail":[{"loc":["body","Cat","policy"],"msg":"Field required"}]}"#;
        assert_eq!(sent_after("POST:/accounts", &[of_a_type]), json!({"policy": 7}));
    }

    #[test]
    fn what_nobody_knows_is_not_sent_again() {
        let misses = r#"{"message":"'policy' is required"}"#;
        let unknown = r#"{"message":"Unrecognized keys in mapping: 'policy'"}"#;
        let after = |refusals: &[&str]| sent_after("POST:/accounts", refusals);
        assert_eq!(after(&[misses]), json!({"policy": 7}));
        assert_eq!(after(&[misses, unknown]), Value::Null);
        assert_eq!(after(&[misses, unknown, misses]), Value::Null);
    }
}
