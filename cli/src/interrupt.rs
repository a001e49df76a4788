//! Ctrl-C: once finishes and writes, twice stops. Before there is anything to write, once stops too.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wallace::StopSignal;

use crate::console::{complain, note};

/// The exit code of a run that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;
/// What is said where there was nothing to write yet.
pub(crate) const EARLY: &str = "interrupted before the search began; nothing is written";

/// Time that a run has to end by itself before its search begins: a driver may start its service for
/// minutes, and nothing is lost.
const PATIENCE: Duration = Duration::from_secs(2);

static SIGNAL: OnceLock<StopSignal> = OnceLock::new();
/// Whether a run is there whose search has not begun.
static PREPARES: AtomicBool = AtomicBool::new(false);

/// A signal that the first Ctrl-C sets. The second ends the process, and a service that it started.
pub(crate) fn signal() -> StopSignal {
    signal_for("writing what was found")
}

/// The signal of a command that does `what` when it is interrupted.
pub(crate) fn signal_for(what: &'static str) -> StopSignal {
    let signal = SIGNAL.get_or_init(|| {
        let signal = StopSignal::default();
        let handler = signal.clone();
        let set = ctrlc::set_handler(move || {
            if handler.is_set() {
                end();
            }
            let prepares = PREPARES.load(Ordering::SeqCst);
            tell(if prepares { "ending" } else { what });
            handler.stop();
            if prepares {
                std::thread::spawn(end_early);
            }
        });
        if let Err(error) = set {
            tracing::warn!("Ctrl-C will stop the run without writing results: {error}");
        }
        signal
    });
    signal.clone()
}

/// A run is being prepared: until [`begin`] an interrupt ends it, whatever it waits for.
pub(crate) fn prepare() {
    PREPARES.store(true, Ordering::SeqCst);
}

/// From here on there is something to write.
pub(crate) fn begin() {
    PREPARES.store(false, Ordering::SeqCst);
}

/// Whether the run was interrupted before there was anything to write.
pub(crate) fn came_early() -> bool {
    PREPARES.load(Ordering::SeqCst) && SIGNAL.get().is_some_and(StopSignal::is_set)
}

fn end_early() {
    std::thread::sleep(PATIENCE);
    if PREPARES.load(Ordering::SeqCst) {
        complain(EARLY);
        end();
    }
}

fn end() -> ! {
    wallace::process_group::end_process_groups();
    std::process::exit(i32::from(INTERRUPTED));
}

fn tell(what: &str) {
    note(&format!("\ninterrupted: {what} (Ctrl-C again to stop at once)"));
}
