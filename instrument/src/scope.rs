//! Which instance a piece of running code belongs to.
//!
//! The recorder of the current task counts. Code without one (its own thread, a spawned task, a
//! pool) belongs to the only live recorder that covers its module; where several do, nothing is
//! recorded rather than recorded wrongly. Such code can be told its recorder with
//! [`Recorder::scope`] or [`Recorder::run`].

use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};

use crate::recorder::Recorder;
use crate::site::Function;

tokio::task_local! {
    /// `None` means that nothing is recorded, not even by the only recorder.
    static CURRENT: Option<Arc<Recorder>>;
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

/// Runs `record` with the instance that executes `function` and the slot of its target `offset`.
#[inline]
pub(crate) fn with_recorder(function: &Function, offset: u32, record: impl FnOnce(&Recorder, u32)) {
    if LIVE.load(Ordering::Relaxed) == 0 {
        return;
    }
    let Some(first) = function.first() else { return };
    let number = first + offset;
    let mut record = Some(record);
    let current = CURRENT.try_with(|current| {
        let Some(recorder) = current else { return };
        if let (Some(slot), Some(record)) = (recorder.slot(number), record.take()) {
            record(recorder, slot);
        }
    });
    if current.is_err()
        && let Some(recorder) = only_recorder(number)
        && let (Some(slot), Some(record)) = (recorder.slot(number), record)
    {
        record(&recorder, slot);
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

impl Recorder {
    /// Runs a future of this instance: what it executes is recorded here.
    pub async fn scope<F: Future>(self: Arc<Self>, future: F) -> F::Output {
        CURRENT.scope(Some(self), future).await
    }

    /// Runs a function of this instance: what it executes is recorded here.
    pub fn run<T>(self: &Arc<Self>, function: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(Some(Arc::clone(self)), function)
    }

    /// The recorder of the current task, to be handed to threads and tasks that it starts.
    #[must_use]
    pub fn current() -> Option<Arc<Self>> {
        CURRENT.try_with(Clone::clone).ok().flatten()
    }
}

/// Runs a function of which nothing is recorded.
pub(crate) fn unrecorded<T>(function: impl FnOnce() -> T) -> T {
    CURRENT.sync_scope(None, function)
}
