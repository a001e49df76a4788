//! Parameters that a service asks for although its description does not tell of them.
//!
//! A driver reports the names of query parameters and headers that the code read. Those that are
//! not documented become optional parts of later calls, and what their values are compared with is
//! learnt like that of any other text.

use serde::{Deserialize, Serialize};
use wallace_engine::{Evaluated, Individual};
use wallace_genes::{GeneSpec, SpecBuilder, SpecRef, Specialisation, spec::StringSpec};

use super::action::RestAction;
use super::description::{Operation, ParameterPlace};
use super::memory::RestMemory;
use super::template::Templates;
use crate::http::TextUse;

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

/// A parameter that an operation was seen to ask for although it is not documented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// Where it was looked for.
    pub place: ParameterPlace,
    /// Its name.
    pub name: String,
    /// What its value was compared with.
    pub values: Vec<Specialisation>,
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
        let query = reads.query_parameters.iter().map(|name| (ParameterPlace::Query, name));
        let headers = reads.headers.iter().map(|name| (ParameterPlace::Header, name));
        for (place, name) in query.chain(headers) {
            if is_documented(templates.operation(action.template), place, name) {
                continue;
            }
            let known = memory.readings.entry(action.template).or_default();
            let is_known =
                known.iter().any(|known| known.place == place && is_same(&known.name, name));
            if !is_known && known.len() < MOST_READINGS {
                known.push(Reading { place, name: name.clone(), values: Vec::new() });
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

fn is_documented(operation: &Operation, place: ParameterPlace, name: &str) -> bool {
    let mut documented = operation.parameters.iter();
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
