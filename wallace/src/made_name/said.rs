//! What requests and answers say that may be a name, and whether a call took effect.

use http::header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_UNMODIFIED_SINCE};
use serde_json::Value;
use wallace_problems::{HttpOutcome, HttpProblem, HttpRequest};

/// What refusals say of a name that another has.
const TAKEN: [&str; 7] = [
    "already exist",
    "already in use",
    "already taken",
    "already been taken",
    "is taken",
    "duplicate",
    "be unique",
];
/// Parts of words by which a refusal may speak of what is there.
const OF_OTHERS: [&str; 8] =
    ["exist", "found", "taken", "use", "unique", "duplicate", "conflict", "already"];
/// Characters of the shortest hexadecimal name that chance drew.
const DRAWN: usize = 16;
/// Longest text that is taken for a name, in bytes.
const LONGEST_NAME: usize = 100;

/// The names among the segments of a path that a call chose itself.
pub(super) fn in_path<P: HttpProblem>(
    problem: &P,
    action: &P::Action,
    request: &HttpRequest,
) -> Vec<String> {
    let inputs = problem.inputs(action);
    let is_chosen = |segment: &String| {
        let mut inputs = inputs.iter();
        segment.chars().any(char::is_alphabetic) && inputs.any(|(_, value)| value == &**segment)
    };
    filled(request, problem.operation(action)).into_iter().filter(is_chosen).collect()
}

/// Whether an answer in the form of GraphQL tells of errors inside of what was done or found alone: the
/// call took effect.
pub(crate) fn failed_below(body: &str) -> bool {
    let paths = error_paths(body);
    !paths.is_empty() && paths.iter().all(|path| path.len() >= 2)
}

/// Whether the errors of an answer in the form of GraphQL are those of what was called, and not of the
/// document around it. Other answers have none.
pub(crate) fn is_of_call(body: &str) -> bool {
    error_paths(body).iter().all(|path| !path.is_empty())
}

/// Whether an answer in the form of GraphQL tells of an error in an element of a list.
pub(super) fn fails_in_list(body: &str) -> bool {
    error_paths(body).iter().flatten().any(Value::is_number)
}

/// Where the errors of an answer in the form of GraphQL stand.
pub(super) fn error_paths(body: &str) -> Vec<Vec<Value>> {
    if !body.contains("\"errors\"") {
        return Vec::new();
    }
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let errors = body["errors"].as_array().into_iter().flatten();
    errors.map(|error| error["path"].as_array().cloned().unwrap_or_default()).collect()
}

/// Whether an answer refuses what there may be once, since it is there: with 409, or in words.
pub(super) fn is_taken(outcome: &HttpOutcome) -> bool {
    let Ok(answer) = &outcome.response else { return false };
    let told = answer.body.to_ascii_lowercase();
    match answer.status {
        409 => true,
        400..500 => TAKEN.iter().any(|it| told.contains(it)),
        // GraphQL refuses with that status too.
        200 if told.contains("\"errors\"") => TAKEN.iter().any(|it| told.contains(it)),
        _ => false,
    }
}

/// Whether an answer refuses what was said as wrong in itself, and says nothing of what is there.
pub(super) fn is_wrong(outcome: &HttpOutcome) -> bool {
    let Ok(answer) = &outcome.response else { return false };
    let told = answer.body.to_ascii_lowercase();
    matches!(answer.status, 400 | 422)
        && !told.trim().is_empty()
        && !OF_OTHERS.iter().any(|word| told.contains(word))
}

/// Whether a request names a state of a thing by its tag or time, which a fresh start gives anew.
pub(super) fn names_state(request: &HttpRequest) -> bool {
    let conditions = [IF_MATCH, IF_NONE_MATCH, IF_MODIFIED_SINCE, IF_UNMODIFIED_SINCE];
    let mut values = conditions.iter().filter_map(|name| request.headers.get(name));
    values.any(|value| value != "*")
}

