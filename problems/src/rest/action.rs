//! Actions: calls of REST operations.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::Action;
use wallace_genes::{Gene, StringGene, TemplateId};

use super::check::Check;
use crate::http::HttpOutcome;

/// One call of an operation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RestAction {
    /// Which operation.
    pub template: TemplateId,
    /// Its parameters in the order of the template, then its body if it may have one.
    pub gene: Gene,
    /// Position of the user who calls; nobody in particular when there is none.
    pub caller: Option<u16>,
    /// What the service was seen to ask for although its description does not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undocumented: Vec<Undocumented>,
    /// How the call differs from what its genes say.
    #[serde(default, alias = "twist", skip_serializing_if = "Option::is_none")]
    pub deviation: Option<Box<Deviation>>,
    /// What the call shall show, where it was made for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Check>,
}

impl RestAction {
    /// A call without credentials that is what its genes say.
    #[must_use]
    pub fn new(template: TemplateId, gene: Gene) -> Self {
        Self {
            template,
            gene,
            caller: None,
            undocumented: Vec::new(),
            deviation: None,
            check: None,
        }
    }
}

impl Action for RestAction {
    type Outcome = HttpOutcome;

    fn template(&self) -> TemplateId {
        self.template
    }

    fn gene(&self) -> &Gene {
        &self.gene
    }

    fn gene_mut(&mut self) -> &mut Gene {
        &mut self.gene
    }
}

/// A parameter or member of the body that is not documented, and its value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Undocumented {
    /// Where it is sent.
    pub place: UndocumentedPlace,
    /// Its name; of a member of the body, with those of the objects around it: `data.id`.
    pub name: String,
    /// Its value; of a member of the body, its JSON.
    pub value: StringGene,
}

/// Where something is sent that is not documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UndocumentedPlace {
    /// In the query.
    Query,
    /// As a header.
    Header,
    /// As a member of the object that is the body.
    Body,
}

/// How a call differs on purpose from what its description allows, or from what its genes say.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Deviation {
    /// It breaks exactly one documented rule.
    Violation(Violation),
    /// It holds a value that programs often do not expect.
    Extreme(Extreme),
    /// Another verb on the same path, without a body.
    Verb(String),
    /// A body of this media type, which is not documented.
    MediaType(String),
    /// A header that is not documented.
    Header {
        /// Its name in lower case.
        name: String,
        /// Its value.
        value: String,
    },
    /// The address of our own listener in place of a value: whether the service calls it.
    Callback {
        /// Position of the parameter; the body when there is none.
        parameter: Option<u16>,
        /// Where in the value, as a JSON pointer.
        pointer: String,
    },
    /// A member that is not documented, put into the object that is the body.
    Member {
        /// Its name.
        name: String,
        /// Its value as JSON.
        value: String,
    },
}

impl Deviation {
    /// The value that is put in place of another one, where the deviation is that.
    #[must_use]
    pub fn change(&self) -> Option<Change<'_>> {
        let (parameter, pointer, value) = match self {
            Self::Violation(it) => (it.parameter, &it.pointer, it.wrong_value()),
            Self::Extreme(it) => (it.parameter, &it.pointer, it.value()),
            _ => return None,
        };
        Some(Change { parameter, pointer, value })
    }
}

/// A value in place of another one of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Change<'t> {
    /// Position of the parameter; the body when there is none.
    pub parameter: Option<u16>,
    /// Where in the value, as a JSON pointer.
    pub pointer: &'t str,
    /// What is put there; nothing where the value is left out.
    pub value: Option<Value>,
}

/// One rule of the description that a call breaks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Violation {
    /// Position of the parameter; the body when there is none.
    pub parameter: Option<u16>,
    /// Where in the value, as a JSON pointer.
    pub pointer: String,
    /// Which rule.
    pub rule: Rule,
    /// The wrong value as JSON; empty where the value is left out.
    pub value: String,
}

impl Violation {
    /// What its tries are counted as.
    pub(super) fn key(&self) -> Box<str> {
        let parameter = self.parameter.map_or(-1, i32::from);
        format!("{parameter}{} {}", self.pointer, self.rule.keyword()).into()
    }

    /// The wrong value; `None` where it is left out.
    #[must_use]
    pub fn wrong_value(&self) -> Option<Value> {
        serde_json::from_str(&self.value).ok()
    }
}

/// A value that programs often do not expect, whether or not it is documented. Nothing is wrong with
/// any answer to it but that of a service that failed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Extreme {
    /// Position of the parameter; the body when there is none.
    pub parameter: Option<u16>,
    /// Where in the value, as a JSON pointer.
    pub pointer: String,
    /// The value as JSON.
    pub value: String,
}

impl Extreme {
    /// Characters of a value by which it is told from others.
    const LONGEST_KEY: usize = 20;

    /// What its tries are counted as.
    pub(super) fn key(&self) -> Box<str> {
        let parameter = self.parameter.map_or(-1, i32::from);
        let begin: String = self.value.chars().take(Self::LONGEST_KEY).collect();
        format!("{parameter}{} = {begin} {}", self.pointer, self.value.len()).into()
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        serde_json::from_str(&self.value).ok()
    }
}

/// A rule of the description that can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Something required is missing.
    Required,
    /// A value of another kind.
    Type,
    /// None of the listed values.
    Enum,
    /// A number that is too small.
    Minimum,
    /// A number that is too large.
    Maximum,
    /// A text that is too short or too long.
    Length,
    /// A text that does not match its pattern.
    Pattern,
    /// A text that is not of its format.
    Format,
    /// Too few or too many elements.
    Items,
    /// A member of an object that allows no others.
    AdditionalProperties,
}

impl Rule {
    /// The keyword of the schema, in the words of
    /// [`Mismatch::keyword`](crate::rest::Mismatch::keyword).
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Type => "type",
            Self::Enum => "enum",
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::Length => "length",
            Self::Pattern => "pattern",
            Self::Format => "format",
            Self::Items => "items",
            Self::AdditionalProperties => "additionalProperties",
        }
    }
}
