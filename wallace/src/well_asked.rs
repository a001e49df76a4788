//! Requests that were answered well: one that fails later fails for what came in between.
//!
//! A proxy that an earlier test sent elsewhere answers all that comes with an error. Nothing in the test
//! that meets the error says so, but the same request did well before.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use serde::{Deserialize, Serialize};
use wallace_problems::HttpRequest;

/// Most requests that are remembered.
const MOST_REQUESTS: usize = 50_000;

/// The requests by their hash, with the number of the first test in which each did well.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct WellAsked(BTreeMap<u64, u64>);

impl WellAsked {
    /// Notes a request of a user that was answered well.
    pub(crate) fn note(&mut self, user: Option<usize>, request: &HttpRequest, evaluation: u64) {
        if self.0.len() < MOST_REQUESTS {
            self.0.entry(key(user, request)).or_insert(evaluation);
        }
    }

    /// Whether a request of a user was answered well before a test.
    pub(crate) fn is_older(
        &self,
        user: Option<usize>,
        request: &HttpRequest,
        evaluation: u64,
    ) -> bool {
        self.0.get(&key(user, request)).is_some_and(|first| *first < evaluation)
    }
}

fn key(user: Option<usize>, request: &HttpRequest) -> u64 {
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    hasher.hash_one((user, &request.method, &request.path, &request.body))
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, Method};

    use super::*;

    #[test]
    fn a_request_is_told_by_who_asks_for_what_and_when() {
        let request = |path: &str| HttpRequest {
            method: Method::GET,
            path: path.parse().unwrap(),
            headers: HeaderMap::new(),
            body: "".into(),
        };
        let mut asked = WellAsked::default();
        asked.note(Some(1), &request("/proxy"), 5);
        asked.note(Some(1), &request("/proxy"), 9);
        assert!(asked.is_older(Some(1), &request("/proxy"), 6));
        assert!(!asked.is_older(Some(1), &request("/proxy"), 5));
        assert!(!asked.is_older(None, &request("/proxy"), 6));
        assert!(!asked.is_older(Some(1), &request("/proxy?all=1"), 6));
    }
}
