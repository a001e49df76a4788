//! What a run on a REST service learns from its tests.

use serde_json::Value;
use wallace_engine::{Evaluated, Individual, Learnt};
use wallace_genes::{Draw, Specialisation, TemplateId};

use super::action::RestAction;
use super::identity::{elements, singular};
use super::problem::{RestMemory, RestProblem};
use crate::http::TextUse;
use crate::text_use::{uses_in, with_text};

/// Most follow-ups of one test with constants.
const MOST_CONSTANTS: usize = 32;
/// Most of them with a text of the test itself.
const MOST_OWN: usize = 1;
/// Most values that are taken from one response.
const MOST_VALUES: usize = 200;

impl RestProblem {
    pub(super) fn learn_from(&self, test: &Evaluated<RestAction>, learnt: &mut Learnt<RestMemory>) {
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            if is_own(&test.individual, text_use) {
                continue;
            }
            for (place, path, specialisation) in uses_in(&test.individual, text_use) {
                let template = test.individual.actions()[place].1.template;
                learnt.knowledge.learn(template, &path, specialisation);
            }
        }
        self.learn_readings(test, &mut learnt.memory);
        self.learn_record(test, &mut learnt.memory);
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

    /// Counts how the calls went, and what came before those that went well.
    fn learn_record(&self, test: &Evaluated<RestAction>, memory: &mut RestMemory) {
        let mut before: Vec<TemplateId> = Vec::new();
        for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let Ok(response) = &outcome.response else { break };
            let operation = self.templates.operation(action.template);
            let is_success = (200..300).contains(&response.status);
            if action.twist.is_none() {
                let record = memory.record.entry(action.template).or_default();
                record.calls = record.calls.saturating_add(1);
                let is_empty = operation.method.is_safe() && is_empty_list(&response.body);
                if is_success && !is_empty {
                    record.fruitful = record.fruitful.saturating_add(1);
                    for earlier in before.iter().filter(|earlier| **earlier != action.template) {
                        *record.before.entry(*earlier).or_default() += 1;
                    }
                }
            }
            if is_success && !operation.method.is_safe() && !before.contains(&action.template) {
                before.push(action.template);
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
        let mut follow_ups = self.with_readings(test, learnt, draw);
        let mut own = 0;
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            if is_own(&test.individual, text_use) {
                own += 1;
                if own > MOST_OWN {
                    continue;
                }
            }
            for (place, path, specialisation) in uses_in(&test.individual, text_use) {
                if follow_ups.len() == MOST_CONSTANTS {
                    return follow_ups;
                }
                let spec = |template| self.templates.template(template).spec.clone();
                let found = (place, &path, &specialisation);
                follow_ups.extend(with_text(
                    &test.individual,
                    found,
                    &learnt.knowledge,
                    spec,
                    draw,
                ));
            }
        }
        follow_ups
    }
}

fn is_empty_list(body: &str) -> bool {
    let body = body.trim();
    body == "[]"
        || serde_json::from_str::<Value>(body)
            .is_ok_and(|body| elements(&body).is_some_and(Vec::is_empty))
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

/// Whether a text was compared with another one of the test: two values that should perhaps be
/// equal, and nothing that the code knows.
fn is_own(individual: &Individual<RestAction>, text_use: &TextUse) -> bool {
    let (Specialisation::Constant(constant) | Specialisation::ConstantIgnoreCase(constant)) =
        &text_use.specialisation
    else {
        return false;
    };
    let mut is_there = wallace_genes::is_tainted(constant);
    for (_, action) in individual.actions() {
        action.gene.visit_texts(&mut |_, string| {
            is_there |= !string.text.is_empty() && string.text.eq_ignore_ascii_case(constant);
        });
    }
    is_there
}
