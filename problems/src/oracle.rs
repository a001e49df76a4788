//! Oracles: what is a fault.

use serde::{Deserialize, Serialize};

use crate::http::HttpOutcome;

/// A fault seen in one call.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// Code: of the Web Fuzzing Commons list, or 900 to 999 for codes of Wallace's own.
    pub code: u16,
    /// What tells this fault from others of its code at the same operation: a statement, a path, a
    /// normalised message.
    pub context: String,
}

/// Judges one call.
///
/// Users add oracles of their own: a property of the service is an oracle.
pub trait Oracle: Send + Sync {
    /// Faults that the outcome of a call to `operation` shows.
    fn judge(&self, operation: &str, outcome: &HttpOutcome) -> Vec<Fault>;
}

/// Fault 100: the server answered with a status of 500 to 599.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerError;

impl Oracle for ServerError {
    fn judge(&self, _operation: &str, outcome: &HttpOutcome) -> Vec<Fault> {
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
            let (content_type, body) = (String::new(), String::new());
            let response = Ok(HttpResponse { status, content_type, body });
            let outcome = HttpOutcome {
                response,
                text_uses: Vec::new(),
                last_statement: Some("a_1_f".into()),
            };
            ServerError.judge("Query.a", &outcome)
        };
        assert_eq!(faults(500), [Fault { code: 100, context: "a_1_f".into() }]);
        assert!([200, 404, 499, 600].iter().all(|status| faults(*status).is_empty()));
    }
}
