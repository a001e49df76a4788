//! Oracles of REST services: what is a fault.
//!
//! Codes are those of the Web Fuzzing Commons, and of the block that tools define themselves.
//!
//! | code | what |
//! |---|---|
//! | 100 | a status of 500 to 599 |
//! | 101 | a response that does not follow its schema |
//! | 102 | success although a documented rule is broken |
//! | 103 | still there after it was deleted |
//! | 104 | there although its creation failed |
//! | 200, 201 | injected SQL has an effect; injected script comes back as HTML |
//! | 202 | the service calls an address that a request tells |
//! | 203 | a member that is not documented takes effect |
//! | 204 | 403 and 404 tell what exists |
//! | 205 | 401 for a user with valid credentials |
//! | 206 | one verb is forbidden, another that changes the same thing is not |
//! | 207, 208 | nobody in particular may read, or change, what needs a user |
//! | 209 | a stack trace in an error |
//! | 210 | a verb that is not documented has success |
//! | 904, 905 | PUT keeps what it should replace; PUT twice is not PUT once |
//! | 907, 908 | a location that leads nowhere; a verb that is not documented is not refused with 405 |
//! | 909 | no answer in time |
//! | 910 | the connection ended without an answer |
//! | 950 to 965 | a status that contradicts HTTP or the description |
//! | 966 | pages of any origin may read what a user may |
//! | 988 | reading changes what is read; pages overlap; conditions on entity tags are ignored |

mod access;
mod condition;
mod difference;
mod injection;
mod location;
mod put;
mod semantics;
mod single;
mod status;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::action::{Deviation, RestAction};
use super::callback::CallbackListener;
use super::description::Operation;
use super::identity::{decoded, is_step};
use super::template::Templates;
use crate::evaluator::Exchange;
use crate::http::{HttpResponse, is_success};
use crate::oracle::Fault;
use crate::spoil::sets_mode;

pub(crate) use condition::{ORIGIN, STALE};
pub use injection::Payload;
pub(crate) use injection::begun_by;

/// What is judged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OracleSettings {
    /// Codes that are not reported, nor looked for.
    pub off: BTreeSet<u16>,
    /// Whether calls are sent that try to break in: injections, verbs that are not documented.
    pub security: bool,
}

impl OracleSettings {
    /// What only breaks what a description promises: input that it rules out and that is answered well, and
    /// members, methods and scopes that it does not list.
    pub(crate) const OF_PROMISES: [u16; 4] = [102, 203, 210, 908];

    /// Whether faults of this code are looked for.
    pub(crate) fn wants(&self, code: u16) -> bool {
        !self.off.contains(&code)
    }
}

/// The oracles of one run.
#[derive(Debug)]
pub(crate) struct RestOracles {
    pub(crate) settings: OracleSettings,
    pub(crate) templates: Arc<Templates>,
    /// Path below which all operations are.
    pub(crate) base_path: String,
    /// Whether there are users: without, a service may well run without logins.
    pub(crate) has_users: bool,
    /// Where the service may have been made to call.
    pub(crate) callback: Option<Arc<CallbackListener>>,
}

/// One call as oracles see it.
pub(super) struct Step<'t> {
    pub(super) operation: &'t Operation,
    pub(super) action: &'t RestAction,
    /// Verb that was sent.
    pub(super) verb: &'t str,
    /// Path that was sent, without query.
    pub(super) path: &'t str,
    /// Path and query that were sent.
    pub(super) whole_path: &'t str,
    pub(super) response: Option<&'t HttpResponse>,
    pub(super) status: u16,
    /// Whether it was refused with 401, and holds something besides its caller's credentials that
    /// this may be about.
    pub(super) takes_credentials: bool,
    /// Body of the response, where it is JSON.
    pub(super) body: Option<Value>,
    pub(super) exchange: &'t Exchange<'t, RestAction>,
}

impl Step<'_> {
    pub(super) fn is_success(&self) -> bool {
        is_success(self.status)
    }

    /// Whether the call is what its genes say.
    pub(super) fn is_plain(&self) -> bool {
        self.action.deviation.is_none()
    }

    /// Whether the path that was sent may be that of another operation, or of none: a value of it is
    /// empty, holds a slash or a control character, or goes up.
    pub(super) fn is_elsewhere(&self) -> bool {
        let segments = self.path.trim_start_matches('/').split('/');
        let is_odd = |segment: &str| {
            let text = decoded(segment);
            let is_control = |c: char| c.is_control() || matches!(c, '/' | '\\');
            is_step(&text) || text.contains(is_control)
        };
        let ends = |path: &str| path.ends_with('/');
        self.path.contains("//")
            || ends(self.path) && !ends(&self.operation.path)
            || segments.into_iter().any(is_odd)
    }

    /// Whether the call may change something.
    pub(super) fn is_change(&self) -> bool {
        !matches!(self.verb, "GET" | "HEAD" | "OPTIONS" | "TRACE")
    }
}

pub(super) fn fault(code: u16, context: impl Into<String>) -> Fault {
    Fault { code, context: context.into() }
}

impl RestOracles {
    /// Faults of a test, each with the position of the call at fault.
    pub(crate) fn judge(&self, test: &[Exchange<'_, RestAction>]) -> Vec<(usize, Fault)> {
        let steps: Vec<Step<'_>> =
            test.iter().map(|exchange| step(&self.templates, exchange)).collect();
        let mut found = Vec::new();
        for (place, step) in steps.iter().enumerate() {
            single::judge(self, step, &mut |fault| found.push((place, fault)));
            status::judge(step, &mut |fault| found.push((place, fault)));
        }
        // What was told to close is closed.
        let is_closed = |place: usize| steps[place].status == 503 && was_switched(&steps[..place]);
        found.retain(|(place, fault)| fault.code != 100 || !is_closed(*place));
        if steps.len() > 1 {
            let mut push = |place, fault| found.push((place, fault));
            semantics::judge(&self.templates.description().schemas, &steps, &mut push);
            access::judge(&steps, &mut push);
            injection::judge(&steps, &mut push);
            condition::judge(&steps, &mut push);
        }
        found.retain(|(_, fault)| self.settings.wants(fault.code));
        found.sort();
        found.dedup();
        found
    }
}

/// Whether a call set a mode of the service.
fn was_switched(steps: &[Step<'_>]) -> bool {
    let sets = |step: &Step<'_>| sets_mode(&step.operation.path, step.exchange.request);
    steps.iter().any(|step| step.is_change() && step.is_success() && sets(step))
}

fn step<'t>(templates: &'t Templates, exchange: &'t Exchange<'t, RestAction>) -> Step<'t> {
    let response = exchange.outcome.response.as_ref().ok();
    let body = response.and_then(|response| serde_json::from_str(&response.body).ok());
    let operation = templates.operation(exchange.action.template);
    let status = response.map_or(0, |response| response.status);
    let schemas = &templates.description().schemas;
    Step {
        takes_credentials: status == 401 && access::takes_credentials(schemas, operation),
        operation,
        action: exchange.action,
        verb: exchange.request.method.as_str(),
        path: exchange.request.path.path(),
        whole_path: exchange.request.path.as_str(),
        response,
        status,
        body,
        exchange,
    }
}

/// Whether the deviation is a verb that is not documented.
pub(super) fn undocumented_verb<'s>(step: &Step<'s>) -> Option<&'s str> {
    match step.action.deviation.as_deref() {
        Some(Deviation::Verb(verb)) => Some(verb),
        _ => None,
    }
}
