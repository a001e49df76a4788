//! Parameters that a service asks for although its description does not tell of them.
//!
//! A driver reports the names of query parameters and headers that the code read. Those that are
//! not documented become optional parts of later calls, and what their values are compared with is
//! learnt like that of any other text.

use serde::{Deserialize, Serialize};
use wallace_engine::{Evaluated, Individual, Learnt};
use wallace_genes::{
    Draw, Gene, GeneSpec, Knowledge, SpecBuilder, SpecRef, Specialisation, StringGene, StringSpec,
    TemplateId, sample,
};

use super::action::{RestAction, Undocumented};
use super::description::ParameterPlace;
use super::problem::{RestMemory, RestProblem};
use crate::http::TextUse;

/// Most undocumented parameters of one operation.
const MOST_READINGS: usize = 20;
/// Most values known of one of them.
const MOST_VALUES: usize = 30;
/// Longest value.
const LONGEST: u32 = 100;
/// Probability that a call has a parameter that is not documented.
const SENT: f64 = 0.5;
/// Probability that its value is one that it was compared with, where there is one.
const KNOWN: f64 = 0.7;
/// Probability that a mutation changes what is not documented, where there is something.
const CHANGED: f64 = 0.25;
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

impl RestProblem {
    /// Notes what calls were asked for, and what became of what they sent.
    pub(super) fn learn_readings(&self, test: &Evaluated<RestAction>, memory: &mut RestMemory) {
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let reads = &outcome.reads;
            let query = reads.query_parameters.iter().map(|name| (ParameterPlace::Query, name));
            let headers = reads.headers.iter().map(|name| (ParameterPlace::Header, name));
            for (place, name) in query.chain(headers) {
                if self.is_documented(action.template, place, name) {
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

    fn is_documented(&self, id: TemplateId, place: ParameterPlace, name: &str) -> bool {
        let mut documented = self.templates.operation(id).parameters.iter();
        let is_usual =
            place == ParameterPlace::Header && USUAL.iter().any(|usual| is_same(usual, name));
        is_usual
            || name.is_empty()
            || documented.any(|known| known.place == place && is_same(&known.name, name))
    }

    /// What a new call of the operation sends beyond what is documented.
    pub(super) fn undocumented(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Vec<Undocumented> {
        let readings = learnt.memory.readings.get(&id).map_or(&[][..], Vec::as_slice);
        let mut sent = Vec::new();
        for reading in readings {
            if draw.rng.chance(SENT) {
                sent.push(self.sent(id, reading, draw));
            }
        }
        sent
    }

    fn sent(&self, id: TemplateId, reading: &Reading, draw: &mut Draw) -> Undocumented {
        let known = if draw.rng.chance(KNOWN) { draw.rng.pick(&reading.values) } else { None };
        let known = known.cloned().and_then(|value| value.text(&mut draw.rng));
        let value = match known {
            Some(text) => StringGene { text: text.into(), specialisation: None },
            None => match sample(&self.text, id, &Knowledge::default(), draw) {
                Gene::String(text) => text,
                _ => StringGene::plain(""),
            },
        };
        Undocumented { place: reading.place, name: reading.name.clone(), value }
    }

    /// Draws what is not documented anew for one call. Returns whether it did.
    pub(super) fn change_undocumented(
        &self,
        plan: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> bool {
        if learnt.memory.readings.is_empty() || !draw.rng.chance(CHANGED) {
            return false;
        }
        let has_readings =
            |place: &usize| learnt.memory.readings.contains_key(&plan.actions()[*place].1.template);
        let places: Vec<usize> = (0..plan.actions().len()).filter(has_readings).collect();
        let Some(place) = draw.rng.pick(&places).copied() else { return false };
        let id = plan.actions()[place].1.template;
        let undocumented = self.undocumented(id, learnt, draw);
        let has_changed = plan.actions()[place].1.undocumented != undocumented;
        plan.action_mut(place).undocumented = undocumented;
        has_changed
    }

    /// The same test with what it was just seen to ask for, and with what such values were compared
    /// with.
    pub(super) fn with_readings(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Vec<Individual<RestAction>> {
        let mut follow_ups = Vec::new();
        for (place, (_, action)) in test.individual.actions().iter().enumerate() {
            let readings = learnt.memory.readings.get(&action.template).into_iter().flatten();
            for reading in readings {
                if action.undocumented.iter().any(|sent| sent.name == reading.name) {
                    continue;
                }
                let mut child = test.individual.clone();
                let sent = self.sent(action.template, reading, draw);
                child.action_mut(place).undocumented.push(sent);
                follow_ups.push(child);
            }
        }
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            for (place, index, specialisation) in uses_in(&test.individual, text_use) {
                let Some(text) = specialisation.text(&mut draw.rng) else { continue };
                let mut child = test.individual.clone();
                child.action_mut(place).undocumented[index].value = StringGene::plain(text);
                follow_ups.push(child);
            }
        }
        follow_ups
    }
}

/// Names of headers differ in case; parameters that differ in nothing else are rarely two.
fn is_same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The undocumented values of a test that a use is about: position of the action, position there,
/// and what the use says.
fn uses_in(
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
