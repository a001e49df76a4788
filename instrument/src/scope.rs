//! Which instance a piece of running code belongs to.
//!
//! The recorder of the current task counts. Code without one (its own thread, a spawned task, a
//! pool) belongs to the only live recorder that covers its module; where several do, nothing is
//! recorded rather than recorded wrongly. Such code can be told its recorder with
//! [`Recorder::scope`] or [`Recorder::run`].

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;

use crate::memo::{NO_STAMP, SILENCE};
use crate::recorder::{Recorder, only};
use crate::site::Function;
use crate::state::{self, Line, stamp};

tokio::task_local! {
    /// `None` means that nothing is recorded, not even by the only recorder.
    static CURRENT: Option<Arc<Recorder>>;
}

thread_local! {
    /// Whether this thread is recording something.
    static IS_BUSY: Cell<bool> = const { Cell::new(false) };
}

/// The time in which a thread records. What that needs may be instrumented, as an allocator's helpers are:
/// it would record for ever, or wait for what is locked.
pub(crate) struct Busy;

impl Busy {
    pub(crate) fn start() -> Option<Self> {
        match IS_BUSY.replace(true) {
            true => None,
            false => Some(Self),
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        IS_BUSY.set(false);
    }
}

/// Runs `record` with the instance that executes `function` and the slot of its target `offset`.
pub(crate) fn with_recorder(
    function: &'static Function,
    offset: u32,
    record: impl FnOnce(&Recorder, u32),
) {
    let (Some(first), Some(_busy)) = (function.first(), Busy::start()) else { return };
    let number = first + offset;
    let mut record = Some(record);
    let current = CURRENT.try_with(|current| {
        let Some(recorder) = current else { return };
        match (recorder.slot(number), record.take()) {
            (Some(slot), Some(record)) => record(recorder, slot),
            // Code of other modules stays unknown to this instance.
            _ => settle(function, offset, recorder),
        }
    });
    if current.is_err() {
        let recorder = only(|recorder| recorder.slot(number).is_some());
        let slot = recorder.as_ref().and_then(|recorder| recorder.slot(number));
        match (recorder, slot, record) {
            (Some(recorder), Some(slot), Some(record)) => record(&recorder, slot),
            _ => remember_nobody(function, offset),
        }
    }
}

/// Remembers that code of no task is not that of the only recorder, if there is one.
fn remember_nobody(function: &Function, offset: u32) {
    if let (Some(memo), true) = (function.memo(offset), stamp() != NO_STAMP) {
        memo.settle(stamp());
    }
}

/// Remembers that there is nothing more to record at a site in this test of `recorder`.
pub(crate) fn settle(function: &Function, offset: u32, recorder: &Recorder) {
    if let (Some(memo), true) = (function.memo(offset), recorder.stamp() == stamp()) {
        memo.settle(stamp());
    }
}

/// Runs `record` with the instance of the current task, or the only live one where there is no
/// task: for what is no line of any function.
#[cfg(feature = "sqlite")]
pub(crate) fn with_any_recorder(record: impl FnOnce(&Recorder)) {
    let current = CURRENT.try_with(Clone::clone);
    let recorder = current.unwrap_or_else(|_| only(|_| true));
    if let Some(recorder) = recorder {
        record(&recorder);
    }
}

/// The time in which a thread runs code of one instance.
struct Turn<'a> {
    recorder: &'a Recorder,
    before: Option<(u32, Option<Line>)>,
}

impl<'a> Turn<'a> {
    fn start(recorder: &'a Recorder) -> Self {
        Self { before: Some(state::enter(recorder.stamp())), recorder }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(line) = self.before.take().and_then(state::leave)
            && let Some(first) = line.function.first()
            && let Some(slot) = self.recorder.slot(first + line.offset)
        {
            self.recorder.set_last_line(slot);
        }
    }
}

impl Recorder {
    /// Runs a future of this instance: what it executes is recorded here.
    pub async fn scope<F: Future>(self: Arc<Self>, future: F) -> F::Output {
        let mut future = pin!(future);
        let recorder = Arc::clone(&self);
        let turns = poll_fn(move |context| {
            let _turn = Turn::start(&recorder);
            future.as_mut().poll(context)
        });
        CURRENT.scope(Some(self), turns).await
    }

    /// Runs a function of this instance: what it executes is recorded here.
    pub fn run<T>(self: &Arc<Self>, function: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(Some(Arc::clone(self)), || {
            let _turn = Turn::start(self);
            function()
        })
    }

    /// The recorder of the current task, to be handed to threads and tasks that it starts.
    #[must_use]
    pub fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Clone::clone).ok().flatten()
    }
}

/// Runs a function of which nothing is recorded: fixtures that a reset loads, health checks, work
/// for others in the same process.
pub fn unrecorded<T>(function: impl FnOnce() -> T) -> T {
    CURRENT.sync_scope(None, || {
        let _turn = Silence::start();
        function()
    })
}

/// Runs a future of which nothing is recorded; as [`unrecorded`].
pub async fn unrecorded_scope<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let turns = poll_fn(move |context| {
        let _turn = Silence::start();
        future.as_mut().poll(context)
    });
    CURRENT.scope(None, turns).await
}

/// The time in which a thread runs code that nobody records.
struct Silence(Option<(u32, Option<Line>)>);

impl Silence {
    fn start() -> Self {
        Self(Some(state::enter(SILENCE)))
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        self.0.take().and_then(state::leave);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Registered, Site, Target};

    static TARGETS: [Target; 1] = [Target::new(&FUNCTION, 0)];
    static FUNCTION: Function = Function::new("busy", "busy", &[Site::line(1)], &TARGETS);
    inventory::submit! { Registered(&FUNCTION) }

    #[test]
    fn what_recording_needs_is_not_recorded() {
        let (outside, inside) = (Cell::new(0), Cell::new(0));
        let count = |count: &Cell<u8>| count.set(count.get() + 1);
        Recorder::new(&["busy"]).run(|| {
            for _ in 0..2 {
                with_recorder(&FUNCTION, 0, |_, _| {
                    count(&outside);
                    with_recorder(&FUNCTION, 0, |_, _| count(&inside));
                });
            }
        });
        assert_eq!((outside.get(), inside.get()), (2, 0));
    }
}
