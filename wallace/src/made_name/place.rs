//! Places in lists that may not be there on a fresh start.
//!
//! A test that takes the eighth group of a list passes as long as there are eight. How many there are from
//! the start is what the shortest answer showed.

use std::collections::BTreeMap;

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_problems::{AnswerPlace, HttpRequest};

use crate::asked::hash;

/// Most paths whose lists are remembered, and most lists of each.
const MOST_PATHS: usize = 10_000;
const MOST_LISTS: usize = 20;

/// What the parameter is called by which a page begins.
const OFFSETS: [&str; 4] = ["offset", "skip", "start", "from"];

/// The lists of answers at their shortest, by the path that was read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Places(BTreeMap<u64, BTreeMap<String, usize>>);

impl Places {
    /// Looks at the lists of an answer to a plain reading: a query may leave out what is there.
    pub(super) fn learn(&mut self, request: &HttpRequest, body: &Value) {
        if request.method != Method::GET || request.path.query().is_some() {
            return;
        }
        let key = hash(&request.path.path());
        if self.0.len() >= MOST_PATHS && !self.0.contains_key(&key) {
            return;
        }
        let known = self.0.entry(key).or_default();
        let members = body.as_object().into_iter().flatten();
        let members = members.map(|(name, member)| (format!("/{name}"), member));
        for (pointer, list) in members.chain([(String::new(), body)]) {
            let Some(list) = list.as_array() else { continue };
            if known.len() < MOST_LISTS || known.contains_key(&pointer) {
                let least = known.entry(pointer).or_insert(list.len());
                *least = list.len().min(*least);
            }
        }
    }

    /// Whether a place in an answer is behind the end of the list at its shortest, with as many elements
    /// more as the test may have `made`.
    pub(super) fn is_beyond(
        &self,
        request: &HttpRequest,
        place: &AnswerPlace,
        made: usize,
    ) -> bool {
        let AnswerPlace::Body(pointer) = place else { return false };
        let Some(known) = self.0.get(&hash(&request.path.path())) else { return false };
        known.iter().any(|(list, least)| {
            let rest = pointer.strip_prefix(&**list).and_then(|rest| rest.strip_prefix('/'));
            let element = rest.and_then(|rest| rest.split('/').next()?.parse::<usize>().ok());
            element.is_some_and(|element| element >= least + made)
        })
    }

    /// Whether a page begins behind the end of the list at its shortest, and shows something all the same.
    pub(super) fn shows_beyond(&self, request: &HttpRequest, answer: &str, made: usize) -> bool {
        let Some(offset) = offset(request) else { return false };
        let Some(known) = self.0.get(&hash(&request.path.path())) else { return false };
        let answer: Value = serde_json::from_str(answer).unwrap_or_default();
        known.iter().any(|(list, least)| {
            let page = answer.pointer(list).and_then(Value::as_array);
            offset >= least + made && page.is_some_and(|page| !page.is_empty())
        })
    }
}

/// How many elements a request leaves out at the beginning of a list.
fn offset(request: &HttpRequest) -> Option<usize> {
    let pairs = request.path.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let mut offsets = pairs.filter(|(name, _)| OFFSETS.contains(name));
    offsets.next()?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn elements_behind_the_shortest_list_were_made_by_others() {
        let get = |path: &str| HttpRequest {
            method: Method::GET,
            path: path.parse().unwrap(),
            headers: http::HeaderMap::new(),
            body: bytes::Bytes::new(),
        };
        let mut places = Places::default();
        places.learn(&get("/groups"), &json!({"groups": [{"id": "default"}], "count": 1}));
        places.learn(&get("/groups"), &json!({"groups": [{"id": "default"}, {"id": "a"}]}));
        places.learn(&get("/groups?limit=0"), &json!({"groups": []}));
        places.learn(&get("/rules"), &json!([]));
        let is_beyond = |path: &str, pointer: &str, made| {
            places.is_beyond(&get(path), &AnswerPlace::Body(pointer.to_owned()), made)
        };
        assert!(
            !is_beyond("/groups", "/groups/0/id", 0) && is_beyond("/groups", "/groups/1/id", 0)
        );
        assert!(!is_beyond("/groups?limit=3", "/groups/1/id", 1), "the test made one");
        assert!(is_beyond("/rules", "/0", 0) && !is_beyond("/others", "/0", 0));
        assert!(!is_beyond("/groups", "/count", 0));
        let shows =
            |path: &str, answer: Value| places.shows_beyond(&get(path), &answer.to_string(), 0);
        assert!(shows("/groups?offset=3", json!({ "groups": [{ "id": "a" }] })));
        assert!(!shows("/groups?offset=0", json!({ "groups": [{ "id": "a" }] })));
        assert!(!shows("/groups?offset=3", json!({ "groups": [] })), "that is so with fewer, too");
    }
}
