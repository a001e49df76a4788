//! Faults of who may do what, which only calls by several users, or of several verbs, show.

use super::{Step, fault};
use crate::oracle::Fault;

pub(super) fn judge(steps: &[Step<'_>], found: &mut dyn FnMut(usize, Fault)) {
    for (place, step) in steps.iter().enumerate() {
        missed_check(steps, place, step, found);
        leak(steps, place, step, found);
    }
}

/// 206: a user may not do one thing with a resource, and may change it in another way.
fn missed_check(
    steps: &[Step<'_>],
    place: usize,
    step: &Step<'_>,
    found: &mut dyn FnMut(usize, Fault),
) {
    let is_change = matches!(step.verb, "PUT" | "PATCH" | "DELETE");
    if !is_change || !step.is_success() || !step.is_plain() || step.action.caller.is_none() {
        return;
    }
    let is_forbidden = |other: &Step<'_>| {
        let is_on_it = other.path == step.path
            || step.path.strip_prefix(other.path).is_some_and(|rest| {
                rest.starts_with('/') && !rest[1..].contains('/') && is_fixed_below(other, step)
            });
        let is_verb = matches!(other.verb, "GET" | "PUT" | "PATCH" | "DELETE");
        is_on_it
            && is_verb
            && other.status == 403
            && other.is_plain()
            && other.action.caller == step.action.caller
            && other.operation.path.contains('{')
    };
    if steps.iter().any(is_forbidden) {
        found(place, fault(206, ""));
    }
}

/// Whether the path of `below` is that of `above` and one fixed segment: a part of the same thing,
/// and not another thing below it.
fn is_fixed_below(above: &Step<'_>, below: &Step<'_>) -> bool {
    let last = below.operation.segments().next_back();
    above.operation.path.ends_with('}') && last.is_some_and(|last| !last.contains('{'))
}

/// 204: a user who may read neither is told which of two things exists.
fn leak(steps: &[Step<'_>], place: usize, step: &Step<'_>, found: &mut dyn FnMut(usize, Fault)) {
    if step.verb != "GET" || step.status != 403 || step.action.caller.is_none() || !step.is_plain()
    {
        return;
    }
    let is_missing = |other: &Step<'_>| {
        other.verb == "GET"
            && other.operation.id == step.operation.id
            && other.action.caller == step.action.caller
            && other.status == 404
            && other.is_plain()
    };
    if step.operation.path.contains('{') && steps.iter().any(is_missing) {
        found(place, fault(204, ""));
    }
}
