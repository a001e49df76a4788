//! Requests as one text for the body, with open places.

use serde_json::json;

use crate::request::{Body, Request};
use crate::text::{CapturedForm, RequestText, TextPart};
use crate::writer::program::as_text;
use crate::writer::script::set_name;

/// How captured values and secrets are written in a format.
pub(crate) trait Places {
    /// A literal part of a text.
    fn literal(&self, text: &str) -> String;
    /// A captured value; inside of a JSON string where `is_quoted`.
    fn captured(&self, variable: &str, form: CapturedForm, is_quoted: bool) -> String;
    /// An environment variable.
    fn environment(&self, variable: &str) -> String;

    /// A whole text.
    fn text(&self, text: &RequestText) -> String {
        text.parts.iter().map(|part| self.part(part, false)).collect()
    }

    /// One part of a text.
    fn part(&self, part: &TextPart, is_quoted: bool) -> String {
        match part {
            TextPart::Literal(text) => self.literal(text),
            TextPart::Captured { variable, form } => self.captured(variable, *form, is_quoted),
            TextPart::Environment { variable } => self.environment(variable),
        }
    }
}

/// Content type and text of the body of a request; `None` where there is none.
pub(crate) fn body(request: &Request, places: &dyn Places) -> Option<(String, String)> {
    let json = || "application/json".to_owned();
    match &request.body {
        Body::None => None,
        Body::Json(value) => Some((json(), places.text(&as_text(value)))),
        Body::Text { media_type, text } => Some((media_type.clone(), places.text(text))),
        Body::GraphQl { document, variables, operation_name } => {
            let mut message = places.literal("{\"query\":\"");
            for part in &document.parts {
                message += &match part {
                    TextPart::Literal(text) => {
                        let quoted = json!(text).to_string();
                        places.literal(&quoted[1..quoted.len() - 1])
                    }
                    other => places.part(other, true),
                };
            }
            message += &places.literal("\"");
            if let Some(variables) = variables {
                message += &places.literal(",\"variables\":");
                message += &places.text(&as_text(variables));
            }
            if let Some(name) = operation_name {
                message += &places.literal(&format!(",\"operationName\":{}", json!(name)));
            }
            message += &places.literal("}");
            Some((json(), message))
        }
    }
}

/// Headers of a request, the content type that its body implies included.
pub(crate) fn headers(
    request: &Request,
    media_type: Option<&str>,
    places: &dyn Places,
) -> Vec<(String, String)> {
    let is_given =
        request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    let implied = media_type.filter(|text| !is_given && !text.is_empty());
    let implied = implied.map(|text| ("Content-Type".to_owned(), places.literal(text)));
    let given = request.headers.iter().map(|(name, value)| (name.clone(), places.text(value)));
    given.chain(implied).collect()
}

/// Places as `{{name}}`: formats of API clients. A captured value is set under its own name as text
/// without quotes, and under names with an ending as JSON, as JSON inside of a string, and as a
/// segment of a path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Braces;

impl Places for Braces {
    fn literal(&self, text: &str) -> String {
        text.to_owned()
    }

    fn captured(&self, variable: &str, form: CapturedForm, is_quoted: bool) -> String {
        let ending = match form {
            CapturedForm::Json if is_quoted => "_quoted",
            CapturedForm::Json => "_json",
            CapturedForm::Plain => "",
            CapturedForm::PathSegment => "_segment",
        };
        format!("{{{{{}{ending}}}}}", set_name(variable))
    }

    fn environment(&self, variable: &str) -> String {
        format!("{{{{{variable}}}}}")
    }
}
