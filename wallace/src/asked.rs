//! How requests were answered the first time: one that is answered otherwise later meets another state.
//!
//! A proxy that an earlier test sent elsewhere answers all that comes with an error, and settings that an
//! earlier test made can be read. Nothing in the test that meets the state says so, but the same request
//! was answered otherwise before.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash};

use serde::{Deserialize, Serialize};
use wallace_problems::{HttpOutcome, HttpProblem, HttpRequest};

use crate::made_name::{failed_below, is_of_call};

/// Most requests that are remembered.
const MOST_REQUESTS: usize = 50_000;

/// Requests by their hash.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Asked(BTreeMap<u64, First>);

/// The first tests in which a request did well and failed.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct First {
    well: Option<u64>,
    failed: Option<u64>,
}

/// How a request of a user was answered, and how what it asks for, whatever it wants to be told of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answered {
    whole: (u64, How),
    /// None where what else is asked for was refused.
    asked: Option<(u64, How)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Well,
    Refused,
    /// To whoever asks: he may have lost his login.
    Forbidden,
    /// By what is of the moment, or tells of who asks.
    Else,
}

impl Answered {
    pub(crate) fn new<P: HttpProblem>(
        problem: &P,
        action: &P::Action,
        request: &HttpRequest,
        outcome: &HttpOutcome,
    ) -> Self {
        let user = problem.caller(action);
        let whole = hash(&(user, &request.method, &request.path, &request.body));
        let asked = problem.asks_for(action);
        let asked = asked.map_or(whole, |asked| hash(&(user, asked)));
        Self::of(whole, asked, problem.went_well(outcome), outcome)
    }

    fn of(whole: u64, asked: u64, went_well: bool, outcome: &HttpOutcome) -> Self {
        let answer = outcome.response.as_ref().ok();
        let body = answer.map_or("", |answer| &*answer.body);
        let how = match answer.map(|answer| answer.status) {
            _ if went_well => How::Well,
            Some(403) => How::Forbidden,
            None | Some(..200 | 401 | 429 | 500..) => How::Else,
            Some(_) => How::Refused,
        };
        let asked = match how {
            How::Refused if asked != whole && !is_of_call(body) => None,
            How::Refused if failed_below(body) => Some((asked, How::Well)),
            _ => Some((asked, how)),
        };
        Self { whole: (whole, how), asked }
    }

    fn both(self) -> impl Iterator<Item = (u64, How)> {
        [Some(self.whole), self.asked].into_iter().flatten()
    }
}

impl Asked {
    /// Notes how a request was answered in a test.
    pub(crate) fn note(&mut self, answered: Answered, evaluation: u64) {
        for (key, how) in answered.both() {
            let is_open = self.0.len() < MOST_REQUESTS || self.0.contains_key(&key);
            if is_open && matches!(how, How::Well | How::Refused) {
                let first = self.0.entry(key).or_default();
                let first = if how == How::Well { &mut first.well } else { &mut first.failed };
                first.get_or_insert(evaluation);
            }
        }
    }

    /// Whether a request was answered otherwise before a test: well, if it fails there, and from the
    /// beginning not, if it does well there.
    pub(crate) fn was_other(&self, answered: Answered, evaluation: u64) -> bool {
        let is_before = |it: Option<u64>| it.is_some_and(|it| it < evaluation);
        answered.both().any(|(key, how)| {
            let Some(first) = self.0.get(&key) else { return false };
            let failed_first = first.well.is_none_or(|well| first.failed < Some(well));
            match how {
                How::Well => failed_first && is_before(first.failed),
                How::Refused | How::Else => is_before(first.well),
                // Whoever was let in at another time was out then.
                How::Forbidden => first.well.is_some(),
            }
        })
    }
}

pub(crate) fn hash(value: &impl Hash) -> u64 {
    fnv::FnvBuildHasher::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use wallace_problems::HttpResponse;

    use super::*;

    /// With a key for what is asked for, and one for how much of it is told.
    fn answered(wish: u64, status: u16, body: &str) -> Answered {
        let answer = HttpResponse { status, body: body.into(), ..HttpResponse::default() };
        Answered::of(wish, 99, body.is_empty() && status < 300, &HttpOutcome::new(Ok(answer)))
    }

    fn well(wish: u64) -> Answered {
        answered(wish, 200, "")
    }

    const NONE: &str = r#"{"errors":[{"message":"none","path":["setting"]}]}"#;

    #[test]
    fn what_did_well_before_fails_for_a_state() {
        let mut asked = Asked::default();
        asked.note(well(1), 5);
        asked.note(well(1), 9);
        assert!(asked.was_other(answered(2, 200, NONE), 6));
        assert!(asked.was_other(answered(1, 503, "later"), 6));
        assert!(!asked.was_other(answered(2, 200, NONE), 5) && !asked.was_other(well(1), 6));
    }

    #[test]
    fn what_failed_first_does_well_for_a_state() {
        let mut asked = Asked::default();
        asked.note(answered(1, 200, NONE), 5);
        assert!(asked.was_other(well(2), 6) && !asked.was_other(well(2), 5));
        // In the beginning it did well.
        asked.note(well(1), 4);
        assert!(!asked.was_other(well(2), 6));
    }

    #[test]
    fn what_a_document_wants_and_who_asks_are_no_state() {
        let mut asked = Asked::default();
        asked.note(answered(1, 400, r#"{"errors":[{"message":"too deep"}]}"#), 5);
        assert!(asked.was_other(well(1), 6) && !asked.was_other(well(2), 6));
        let mut asked = Asked::default();
        asked.note(answered(1, 200, r#"{"errors":[{"path":["things",0,"of"]}]}"#), 5);
        assert!(asked.was_other(well(1), 6) && !asked.was_other(well(2), 6));
        let mut asked = Asked::default();
        for status in [401, 403, 429, 500] {
            asked.note(answered(1, status, "no"), 5);
        }
        assert!(!asked.was_other(well(1), 6));
        assert!(!asked.was_other(answered(1, 403, "no"), 6));
        asked.note(well(1), 9);
        assert!(asked.was_other(answered(1, 403, "no"), 6), "he was let in later");
    }
}
