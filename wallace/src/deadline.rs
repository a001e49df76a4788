//! The end of a run whose time is limited.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use wallace_engine::StopSignal;

/// Sets a stop signal when the time of a run is over, unless the run ends before.
pub(crate) struct Deadline {
    /// Set at the end of the time, and when the user asks for an end.
    pub(crate) stop: StopSignal,
    /// What the waiting thread ends with.
    run: Option<Sender<()>>,
}

impl Deadline {
    /// None yet: the time of a run begins with its search, when what waits already knows the signal.
    pub(crate) fn new(user: &StopSignal) -> Self {
        Self { stop: user.below(), run: None }
    }

    /// The end comes in this time from now; never where the time is not limited.
    pub(crate) fn begin(&mut self, time: Option<Duration>) {
        self.run = time.map(|time| {
            let (run, ended) = channel::<()>();
            let stop = self.stop.clone();
            std::thread::spawn(move || {
                if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    stop.stop();
                }
            });
            run
        });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_run_is_stopped_when_its_time_is_over_and_not_when_it_ended() {
        let user = StopSignal::default();
        let within = |time: Option<Duration>| {
            let mut deadline = Deadline::new(&user);
            deadline.begin(time);
            deadline
        };
        let long = within(Some(Duration::from_secs(600))).stop;
        let endless = within(None);
        let short = within(Some(Duration::from_millis(1)));
        let waited = std::time::Instant::now();
        while !short.stop.is_set() && waited.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(short.stop.is_set() && !long.is_set() && !endless.stop.is_set());
        user.stop();
        assert!(long.is_set() && endless.stop.is_set());
    }
}
