//! The end of a run whose time is limited.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use wallace_engine::StopSignal;

/// Sets a stop signal when the time of a run is over, unless the run ends before.
pub(crate) struct Deadline {
    /// Set at the end of the time, and when the user asks for an end.
    pub(crate) stop: StopSignal,
    /// What the waiting thread ends with.
    _run: Option<Sender<()>>,
}

impl Deadline {
    /// The end in this time from now; none where the time is not limited.
    pub(crate) fn after(time: Option<Duration>, user: &StopSignal) -> Self {
        let stop = user.below();
        let run = time.map(|time| {
            let (run, ended) = channel::<()>();
            let stop = stop.clone();
            std::thread::spawn(move || {
                if ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                    stop.stop();
                }
            });
            run
        });
        Self { stop, _run: run }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_run_is_stopped_when_its_time_is_over_and_not_when_it_ended() {
        let user = StopSignal::default();
        let long = Deadline::after(Some(Duration::from_secs(600)), &user).stop;
        let endless = Deadline::after(None, &user);
        let short = Deadline::after(Some(Duration::from_millis(1)), &user);
        let waited = std::time::Instant::now();
        while !short.stop.is_set() && waited.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(short.stop.is_set() && !long.is_set() && !endless.stop.is_set());
        user.stop();
        assert!(long.is_set() && endless.stop.is_set());
    }
}
