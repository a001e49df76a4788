//! Parts of calls that may be left out: parameters, and members of a body.
//!
//! Descriptions allow much that services refuse: a random filter, a version header, a cursor. Without
//! a driver only answers tell, so that a call begins with what must be there; what else there is joins
//! it and stays as far as calls go well with it. A refusal that names a part is about that part alone,
//! whatever the framework; one that names a part which was not sent asks for it.

mod asked;
mod careful;
mod find;
mod refusal;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wallace_engine::Evaluated;
use wallace_genes::{Gene, GenePath, PathStep, SpecId, TemplateId};

use super::action::RestAction;
use super::memory::RestMemory;
use super::operations::Operations;
use crate::word::plain;
use refusal::Refusal;

/// Most parts that are counted.
const MOST_PARTS: usize = 50_000;
/// Headers that only mean something with what an earlier answer gave (RFC 9110, 13.1).
const CONDITIONAL: [&str; 6] =
    ["ifmatch", "ifnonematch", "ifmodifiedsince", "ifunmodifiedsince", "ifrange", "range"];

/// How calls with a part went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRecord {
    /// Calls with it that were accepted, or refused for a reason that may be this part.
    pub sent: u32,
    /// Those that were accepted.
    pub accepted: u32,
    /// Refusals that named it although it was not sent, since the last call that was accepted
    /// without it.
    pub missed: u32,
}

impl PartRecord {
    /// Probability that the part stays in a call that was sampled with it: 1 while most calls with it
    /// go well, and falling fast from there.
    pub(super) fn stays(self) -> f64 {
        let rate = (f64::from(self.accepted) + 1.0) / (f64::from(self.sent) + 2.0);
        (2.0 * rate).min(1.0).powi(2).max(0.02)
    }
}

/// A part of one call.
struct Part {
    is_header: bool,
    name: String,
    path: GenePath,
    spec: SpecId,
    is_sent: bool,
}

impl Part {
    /// Whether it is a header that means nothing without an earlier answer.
    fn is_conditional(&self) -> bool {
        self.is_header && CONDITIONAL.contains(&&*plain(&self.name))
    }

    /// What tells it from the other parts of its operation. Headers mean the same for all operations.
    fn key(&self, operation: TemplateId) -> Box<str> {
        match self.is_header {
            true => format!("header {}", self.name.to_ascii_lowercase()).into(),
            false => format!("{} {:?}", operation.0, self.path).into(),
        }
    }
}

/// Puts a value at the address of a part; [`Gene::Absent`] takes the part away.
fn put(gene: &mut Gene, path: &GenePath, value: Gene) {
    let Some((PathStep::Field(last), above)) = path.0.split_last() else { return };
    match GenePath(above.to_vec()).find_mut(gene) {
        Some(Gene::Object(object)) => object.set(*last, value),
        Some(Gene::Tuple(elements)) => {
            if let Some(element) = elements.get_mut(*last as usize) {
                *element = value;
            }
        }
        _ => {}
    }
}

impl RestMemory {
    /// How calls went with what an operation asked for although it is not documented.
    pub(super) fn asked(&self, id: TemplateId, name: &str) -> Option<PartRecord> {
        self.parts.get(&asked::key(id, name)).copied()
    }
}

/// Counts how calls with each part went.
pub(super) fn learn_parts(
    operations: &Operations,
    test: &Evaluated<RestAction>,
    memory: &mut RestMemory,
) {
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let Some(status) = outcome.status().filter(|_| action.twist.is_none()) else { continue };
        let is_accepted = (200..300).contains(&status);
        // What may not be asked for is refused so by some, where the rest of the call may be made.
        let has_worked = memory.successes.contains_key(&action.template);
        let is_refused = matches!(status, 400 | 406 | 412 | 415 | 422 | 428 | 431)
            || status == 403 && has_worked;
        if !is_accepted && !is_refused {
            continue;
        }
        let parts = operations.templates.parts(action.template, &action.gene);
        let body = outcome.response.as_ref().map_or("", |response| &*response.body);
        let refusal = is_refused.then(|| Refusal::read(body));
        let named = refusal.as_ref().map_or(Vec::new(), |refusal| refusal.named(&parts));
        if let Some(refusal) = &refusal {
            refusal.remember_values(&parts, (operations, action), memory);
        }
        asked::learn((operations, action), &parts, refusal.as_ref(), memory);
        for (place, part) in parts.iter().enumerate() {
            let is_named = named.contains(&place);
            let counts = part.is_sent && (is_accepted || named.is_empty() || is_named);
            let key = part.key(action.template);
            if let Some(record) = record_of(&mut memory.parts, key, counts || is_named) {
                record.sent = record.sent.saturating_add(u32::from(counts));
                record.accepted = record.accepted.saturating_add(u32::from(counts && is_accepted));
                if !part.is_sent {
                    let more = record.missed.saturating_add(u32::from(is_named));
                    record.missed = if is_accepted { 0 } else { more };
                }
            }
        }
    }
}

fn record_of(
    records: &mut BTreeMap<Box<str>, PartRecord>,
    key: Box<str>,
    may_begin: bool,
) -> Option<&mut PartRecord> {
    if may_begin && records.len() < MOST_PARTS {
        return Some(records.entry(key).or_default());
    }
    records.get_mut(&key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_harm_stays_seldom_and_what_is_new_is_tried() {
        let record = |sent, accepted| PartRecord { sent, accepted, missed: 0 }.stays();
        assert!(record(0, 0) >= 1.0 && record(10, 8) >= 1.0);
        assert!(record(3, 0) < 0.2 && record(50, 0) < 0.05 && record(50, 0) > 0.0);
    }
}
