//! Which instance a piece of running code belongs to.
//!
//! The recorder of the current task counts. Code without one (its own thread, a spawned task, a
//! pool) belongs to the only live recorder that covers its module; where several do, nothing is
//! recorded rather than recorded wrongly. Such code can be told its recorder with
//! [`Recorder::scope`] or [`Recorder::run`].

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use crate::memo::NO_STAMP;
use crate::recorder::Recorder;
use crate::site::Function;

tokio::task_local! {
    /// `None` means that nothing is recorded, not even by the only recorder.
    static CURRENT: Option<Arc<Recorder>>;
}

/// A line: its function and its target there.
type Line = (&'static Function, u32);

thread_local! {
    /// Stamp of the test that the code running now belongs to, see [`crate::memo`].
    static STAMP: Cell<u32> = const { Cell::new(NO_STAMP) };
    /// The line that the running code executed last. It goes to the recorder when the code pauses
    /// or ends: lines are too frequent to look the recorder up for each.
    static LINE: Cell<Option<Line>> = const { Cell::new(None) };
}

/// Number of live recorders: without any, instrumented code does nothing but this one load.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static REGISTERED: RwLock<Vec<Weak<Recorder>>> = RwLock::new(Vec::new());

pub(crate) fn register(recorder: &Arc<Recorder>) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.retain(|known| known.strong_count() > 0);
    registered.push(Arc::downgrade(recorder));
    LIVE.fetch_add(1, Ordering::Relaxed);
}

pub(crate) fn unregister() {
    LIVE.fetch_sub(1, Ordering::Relaxed);
}

/// Whether anything is recorded in this process.
#[inline]
pub(crate) fn is_recording() -> bool {
    LIVE.load(Ordering::Relaxed) > 0
}

/// Stamp of the test that the running code belongs to.
#[inline]
pub(crate) fn stamp() -> u32 {
    STAMP.get()
}

/// Notes a line of code that belongs to an instance.
#[inline]
pub(crate) fn note_line(function: &'static Function, target: u32) {
    LINE.set(Some((function, target)));
}

/// Goes on under the stamp `after` if this thread is inside the test `before`.
pub(crate) fn replace_stamp(before: u32, after: u32) {
    if STAMP.get() == before {
        STAMP.set(after);
        LINE.set(None);
    }
}

/// Runs `record` with the instance that executes `function` and the slot of its target `offset`.
pub(crate) fn with_recorder(
    function: &'static Function,
    offset: u32,
    record: impl FnOnce(&Recorder, u32),
) {
    let Some(first) = function.first() else { return };
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
    if current.is_err()
        && let Some(recorder) = only_recorder(number)
        && let (Some(slot), Some(record)) = (recorder.slot(number), record)
    {
        record(&recorder, slot);
    }
}

/// Remembers that there is nothing more to record at a site in this test of `recorder`.
pub(crate) fn settle(function: &Function, offset: u32, recorder: &Recorder) {
    if let (Some(memo), true) = (function.memo(offset), recorder.stamp() == stamp()) {
        memo.settle(stamp());
    }
}

/// The one live recorder that covers a target; `None` when there are several.
#[cold]
fn only_recorder(number: u32) -> Option<Arc<Recorder>> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let live = registered.iter().filter_map(Weak::upgrade);
    let mut covering = live.filter(|recorder| recorder.slot(number).is_some());
    let only = covering.next()?;
    covering.next().is_none().then_some(only)
}

/// Runs `record` with the instance of the current task, or the only live one where there is no
/// task: for what is no line of any function.
#[cfg(feature = "sqlite")]
pub(crate) fn with_any_recorder(record: impl FnOnce(&Recorder)) {
    let current = CURRENT.try_with(Clone::clone);
    let recorder = current.unwrap_or_else(|_| {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        let mut live = registered.iter().filter_map(Weak::upgrade);
        live.next().filter(|_| live.next().is_none())
    });
    if let Some(recorder) = recorder {
        record(&recorder);
    }
}

/// The time in which a thread runs code of one instance.
struct Turn<'a> {
    recorder: &'a Recorder,
    stamp: u32,
    line: Option<Line>,
}

impl<'a> Turn<'a> {
    fn start(recorder: &'a Recorder) -> Self {
        Self { stamp: STAMP.replace(recorder.stamp()), line: LINE.replace(None), recorder }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some((function, target)) = LINE.replace(self.line)
            && let Some(first) = function.first()
            && let Some(slot) = self.recorder.slot(first + target)
        {
            self.recorder.set_last_line(slot);
        }
        STAMP.set(self.stamp);
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
struct Silence {
    stamp: u32,
    line: Option<Line>,
}

impl Silence {
    fn start() -> Self {
        Self { stamp: STAMP.replace(NO_STAMP), line: LINE.replace(None) }
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        STAMP.set(self.stamp);
        LINE.set(self.line);
    }
}
