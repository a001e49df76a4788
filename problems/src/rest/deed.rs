//! What a path says that is done, where the verb of HTTP does not: `/roles/add`, `/documents.list`,
//! `/createUser`. So speak services of remote procedures, which take all calls by POST.

use std::collections::HashMap;
use std::sync::Arc;

use wallace_genes::TemplateId;

use super::word::shape;
use crate::word::{singular, words};

/// Words for making a thing.
const MAKES: [&str; 6] = ["add", "create", "new", "insert", "register", "make"];
/// The same where nothing of the former does: what is granted or put may be there already.
const MAY_MAKE: [&str; 6] = ["grant", "put", "upload", "open", "start", "save"];
/// Words for showing many things.
const LISTS: [&str; 5] = ["list", "all", "ls", "search", "query"];
/// Words for what else is done with a thing that is there.
const OTHERS: [&str; 26] = [
    "get", "show", "info", "read", "find", "view", "fetch", "update", "edit", "change", "set",
    "rename", "delete", "remove", "destroy", "revoke", "archive", "restore", "close", "stop",
    "cancel", "enable", "disable", "promote", "status", "check",
];

/// What is done with a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rest) enum Deed {
    /// It is made; by a word that says so without doubt or by another one.
    Make { is_sure: bool },
    /// Things of its kind are shown.
    List,
    /// It must be there.
    Other,
}

/// What the last segment of a path says, and the path of the thing: `/a/roles` of `/a/roles/add`.
pub(in crate::rest) fn said(path: &str) -> Option<(Deed, String)> {
    let path = path.trim_end_matches('/');
    let (above, last) = path.rsplit_once('/')?;
    let before = above.rsplit('/').next().filter(|segment| !segment.contains('{'));
    let words = words(last);
    let (first, end) = (words.first()?, words.last()?);
    if last.contains('{') {
        return None;
    }
    if words.len() == 1 {
        let before = before.filter(|before| !before.is_empty())?;
        let is_plural = singular(end) != *end && singular(end) == singular(before);
        let deed = if is_plural { Deed::List } else { deed(end)? };
        return Some((deed, above.to_owned()));
    }
    // `documents.list` and `documents:list`, and then `createUser`, `user_create`.
    if let Some((thing, verb)) = last.rsplit_once(['.', ':'])
        && let Some(deed) = deed(verb)
    {
        return Some((deed, format!("{above}/{thing}")));
    }
    let (deed, thing) = deed(first)
        .map(|deed| (deed, &words[1..]))
        .or_else(|| Some((deed(end)?, &words[..words.len() - 1])))?;
    Some((deed, format!("{above}/{}", thing.join("_"))))
}

fn deed(word: &str) -> Option<Deed> {
    match word {
        _ if MAKES.contains(&word) => Some(Deed::Make { is_sure: true }),
        _ if MAY_MAKE.contains(&word) => Some(Deed::Make { is_sure: false }),
        _ if LISTS.contains(&word) => Some(Deed::List),
        _ if OTHERS.contains(&word) => Some(Deed::Other),
        _ => None,
    }
}

/// What the operations of a service say that they do, by the path of the thing.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    of_thing: HashMap<Arc<str>, Vec<(TemplateId, Deed)>>,
    of_operation: HashMap<TemplateId, (Deed, Arc<str>)>,
}

impl Deeds {
    /// Notes what the path of an operation says; what only reads makes nothing.
    pub(super) fn note(&mut self, id: TemplateId, path: &str, is_safe: bool) {
        let Some((deed, thing)) = said(path) else { return };
        if is_safe && matches!(deed, Deed::Make { .. }) {
            return;
        }
        let thing = shape(&thing);
        self.of_thing.entry(Arc::clone(&thing)).or_default().push((id, deed));
        self.of_operation.insert(id, (deed, thing));
    }

    /// Paths of the things that something is done with.
    pub(super) fn things(&self) -> Vec<&Arc<str>> {
        let mut things: Vec<&Arc<str>> = self.of_thing.keys().collect();
        things.sort_unstable();
        things
    }

    /// Whether an operation says what it does.
    pub(super) fn is_told(&self, id: TemplateId) -> bool {
        self.of_operation.contains_key(&id)
    }

    /// The path of the thing that must be there for an operation: also where its last word is none of
    /// those that are known, and stands where others make things.
    pub(super) fn needed(&self, id: TemplateId, path: &str) -> Option<Arc<str>> {
        if let Some((deed, thing)) = self.of_operation.get(&id) {
            return (*deed == Deed::Other).then(|| Arc::clone(thing));
        }
        let above = shape(path.trim_end_matches('/').rsplit_once('/')?.0);
        (!path.ends_with('}') && !self.makers(&above).is_empty()).then_some(above)
    }

    /// Operations that make a thing: of those that surely do, if there are any.
    pub(super) fn makers(&self, thing: &str) -> Vec<TemplateId> {
        let makers = |is_sure| self.with(thing, Deed::Make { is_sure });
        let sure = makers(true);
        if sure.is_empty() { makers(false) } else { sure }
    }

    /// Operations that list things of a kind.
    pub(super) fn lists(&self, thing: &str) -> Vec<TemplateId> {
        self.with(thing, Deed::List)
    }

    fn with(&self, thing: &str, wanted: Deed) -> Vec<TemplateId> {
        let all = self.of_thing.get(thing).into_iter().flatten();
        all.filter(|(_, deed)| *deed == wanted).map(|(id, _)| *id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_say_what_is_done() {
        let made = Deed::Make { is_sure: true };
        let said = |path| said(path).map(|(deed, thing)| (deed, shape(&thing).to_string()));
        let of = |deed, thing: &str| Some((deed, thing.to_owned()));
        assert_eq!(said("/v3/auth/role/add"), of(made, "/v3/auth/role"));
        assert_eq!(said("/v3/lease/leases"), of(Deed::List, "/v3/lease"));
        assert_eq!(said("/api/documents.list"), of(Deed::List, "/api/documents"));
        assert_eq!(said("/orgs/{org}/createUser/"), of(made, "/orgs/{}/user"));
        assert_eq!(said("/v1/access_key:revoke"), of(Deed::Other, "/v1/access_key"));
        assert_eq!(said("/user_group_delete"), of(Deed::Other, "/user_group"));
        for path in ["/users", "/users/{id}", "/users/{id}/add", "/add", "/auth/login", "/"] {
            assert_eq!(said(path), None, "{path}");
        }
    }
}
