//! Calls that are tried again: those that the service asks to repeat later, and those that it is
//! safe to repeat after a failure.

use std::time::Duration;

use super::rate::RateLimit;
use crate::http::{CallFailure, HttpRequest, HttpResponse, Transport};

/// When a call is sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Most repetitions of one call. Default 3.
    pub retries: u32,
    /// Pause before the first repetition where the service asks for none; doubled each time.
    /// Default 200 ms after a failure, 10 s after a 429, as the field's reference.
    pub failure_pause: Duration,
    /// Pause after a 429 without `Retry-After`. Default 10 s.
    pub limit_pause: Duration,
    /// Longest pause: who asks for more is not called again. Default 60 s.
    pub longest_pause: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            retries: 3,
            failure_pause: Duration::from_millis(200),
            limit_pause: Duration::from_secs(10),
            longest_pause: Duration::from_secs(60),
        }
    }
}

impl RetryPolicy {
    /// Nothing is sent twice.
    #[must_use]
    pub fn none() -> Self {
        Self { retries: 0, ..Self::default() }
    }

    /// How long to wait before the call is sent again; `None` when its outcome stands. `attempt`
    /// counts the repetitions so far.
    #[must_use]
    pub fn pause(
        &self,
        request: &HttpRequest,
        outcome: &Result<HttpResponse, CallFailure>,
        attempt: u32,
    ) -> Option<Duration> {
        if attempt >= self.retries {
            return None;
        }
        let doubled = |pause: Duration| pause.saturating_mul(1 << attempt.min(16));
        let pause = match outcome {
            Ok(response) if matches!(response.status, 429 | 503) => {
                match response.header("retry-after") {
                    Some(wanted) => Duration::from_secs(wanted.trim().parse().ok()?),
                    // Without the header, 503 is an answer like others.
                    None if response.status == 503 => return None,
                    None => doubled(self.limit_pause),
                }
            }
            Ok(_) => return None,
            // A call that may have had its effect is repeated only where that changes nothing.
            Err(CallFailure::Closed) if request.method.is_idempotent() => {
                doubled(self.failure_pause)
            }
            Err(CallFailure::Refused) => doubled(self.failure_pause),
            Err(_) => return None,
        };
        (pause <= self.longest_pause).then_some(pause)
    }
}

/// Carries requests over another transport, within a rate and with retries.
pub struct LimitedTransport {
    inner: Box<dyn Transport>,
    rate: Option<RateLimit>,
    policy: RetryPolicy,
}

impl std::fmt::Debug for LimitedTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("LimitedTransport")
            .field("rate", &self.rate)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

impl LimitedTransport {
    /// A transport within limits. Without a rate, calls follow each other at once.
    #[must_use]
    pub fn new(inner: Box<dyn Transport>, rate: Option<RateLimit>, policy: RetryPolicy) -> Self {
        Self { inner, rate, policy }
    }
}

impl Transport for LimitedTransport {
    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let mut attempt = 0;
        loop {
            if let Some(rate) = &self.rate {
                rate.wait();
            }
            let outcome = self.inner.send(request);
            let Some(pause) = self.policy.pause(request, &outcome, attempt) else {
                return outcome;
            };
            attempt += 1;
            tracing::debug!("{} {} is sent again in {pause:?}", request.method, request.path);
            std::thread::sleep(pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: http::Method) -> HttpRequest {
        HttpRequest {
            method,
            path: http::uri::PathAndQuery::from_static("/"),
            headers: http::HeaderMap::new(),
            body: bytes::Bytes::new(),
        }
    }

    fn answer(status: u16, after: Option<&str>) -> Result<HttpResponse, CallFailure> {
        let header = after.map(|after| ("retry-after".into(), after.into()));
        Ok(HttpResponse {
            status,
            headers: header.into_iter().collect(),
            ..HttpResponse::default()
        })
    }

    #[test]
    fn the_service_says_when() {
        let policy = RetryPolicy::default();
        let get = request(http::Method::GET);
        let pause = |outcome, attempt| policy.pause(&get, &outcome, attempt);
        assert_eq!(pause(answer(429, Some("2")), 0), Some(Duration::from_secs(2)));
        assert_eq!(pause(answer(429, None), 1), Some(Duration::from_secs(20)));
        assert_eq!(pause(answer(429, Some("3600")), 0), None);
        assert_eq!(pause(answer(503, None), 0), None);
        assert_eq!(pause(answer(503, Some("0")), 0), Some(Duration::ZERO));
        assert_eq!(pause(answer(429, Some("1")), 3), None);
        assert_eq!(pause(answer(500, Some("1")), 0), None);
    }

    #[test]
    fn only_safe_repetitions_follow_a_failure() {
        let policy = RetryPolicy::default();
        let closed = Err(CallFailure::Closed);
        let (get, post) = (request(http::Method::GET), request(http::Method::POST));
        assert_eq!(policy.pause(&get, &closed, 0), Some(policy.failure_pause));
        assert_eq!(policy.pause(&post, &closed, 0), None);
        assert_eq!(policy.pause(&get, &Err(CallFailure::TimedOut), 0), None);
        assert!(policy.pause(&post, &Err(CallFailure::Refused), 0).is_some());
        assert_eq!(RetryPolicy::none().pause(&get, &closed, 0), None);
    }

    #[test]
    fn a_call_is_repeated_until_it_is_answered() {
        struct Busy(u32);
        impl Transport for Busy {
            fn send(&mut self, _: &HttpRequest) -> Result<HttpResponse, CallFailure> {
                self.0 += 1;
                if self.0 < 3 { answer(429, Some("0")) } else { answer(200 + self.0 as u16, None) }
            }
        }
        let mut limited = LimitedTransport::new(Box::new(Busy(0)), None, RetryPolicy::default());
        assert_eq!(limited.send(&request(http::Method::POST)).unwrap().status, 203);
    }
}
