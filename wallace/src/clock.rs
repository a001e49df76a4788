//! The clock of a run: the engine reads none of its own.

use std::time::{Duration, Instant};

use wallace_engine::budget::Clock;

/// Time since the run began, the time before it was interrupted included.
#[derive(Debug)]
pub(crate) struct SystemClock {
    before: Duration,
    start: Instant,
}

impl SystemClock {
    /// A clock that shows `before` now.
    pub(crate) fn start_after(before: Duration) -> Self {
        Self { before, start: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.before.saturating_add(self.start.elapsed())
    }
}
