//! Credentials that were there before the run: where a user comes with a fixed one, any of them may be it.
//!
//! Many services list keys by their ids and never show the key itself, so that nothing in an answer says
//! which of them is in use. Those that the run has made are free.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{MOST, SHORTEST_UNIQUE, Touch, ids, is_like_id, segments, subject};
use crate::http::HttpRequest;
use crate::word::singulars;

/// Ids of credentials, by who made them.
#[derive(Debug, Default)]
pub(super) struct StandingCredentials {
    /// Answered by changes of the run, and not read before.
    made: BTreeSet<Box<str>>,
    /// Answered by reads.
    shown: BTreeSet<Box<str>>,
}

impl StandingCredentials {
    /// Looks at the answer to a call that went well.
    pub(super) fn learn(&mut self, request: &HttpRequest, is_read: bool, tree: &Value) {
        let kind = segments(request).filter(|segment| !is_like_id(segment)).last();
        let mut found = Vec::new();
        collect(tree, kind.is_some_and(is_of_credentials), &mut found);
        if is_read {
            self.shown.extend(found.into_iter().map(Into::into));
        } else {
            let is_new = |id: &String| !self.shown.contains(id.as_str());
            self.made.extend(found.into_iter().filter(is_new).map(Into::into));
        }
        for known in [&mut self.made, &mut self.shown] {
            while known.len() > MOST {
                known.pop_last();
            }
        }
    }

    /// Whether a call would change one that the run did not make, or all of them. Nobody guesses a long id
    /// that no answer showed; a short one may well be that of a key.
    pub(super) fn are_threatened(&self, touch: &Touch) -> bool {
        let is_standing = |id: &String| {
            !self.made.contains(id.as_str())
                && (id.len() < SHORTEST_UNIQUE || self.shown.contains(id.as_str()))
        };
        are_of_credentials(&touch.all_of)
            || are_of_credentials(&touch.subject) && touch.ids.iter().any(is_standing)
    }
}

/// Ids of the credentials in an answer; the objects of `tree` are some where `is_of_them` says so.
fn collect(tree: &Value, is_of_them: bool, found: &mut Vec<String>) {
    match tree {
        Value::Array(elements) => {
            elements.iter().for_each(|element| collect(element, is_of_them, found));
        }
        Value::Object(members) => {
            if is_of_them {
                found.extend(ids(members));
            }
            for (name, member) in members {
                let is_of_them =
                    is_of_credentials(name) || is_of_them && subject::is_container(name);
                collect(member, is_of_them, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn is_of_credentials(name: &str) -> bool {
    are_of_credentials(&singulars(name))
}

/// Whether words name what a caller shows in place of a login: a token, an API key.
fn are_of_credentials(words: &[String]) -> bool {
    let is_key = |pair: &[String]| {
        pair[1] == "key" && ["api", "access", "auth", "personal", "secret"].contains(&&*pair[0])
    };
    words.iter().any(|word| ["token", "credential", "apikey"].contains(&&**word))
        || words.windows(2).any(is_key)
}
