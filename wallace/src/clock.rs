//! The clock of a run: the engine reads none of its own.

use std::time::{Duration, Instant};

use wallace_engine::Clock;

/// Time since the run began.
#[derive(Debug)]
pub(crate) struct SystemClock(Instant);

impl SystemClock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
