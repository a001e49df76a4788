//! A limit on calls per second, shared by all workers of a run.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Spaces calls out evenly. Clones share one schedule.
#[derive(Debug, Clone)]
pub struct RateLimit {
    pause: Duration,
    start: Instant,
    /// When the next call may be sent, since the start.
    next: Arc<Mutex<Duration>>,
}

impl RateLimit {
    /// At most `calls` calls a second; not-a-number, zero and below mean one call a day.
    #[must_use]
    pub fn per_second(calls: f64) -> Self {
        const DAY: f64 = 86_400.0;
        let pause = if calls > 1.0 / DAY { 1.0 / calls } else { DAY };
        let pause = Duration::from_secs_f64(pause);
        Self { pause, start: Instant::now(), next: Arc::new(Mutex::new(Duration::ZERO)) }
    }

    /// Takes the next free moment for a call; how long it is until then.
    pub(super) fn pause(&self) -> Duration {
        self.reserve(self.start.elapsed())
    }

    /// Takes the next free moment; how long it is until then.
    fn reserve(&self, now: Duration) -> Duration {
        // A moment is a plain number: a panic elsewhere cannot have left it half written.
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = (*next).max(now);
        *next = moment + self.pause;
        moment - now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_spaced_and_pauses_are_not_saved_up() {
        let limit = RateLimit::per_second(10.0);
        let at = |milliseconds| Duration::from_millis(milliseconds);
        assert_eq!(limit.reserve(at(0)), at(0));
        assert_eq!(limit.clone().reserve(at(0)), at(100));
        assert_eq!(limit.reserve(at(50)), at(150));
        assert_eq!(limit.reserve(at(5_000)), at(0));
        assert_eq!(limit.reserve(at(5_000)), at(100));
        assert_eq!(RateLimit::per_second(f64::NAN).pause, Duration::from_secs(86_400));
    }
}
