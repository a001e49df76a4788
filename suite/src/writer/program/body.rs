//! Bodies that are kept in files of their own, and bodies that only a text can hold.

use serde_json::Value;

use crate::request::JsonBody;
use crate::text::{CapturedForm, RequestText, TextPart};
use crate::writer::SuiteFile;

/// Longest body that stands between the statements of a test, in bytes.
pub(crate) const LONGEST_INLINE: usize = 2_000;

/// Folder of the bodies, beside the tests.
const FOLDER: &str = "data";

/// The files of one test, their paths relative to the folder of the tests.
#[derive(Debug)]
pub(crate) struct BodyFiles {
    test: String,
    files: Vec<SuiteFile>,
}

impl BodyFiles {
    /// No files yet, for the test of this name.
    pub(crate) fn new(test: &str) -> Self {
        Self { test: crate::name::free_name(test, |_| false), files: Vec::new() }
    }

    /// Whether a body is too long for the source.
    pub(crate) fn is_long(body: &str) -> bool {
        body.len() > LONGEST_INLINE
    }

    /// Puts a body into a file with this ending; gives its path.
    pub(crate) fn add(&mut self, body: String, ending: &str) -> String {
        let number = self.files.len() + 1;
        let path = format!("{FOLDER}/{}_{number}.{ending}", self.test);
        self.files.push(SuiteFile::new(path.clone(), body));
        path
    }

    pub(crate) fn into_files(self) -> Vec<SuiteFile> {
        self.files
    }
}

/// A JSON body as text with open places for what is captured.
pub(crate) fn as_text(body: &JsonBody) -> RequestText {
    let mut value = body.value.clone();
    let mut marks: Vec<(String, &String)> = Vec::new();
    let plain = value.to_string();
    for (pointer, variable) in &body.captured {
        let Some(part) = value.pointer_mut(pointer) else { continue };
        let mark = (0..)
            .map(|number| format!("captured {}-{number}", marks.len()))
            .find(|mark| !plain.contains(mark.as_str()))
            .expect("numbers do not end");
        *part = Value::String(mark.clone());
        marks.push((format!("\"{mark}\""), variable));
    }
    let text = value.to_string();
    let mut parts = Vec::new();
    let mut rest = text.as_str();
    let next = |rest: &str| {
        let found = marks.iter().filter_map(|mark| Some((rest.find(&mark.0)?, mark)));
        found
            .min_by_key(|(start, _)| *start)
            .map(|(start, mark)| (start, mark.0.len(), mark.1.clone()))
    };
    while let Some((start, length, variable)) = next(rest) {
        parts.push(TextPart::Literal(rest[..start].to_owned()));
        parts.push(TextPart::Captured { variable, form: CapturedForm::Json });
        rest = &rest[start + length..];
    }
    parts.push(TextPart::Literal(rest.to_owned()));
    RequestText { parts }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    #[test]
    fn captured_parts_become_open_places() {
        let value = json!({ "a": 1, "b": ["x", 2] });
        let captured = BTreeMap::from([
            ("/b/0".to_owned(), "name".to_owned()),
            ("/a".to_owned(), "id".to_owned()),
            ("/gone".to_owned(), "id".to_owned()),
        ]);
        let place = |variable: &str| TextPart::Captured {
            variable: variable.to_owned(),
            form: CapturedForm::Json,
        };
        let literal = |text: &str| TextPart::Literal(text.to_owned());
        let expected = vec![
            literal("{\"a\":"),
            place("id"),
            literal(",\"b\":["),
            place("name"),
            literal(",2]}"),
        ];
        assert_eq!(as_text(&JsonBody { value, captured }).parts, expected);
    }
}
