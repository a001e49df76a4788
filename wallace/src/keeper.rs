//! Keeping: when the state of a run is written, and by whom.
//!
//! The search hands over a state between two tests, which costs it pointers. Another thread makes
//! bytes of it and brings them to the disk; while it does, no further state is taken.

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use serde::Serialize;

use crate::checkpoint::{CheckpointHeader, replace, to_bytes};

/// Newly covered targets after which the state is written whatever the time (search-mio.md 14.6).
const COVERED: usize = 100;

/// Writes states to a file, now and then.
pub(crate) struct Keeper<S> {
    interval: Duration,
    last: Duration,
    covered: usize,
    sender: Option<SyncSender<(CheckpointHeader, S)>>,
    writer: Option<JoinHandle<()>>,
}

impl<S: Serialize + Send + 'static> Keeper<S> {
    /// Keeps states in the file at `path`: every `interval`, and whenever many targets were covered
    /// since the last. The first is due an interval after `elapsed`.
    pub(crate) fn new(path: PathBuf, interval: Duration, elapsed: Duration) -> Self {
        let (sender, states) = sync_channel::<(CheckpointHeader, S)>(0);
        let write = move || {
            let mut has_complained = false;
            for (header, state) in states {
                let written = to_bytes(&header, &state).and_then(|bytes| replace(&path, &bytes));
                if let Err(error) = written
                    && !std::mem::replace(&mut has_complained, true)
                {
                    let path = path.display();
                    tracing::warn!("the state of the run cannot be kept in {path}: {error}");
                }
            }
        };
        let writer = std::thread::Builder::new().name("checkpoint".to_owned()).spawn(write);
        let writer = writer.map_err(|error| tracing::warn!("no state is kept: {error}")).ok();
        let sender = writer.is_some().then_some(sender);
        Self { interval, last: elapsed, covered: 0, sender, writer }
    }

    /// Whether a state should be taken now.
    pub(crate) fn is_due(&self, elapsed: Duration, covered: usize) -> bool {
        let waited = elapsed.saturating_sub(self.last);
        // Not more often than ten times as often as asked for, however much is covered.
        let many = covered >= self.covered + COVERED && waited >= self.interval / 10;
        self.sender.is_some() && (waited >= self.interval || many)
    }

    /// Hands a state over; unless the last one is still being written, and this one must not wait.
    pub(crate) fn keep(&mut self, header: CheckpointHeader, state: S, covered: usize, waits: bool) {
        let Some(sender) = &self.sender else { return };
        let elapsed = header.elapsed;
        let is_taken = if waits {
            sender.send((header, state)).is_ok()
        } else {
            !matches!(sender.try_send((header, state)), Err(TrySendError::Full(_)))
        };
        if is_taken {
            (self.last, self.covered) = (elapsed, covered);
        }
    }
}

impl<S> Drop for Keeper<S> {
    /// Waits until what was handed over is written.
    fn drop(&mut self) {
        self.sender = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::Parameters;

    fn header(seconds: u64) -> CheckpointHeader {
        CheckpointHeader {
            program: String::new(),
            parameters: Parameters::default(),
            calls: None,
            time: None,
            evaluations: seconds,
            calls_made: 0,
            elapsed: Duration::from_secs(seconds),
        }
    }

    #[test]
    fn a_state_is_due_after_the_interval_or_much_progress() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        let seconds = Duration::from_secs;
        let mut keeper: Keeper<u32> = Keeper::new(path.clone(), seconds(30), seconds(100));
        assert!(!keeper.is_due(seconds(129), 99));
        assert!(keeper.is_due(seconds(130), 0));
        assert!(keeper.is_due(seconds(104), 100));
        assert!(!keeper.is_due(seconds(102), 100));
        keeper.keep(header(131), 7, 40, true);
        assert!(!keeper.is_due(seconds(160), 139));
        assert!(keeper.is_due(seconds(161), 0) && keeper.is_due(seconds(140), 140));
        drop(keeper);
        let (kept, state) = crate::checkpoint::read(&path).unwrap();
        let state: u32 = crate::checkpoint::decode(&path, &state).unwrap();
        assert_eq!((kept, state), (header(131), 7));
    }
}
