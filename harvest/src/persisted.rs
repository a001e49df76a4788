//! Maps of persisted queries: from identifier to text, from text to identifier, or a manifest with
//! a list of operations.

use std::sync::Arc;

use serde_json::Value;

use crate::logged::{LoggedOperation, Origin, Reading};

/// Whether a text may be a document, and is not JSON.
fn is_text(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('{').map(str::trim_start);
    text.contains('{') && text.contains('}') && !inside.is_some_and(|it| it.starts_with('"'))
}

/// Whether every entry of the object is a text or leads to one.
pub(crate) fn is_map(json: &Value) -> bool {
    let Some(object) = json.as_object() else { return false };
    if object.get("operations").is_some_and(Value::is_array) {
        return true;
    }
    let is_entry = |(key, value): (&String, &Value)| {
        is_text(key) || value.as_str().is_some_and(is_text) || body(value).is_some()
    };
    !object.is_empty() && !object.contains_key("query") && object.iter().all(is_entry)
}

fn body(value: &Value) -> Option<&str> {
    let texts = ["body", "text", "document"];
    texts.iter().find_map(|key| value.get(*key)?.as_str()).filter(|text| is_text(text))
}

pub(crate) fn read(name: &str, json: &Value) -> Reading {
    let mut reading = Reading::default();
    let file: Arc<str> = name.into();
    let listed = json.get("operations").and_then(Value::as_array);
    let listed = listed.into_iter().flatten().map(|entry| (body(entry), entry["name"].as_str()));
    let mapped = json.as_object().filter(|object| !object.contains_key("operations"));
    let mapped = mapped.into_iter().flatten().map(|(key, value)| {
        let text = value.as_str().filter(|text| is_text(text)).or_else(|| body(value));
        (text.or_else(|| is_text(key).then_some(key.as_str())), None)
    });
    for (index, (text, operation_name)) in listed.chain(mapped).enumerate() {
        let origin = Origin { file: Arc::clone(&file), line: index + 1 };
        let Some(text) = text else {
            reading.reject(origin, "an entry without the text of a query");
            continue;
        };
        reading.operations.push(LoggedOperation {
            document: text.into(),
            operation_name: operation_name.map(str::to_owned),
            variables: None,
            consumer: name.to_owned(),
            times: 1,
            answer: None,
            origin,
        });
    }
    reading
}
