//! When a user who could not log in tries again: many services lock somebody out for a while.

use std::time::{Duration, Instant};

/// First pause; each is twice as long as the one before. Locks of a few seconds are usual in products, and
/// one login more in a minute unlocks nothing later that locks for longer.
const FIRST: Duration = Duration::from_secs(2);
const LONGEST: Duration = Duration::from_secs(300);

/// The next try of a user who is out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Again {
    since: Instant,
    pause: Duration,
    at: Instant,
}

impl Again {
    pub(super) fn from(now: Instant) -> Self {
        Self { since: now, pause: FIRST, at: now + FIRST }
    }

    /// Whether it is time; then the next time is later.
    pub(super) fn is_due(&mut self, now: Instant) -> bool {
        let is_due = now >= self.at;
        if is_due {
            self.pause = (self.pause * 2).min(LONGEST);
            self.at = now + self.pause;
        }
        is_due
    }

    /// Tries only after so long, as the service asked for.
    pub(super) fn wait(&mut self, now: Instant, wanted: Duration) {
        self.at = self.at.max(now + wanted);
    }

    /// How long the user was out.
    pub(super) fn away(&self, now: Instant) -> Duration {
        now - self.since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_try_is_later_than_the_one_before() {
        let now = Instant::now();
        let after = |seconds: u64| now + Duration::from_secs(seconds);
        let mut again = Again::from(now);
        let due: Vec<u64> = (0..1_000).filter(|second| again.is_due(after(*second))).collect();
        assert_eq!(due, [2, 6, 14, 30, 62, 126, 254, 510, 810]);
        assert_eq!(again.away(after(30)), Duration::from_secs(30));
        let mut again = Again::from(now);
        again.wait(now, Duration::from_secs(56));
        assert!(!again.is_due(after(55)) && again.is_due(after(56)));
    }
}
