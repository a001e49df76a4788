//! Parts of calls that may be left out: parameters, and members of a body.
//!
//! Descriptions allow much that services refuse: a random filter, a version header, a cursor. Without
//! a driver only answers tell, so that a call begins with what must be there; what else there is joins
//! it and stays as far as calls go well with it. A refusal that names a part is about that part alone,
//! whatever the framework; one that names a part which was not sent asks for it.

mod alternative;
mod asked;
mod careful;
mod find;
mod missed;

use serde_json::Value;
use wallace_engine::Evaluated;
use wallace_genes::{GenePath, SpecId, TemplateId};

pub(super) use alternative::Alternatives;

use super::action::RestAction;
use super::memory::RestMemory;
use super::operations::Operations;
use crate::http::is_success;
use crate::part::PartRecord;
use crate::refusal::Refusal;
use crate::word::plain;

/// Headers that only mean something with what an earlier answer gave (RFC 9110, 13.1).
const CONDITIONAL: [&str; 6] =
    ["ifmatch", "ifnonematch", "ifmodifiedsince", "ifunmodifiedsince", "ifrange", "range"];

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

impl RestMemory {
    /// How calls went with what an operation asked for although it is not documented.
    pub(super) fn asked(&self, id: TemplateId, name: &str) -> Option<PartRecord> {
        self.parts.get(&asked::key(id, name))
    }
}

/// Counts how calls with each part went.
pub(super) fn learn_parts(
    operations: &Operations,
    test: &Evaluated<RestAction>,
    memory: &mut RestMemory,
) {
    for ((_, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
        let Some(status) = outcome.status().filter(|_| action.deviation.is_none()) else {
            continue;
        };
        let is_accepted = is_success(status);
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
        let names = parts.iter().map(|part| (&*part.name, part.path.0.len()));
        let names: Vec<(&str, usize)> = names.collect();
        let named = refusal.as_ref().map_or(Vec::new(), |refusal| refusal.named(&names));
        if let Some(refusal) = &refusal {
            remember_values(refusal, &parts, (operations, action), memory);
        }
        // What is refused with it and without it is not refused for it.
        let is_any = is_refused && !has_worked && {
            let without: Box<str> = format!("{} without", action.template.0).into();
            if parts.iter().all(|part| !part.is_sent) {
                memory.parts.refuse(without.clone(), true, false);
            }
            memory.parts.get(&without).is_some()
        };
        asked::learn((operations, action), &parts, refusal.as_ref(), memory);
        let template = action.template;
        let is_choice = |refusal| alternative::learn(template, &parts, refusal, memory);
        if refusal.as_ref().is_some_and(is_choice) {
            continue;
        }
        if status == 415 {
            asked::learn_type(operations, action.template, memory);
        }
        for (place, part) in parts.iter().enumerate() {
            let may_be = named.is_empty() && (part.is_header || !is_any);
            let is_about = may_be || named.contains(&place);
            let key = part.key(action.template);
            if is_accepted {
                memory.parts.accept(key, part.is_sent);
            } else if is_about {
                memory.parts.refuse(key, part.is_sent, !named.is_empty());
            }
        }
    }
}

/// Remembers the values that a refusal names.
fn remember_values(
    refusal: &Refusal,
    parts: &[Part],
    (operations, action): (&Operations, &RestAction),
    memory: &mut RestMemory,
) {
    let leaves = operations.templates.named_values(action.template, &action.gene);
    let leaves = leaves.iter().map(|(_, name)| &**name);
    let asked = action.undocumented.iter().map(|extra| &*extra.name);
    let names: Vec<&str> =
        parts.iter().map(|part| &*part.name).chain(leaves).chain(asked).collect();
    for (name, value) in refusal.values(&names) {
        memory.pool.add(names[name], &Value::from(value), action.template);
    }
}
