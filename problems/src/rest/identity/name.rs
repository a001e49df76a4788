//! The part of an answer that names the thing which it shows.
//!
//! A placeholder `{id}` takes an id. `{repo}` may take the id of a repository or its name: an id that
//! is a number is none where texts are wanted, and what the call that made the thing chose for a name
//! is likely one. Where both may be meant, it differs from thing to thing which one is taken, so that
//! both are tried.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Wanted;
use crate::binding::child_pointer;
use crate::word::{plain, singular};

/// Members by which things are called, besides `id` and its like.
const NAMES: [&str; 7] = ["name", "slug", "key", "login", "username", "code", "tag"];
/// Members that number the things of one owner.
const NUMBERS: [&str; 4] = ["number", "index", "iid", "no"];
/// Of so many things of which both may be meant one is named by its id.
const BY_ID: u32 = 4;

/// The scalar that names the thing which a body shows, and the pointer to it; also one level deeper,
/// as wrappers are common. `chosen` are the texts that the call which made it sent.
pub(super) fn named<'v>(
    body: &'v Value,
    wanted: &Wanted,
    chosen: &BTreeSet<String>,
) -> Option<(String, &'v Value)> {
    let Value::Object(members) = body else { return None };
    let collection = super::collection(&wanted.path, wanted.depth);
    let look = Look { members, name: plain(&wanted.name), thing: plain(&singular(collection)) };
    let found = look.own().or_else(|| {
        let is_by_name = wanted.is_text && !is_id(&look.name);
        let name = if is_by_name { look.by_name() } else { None };
        let id = look.by_id();
        match (name, id) {
            (Some(name), Some(id)) => {
                let is_chosen = name.1.as_str().is_some_and(|text| chosen.contains(text));
                let is_likely = id.1.is_number() || is_chosen;
                Some(if is_likely && !is_odd(name.1) { name } else { id })
            }
            (name, id) => id.or(name),
        }
    });
    found.or_else(|| {
        members.iter().find_map(|(member, inner)| {
            let (pointer, found) = named(inner, wanted, chosen)?;
            Some((child_pointer("", member) + &pointer, found))
        })
    })
}

/// One in [`BY_ID`] values, always the same.
fn is_odd(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    let sum = text.bytes().fold(0_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    sum.is_multiple_of(BY_ID)
}

/// Whether a parameter of this name takes an id.
fn is_id(name: &str) -> bool {
    name.ends_with("id") || name.ends_with("uuid") || name.ends_with("guid")
}

/// An object, and what is looked for in it.
struct Look<'v> {
    members: &'v Map<String, Value>,
    name: String,
    thing: String,
}

impl<'v> Look<'v> {
    fn member(&self, wanted: &str) -> Option<(&'v String, &'v Value)> {
        self.members.iter().find(|(member, _)| plain(member) == wanted)
    }

    fn scalar(&self, wanted: &str) -> Option<(String, &'v Value)> {
        let (member, value) = self.member(wanted)?;
        (value.is_string() || value.is_number()).then(|| (child_pointer("", member), value))
    }

    /// The member that is called like the parameter, or what that is called which it holds; a number
    /// among those of one owner where the parameter is one.
    fn own(&self) -> Option<(String, &'v Value)> {
        if let Some(found) = self.scalar(&self.name) {
            return Some(found);
        }
        if let Some((member, Value::Object(inner))) = self.member(&self.name) {
            let thing = self.name.clone();
            let look = Look { members: inner, name: String::new(), thing };
            let (pointer, value) = look.by_name().or_else(|| look.by_id())?;
            return Some((child_pointer("", member) + &pointer, value));
        }
        let rest = self.name.strip_prefix(&self.thing).unwrap_or(&self.name);
        let is_number = NUMBERS.contains(&rest);
        is_number.then(|| NUMBERS.iter().find_map(|number| self.scalar(number)))?
    }

    fn by_name(&self) -> Option<(String, &'v Value)> {
        let own = [format!("{}name", self.thing), self.thing.clone()];
        let own = own.iter().map(String::as_str);
        let mut found = own.chain(NAMES).filter_map(|name| self.scalar(name));
        found.find(|(_, value)| value.is_string())
    }

    fn by_id(&self) -> Option<(String, &'v Value)> {
        let short = self.name.strip_suffix("id").unwrap_or(&self.name);
        let own = format!("{}id", self.thing);
        ["id", &own, &self.thing, short, "uuid", "code", "name"]
            .iter()
            .find_map(|name| self.scalar(name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(path: &str, depth: usize, is_text: bool, body: &Value, chosen: &[&str]) -> String {
        let name = path.split('/').nth(depth).unwrap().trim_matches(['{', '}']).into();
        let wanted = Wanted { path: path.into(), depth, name, is_text };
        let chosen = chosen.iter().map(|text| (*text).to_owned()).collect();
        named(body, &wanted, &chosen).map_or_else(String::new, |(pointer, _)| pointer)
    }

    #[test]
    fn names_are_taken_where_texts_are_wanted() {
        let path = "/repos/{owner}/{repo}/issues/{index}";
        let body = json!({ "id": 5, "owner": { "id": 1, "login": "ann" }, "name": "r" });
        assert_eq!(found(path, 2, true, &body, &[]), "/owner/login");
        assert_eq!(found(path, 3, true, &body, &["r"]), "/name");
        let issue = json!({ "id": 77, "number": 1, "title": "t" });
        assert_eq!(found(path, 5, false, &issue, &[]), "/number");
        let tag = json!({ "id": "9f86d0", "name": "v1" });
        assert_eq!(found("/repos/{r}/tags/{tag}", 4, true, &tag, &["v1"]), "/name");
        assert_eq!(found("/repos/{r}/tags/{tag}", 4, true, &tag, &[]), "/id");
        // What the parameter calls an id is one.
        let user = json!({ "id": 7, "name": "ann" });
        assert_eq!(found("/users/{user_id}", 2, true, &user, &["ann"]), "/id");
        assert_eq!(found("/users/{user}", 2, false, &user, &["ann"]), "/id");
        assert_eq!(found("/users/{user}", 2, true, &json!({ "id": 7 }), &[]), "/id");
    }

    #[test]
    fn both_are_tried_where_both_may_be_meant() {
        let of =
            |name: String| found("/users/{user}", 2, true, &json!({ "id": 7, "name": name }), &[]);
        let pointers: Vec<String> = ('a'..='z').map(|name| of(name.to_string())).collect();
        let names = pointers.iter().filter(|pointer| *pointer == "/name").count();
        assert!(names > 13 && names < 26, "{pointers:?}");
    }
}
