//! Faults of conditional requests, and of pages of other origins (RFC 9110, 13.1; Fetch, 3.2).

use super::{Step, fault};
use crate::oracle::Fault;
use crate::rest::action::Deviation;

/// An origin that no service knows.
pub(crate) const ORIGIN: &str = "https://wallace.invalid";
/// An entity tag that nothing has.
pub(crate) const STALE: &str = "\"wallace-stale\"";

pub(super) fn judge(steps: &[Step<'_>], found: &mut dyn FnMut(usize, Fault)) {
    for (place, step) in steps.iter().enumerate() {
        let Some(Deviation::Header { name, value }) = step.action.deviation.as_deref() else {
            continue;
        };
        match name.as_str() {
            "origin" if allows_any_origin(step) => {
                found(place, fault(966, ""));
            }
            "if-none-match" if sends_again(&steps[..place], step, value) => {
                found(place, fault(988, "If-None-Match is ignored"));
            }
            "if-match" if takes_stale(&steps[..place], step, value) => {
                found(place, fault(988, "a stale If-Match is ignored"));
            }
            _ => {}
        }
    }
}

/// Pages of an unknown origin may read what the user may.
fn allows_any_origin(step: &Step<'_>) -> bool {
    let header = |name: &str| step.response.and_then(|response| response.header(name));
    step.is_success()
        && header("access-control-allow-origin") == Some(ORIGIN)
        && header("access-control-allow-credentials") == Some("true")
}

fn tag<'s>(step: &Step<'s>) -> Option<&'s str> {
    step.response.and_then(|response| response.header("etag"))
}

/// The last reading of the same thing by the same user, with nothing but readings in between.
fn read_before<'s, 't>(before: &'s [Step<'t>], step: &Step<'_>) -> Option<&'s Step<'t>> {
    let unchanged = before.iter().rev().take_while(|other| !other.is_change());
    unchanged
        .filter(|other| other.verb == "GET" && other.is_plain() && other.is_success())
        .find(|other| other.path == step.path && other.action.caller == step.action.caller)
}

/// What the caller has already is sent whole: it still has the tag that the caller told.
fn sends_again(before: &[Step<'_>], step: &Step<'_>, told: &str) -> bool {
    step.verb == "GET"
        && step.status == 200
        && tag(step) == Some(told)
        && read_before(before, step).and_then(tag) == Some(told)
}

/// A change is made although the caller says that it knows another state, on a thing with tags.
fn takes_stale(before: &[Step<'_>], step: &Step<'_>, told: &str) -> bool {
    step.is_change()
        && step.is_success()
        && read_before(before, step)
            .and_then(tag)
            // Weak tags are for readers only (RFC 9110, 13.1.1).
            .is_some_and(|tag| tag != told && !tag.starts_with("W/"))
}
