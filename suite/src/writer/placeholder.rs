//! Open places of requests: `{{name}}` in the text, and what fills it.

use std::collections::BTreeMap;

use crate::name::free_name;
use crate::request::Request;
use crate::text::{CapturedForm, RequestText, TextPart};
use crate::usage::texts;

/// What fills a placeholder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Filler {
    /// A captured value, in this form.
    Captured(String, CapturedForm),
    /// An environment variable.
    Environment(String),
}

impl Filler {
    fn of(part: &TextPart) -> Result<Self, &str> {
        match part {
            TextPart::Literal(text) => Err(text),
            TextPart::Captured { variable, form } => Ok(Self::Captured(variable.clone(), *form)),
            TextPart::Environment { variable } => Ok(Self::Environment(variable.clone())),
        }
    }

    fn wanted_name(&self) -> String {
        match self {
            Self::Captured(variable, CapturedForm::Json) => variable.clone(),
            Self::Captured(variable, CapturedForm::Plain) => format!("{variable}_text"),
            Self::Captured(variable, CapturedForm::PathSegment) => format!("{variable}_segment"),
            Self::Environment(variable) => variable.to_lowercase(),
        }
    }
}

/// The name between the braces of each value that a request is filled with.
#[derive(Debug)]
pub(crate) struct Placeholders {
    /// Names by what fills the place.
    pub(crate) names: BTreeMap<Filler, String>,
}

impl Placeholders {
    /// Names that do not stand between braces in the request itself.
    pub(crate) fn new(request: &Request) -> Self {
        let literal_text = request.literal_text();
        let mut names: BTreeMap<Filler, String> = BTreeMap::new();
        let parts = texts(request).into_iter().flat_map(|text| &text.parts);
        for filler in parts.filter_map(|part| Filler::of(part).ok()) {
            if names.contains_key(&filler) {
                continue;
            }
            let is_taken = |name: &str| {
                literal_text.contains(&format!("{{{{{name}}}}}"))
                    || names.values().any(|other| other == name)
            };
            let name = free_name(&filler.wanted_name(), is_taken);
            names.insert(filler, name);
        }
        Self { names }
    }

    /// The text with its placeholders.
    pub(crate) fn text(&self, text: &RequestText) -> String {
        let parts = text.parts.iter().map(|part| match Filler::of(part) {
            Err(literal) => literal.to_owned(),
            Ok(filler) => format!("{{{{{}}}}}", self.names[&filler]),
        });
        parts.collect()
    }
}
