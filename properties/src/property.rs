//! The properties that every answer must have.

use serde_json::Value;
use wallace_problems::Fault;
use wallace_problems::graphql::{
    FieldId, Literal, OperationKind, Schema, Selection, TypeKind, contradiction,
};

use crate::answer::Answer;

/// Code of answers whose data do not conform to the schema, and of broken relations.
const SCHEMA_FAULT: u16 = 101;

/// A property that an answer does not have: the name of the oracle, and the fault.
pub(crate) type Broken = (String, Fault);

fn broken(oracle: &str, code: u16, context: impl Into<String>) -> Broken {
    (oracle.to_owned(), Fault { code, context: context.into() })
}

/// What the paper's properties say: A, the status is 200; B, the data conform to the schema; C,
/// there are no errors. All that are broken, in this order.
pub(crate) fn paper(schema: &Schema, selections: &[Selection], answer: &Answer) -> Vec<Broken> {
    let mut found = Vec::new();
    match answer.outcome.status() {
        Some(200) => {}
        Some(status) => found.push(broken("A (status)", 100, format!("status {status}"))),
        None => found.push(broken("A (status)", 100, "no answer")),
    }
    match answer.data() {
        Some(Value::Null) | None if !found.is_empty() || !answer.errors().is_empty() => {}
        Some(data) if !data.is_null() => {
            if let Some(context) = contradiction(schema, selections, data) {
                found.push(broken("B (schema)", SCHEMA_FAULT, context));
            }
        }
        _ => found.push(broken("B (schema)", SCHEMA_FAULT, "neither data nor errors")),
    }
    if let Some(error) = answer.errors().first() {
        found.push(broken("C (errors)", 101, reason(schema, selections, error)));
    }
    found
}

/// The field that an error names, and its message without what differs from call to call.
fn reason(schema: &Schema, selections: &[Selection], error: &Value) -> String {
    let path = error["path"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    let (mut parts, mut last) = (selections, None);
    for key in path.iter().filter_map(Value::as_str) {
        let Some(part) = parts.iter().find(|part| part.key() == key) else { break };
        parts = &part.selections;
        last = part.id();
    }
    let place = last.map_or_else(String::new, |field| schema.coordinate(field));
    let message = error["message"].as_str().unwrap_or_default();
    let plain: String =
        message.chars().take(80).filter(|it| !it.is_ascii_digit() && *it != '"').collect();
    format!("{place}: {plain}")
}

/// Fields of the root that return the object whose identifier they are given.
pub(crate) fn lookups(schema: &Schema) -> Vec<(FieldId, usize)> {
    let root = schema.root(OperationKind::Query).expect("every schema has a query type");
    let mut lookups = Vec::new();
    for id in schema.fields(root) {
        let field = schema.field(id);
        let returned = schema.definition(field.type_ref.named());
        let is_list = field.is_list();
        let is_object = matches!(returned.kind, TypeKind::Object { .. });
        let has_id = returned.fields().iter().any(|it| &*it.name == "id");
        let argument = field.arguments.iter().position(|it| &*it.name == "id");
        let others = field.arguments.iter().filter(|it| it.is_required() && &*it.name != "id");
        if let (Some(argument), true, 0) =
            (argument, is_object && has_id && !is_list, others.count())
        {
            lookups.push((id, argument));
        }
    }
    lookups
}

/// Echo: what is looked up by its identifier has that identifier, and is there when the identifier
/// was seen in an answer.
pub(crate) fn echo(
    schema: &Schema,
    selections: &[Selection],
    answer: &Answer,
    is_known: &dyn Fn(FieldId, &str) -> bool,
) -> Vec<Broken> {
    let mut found = Vec::new();
    let Some(data) = answer.data().filter(|data| !data.is_null()) else { return found };
    let lookups = lookups(schema);
    for part in selections {
        let is_lookup = |field: &FieldId| lookups.iter().any(|(known, _)| known == field);
        let Some(field) = part.id().filter(is_lookup) else { continue };
        let arguments = part.as_field().into_iter().flat_map(|field| &field.arguments);
        let given = arguments.into_iter().find_map(|(name, value)| match value {
            Literal::Text(text) if &**name == "id" => Some(&**text),
            _ => None,
        });
        let Some(given) = given else { continue };
        let place = schema.coordinate(field);
        match &data[part.key()] {
            Value::Null if is_known(field, given) && answer.errors().is_empty() => {
                let context = format!("{place}: nothing for an identifier that another answer has");
                found.push(broken("echo", SCHEMA_FAULT, context));
            }
            Value::Object(object) => {
                let has_id = part.selections.iter().any(|child| child.key() == "id");
                if has_id && object.get("id").and_then(Value::as_str).is_some_and(|id| id != given)
                {
                    let context = format!("{place}: another identifier than the one asked for");
                    found.push(broken("echo", SCHEMA_FAULT, context));
                }
            }
            _ => {}
        }
    }
    found
}

/// Comparison with an answer that was recorded before.
pub(crate) fn compare(recorded: &Value, answer: &Answer) -> Option<Broken> {
    let (before, after) = (recorded.get("data")?, answer.data()?);
    let place = difference(before, after, "")?;
    Some(broken("recorded answer", SCHEMA_FAULT, format!("{place}: not as recorded")))
}

/// The first place where two values differ, list positions left out.
fn difference(before: &Value, after: &Value, place: &str) -> Option<String> {
    match (before, after) {
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            one.iter().find_map(|(key, value)| {
                let place = format!("{place}/{key}");
                difference(value, other.get(key).unwrap_or(&Value::Null), &place)
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).find_map(|(one, other)| difference(one, other, place))
        }
        _ => (before != after).then(|| place.to_owned()),
    }
}
