//! Names of tests: what is done, and what comes of it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::expectation::{Expectation, JsonKind, Shape};
use crate::test_case::{Fault, Step};

/// The longest name, in bytes.
pub const LONGEST_NAME: usize = 100;

/// The longest text that a name quotes, in bytes.
const LONGEST_QUOTE: usize = 24;

/// Operations that a name lists before it only counts them.
const OPERATIONS_LISTED: usize = 3;

/// Gives every test of a suite a name of its own.
///
/// # Example
/// ```
/// use serde_json::json;
/// use wallace_suite::{Expectation, Request, Step, TestNamer};
///
/// let step = Step {
///     operation: "Query.triangleClassification".to_owned(),
///     request: Request::graphql("/graphql", "{ triangleClassification(a: 1, b: 1, c: 1) }"),
///     captures: Vec::new(),
///     expectations: vec![
///         Expectation::Status(200),
///         Expectation::json_equals("/data", &json!({ "triangleClassification": 3 })),
///     ],
/// };
/// let mut namer = TestNamer::default();
/// assert_eq!(namer.name(&[step.clone()], &[]), "triangle_classification_returns_3");
/// assert_eq!(namer.name(&[step], &[]), "triangle_classification_returns_3_2");
/// ```
#[derive(Debug, Clone, Default)]
pub struct TestNamer {
    used: BTreeSet<String>,
}

impl TestNamer {
    /// The name of a test with these steps that shows these faults: `snake_case` in ASCII,
    /// at most [`LONGEST_NAME`] bytes, not given before by this namer.
    pub fn name(&mut self, steps: &[Step], faults: &[Fault]) -> String {
        let outcome = match faults {
            [] => steps.last().map(outcome).unwrap_or_default(),
            _ => fault_outcome(faults),
        };
        let mut number = 1;
        loop {
            let suffix = if number == 1 { String::new() } else { format!("_{number}") };
            let name = shortened(&operations(steps), &format!("{outcome}{suffix}"));
            if self.used.insert(name.clone()) {
                return name;
            }
            number += 1;
        }
    }
}

/// What is done, as long as there is room, and then what comes of it.
fn shortened(operations: &str, outcome: &str) -> String {
    let room = LONGEST_NAME.saturating_sub(outcome.len() + 1);
    let mut kept = operations;
    while kept.len() > room {
        // Whole words go first; a word longer than the room is cut.
        kept = kept.rsplit_once('_').map_or(&kept[..room.min(kept.len())], |(head, _)| head);
    }
    match (kept.trim_matches('_'), outcome.trim_matches('_')) {
        ("", "") => "test".to_owned(),
        ("", outcome) => format!("test_{outcome}"),
        (kept, "") => kept.to_owned(),
        (kept, outcome) => format!("{kept}_{outcome}"),
    }
}

/// The operations in order, equal neighbours counted.
fn operations(steps: &[Step]) -> String {
    let mut runs: Vec<(String, usize)> = Vec::new();
    for step in steps {
        let phrase = operation_phrase(&step.operation);
        match runs.last_mut() {
            Some((last, count)) if *last == phrase => *count += 1,
            _ => runs.push((phrase, 1)),
        }
    }
    let mut phrases: Vec<String> = runs.iter().map(repeated).collect();
    if phrases.len() > OPERATIONS_LISTED {
        let between = phrases.len() - 2;
        phrases.drain(1..=between);
        phrases[0] += &format!("_and_{between}_more");
    }
    let name = phrases.join("_then_");
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("test_{name}")
    } else {
        name
    }
}

fn repeated((phrase, count): &(String, usize)) -> String {
    match count {
        1 => phrase.clone(),
        2 => format!("{phrase}_twice"),
        _ => format!("{phrase}_{count}_times"),
    }
}

/// `Query.bookById` is "book_by_id", `Query.books.list` is "books_list"; `GET:/books/{id}` is "get_books_by_id".
fn operation_phrase(operation: &str) -> String {
    let words = match operation.split_once(":/") {
        Some((verb, path)) => format!("{} {}", verb.to_lowercase(), path.replace('{', " by ")),
        None => operation.split_once('.').map_or(operation, |(_, name)| name).to_owned(),
    };
    match snake_case(&words) {
        empty if empty.is_empty() => "operation".to_owned(),
        phrase => phrase,
    }
}

/// Lower-case ASCII words with underscores between them; anything else separates words.
pub(crate) fn snake_case(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut snake = String::with_capacity(text.len());
    for (index, &character) in characters.iter().enumerate() {
        if !character.is_ascii_alphanumeric() {
            snake.push('_');
            continue;
        }
        let before = index.checked_sub(1).map(|before| characters[before]);
        let next_is_lower = characters.get(index + 1).is_some_and(char::is_ascii_lowercase);
        let starts_word = character.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase() && next_is_lower)
            });
        if starts_word {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    let words: Vec<&str> = snake.split('_').filter(|word| !word.is_empty()).collect();
    words.join("_")
}

