//! Faults against what verbs mean, which only several calls show.
//!
//! States are compared, not statuses; what changes with time is left out of comparisons, and
//! nothing is concluded across a call in between that may have changed something.

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::difference::{self, is_same_state};
use super::put::put;
use super::{Step, fault, undocumented_verb};
use crate::oracle::Fault;
use crate::rest::identity::elements;
use crate::rest::schema::Schemas;
use crate::word::words;

/// Words of paths at which a service tells of its own work.
const METERS: [&str; 7] =
    ["diagnostics", "metric", "metrics", "monitoring", "prometheus", "stats", "telemetry"];

pub(super) fn judge(schemas: &Schemas, steps: &[Step<'_>], found: &mut dyn FnMut(usize, Fault)) {
    for (place, step) in steps.iter().enumerate() {
        match step.verb {
            "DELETE" => deleted(steps, place, found),
            "PUT" => put(schemas, steps, place, found),
            "POST" => failed_creation(steps, place, found),
            "GET" => {
                read_twice(steps, place, found);
                pages(steps, place, found);
            }
            _ => {}
        }
        wrong_verb(steps, place, found);
        members(steps, place, found);
    }
}

/// The first reading behind a call by the same user, with nothing but readings in between.
pub(super) fn next_read(steps: &[Step<'_>], place: usize, path: &str) -> Option<usize> {
    first_read(steps, place, path, place + 1..steps.len())
}

/// The last reading before a call by the same user, with nothing but readings in between.
pub(super) fn last_read(steps: &[Step<'_>], place: usize, path: &str) -> Option<usize> {
    first_read(steps, place, path, (0..place).rev())
}

fn first_read(
    steps: &[Step<'_>],
    place: usize,
    path: &str,
    mut others: impl Iterator<Item = usize>,
) -> Option<usize> {
    let caller = steps[place].action.caller;
    let is_wanted = |step: &Step<'_>| {
        let is_read = step.verb == "GET" && step.path == path && step.is_plain();
        is_read && step.action.caller == caller
    };
    let end = others.find(|index| is_wanted(&steps[*index]) || steps[*index].is_change())?;
    is_wanted(&steps[end]).then_some(end)
}

/// 103: what was deleted with success is still there.
fn deleted(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let step = &steps[place];
    let is_of_thing = step.operation.path.ends_with('}') && !step.operation.resets;
    // A body says which of what stands there is to go.
    let says_which = !step.exchange.request.body.is_empty();
    if !step.is_success() || !step.is_plain() || !is_of_thing || says_which {
        return;
    }
    if let Some(read) = next_read(steps, place, step.path)
        && steps[read].is_success()
        && steps[read].status != 202
        && !steps[read].body.as_ref().is_some_and(shows_nothing)
        && names_thing(&steps[read])
    {
        found(place, fault(103, ""));
    }
}

/// Whether an answer holds the id that its path ends with: some show the same thing whatever was asked for.
fn names_thing(step: &Step<'_>) -> bool {
    let id = step.path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let id = percent_decode_str(id).decode_utf8_lossy();
    step.response.is_some_and(|response| response.body.contains(&*id))
}

/// Whether all that an answer holds are empty lists, whatever it tells of their pages.
fn shows_nothing(body: &Value) -> bool {
    if let Some(elements) = elements(body) {
        return elements.is_empty();
    }
    match body {
        Value::Null => true,
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => {
            !members.is_empty()
                && members.values().all(|it| it.as_array().is_some_and(Vec::is_empty))
        }
        _ => false,
    }
}

/// 104: what could not be created is there, and was not before.
fn failed_creation(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let step = &steps[place];
    // Who is busy or away in between may have passed it on.
    if step.status < 400 || (502..=504).contains(&step.status) {
        return;
    }
    let (Some(before), Some(after)) = (place.checked_sub(1), steps.get(place + 1)) else { return };
    let before = &steps[before];
    let is_same =
        before.verb == "GET" && after.verb == "GET" && before.whole_path == after.whole_path;
    let is_below = after.path.strip_prefix(step.path).is_some_and(|rest| rest.starts_with('/'));
    let is_by_one = before.action.caller == after.action.caller;
    if is_same && is_below && is_by_one && before.status == 404 && after.is_success() {
        found(place, fault(104, ""));
    }
}

/// 988: reading changes what is read. What differs at each reading, as times and random values do,
/// is meant so; a number that moves by the same step each time is not.
fn read_twice(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let Some([first, second, third]) = steps.get(place..place + 3) else { return };
    let is_same = |other: &Step<'_>| {
        other.verb == "GET"
            && other.whole_path == first.whole_path
            && other.action.caller == first.action.caller
            && other.is_plain()
            && other.is_success()
    };
    // What measures the service counts its readings too.
    let is_meter = || words(&first.operation.path).iter().any(|word| METERS.contains(&&**word));
    if ![first, second, third].into_iter().all(is_same) || is_meter() {
        return;
    }
    let [Some(one), Some(two), Some(three)] = [&first.body, &second.body, &third.body] else {
        return;
    };
    if difference::is_changed_by_reading(one, two, three) {
        found(place, fault(988, "read twice"));
    }
}

/// 988: neighbouring pages share elements, although the first page is still the same.
fn pages(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let Some([first, second, again]) = steps.get(place..place + 3) else { return };
    let is_page = [first, second, again].iter().all(|step| {
        step.verb == "GET"
            && step.path == first.path
            && step.is_success()
            && step.action.caller == first.action.caller
    });
    let is_row = first.whole_path == again.whole_path && first.whole_path != second.whole_path;
    if !is_page
        || !is_row
        || !is_neighbour(first.whole_path, second.whole_path)
        || !is_same_state(first.body.as_ref(), again.body.as_ref())
    {
        return;
    }
    let items =
        |step: &Step<'_>| step.body.as_ref().and_then(elements).cloned().unwrap_or_default();
    let (one, two) = (items(first), items(second));
    let has_identity = |item: &&Value| item.get("id").is_some();
    let shared = one
        .iter()
        .filter(has_identity)
        .any(|item| two.iter().any(|other| item.get("id") == other.get("id")));
    if shared {
        found(place + 1, fault(988, "pages overlap"));
    }
}

/// Whether the offset of the second page is where the first ends, all else being equal.
fn is_neighbour(first: &str, second: &str) -> bool {
    let read = |path: &str, names: &[&str]| -> Option<i64> {
        let query = path.split_once('?')?.1;
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let mut values =
            pairs.filter(|(name, _)| names.iter().any(|known| known.eq_ignore_ascii_case(name)));
        values.next()?.1.parse().ok()
    };
    let offset = ["offset", "skip", "start"];
    let limit = ["limit", "size", "count", "pageSize", "per_page"];
    let (from, to) = (read(first, &offset), read(second, &offset));
    match (from, to, read(first, &limit), read(second, &limit)) {
        (Some(from), Some(to), Some(one), Some(two)) => one == two && to == from + one,
        _ => false,
    }
}

/// 908: a verb that is not documented is not refused with 405, on a thing that is there.
fn wrong_verb(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let step = &steps[place];
    if undocumented_verb(step).is_none() || matches!(step.verb, "OPTIONS" | "HEAD") {
        return;
    }
    let is_there = last_read(steps, place, step.path).is_some_and(|read| steps[read].is_success());
    if is_there && step.status == 404 {
        found(place, fault(908, ""));
    }
}

/// 203: a member that is not documented took effect.
fn members(steps: &[Step<'_>], place: usize, found: &mut dyn FnMut(usize, Fault)) {
    let step = &steps[place];
    let Some(crate::rest::action::Deviation::Member { name, value }) =
        step.action.deviation.as_deref()
    else {
        return;
    };
    let Ok(value) = serde_json::from_str::<Value>(value) else { return };
    let is_set =
        |step: &Step<'_>| step.body.as_ref().and_then(|body| body.get(name)) == Some(&value);
    // The same operation without the member gives another value.
    let usual = steps.iter().find(|other| {
        other.operation.id == step.operation.id
            && other.is_plain()
            && other.is_success()
            && other.body.as_ref().is_some_and(|body| body.get(name).is_some())
    });
    if step.is_success() && is_set(step) && usual.is_some_and(|usual| !is_set(usual)) {
        found(place, fault(203, name.as_str()));
    }
}

pub(super) fn sent_body(step: &Step<'_>) -> Option<Value> {
    serde_json::from_slice(&step.exchange.request.body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rest::problem::support::{answered, has_fault, problem};

    #[test]
    fn pages_follow_each_other() {
        assert!(is_neighbour("/p?limit=2&offset=0", "/p?limit=2&offset=2"));
        assert!(!is_neighbour("/p?limit=2&offset=0", "/p?limit=2&offset=1"));
        assert!(!is_neighbour("/p", "/p?offset=2"));
    }

    #[test]
    fn what_a_deletion_leaves_is_told_from_what_it_does_not_take() {
        let paths = "{'/p/{id}': {get: {}, delete: {}}, '/r/{id}': {get: {}, delete: {summary: Resets it}}}";
        let problem = problem(paths, 1);
        let leaves = |path: &str, sent: &str, left: &str| {
            let call = |verb: &str, sent, answer| {
                let operation = format!("{verb}:/{}/{{id}}", &path[1..2]);
                answered(&problem, (&operation, path, sent), (200, answer))
            };
            has_fault(&problem, 103, &[call("DELETE", sent, "true"), call("GET", "", left)])
        };
        assert!(leaves("/p/1", "", r#"{"id":1}"#));
        assert!(!leaves("/p/1", "", r#"{"list":[],"pageInfo":{"totalRows":0}}"#));
        assert!(!leaves("/p/1", "", r#"{"is_default":true}"#), "whatever is asked for");
        assert!(!leaves("/p/1", "[]", r#"{"id":1}"#), "the body says which");
        assert!(!leaves("/r/1", "", r#"{"id":1}"#));
    }

    #[test]
    fn what_failed_may_have_left_something_whoever_is_to_blame() {
        let problem = problem("{/p: {post: {}}, '/p/{id}': {get: {}}}", 1);
        let leaves = |status: u16| {
            let call =
                |operation, path, status| answered(&problem, (operation, path, ""), (status, "{}"));
            let read = |status| call("GET:/p/{id}", "/p/1", status);
            has_fault(&problem, 104, &[read(404), call("POST:/p", "/p", status), read(200)])
        };
        assert!(leaves(422) && leaves(500) && !leaves(503) && !leaves(201));
    }
}
