//! What every instrumented line looks at first: plain loads, so that code which nobody records
//! costs nearly nothing.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::memo::NO_STAMP;
use crate::site::Target;

/// Number of no target.
const NONE: u32 = u32::MAX;

/// A line.
pub(crate) type Line = &'static Target;

/// What a line looks at and writes of its thread, in one place: finding it is most of what a line costs.
struct Here {
    /// Stamp of the test that the code running now belongs to, see [`crate::memo`].
    stamp: Cell<u32>,
    /// The line that the running code executed last. It goes to the recorder when the code pauses
    /// or ends: lines are too frequent to look the recorder up for each.
    line: Cell<Option<Line>>,
}

thread_local! {
    static HERE: Here = const { Here { stamp: Cell::new(NO_STAMP), line: Cell::new(None) } };
    /// Whether this is the thread of `main`.
    static IS_MAIN: bool = std::thread::current().name() == Some("main");
}

/// Whether nothing but the thread of `main` ran instrumented code, and no recorder was ever live.
static IS_START: AtomicBool = AtomicBool::new(true);

/// Number of live recorders: without any, instrumented code does nothing but this one load.
static LIVE: AtomicUsize = AtomicUsize::new(0);
/// Stamp of the only live recorder: what code of no task belongs to.
static ONLY: AtomicU32 = AtomicU32::new(NO_STAMP);
/// Number of the line that code of no task executed last.
static OUTSIDE: AtomicU32 = AtomicU32::new(NONE);
/// Recorders whose kill switch is on; while there is none, a line pays for one load.
static SWITCHED_ON: AtomicUsize = AtomicUsize::new(0);
/// Recorders that keep the values of decisions: without any, a decision costs this one load more.
static KEEPING: AtomicUsize = AtomicUsize::new(0);
/// Recorders that were told inputs: without any, a text is an input only where its shape says so.
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// Whether anything is recorded in this process.
#[inline]
pub(crate) fn is_recording() -> bool {
    LIVE.load(Ordering::Relaxed) > 0
}

/// Whether the program has not got further than its start.
#[inline]
pub(crate) fn is_start() -> bool {
    IS_START.load(Ordering::Relaxed)
}

/// Whether code that runs now belongs to the start; it is over where another thread than that of
/// `main` asks.
pub(crate) fn is_part_of_start() -> bool {
    let is_main = IS_MAIN.try_with(|it| *it).unwrap_or_default();
    if !is_main {
        IS_START.store(false, Ordering::Relaxed);
    }
    is_main
}

/// So many recorders are live; `only` is the stamp where it is one.
pub(crate) fn set_live(count: usize, only: u32) {
    IS_START.store(false, Ordering::Relaxed);
    LIVE.store(count, Ordering::Relaxed);
    ONLY.store(only, Ordering::Relaxed);
}

/// Stamp of the test that the running code belongs to as part of a task, or else as code of the only
/// recorder there is.
#[inline]
pub(crate) fn stamp() -> u32 {
    match stamp_of_task() {
        NO_STAMP => ONLY.load(Ordering::Relaxed),
        stamp => stamp,
    }
}

/// Stamp of the test that the running code belongs to as part of a task.
#[inline]
pub(crate) fn stamp_of_task() -> u32 {
    HERE.with(|here| here.stamp.get())
}

/// Notes a line of code that is part of a task, and gives the stamp of its test.
#[inline]
pub(crate) fn note_line(line: Line) -> u32 {
    HERE.with(|here| {
        let stamp = here.stamp.get();
        if stamp != NO_STAMP {
            here.line.set(Some(line));
        }
        stamp
    })
}

/// Stamp of the only live recorder.
#[inline]
pub(crate) fn stamp_of_only() -> u32 {
    ONLY.load(Ordering::Relaxed)
}

/// Notes a line of code that is part of no task.
#[inline]
pub(crate) fn note_line_outside(line: Line) {
    if let Some(first) = line.function.first() {
        OUTSIDE.store(first + line.offset, Ordering::Relaxed);
    }
}

/// Takes the number of the line that code of no task executed last.
pub(crate) fn take_line_outside() -> Option<u32> {
    let number = OUTSIDE.swap(NONE, Ordering::Relaxed);
    (number != NONE).then_some(number)
}

/// Begins a turn under this stamp, and gives what to go back to.
pub(crate) fn enter(stamp: u32) -> (u32, Option<Line>) {
    HERE.with(|here| (here.stamp.replace(stamp), here.line.replace(None)))
}

/// Ends a turn, and gives the line that was executed last in it.
pub(crate) fn leave((stamp, line): (u32, Option<Line>)) -> Option<Line> {
    HERE.with(|here| {
        here.stamp.set(stamp);
        here.line.replace(line)
    })
}

/// Goes on under the stamp `after` if this thread, or code of no task, is inside the test `before`.
pub(crate) fn replace_stamp(before: u32, after: u32) {
    HERE.with(|here| {
        if here.stamp.get() == before {
            here.stamp.set(after);
            here.line.set(None);
        }
    });
    // Another one may be the only recorder, or none.
    let _ = ONLY.compare_exchange(before, after, Ordering::Relaxed, Ordering::Relaxed);
}

/// Whether anything is being ended.
#[inline]
pub(crate) fn is_ending() -> bool {
    SWITCHED_ON.load(Ordering::Relaxed) > 0
}

/// Counts a kill switch that went on or off.
pub(crate) fn count_switch(is_on: bool) {
    count(&SWITCHED_ON, is_on);
}

/// Whether anybody keeps the values of decisions.
#[inline]
pub(crate) fn are_decisions_kept() -> bool {
    KEEPING.load(Ordering::Relaxed) > 0
}

/// Counts a recorder that starts or stops keeping them.
pub(crate) fn count_keeping(is_on: bool) {
    count(&KEEPING, is_on);
}

/// Whether any recorder was told inputs.
#[inline]
pub(crate) fn are_inputs_told() -> bool {
    TOLD.load(Ordering::Relaxed) > 0
}

/// Counts a recorder that was told inputs, or forgets them.
pub(crate) fn count_told(is_on: bool) {
    count(&TOLD, is_on);
}

fn count(counter: &AtomicUsize, is_on: bool) {
    if is_on {
        counter.fetch_add(1, Ordering::Relaxed);
    } else {
        counter.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Locks; a panic of another holder leaves nothing half-done that matters here.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
