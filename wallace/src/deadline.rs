//! The end of a run whose time is limited.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use wallace_engine::StopSignal;

/// How often the thread that waits looks whether the user asks for an end: connections know one flag.
const LOOK: Duration = Duration::from_millis(50);

/// Sets a stop signal when the time of a run is over, or when the user asks for an end.
pub(crate) struct Deadline {
    /// Set then; its flag too.
    pub(crate) stop: StopSignal,
    /// Tells the waiting thread the time; it ends with this.
    run: Sender<Option<Duration>>,
}

impl Deadline {
    /// No end yet but the user's: the time of a run begins with its search, when what waits already knows the
    /// signal.
    pub(crate) fn new(user: &StopSignal) -> Self {
        let stop = user.below();
        let (run, told) = channel::<Option<Duration>>();
        let (user, ends) = (user.clone(), stop.clone());
        std::thread::spawn(move || {
            let mut end = None;
            loop {
                match told.recv_timeout(LOOK) {
                    Ok(time) => end = time.map(|time| (Instant::now(), time)),
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                let is_over = end.is_some_and(|(begin, time)| begin.elapsed() >= time);
                if is_over || user.is_set() {
                    return ends.stop();
                }
            }
        });
        Self { stop, run }
    }

    /// The end comes in this time from now; never where the time is not limited.
    pub(crate) fn begin(&self, time: Option<Duration>) {
        // Where the thread has ended, so has the time.
        self.run.send(time).ok();
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
            let deadline = Deadline::new(&user);
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
