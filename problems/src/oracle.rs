//! Oracles: what is a fault.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::http::{HttpOutcome, HttpRequest};

/// A fault seen in one call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// Code: of the Web Fuzzing Commons list, or 900 to 999 for codes of Wallace's own.
    pub code: u16,
    /// What tells this fault from others of its code at the same operation: a statement, a path, a
    /// normalised message.
    pub context: String,
}

/// One call of a test, as it was sent and answered.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Call<'a> {
    /// The operation: a schema coordinate such as `Query.user`, or `GET:/users/{id}`.
    pub operation: &'a str,
    /// What was sent.
    pub request: &'a HttpRequest,
    /// What came of it.
    pub outcome: &'a HttpOutcome,
    /// How long it took until the answer was there; zero where nobody measured.
    pub elapsed: Duration,
}

impl<'a> Call<'a> {
    /// A call whose time nobody measured.
    #[must_use]
    pub fn new(operation: &'a str, request: &'a HttpRequest, outcome: &'a HttpOutcome) -> Self {
        Self { operation, request, outcome, elapsed: Duration::ZERO }
    }
}

/// Judges calls.
///
/// Users add oracles of their own: a property of the service is an oracle.
pub trait Oracle: Send + Sync {
    /// Faults that a single call shows. The default finds none.
    fn judge(&self, _call: &Call<'_>) -> Vec<Fault> {
        Vec::new()
    }

    /// Faults that only the calls of a test together show, each with the position of the call at
    /// fault: what was deleted is still there, say. The default finds none.
    fn judge_test(&self, _calls: &[Call<'_>]) -> Vec<(usize, Fault)> {
        Vec::new()
    }
}

/// The oracles of a problem.
#[derive(Default)]
pub(crate) struct Oracles(pub(crate) Vec<Box<dyn Oracle>>);

impl Oracles {
    /// Faults of a test with the positions of the calls at fault.
    pub(crate) fn judge(&self, calls: &[Call<'_>]) -> Vec<(usize, Fault)> {
        let alone = calls.iter().enumerate().flat_map(|(place, call)| {
            let found = self.0.iter().flat_map(|oracle| oracle.judge(call));
            found.map(move |fault| (place, fault))
        });
        let together = self.0.iter().flat_map(|oracle| oracle.judge_test(calls));
        alone.chain(together).collect()
    }
}

impl std::fmt::Debug for Oracles {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} oracles", self.0.len())
    }
}

/// Fault 100: the server answered with a status of 500 to 599.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerError;

impl Oracle for ServerError {
    fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
        let outcome = call.outcome;
        let is_error = outcome.status().is_some_and(|status| (500..600).contains(&status));
        // Different statements reached last are different faults.
        let context = outcome.last_statement.clone().unwrap_or_else(|| "framework_code".to_owned());
        if is_error { vec![Fault { code: 100, context }] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::HttpResponse;

    #[test]
    fn only_statuses_of_the_server_are_faults() {
        let faults = |status| {
            let response = Ok(HttpResponse { status, ..HttpResponse::default() });
            let last_statement = Some("a_1_f".into());
            let outcome = HttpOutcome { last_statement, ..HttpOutcome::new(response) };
            let request = HttpRequest {
                method: http::Method::GET,
                path: http::uri::PathAndQuery::from_static("/"),
                headers: http::HeaderMap::new(),
                body: bytes::Bytes::new(),
            };
            ServerError.judge(&Call::new("Query.a", &request, &outcome))
        };
        assert_eq!(faults(500), [Fault { code: 100, context: "a_1_f".into() }]);
        assert!([200, 404, 499, 600].iter().all(|status| faults(*status).is_empty()));
    }
}
