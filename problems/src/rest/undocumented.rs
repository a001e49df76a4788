//! Parameters and members that a service asks for although its description does not tell of them.
//!
//! Without a driver its refusals say which (see the parts of calls). A driver reports the names of
//! query parameters and headers that the code read. Those that are not documented become optional
//! parts of later calls, and what their values are compared with is learnt like that of any other
//! text.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_engine::{Evaluated, Individual};
use wallace_genes::{GeneSpec, SpecBuilder, SpecRef, Specialisation, spec::StringSpec};

use super::action::{RestAction, UndocumentedPlace};
use super::description::{Operation, ParameterPlace};
use super::memory::RestMemory;
use super::template::Templates;
use crate::http::TextUse;
use crate::word::words;

/// Most undocumented parameters of one operation.
const MOST_READINGS: usize = 20;
/// Most values known of one of them.
const MOST_VALUES: usize = 30;
/// Longest value.
const LONGEST: u32 = 100;
/// Headers that libraries read on their own account.
const USUAL: [&str; 24] = [
    "accept",
    "accept-charset",
    "accept-encoding",
    "accept-language",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "cookie",
    "date",
    "expect",
    "forwarded",
    "host",
    "keep-alive",
    "origin",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
    "x-forwarded-for",
];

/// A parameter, or a member of the body, that an operation was seen to ask for although it is not
/// documented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Where it was looked for.
    pub place: UndocumentedPlace,
    /// Its name.
    pub name: String,
    /// What its value was compared with.
    pub values: Vec<Specialisation>,
    /// Of which form it is, where it is a member of the body.
    #[serde(default)]
    pub form: MemberForm,
}

/// Of which form an undocumented member is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberForm {
    /// Any text.
    #[default]
    Text,
    /// A whole number.
    Number,
    /// A list.
    List,
    /// An object.
    Object,
    /// True or false.
    Boolean,
    /// A text that is a UUID.
    Uuid,
    /// A text that is an address of electronic mail.
    Email,
    /// A text that is a time.
    Time,
    /// A text that is an address of the web.
    Url,
}

impl MemberForm {
    /// The form that words of a refusal name.
    pub(super) fn told(text: &str) -> Option<Self> {
        let words = words(text);
        let has = |names: &[&str]| words.iter().any(|word| names.contains(&&**word));
        Some(match () {
            () if has(&["array", "list", "sequence", "slice"]) => Self::List,
            () if has(&["boolean", "bool"]) => Self::Boolean,
            () if has(&["integer", "int", "number", "numeric", "float", "decimal"]) => Self::Number,
            () if has(&["uuid", "guid"]) => Self::Uuid,
            () if has(&["email"]) => Self::Email,
            () if has(&["date", "datetime", "timestamp"]) => Self::Time,
            () if has(&["url", "uri"]) => Self::Url,
            () if has(&["object", "dict", "dictionary", "map", "mapping"]) => Self::Object,
            () if has(&["string", "text", "str"]) => Self::Text,
            () => return None,
        })
    }

    /// The form that a name lets expect.
    pub(super) fn of_name(name: &str) -> Self {
        match words(name).last().map_or("", |word| &**word) {
            "ids" | "keys" | "items" | "names" | "values" | "tags" => Self::List,
            "email" => Self::Email,
            "uuid" => Self::Uuid,
            "url" | "uri" => Self::Url,
            "count" | "amount" | "number" | "size" | "quantity" => Self::Number,
            _ => Self::Text,
        }
    }

    /// The form that is tried where this one was refused without a word about forms.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Text => Self::Number,
            Self::Number => Self::List,
            Self::List => Self::Object,
            Self::Object => Self::Boolean,
            Self::Boolean | Self::Uuid | Self::Email | Self::Time | Self::Url => Self::Text,
        }
    }

    /// A value of this form as JSON, from a plain one of the same name.
    pub(super) fn written(self, plain: Value) -> Value {
        match self {
            Self::Text if plain.is_string() => plain,
            Self::Text => plain.to_string().into(),
            Self::Number if plain.is_number() => plain,
            Self::Number => 1.into(),
            Self::List => vec![plain].into(),
            Self::Object => Value::Object(serde_json::Map::new()),
            Self::Boolean => true.into(),
            Self::Uuid => "6f1b2f0e-5c3a-4d8e-9b7a-2c4d6e8f0a1b".into(),
            Self::Email => "someone@example.com".into(),
            Self::Time => "2024-05-17T12:30:00Z".into(),
            Self::Url => "https://example.com/".into(),
        }
    }
}

/// The specification of all such values.
pub(super) fn text_spec() -> SpecRef {
    let mut specs = SpecBuilder::new();
    let text = specs.add(GeneSpec::String(StringSpec { min: 0, max: LONGEST }));
    SpecRef::new(specs.build(), text)
}

/// Notes what calls were asked for, and what became of what they sent.
pub(super) fn learn_readings(
    templates: &Templates,
    test: &Evaluated<RestAction>,
    memory: &mut RestMemory,
) {
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let reads = &outcome.reads;
        let query = reads.query_parameters.iter().map(|name| (UndocumentedPlace::Query, name));
        let headers = reads.headers.iter().map(|name| (UndocumentedPlace::Header, name));
        for (place, name) in query.chain(headers) {
            if is_documented(templates.operation(action.template), place, name) {
                continue;
            }
            let known = memory.readings.entry(action.template).or_default();
            let is_known =
                known.iter().any(|known| known.place == place && is_same(&known.name, name));
            if !is_known && known.len() < MOST_READINGS {
                let (name, values, form) = (name.clone(), Vec::new(), MemberForm::Text);
                known.push(Reading { place, name, values, form });
            }
        }
    }
    for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
        for (place, index, specialisation) in uses_in(&test.individual, text_use) {
            let action = &test.individual.actions()[place].1;
            let extra = &action.undocumented[index];
            let known = memory.readings.get_mut(&action.template).into_iter().flatten();
            for known in known.filter(|known| known.name == extra.name) {
                if known.values.len() < MOST_VALUES && !known.values.contains(&specialisation) {
                    known.values.push(specialisation.clone());
                }
            }
        }
    }
}

fn is_documented(operation: &Operation, place: UndocumentedPlace, name: &str) -> bool {
    let mut documented = operation.parameters.iter();
    let place = match place {
        UndocumentedPlace::Header => ParameterPlace::Header,
        _ => ParameterPlace::Query,
    };
    let is_usual =
        place == ParameterPlace::Header && USUAL.iter().any(|usual| is_same(usual, name));
    is_usual
        || name.is_empty()
        || documented.any(|known| known.place == place && is_same(&known.name, name))
}

/// Names of headers differ in case; parameters that differ in nothing else are rarely two.
fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The undocumented values of a test that a use is about: position of the action, position there,
/// and what the use says.
pub(super) fn uses_in(
    individual: &Individual<RestAction>,
    text_use: &TextUse,
) -> Vec<(usize, usize, Specialisation)> {
    let mut uses = Vec::new();
    for (place, (_, action)) in individual.actions().iter().enumerate() {
        for (index, extra) in action.undocumented.iter().enumerate() {
            if let Some(found) = crate::text_use::specialised(&extra.value.text, text_use) {
                uses.push((place, index, found));
            }
        }
    }
    uses
}
