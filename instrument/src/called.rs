//! Calls of known methods, as the code written by the attribute reports them.

use wallace_sut_driver::StringUse;

use crate::decision::{Decision, missed};
use crate::elements::Collection;
use crate::hit::{self, branch, is_settled, may_be_tainted, note_uses, opposite};
use crate::layout::{self, Layout};
use crate::observation::Observation;
use crate::predicate::{NO_MATCH, Predicate, lookup, predicate};
use crate::scope::with_recorder;
use crate::site::Function;
use crate::state::{are_decisions_kept, is_recording};
use crate::truthness::{BASE, Truthness, closeness};
use crate::{pattern_distance, taint, text};

/// Name of the query parameter that an engine adds to find those that nobody documents. A map
/// that holds it is one of query parameters.
const PROBE_PARAMETER: &str = "EMextraParam123";

/// A call of a known method that gives a truth value, an `Option` or a `Result`; nothing is
/// recorded of other outcomes.
pub fn call(
    function: &'static Function,
    target: u32,
    method: Predicate,
    (outcome, receiver, argument): (Option<bool>, Observation<'_>, Observation<'_>),
) {
    let Some(outcome) = outcome else { return };
    seek(function, method, receiver, argument);
    if is_settled(function, target) {
        return;
    }
    let is_costly = matches!(receiver, Observation::Pattern(_)) && !outcome;
    let scores = if is_costly && !may_measure(function, target) {
        Truthness::new(outcome, closeness(NO_MATCH))
    } else {
        predicate(method, outcome, receiver, argument)
    };
    note_decision(function, target, (outcome, scores), || {
        Decision::predicate(method, outcome, receiver, argument)
    });
    branch(function, target, outcome, scores);
}

/// A part is looked for in a text, and nothing more is known of the outcome.
pub fn seek(
    function: &'static Function,
    method: Predicate,
    receiver: Observation<'_>,
    argument: Observation<'_>,
) {
    if may_be_tainted(receiver, argument) {
        note_uses(function, |inputs| taint::in_predicate(method, receiver, argument, inputs));
    }
}

/// Something is looked up in what may be a collection, or a part in what may be a text.
pub fn look_up(
    function: &'static Function,
    target: u32,
    method: Predicate,
    collection: Collection<'_>,
    operands: (Option<bool>, Observation<'_>, Observation<'_>),
) {
    let (outcome, receiver, key) = operands;
    if let (Collection::Unknown, Observation::Text(_) | Observation::Interval(..)) =
        (collection, receiver)
    {
        return call(function, target, method, operands);
    }
    let Some(outcome) = outcome else { return };
    if let Observation::Text(name) = key {
        note_key(function, collection, name);
    }
    if !is_settled(function, target) {
        let scores = lookup(method, outcome, collection, (receiver, key));
        note_decision(function, target, (outcome, scores), || {
            Decision::predicate(method, outcome, receiver, key)
        });
        branch(function, target, outcome, scores);
    }
}

/// Keys as uses of tainted texts, and as names of headers and of query parameters.
fn note_key(function: &'static Function, collection: Collection<'_>, name: &str) {
    if !is_recording() {
        return;
    }
    if let Collection::Headers = collection {
        with_recorder(function, 0, |recorder, _| recorder.note_header(name));
        return;
    }
    let mut is_query = false;
    collection.each(&mut |key| is_query |= key == Observation::Text(PROBE_PARAMETER));
    if is_query {
        with_recorder(function, 0, |recorder, _| recorder.note_query_parameter(name));
    }
    if taint::may_be_input(name) {
        note_uses(function, |inputs| taint::in_look_up(name, collection, inputs));
    }
}

/// A text is read as the type `R` holds, by the format if there is one.
pub fn parse<R>(
    function: &'static Function,
    target: u32,
    (text, format): (Observation<'_>, Observation<'_>),
    outcome: Option<bool>,
    _: &R,
) {
    let (Observation::Text(text), Some(outcome)) = (text, outcome) else { return };
    let type_name = parsed_type(std::any::type_name::<R>());
    let layout = match format {
        Observation::Text(format) => layout::of_format(format),
        _ => layout::of_type(type_name),
    };
    if taint::may_be_input(text) {
        let is_formatted = matches!(format, Observation::Text(_));
        let type_name = if is_formatted { "" } else { type_name };
        note_uses(function, |inputs| -> Vec<StringUse> {
            taint::in_parse(text, type_name, layout.as_ref(), inputs).into_iter().collect()
        });
    }
    if is_settled(function, target) {
        return;
    }
    let opposite = match layout {
        _ if outcome => BASE,
        Some(Layout::Integer(digits)) => text::number(text, Some(digits)),
        Some(Layout::Float) => text::number(text, None),
        Some(Layout::Pattern(pattern)) if may_measure(function, target) => {
            closeness(pattern_distance::edits(&pattern, text).map_or(NO_MATCH, f64::from))
        }
        _ => BASE,
    };
    let scores = Truthness::new(outcome, opposite);
    note_decision(function, target, (outcome, scores), || {
        Decision::parsed(text, type_name, outcome)
    });
    branch(function, target, outcome, scores);
}

/// Keeps the values of a call for the side that it missed, where anybody wants them.
fn note_decision(
    function: &'static Function,
    target: u32,
    (outcome, scores): (bool, Truthness),
    decide: impl FnOnce() -> Decision,
) {
    if are_decisions_kept() {
        hit::note_decision(function, missed(target, outcome), opposite(outcome, scores), decide);
    }
}

/// `T` of `core::result::Result<T, E>` or of `core::option::Option<T>`.
fn parsed_type(result: &str) -> &str {
    let inner = result.strip_prefix("core::result::Result<");
    let inner = inner.or_else(|| result.strip_prefix("core::option::Option<")).unwrap_or("");
    inner.split([',', '<', '>']).next().unwrap_or("")
}

/// A `?` went on, or left the function.
#[cfg_attr(not(debug_assertions), inline)]
pub fn tried(function: &'static Function, target: u32, outcome: Option<bool>) {
    if let Some(outcome) = outcome
        && !is_settled(function, target)
    {
        let scores = Truthness::new(outcome, BASE);
        note_decision(function, target, (outcome, scores), || {
            Decision::plain("the call succeeds", outcome)
        });
        branch(function, target, outcome, scores);
    }
}

/// Whether the action may still compute distances to patterns, which are the costly ones.
fn may_measure(function: &'static Function, target: u32) -> bool {
    let mut may = false;
    with_recorder(function, target, |recorder, _| may = recorder.take_measurement());
    may
}
