//! What an answer is about: the kind of the things in it, as its path or the member above them says.
//!
//! `/projects/1/members` shows members and no projects: a member that is the user's own says nothing of
//! the project of its number.

use super::{ASKER, PEOPLE, is_like_id, segments};
use crate::auth::name::is_asker;
use crate::http::HttpRequest;
use crate::kind::kinds;
use crate::word::words;

/// Members that hold the things of an answer and say nothing of their kind; so do those whose words
/// are none ([`kinds`]), as `data` and `items`.
const CONTAINERS: [&str; 7] =
    ["content", "entries", "values", "records", "rows", "objects", "_embedded"];

/// The kinds of what a path leads to. What leads to whoever asks is somebody, whatever is asked of them.
pub(super) fn of_path(request: &HttpRequest, is_named: impl Fn(&str) -> bool) -> Vec<String> {
    let all: Vec<&str> = segments(request).collect();
    if let Some(asker) = all.iter().position(|segment| ASKER.contains(segment)) {
        let told = all.iter().flat_map(|segment| kinds(segment));
        return told.chain(people(asker + 1 == all.len())).collect();
    }
    let leads = |segment: &&&str| !is_like_id(segment) && !is_named(segment);
    let told = all.iter().rev().find(leads).map(|segment| kinds(segment));
    told.into_iter().flatten().collect()
}

/// The kinds of what a member holds, in something of these kinds.
pub(super) fn of_member(name: &str, around: &[String]) -> Vec<String> {
    if is_container(name) {
        return around.to_vec();
    }
    kinds(name).chain(people(is_asker(&words(name)))).collect()
}

/// Whether a member only holds what the object around it is about.
pub(super) fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name) || kinds(name).next().is_none()
}

fn people(leads: bool) -> impl Iterator<Item = String> {
    PEOPLE.iter().filter(move |_| leads).map(|kind| (*kind).to_owned())
}
