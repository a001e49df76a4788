//! Logs with one entry a line: JSON lines, lines with JSON somewhere in them, and access logs of
//! GET requests.
//!
//! Loggers nest requests in many ways, so the first object that holds a document counts, up to
//! four levels down and through texts that hold JSON themselves.

use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Map, Value};

use crate::logged::{LoggedOperation, Origin, Reading, RecordedAnswer};

/// Lines that are read in one piece of work.
const LINES: usize = 1_000;
/// Levels of objects searched for a document.
const DEPTH: usize = 4;
const DOCUMENT: [&str; 4] = ["query", "document", "queryText", "source"];
const NAME: [&str; 3] = ["operationName", "operation_name", "operation"];
const CONSUMER: [&str; 6] =
    ["clientName", "client_name", "client", "consumer", "userAgent", "user_agent"];
const TIMES: [&str; 3] = ["times_called", "count", "times"];
const ANSWER: [&str; 4] = ["response", "answer", "result", "responseBody"];

pub(crate) fn read(name: &str, text: &str) -> Reading {
    let (lines, file): (Vec<&str>, Arc<str>) = (text.lines().collect(), name.into());
    let read = |(number, lines): (usize, &[&str])| {
        let mut reading = Reading::default();
        for (index, line) in lines.iter().enumerate() {
            let line_number = number * LINES + index + 1;
            let origin = Origin { file: Arc::clone(&file), line: line_number };
            if !line.trim().is_empty() {
                read_line(line, origin, &mut reading);
            }
        }
        reading
    };
    let parts: Vec<Reading> = lines.par_chunks(LINES).enumerate().map(read).collect();
    let mut reading = Reading::default();
    parts.into_iter().for_each(|part| reading.extend(part));
    reading
}

fn read_line(line: &str, origin: Origin, reading: &mut Reading) {
    if let Some(json) = json_in(line) {
        let before = reading.operations.len();
        for entry in json.as_array().map_or(std::slice::from_ref(&json), Vec::as_slice) {
            reading.operations.extend(operation(entry, &Outer::default(), &origin, DEPTH));
        }
        // A line of something else than a request is no mistake; one that looks like one is.
        if reading.operations.len() == before && line.contains("query") {
            reading.reject(origin, "JSON without the text of a query");
        }
    } else if let Some(target) = line.split(['"', ' ', '\'']).find(|part| part.contains("query=")) {
        match from_url(target, &origin) {
            Some(operation) => reading.operations.push(operation),
            None => reading.reject(origin, "a request whose query cannot be decoded"),
        }
    } else if line.contains('{') {
        reading.reject(origin, "not JSON, or cut off");
    }
}

/// The JSON of a line: the line itself, or what begins at its first bracket.
fn json_in(line: &str) -> Option<Value> {
    let mut rest = line;
    loop {
        let start = rest.find('{')?;
        let start = if start > 0 && rest[..start].ends_with('[') { start - 1 } else { start };
        let mut values = serde_json::Deserializer::from_str(&rest[start..]).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            return Some(value);
        }
        let next = rest[start..].char_indices().nth(1)?.0 + start;
        let next = rest[next..].find('{')? + next;
        rest = &rest[next..];
    }
}

/// What is said around the object that holds the document.
#[derive(Debug, Clone, Default)]
struct Outer {
    consumer: Option<String>,
    times: Option<u64>,
    answer: Option<RecordedAnswer>,
}

/// The operation that an entry of a log holds.
pub(crate) fn entry(json: &Value, origin: &Origin) -> Option<LoggedOperation> {
    operation(json, &Outer::default(), origin, DEPTH)
}

fn operation(
    json: &Value,
    outer: &Outer,
    origin: &Origin,
    depth: usize,
) -> Option<LoggedOperation> {
    if let Value::String(text) = json {
        let inner = text.trim_start();
        let inner = inner.starts_with('{').then(|| serde_json::from_str::<Value>(inner).ok())??;
        return operation(&inner, outer, origin, depth.checked_sub(1)?);
    }
    let object = json.as_object()?;
    let outer = outer.with(object);
    if let Some(document) = text_of(object, &DOCUMENT).filter(|text| text.contains('{')) {
        return Some(LoggedOperation {
            document: document.into(),
            operation_name: text_of(object, &NAME).filter(|it| is_name(it)).map(str::to_owned),
            variables: variables(object.get("variables")),
            consumer: outer.consumer.unwrap_or_else(|| origin.file.to_string()),
            times: outer.times.unwrap_or(1),
            answer: outer.answer,
            origin: origin.clone(),
        });
    }
    let depth = depth.checked_sub(1)?;
    object.values().find_map(|inner| operation(inner, &outer, origin, depth))
}

impl Outer {
    fn with(&self, object: &Map<String, Value>) -> Self {
        let times = TIMES.iter().find_map(|key| object.get(*key)?.as_u64());
        let answer = ANSWER.iter().find_map(|key| answer(object.get(*key)?, object));
        Self {
            consumer: text_of(object, &CONSUMER).map(str::to_owned).or(self.consumer.clone()),
            times: times.or(self.times),
            answer: answer.or(self.answer.clone()),
        }
    }
}

/// An answer: an object with `data` or `errors`, or one that holds it as its body.
fn answer(json: &Value, around: &Map<String, Value>) -> Option<RecordedAnswer> {
    let parsed = json.as_str().and_then(|text| serde_json::from_str(text).ok());
    let json = parsed.as_ref().unwrap_or(json);
    let status = |object: &Map<String, Value>| {
        object.get("status")?.as_u64().and_then(|status| u16::try_from(status).ok())
    };
    let object = json.as_object()?;
    if object.contains_key("data") || object.contains_key("errors") {
        return Some(RecordedAnswer { status: status(around).unwrap_or(200), body: json.clone() });
    }
    answer(object.get("body")?, object)
}

fn variables(json: Option<&Value>) -> Option<Value> {
    match json? {
        Value::String(text) => serde_json::from_str(text).ok().filter(Value::is_object),
        Value::Null => Some(Value::Object(Map::new())),
        json => json.is_object().then(|| json.clone()),
    }
}

fn text_of<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| object.get(*key)?.as_str())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// The operation of a GET request.
pub(crate) fn from_url(url: &str, origin: &Origin) -> Option<LoggedOperation> {
    let (_, parameters) = url.split_once('?')?;
    let parameter = |name: &str| {
        let pairs = parameters.split('&').filter_map(|pair| pair.split_once('='));
        let mut values = pairs.filter(|(key, _)| *key == name);
        values.next().and_then(|(_, value)| percent_decoded(value))
    };
    let document = parameter("query").filter(|text| text.contains('{'))?;
    Some(LoggedOperation {
        document: document.into(),
        operation_name: parameter("operationName").filter(|name| is_name(name)),
        variables: parameter("variables").and_then(|text| serde_json::from_str(&text).ok()),
        consumer: origin.file.to_string(),
        times: 1,
        answer: None,
        origin: origin.clone(),
    })
}

fn percent_decoded(text: &str) -> Option<String> {
    let text = text.replace('+', " ");
    Some(percent_encoding::percent_decode_str(&text).decode_utf8().ok()?.into_owned())
}