/// A name in `snake_case` that is not taken yet.
pub(crate) fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut base = snake_case(name);
    if base.is_empty() || base.starts_with(|first: char| first.is_ascii_digit()) {
        base = format!("value_{base}").trim_end_matches('_').to_owned();
    }
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    let mut candidates = std::iter::once(base.clone()).chain(numbered);
    candidates.find(|candidate| !is_taken(candidate)).unwrap_or(base)
}

/// `author_id` as `authorId`.
pub(crate) fn camel_case(snake: &str) -> String {
    let mut camel = String::with_capacity(snake.len());
    for (index, word) in snake.split('_').filter(|word| !word.is_empty()).enumerate() {
        let mut characters = word.chars();
        match characters.next() {
            Some(first) if index > 0 => camel.push(first.to_ascii_uppercase()),
            first => camel.extend(first),
        }
        camel.push_str(characters.as_str());
    }
    camel
}

/// The class of the tests of a file: `faults_2` as `Faults2Test`.
pub(crate) fn test_class(stem: &str) -> String {
    let camel = camel_case(stem);
    let mut characters = camel.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect::<String>() + "Test"
}

fn fault_outcome(faults: &[Fault]) -> String {
    let codes: BTreeSet<u16> = faults.iter().map(|fault| fault.code).collect();
    let plural = if codes.len() > 1 { "s" } else { "" };
    let codes: Vec<String> = codes.iter().map(u16::to_string).collect();
    format!("shows_fault{plural}_{}", codes.join("_"))
}

fn outcome(step: &Step) -> String {
    let status = step.status().unwrap_or(200);
    let has_errors =
        step.expectations.iter().any(|expectation| matches!(expectation, Expectation::Errors(_)));
    let data = step.expectations.iter().find_map(|expectation| match expectation {
        Expectation::Json { pointer, shape } if pointer == "/data" => Some(shape),
        _ => None,
    });
    match (has_errors, data) {
        _ if status >= 500 => format!("answers_{status}"),
        (true, Some(shape)) if has_value(shape) => "returns_data_and_errors".to_owned(),
        (true, _) => "returns_an_error".to_owned(),
        (false, Some(shape)) => format!("returns_{}", result(shape)),
        (false, None) => format!("answers_{status}"),
    }
}

/// Whether there is anything but null in the data.
fn has_value(shape: &Shape) -> bool {
    match shape {
        Shape::Exactly(value) => !value.is_null(),
        Shape::Object(fields) => fields.values().any(has_value),
        Shape::Nullable(_) => false,
        Shape::Anything
        | Shape::Kind(_)
        | Shape::Captured(_)
        | Shape::List { .. }
        | Shape::NonNull
        | Shape::Each(_)
        | Shape::OneOf(_)
        | Shape::Including(_)
        | Shape::ByType { .. } => true,
    }
}

/// What the only field of the data holds.
fn result(data: &Shape) -> String {
    match data {
        Shape::Object(fields) if fields.len() == 1 => {
            fields.values().next().map_or_else(String::new, value_phrase)
        }
        _ => "data".to_owned(),
    }
}

fn value_phrase(shape: &Shape) -> String {
    match shape {
        Shape::Exactly(value) => scalar_phrase(value),
        Shape::Captured(variable) => snake_case(variable),
        Shape::Kind(JsonKind::Number | JsonKind::Integer) => "a_number".to_owned(),
        Shape::Kind(JsonKind::String) => "a_text".to_owned(),
        Shape::Kind(JsonKind::List) | Shape::Each(_) => "a_list".to_owned(),
        Shape::List { length: 0, .. } => "no_items".to_owned(),
        Shape::List { length: 1, .. } => "one_item".to_owned(),
        Shape::List { length, .. } => format!("{length}_items"),
        Shape::Anything
        | Shape::Object(_)
        | Shape::Kind(JsonKind::Boolean | JsonKind::Object)
        | Shape::NonNull
        | Shape::Nullable(_)
        | Shape::OneOf(_)
        | Shape::Including(_)
        | Shape::ByType { .. } => "data".to_owned(),
    }
}

fn scalar_phrase(value: &Value) -> String {
    let (text, otherwise) = match value {
        Value::Number(number) => (number.to_string().replace('-', "minus "), "a_number"),
        Value::String(text) if text.is_empty() => return "an_empty_text".to_owned(),
        Value::String(text) => (text.clone(), "a_text"),
        other => (other.to_string(), "data"),
    };
    let is_plain = text.len() <= LONGEST_QUOTE
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || " ._-".contains(character));
    match snake_case(&text) {
        phrase if is_plain && !phrase.is_empty() => phrase,
        _ => otherwise.to_owned(),
    }
}

/// How many there are of something with a regular plural: "1 fault", "2 faults".
///
/// # Examples
/// ```
/// assert_eq!(wallace_suite::report::counted(1, "branch side"), "1 branch side");
/// assert_eq!(wallace_suite::report::counted(0, "fault"), "0 faults");
/// ```
#[must_use]
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests;
