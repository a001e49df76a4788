//! What the compiler says, as Cargo wants it: one JSON value per line.

use serde_json::{Value, json};

/// A line of a source file: the file as the compiler names it, and the number from 1.
pub(super) type Place = (String, usize);

/// The places that errors are about, those of the macros around them included.
pub(super) fn places_of_errors(messages: &[u8]) -> Vec<Place> {
    let lines = messages.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let mut places = Vec::new();
    for message in messages.filter(|message| message["level"] == "error") {
        let spans = message["spans"].as_array().into_iter().flatten();
        for span in spans.filter(|span| span["is_primary"] == true) {
            add(span, &mut places);
        }
    }
    places
}

fn add(span: &Value, places: &mut Vec<Place>) {
    let line = span["line_start"].as_u64().and_then(|line| usize::try_from(line).ok());
    if let (Some(file), Some(line)) = (span["file_name"].as_str(), line) {
        places.push((file.to_owned(), line));
    }
    if span["expansion"].is_object() {
        add(&span["expansion"]["span"], places);
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
            "{{\"level\":\"warning\",\"spans\":[{inner}]}}\nnoise\n{{\"level\":\"error\",\"spans\":[{inner}]}}\n"
        );
        let expected = [("src/m.rs".to_owned(), 3), ("src/a.rs".to_owned(), 7)];
        assert_eq!(places_of_errors(text.as_bytes()), expected);
        assert_eq!(places_of_errors(warning("a", true).as_bytes()), []);
    }
}
