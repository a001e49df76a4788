//! Ctrl-C: once finishes and writes, twice stops.

use std::sync::OnceLock;

use wallace::StopSignal;

/// The exit code of a run that was interrupted.
const INTERRUPTED: i32 = 130;

/// A signal that the first Ctrl-C sets. The second ends the process, and a service that it started.
pub(crate) fn signal() -> StopSignal {
    signal_for("writing what was found")
}

/// The signal of a command that does `what` when it is interrupted.
pub(crate) fn signal_for(what: &'static str) -> StopSignal {
    static SIGNAL: OnceLock<StopSignal> = OnceLock::new();
    let signal = SIGNAL.get_or_init(|| {
        let signal = StopSignal::default();
        let handler = signal.clone();
        let set = ctrlc::set_handler(move || {
            if handler.is_set() {
                wallace::process_group::end_process_groups();
                std::process::exit(INTERRUPTED);
            }
            tell(what);
            handler.stop();
        });
        if let Err(error) = set {
            tracing::warn!("Ctrl-C will stop the run without writing results: {error}");
        }
        signal
    });
    signal.clone()
}

#[expect(clippy::print_stderr, reason = "the person at the keyboard asked")]
fn tell(what: &str) {
    eprintln!("\ninterrupted: {what} (Ctrl-C again to stop at once)");
}
