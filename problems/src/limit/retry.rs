//! Calls that are tried again: those that the service asks to repeat later, and those that it is
//! safe to repeat after a failure.

use std::time::{Duration, SystemTime};

use wallace_engine::StopSignal;

use super::count::CallCount;
use super::rate::RateLimit;
use crate::http::{CallFailure, HttpRequest, HttpResponse, Transport};

/// Longest time for which nobody looks whether to end.
const SLICE: Duration = Duration::from_millis(100);

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
    /// counts the repetitions so far; `now` is the time that a date in the answer is held against.
    #[must_use]
    pub fn pause(
        &self,
        request: &HttpRequest,
        outcome: &Result<HttpResponse, CallFailure>,
        attempt: u32,
        now: SystemTime,
    ) -> Option<Duration> {
        if attempt >= self.retries {
            return None;
        }
        let doubled = |pause: Duration| pause.saturating_mul(1 << attempt.min(16));
        let pause = match outcome {
            Ok(response) if matches!(response.status, 429 | 503) => {
                match response.header("retry-after") {
                    Some(wanted) => retry_after(wanted.trim(), now)?,
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
            // Once shows whether the request itself ends connections.
            Err(CallFailure::Dropped) if request.method.is_idempotent() && attempt == 0 => {
                self.failure_pause
            }
            Err(CallFailure::Refused) => doubled(self.failure_pause),
            Err(_) => return None,
        };
        (pause <= self.longest_pause).then_some(pause)
    }
}

/// The pause that a `Retry-After` asks for: seconds, or a date in one of the three forms of HTTP
/// (RFC 9110, 10.2.3 and 5.6.7). A date that has passed asks for none.
pub(crate) fn retry_after(wanted: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(seconds) = wanted.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let moment = httpdate::parse_http_date(wanted).ok()?;
    Some(moment.duration_since(now).unwrap_or_default())
}

/// Carries requests over another transport, within a rate and with retries.
pub struct LimitedTransport {
    inner: Box<dyn Transport>,
    rate: Option<RateLimit>,
    policy: RetryPolicy,
    stop: StopSignal,
    count: CallCount,
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
        let (stop, count) = (StopSignal::default(), CallCount::default());
        Self { inner, rate, policy, stop, count }
    }

    /// Adds what is sent again to a count: a budget is what the service sees. Not what found no service:
    /// that must not change what a run does.
    #[must_use]
    pub fn counting(mut self, count: CallCount) -> Self {
        self.count = count;
        self
    }

    /// Ends every wait once the signal is set.
    #[must_use]
    pub fn ending_with(mut self, stop: StopSignal) -> Self {
        self.stop = stop;
        self
    }

    /// Waits, as long as nobody asks to end. Returns whether nobody did.
    fn wait(&self, pause: Duration) -> bool {
        let mut left = pause;
        while !left.is_zero() && !self.stop.is_set() {
            let step = left.min(SLICE);
            std::thread::sleep(step);
            left -= step;
        }
        !self.stop.is_set()
    }
}

impl Transport for LimitedTransport {
    fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.inner.wait_at_most(longest);
    }

    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let (mut attempt, mut was_dropped) = (0, false);
        loop {
            if let Some(rate) = &self.rate {
                let pause = rate.pause();
                self.wait(pause);
            }
            let outcome = self.inner.send(request);
            if was_dropped && outcome == Err(CallFailure::Refused) {
                // The call that got no answer was the last that the service saw.
                return Err(CallFailure::Dropped);
            }
            was_dropped = outcome == Err(CallFailure::Dropped);
            let Some(pause) = self.policy.pause(request, &outcome, attempt, SystemTime::now())
            else {
                return outcome;
            };
            attempt += 1;
            tracing::debug!("{} {} is sent again in {pause:?}", request.method, request.path);
            if !self.wait(pause) {
                return outcome;
            }
            if outcome != Err(CallFailure::Refused) {
                self.count.add_again();
            }
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
        // Sun, 06 Nov 1994 08:49:37 GMT, the date of the standard's examples.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let pause = |outcome, attempt| policy.pause(&get, &outcome, attempt, now);
        assert_eq!(pause(answer(429, Some("2")), 0), Some(Duration::from_secs(2)));
        assert_eq!(pause(answer(429, None), 1), Some(Duration::from_secs(20)));
        assert_eq!(pause(answer(429, Some("3600")), 0), None);
        assert_eq!(pause(answer(503, None), 0), None);
        assert_eq!(pause(answer(503, Some("0")), 0), Some(Duration::ZERO));
        assert_eq!(pause(answer(429, Some("1")), 3), None);
        assert_eq!(pause(answer(500, Some("1")), 0), None);
        for date in [
            "Sun, 06 Nov 1994 08:49:40 GMT",
            "Sunday, 06-Nov-94 08:49:40 GMT",
            "Sun Nov  6 08:49:40 1994",
        ] {
            assert_eq!(pause(answer(429, Some(date)), 0), Some(Duration::from_secs(3)), "{date}");
        }
        let passed = "Sun, 06 Nov 1994 08:49:30 GMT";
        assert_eq!(pause(answer(503, Some(passed)), 0), Some(Duration::ZERO));
        assert_eq!(pause(answer(429, Some("Mon, 07 Nov 1994 08:49:37 GMT")), 0), None);
        assert_eq!(pause(answer(429, Some("soon")), 0), None);
    }

    #[test]
    fn only_safe_repetitions_follow_a_failure() {
        let policy = RetryPolicy::default();
        let closed = Err(CallFailure::Closed);
        let now = SystemTime::UNIX_EPOCH;
        let pause = |request: &HttpRequest, outcome: &Result<HttpResponse, CallFailure>| {
            policy.pause(request, outcome, 0, now)
        };
        let (get, post) = (request(http::Method::GET), request(http::Method::POST));
        assert_eq!(pause(&get, &closed), Some(policy.failure_pause));
        assert_eq!(pause(&post, &closed), None);
        assert_eq!(pause(&get, &Err(CallFailure::TimedOut)), None);
        let dropped = |attempt| policy.pause(&get, &Err(CallFailure::Dropped), attempt, now);
        assert!(dropped(0).is_some() && dropped(1).is_none());
        assert!(pause(&post, &Err(CallFailure::Refused)).is_some());
        assert_eq!(RetryPolicy::none().pause(&get, &closed, 0, now), None);
    }

    #[test]
    fn what_ends_the_service_got_no_answer() {
        struct Ends(bool);
        impl Transport for Ends {
            fn send(&mut self, _: &HttpRequest) -> Result<HttpResponse, CallFailure> {
                let is_first = !std::mem::replace(&mut self.0, true);
                Err(if is_first { CallFailure::Dropped } else { CallFailure::Refused })
            }
        }
        let sent = |has_ended: bool| {
            let policy = RetryPolicy { failure_pause: Duration::ZERO, ..RetryPolicy::default() };
            let mut limited = LimitedTransport::new(Box::new(Ends(has_ended)), None, policy);
            limited.send(&request(http::Method::DELETE))
        };
        assert_eq!(sent(false), Err(CallFailure::Dropped), "and not that nobody listens any more");
        assert_eq!(sent(true), Err(CallFailure::Refused));
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
        let count = CallCount::default();
        let limited = LimitedTransport::new(Box::new(Busy(0)), None, RetryPolicy::default());
        let mut limited = limited.counting(count.clone());
        assert_eq!(limited.send(&request(http::Method::POST)).unwrap().status, 203);
        assert_eq!(count.get(), 2, "what was sent again");
    }
}
