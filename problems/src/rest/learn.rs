//! What a run on a REST service learns from its tests.

use serde_json::Value;
use wallace_engine::{Evaluated, Individual, Learnt};
use wallace_genes::{Draw, Gene, GenePath, Specialisation, StringGene, TemplateId, repair};

use super::action::RestAction;
use super::identity::singular;
use super::problem::{RestMemory, RestProblem};
use crate::http::TextUse;

/// Most follow-ups of one test with constants.
const MOST_CONSTANTS: usize = 32;
/// Most values that are taken from one response.
const MOST_VALUES: usize = 200;

impl RestProblem {
    pub(super) fn learn_from(&self, test: &Evaluated<RestAction>, learnt: &mut Learnt<RestMemory>) {
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            for (place, path, specialisation) in uses_in(&test.individual, text_use) {
                let template = test.individual.actions()[place].1.template;
                learnt.knowledge.learn(template, &path, specialisation);
            }
        }
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Ok(response) = &outcome.response else { continue };
            if !(200..300).contains(&response.status) || action.twist.is_some() {
                continue;
            }
            let user = action.caller.map_or(-1, i32::from);
            learnt.memory.successes.entry(action.template).or_default().insert(user);
            if let Ok(body) = serde_json::from_str::<Value>(&response.body) {
                let path = self.templates.operation(action.template).path.clone();
                let last =
                    path.split('/').rev().find(|part| !part.is_empty() && !part.contains('{'));
                let thing = singular(last.unwrap_or_default());
                let mut left = MOST_VALUES;
                remember(&mut learnt.memory, action.template, &thing, "", &body, &mut left);
            }
        }
    }

    /// The same test with each constant that one of its texts was compared with.
    pub(super) fn constants(
        &self,
        test: &Evaluated<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Vec<Individual<RestAction>> {
        let mut follow_ups = Vec::new();
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            for (place, path, specialisation) in uses_in(&test.individual, text_use) {
                if follow_ups.len() == MOST_CONSTANTS {
                    return follow_ups;
                }
                let Some(text) = specialisation.text(&mut draw.rng) else { continue };
                let mut child = test.individual.clone();
                let action = child.action_mut(place);
                let id = learnt.knowledge.find(action.template, &path, &specialisation);
                if let Some(Gene::String(string)) = path.find_mut(&mut action.gene) {
                    *string = StringGene { text: text.into(), specialisation: id };
                }
                let spec = &self.templates.template(action.template).spec;
                repair(spec, &mut action.gene, &draw.settings);
                follow_ups.push(child);
            }
        }
        follow_ups
    }
}

/// Remembers the scalars of a response by name; what names a thing also by the thing and its name.
fn remember(
    memory: &mut RestMemory,
    template: TemplateId,
    thing: &str,
    name: &str,
    value: &Value,
    left: &mut usize,
) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    match value {
        Value::Object(members) => {
            for (name, part) in members {
                remember(memory, template, thing, name, part, left);
            }
        }
        Value::Array(elements) => {
            for part in elements.iter().take(20) {
                remember(memory, template, thing, name, part, left);
            }
        }
        Value::String(text) if text.len() > 200 => {}
        Value::String(_) | Value::Number(_) if !name.is_empty() => {
            memory.pool.add(name, value, template);
            if name.eq_ignore_ascii_case("id") {
                memory.pool.add(&format!("{thing}id"), value, template);
            }
        }
        _ => {}
    }
}

/// The texts of a test that a use is about: position of the action, address there, and what the
/// use says of the text. Values travel between calls through the state of the service, so that the
/// call that shows the use need not have sent it.
fn uses_in(
    individual: &Individual<RestAction>,
    text_use: &TextUse,
) -> Vec<(usize, GenePath, Specialisation)> {
    let mut uses = Vec::new();
    for (place, (_, action)) in individual.actions().iter().enumerate() {
        action.gene.visit_texts(&mut |path, string| {
            if let Some(specialisation) = crate::graphql::specialised(&string.text, text_use) {
                uses.push((place, path.clone(), specialisation));
            }
        });
    }
    uses
}
