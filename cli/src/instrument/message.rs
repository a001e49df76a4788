//! What the compiler says, as Cargo wants it: one JSON value per line.

use serde_json::{Value, json};

/// What an error is about: the file as the compiler names it, the number of the line from 1, and
/// what is wrong there.
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) reason: String,
    pub(super) cause: Cause,
}

/// Why what was rewritten does not compile, as far as that decides what is done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// A field of a packed struct is borrowed.
    Packed,
    /// What is looked at has no distance.
    Unobservable,
    /// Attributes make the function constant.
    Constant,
    /// Anything else.
    Other,
}

impl Cause {
    fn of(code: &Value, reason: &str) -> Self {
        if code == PACKED {
            Self::Packed
        } else if code == NOT_CONSTANT.0 && reason.ends_with(NOT_CONSTANT.1) {
            Self::Constant
        } else if reason.ends_with(UNOBSERVABLE) {
            Self::Unobservable
        } else {
            Self::Other
        }
    }
}

/// What the compiler calls a reference to a field of a packed struct.
const PACKED: &str = "E0793";

/// What the compiler says of a value whose type has no distance, where it learns that type only later.
const UNOBSERVABLE: &str = ": Observable` is not satisfied";

/// What the compiler calls a call of what is not constant, and how it ends where a function is.
const NOT_CONSTANT: (&str, &str) = ("E0015", "in constant functions");

/// The places that each error is about: its own first, then those of the macros around it.
pub(super) fn places_of_errors(messages: &[u8]) -> Vec<Vec<Place>> {
    let lines = messages.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut errors = Vec::new();
    for message in messages.filter(|message| message["level"] == "error") {
        let spans = message["spans"].as_array().into_iter().flatten();
        for span in spans.filter(|span| span["is_primary"] == true) {
            let mut places = Vec::new();
            add(span, &message, &mut places);
            errors.push(places);
        }
    }
    errors
}

fn add(span: &Value, message: &Value, places: &mut Vec<Place>) {
    let line = span["line_start"].as_u64().and_then(|line| usize::try_from(line).ok());
    if let (Some(file), Some(line)) = (span["file_name"].as_str(), line) {
        let reason = message["message"].as_str().unwrap_or_default().to_owned();
        let cause = Cause::of(&message["code"]["code"], &reason);
        places.push(Place { file: file.to_owned(), line, reason, cause });
    }
    if span["expansion"].is_object() {
        add(&span["expansion"]["span"], message, places);
    }
}

/// A warning as the compiler would write it.
pub(super) fn warning(text: &str, is_json: bool) -> String {
    let rendered = format!("warning: {text}\n\n");
    if !is_json {
        return rendered;
    }
    let message = json!({
        "$message_type": "diagnostic",
        "message": text,
        "code": null,
        "level": "warning",
        "spans": [],
        "children": [],
        "rendered": rendered,
    });
    format!("{message}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_found_behind_macros_and_warnings_are_not() {
        let inner = r#"{"file_name":"src/m.rs","line_start":3,"is_primary":true,"expansion":
            {"span":{"file_name":"src/a.rs","line_start":7,"is_primary":false,"expansion":null}}}"#;
        let inner = inner.replace('\n', " ");
        let text = format!(
            "{{\"level\":\"warning\",\"spans\":[{inner}]}}\nnoise\n\
             {{\"level\":\"error\",\"message\":\"no\",\"spans\":[{inner}]}}\n"
        );
        let places = places_of_errors(text.as_bytes());
        let found: Vec<_> =
            places.iter().flatten().map(|it| (&*it.file, it.line, &*it.reason)).collect();
        assert_eq!(found, [("src/m.rs", 3, "no"), ("src/a.rs", 7, "no")]);
        assert!(places_of_errors(warning("a", true).as_bytes()).is_empty());
    }
}
