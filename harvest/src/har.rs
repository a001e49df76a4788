//! HTTP archives (HAR 1.2), as browsers and proxies save them.

use std::sync::Arc;

use serde_json::Value;

use crate::logged::{LoggedOperation, Origin, Reading, RecordedAnswer};
use crate::ndjson;

pub(crate) fn is_har(json: &Value) -> bool {
    json.pointer("/log/entries").is_some_and(Value::is_array)
}

/// One operation for each request that carries one; requests of other kinds are passed over.
pub(crate) fn read(name: &str, json: &Value) -> Reading {
    let (mut reading, file): (_, Arc<str>) = (Reading::default(), name.into());
    let entries = json.pointer("/log/entries").and_then(Value::as_array);
    for (index, entry) in entries.into_iter().flatten().enumerate() {
        let origin = Origin { file: Arc::clone(&file), line: index + 1 };
        let body = entry.pointer("/request/postData/text").and_then(Value::as_str);
        let url = entry.pointer("/request/url").and_then(Value::as_str).unwrap_or_default();
        let found = match body {
            Some(body) => requests(body, &origin),
            None => ndjson::from_url(url, &origin).into_iter().collect(),
        };
        if found.is_empty() && body.is_some_and(|body| body.contains("\"query\"")) {
            reading.reject(origin, "a request body that is no GraphQL request");
            continue;
        }
        let is_single = found.len() == 1;
        for mut operation in found {
            operation.consumer = consumer(entry).unwrap_or(operation.consumer);
            operation.answer = if is_single { answer(entry) } else { None };
            reading.operations.push(operation);
        }
    }
    reading
}

/// The operations of a body: one, or a list of them.
fn requests(body: &str, origin: &Origin) -> Vec<LoggedOperation> {
    let Ok(json) = serde_json::from_str::<Value>(body) else { return Vec::new() };
    let entries = json.as_array().map_or(std::slice::from_ref(&json), Vec::as_slice);
    entries.iter().filter_map(|entry| ndjson::entry(entry, origin)).collect()
}

fn consumer(entry: &Value) -> Option<String> {
    let headers = entry.pointer("/request/headers")?.as_array()?;
    let header = |wanted: &str| {
        let named = |header: &&Value| {
            header["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case(wanted))
        };
        headers.iter().find(named)?["value"].as_str().map(str::to_owned)
    };
    header("apollographql-client-name").or_else(|| header("user-agent"))
}

fn answer(entry: &Value) -> Option<RecordedAnswer> {
    let content = entry.pointer("/response/content")?;
    // Texts in another encoding are no JSON and are left out.
    let body: Value = serde_json::from_str(content["text"].as_str()?).ok()?;
    let status = entry.pointer("/response/status")?.as_u64()?;
    let is_answer = body.get("data").is_some() || body.get("errors").is_some();
    is_answer.then_some(RecordedAnswer { status: u16::try_from(status).ok()?, body })
}
