//! Operations that asked to be left alone: no one else has to wait for them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use super::retry::retry_after;
use crate::http::HttpResponse;

/// How long an operation is left alone that answers 429 and does not say for how long; as the field's
/// reference.
const USUAL: Duration = Duration::from_secs(10);
/// The longest, whatever is asked for.
const LONGEST: Duration = Duration::from_secs(60);
/// How long a test waits that begins with such an operation: it may be that all of them rest, and a
/// search gives up after 1,000 tests in a row without a call.
const STEP: Duration = Duration::from_millis(100);

/// Until when operations are left alone. A run that met one is not repeatable: the service's clock
/// decides in it.
#[derive(Debug, Default)]
pub(crate) struct Resting(BTreeMap<String, Instant>);

impl Resting {
    /// Notes what an operation answered.
    pub(crate) fn note(&mut self, operation: &str, response: &HttpResponse) {
        let wanted = response.header("retry-after");
        let pause = match (response.status, wanted) {
            (429 | 503, Some(wanted)) => retry_after(wanted.trim(), SystemTime::now()),
            (429, None) => Some(USUAL),
            _ => return,
        };
        let pause = pause.unwrap_or(USUAL).min(LONGEST);
        self.0.insert(operation.to_owned(), Instant::now() + pause);
    }

    /// Whether an operation is to be left alone now. Waits a moment where it is what a test begins
    /// with.
    pub(crate) fn includes(&mut self, operation: &str, is_first: bool) -> bool {
        let Some(until) = self.0.get(operation) else { return false };
        if *until <= Instant::now() {
            self.0.remove(operation);
            return false;
        }
        if is_first {
            std::thread::sleep(STEP);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, after: Option<&str>) -> HttpResponse {
        let headers = after.map(|after| ("retry-after".into(), after.into())).into_iter().collect();
        HttpResponse { status, headers, ..HttpResponse::default() }
    }

    #[test]
    fn only_who_asks_is_left_alone_and_only_for_that_long() {
        let mut resting = Resting::default();
        resting.note("GET:/a", &answer(429, Some("30")));
        resting.note("GET:/b", &answer(200, None));
        resting.note("GET:/c", &answer(429, Some("0")));
        resting.note("GET:/d", &answer(503, None));
        assert!(resting.includes("GET:/a", true) && resting.includes("GET:/a", false));
        for other in ["GET:/b", "GET:/c", "GET:/d"] {
            assert!(!resting.includes(other, true), "{other}");
        }
    }
}
