//! The kill switch: requests that are still running when their test is over end early.

use std::cell::Cell;
use std::panic::resume_unwind;

use crate::recorder::Recorder;
use crate::state::is_ending;

thread_local! {
    /// Whether the running code is a request, which may be ended. The tasks of the host are not.
    static IS_KILLABLE: Cell<bool> = const { Cell::new(false) };
}

/// What unwinds from an instrumented line to the layer.
#[derive(Debug)]
pub(crate) struct Ended;

/// Runs a part of a request.
pub(crate) fn killable<T>(turn: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_KILLABLE.set(self.0);
        }
    }
    let _restore = Restore(IS_KILLABLE.replace(true));
    turn()
}

/// Ends the request that runs here if its recorder says so.
#[inline]
pub(crate) fn end_if_killed() {
    if is_ending() {
        end_request();
    }
}

/// Unwinds without a word: to whoever is not the layer it looks like a panic, so that guards are
/// dropped. Where panics abort, and inside of one, nothing can be ended.
#[cold]
fn end_request() {
    let may_unwind = cfg!(panic = "unwind") && !std::thread::panicking();
    if may_unwind
        && IS_KILLABLE.get()
        && Recorder::current().is_some_and(|recorder| recorder.is_killed())
    {
        resume_unwind(Box::new(Ended));
    }
}