/// What may be a name in the address of a request of an operation: what stands in the placeholders of its
/// path, and values of its query that are no plain numbers, as limits are.
pub(super) fn in_address(request: &HttpRequest, operation: &str) -> Vec<String> {
    let query = request.path.query().unwrap_or_default().split('&');
    let query = query.filter_map(|pair| pair.split_once('=')).map(|(_, value)| value);
    let query = query.filter(|value| value.parse::<f64>().is_err()).map(decoded);
    filled(request, operation).into_iter().chain(query).collect()
}

/// What stands in the placeholders of the path of a request of an operation, in their order.
fn filled(request: &HttpRequest, operation: &str) -> Vec<String> {
    // What stands before the path of the operation is the same for all.
    let known = operation.split_once(":/").map_or("", |(_, path)| path).rsplit('/');
    let known = known.filter(|segment| !segment.is_empty());
    let mut sent: Vec<String> = segments(request).collect();
    sent.reverse();
    let filled = known.zip(sent).filter(|(segment, _)| segment.contains('{'));
    let mut filled: Vec<String> = filled.map(|(_, sent)| sent).collect();
    filled.reverse();
    filled
}

/// The segments of the path of a request.
pub(super) fn segments(request: &HttpRequest) -> impl Iterator<Item = String> {
    request.path.path().split('/').filter(|segment| !segment.is_empty()).map(decoded)
}

/// A part of an address without its percent encoding.
pub(super) fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// What may be a name in the body of a request: its texts.
pub(super) fn in_body(request: &HttpRequest) -> Vec<String> {
    let mut found = Vec::new();
    if let Ok(body) = serde_json::from_slice::<Value>(&request.body) {
        texts(&body, &mut found);
    }
    found
}

/// The texts of the body of a request that is no document, each with its member: that of the body, and the
/// one that holds it where it lies deeper.
pub(super) fn in_members(request: &HttpRequest) -> Vec<(String, String)> {
    fn collect(value: &Value, top: &str, last: &str, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(members) => members.iter().for_each(|(name, member)| {
                let top = if top.is_empty() { name } else { top };
                collect(member, top, name, found);
            }),
            Value::Array(elements) => {
                elements.iter().for_each(|element| collect(element, top, last, found));
            }
            Value::String(text) => found.push((format!("{top}/{last}"), text.clone())),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut found = Vec::new();
    match serde_json::from_slice::<Value>(&request.body) {
        Ok(body) if !body["query"].is_string() => collect(&body, "", "", &mut found),
        _ => {}
    }
    found
}

/// The texts that a document of GraphQL holds, and those of the body that it is sent in.
pub(super) fn in_document(request: &HttpRequest) -> Vec<String> {
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else { return Vec::new() };
    let mut found = Vec::new();
    texts(&body, &mut found);
    let mut rest = body["query"].as_str().unwrap_or_default();
    while let Some(start) = rest.find('"') {
        let literals = serde_json::Deserializer::from_str(&rest[start..]);
        let mut literals = literals.into_iter::<String>();
        let literal = literals.next().and_then(Result::ok);
        // What is no text of JSON, as one of several lines, is stepped over.
        rest = &rest[start + literals.byte_offset().max(1)..];
        found.extend(literal);
    }
    found
}

/// What the body of a request says that another thing is called: texts of members that end in "id".
pub(super) fn referred(request: &HttpRequest) -> Vec<String> {
    let text = |id: Value| id.as_str().map(str::to_owned);
    ids_in_body(request).into_iter().filter_map(text).collect()
}

/// The numbers by which the body of a request names things: those of members that end in "id".
pub(super) fn numbered(request: &HttpRequest) -> Vec<String> {
    let ids = ids_in_body(request).into_iter().filter(Value::is_number);
    ids.map(|id| id.to_string()).collect()
}

/// Texts and numbers of members that end in "id".
fn ids_in_body(request: &HttpRequest) -> Vec<Value> {
    fn collect(value: Value, found: &mut Vec<Value>) {
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    match member {
                        id @ (Value::String(_) | Value::Number(_)) => {
                            let is_id = name.to_ascii_lowercase().ends_with("id");
                            found.extend(is_id.then_some(id));
                        }
                        member => collect(member, found),
                    }
                }
            }
            Value::Array(elements) => {
                elements.into_iter().for_each(|element| collect(element, found));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = Vec::new();
    if let Ok(body) = serde_json::from_slice(&request.body) {
        collect(body, &mut found);
    }
    found
}

/// The names in an address, as far as it is one.
pub(super) fn in_link(text: &str) -> impl Iterator<Item = String> {
    let is_address = text.starts_with('/') || text.contains("://");
    text.split(['/', '?', '#']).filter(move |part| is_address && !part.is_empty()).map(decoded)
}

/// What an answer tells that may be a name: its texts, the parts of its addresses, and its numbers.
pub(super) fn told(body: &str) -> Vec<String> {
    told_by(serde_json::from_str(body).ok().as_ref(), body)
}

/// The same of a body that is read already; none where it is no JSON.
pub(super) fn told_by(value: Option<&Value>, body: &str) -> Vec<String> {
    fn scalars(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => {
                found.extend(in_link(text));
                found.push(text.clone());
            }
            Value::Number(number) => found.push(number.to_string()),
            Value::Array(elements) => elements.iter().for_each(|element| scalars(element, found)),
            Value::Object(members) => members.values().for_each(|member| scalars(member, found)),
            Value::Null | Value::Bool(_) => {}
        }
    }
    let mut found = Vec::new();
    match value {
        Some(value) => scalars(value, &mut found),
        // A name alone.
        None => found.push(body.trim().to_owned()),
    }
    found
}

/// Whether a text may name a thing: texts at the limits of what is taken are sent by many tests.
pub(super) fn may_name(text: &str) -> bool {
    let trimmed = text.trim();
    // To a service spaces are a name like any other.
    let mut letters = if trimmed.is_empty() { text.chars() } else { trimmed.chars() };
    let first = letters.next();
    first.is_some() && text.len() <= LONGEST_NAME && letters.any(|letter| Some(letter) != first)
        || text.len() == 1 && text.chars().all(char::is_alphanumeric)
}

/// Whether a name looks as if chance had drawn it: a service that is set up anew draws another.
pub(super) fn is_drawn(name: &str) -> bool {
    // `tool-45953b6e-9fdf-409b-b425-db247c4f8168`: the word says what it is.
    let rest = name
        .split_once(['-', '_', ':'])
        .filter(|(word, rest)| word.chars().all(|c| c.is_ascii_lowercase()) && rest.len() >= DRAWN);
    let name = rest.map_or(name, |(_, rest)| rest);
    let has = |is: fn(char) -> bool| name.chars().any(is);
    let are_all = |is: fn(char) -> bool| name.chars().all(is);
    let is_hexadecimal = are_all(|c| c.is_ascii_hexdigit() || c == '-') && name.len() >= DRAWN;
    let is_mixed = are_all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '='))
        && has(|c| c.is_ascii_uppercase())
        && has(|c| c.is_ascii_lowercase())
        && name.len() >= 10;
    let has_figures = has(|c| c.is_ascii_digit()) && has(char::is_alphabetic);
    has_figures && (is_hexadecimal || is_mixed)
}

/// The texts of a body; of a document also those that it quotes.
pub(super) fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if is_document(text) => {
            found.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
        }
        Value::String(text) => found.push(text.clone()),
        Value::Array(elements) => elements.iter().for_each(|element| texts(element, found)),
        Value::Object(members) => members.values().for_each(|member| texts(member, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a text is a document of GraphQL, or JSON within JSON, and not a name with a brace in it.
fn is_document(text: &str) -> bool {
    let starts = ["{", "query", "mutation", "subscription", "fragment", "#"];
    let start = text.trim_start();
    text.contains('{') && starts.iter().any(|it| start.starts_with(it))
}

#[cfg(test)]
mod tests;
