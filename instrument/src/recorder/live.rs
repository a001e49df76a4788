//! The recorders of this process.

use std::sync::{Arc, PoisonError, RwLock, Weak};

use super::Recorder;
use crate::memo::NO_STAMP;
use crate::state::set_live;

static REGISTERED: RwLock<Vec<Weak<Recorder>>> = RwLock::new(Vec::new());

/// Lets a recorder take part until it is dropped.
pub(super) fn register(recorder: &Arc<Recorder>) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.push(Arc::downgrade(recorder));
    let only = count(&mut registered);
    // Whoever drops the last handle of a recorder must not find the list locked.
    drop(registered);
    drop(only);
}

/// Forgets the recorders that are dropped.
pub(super) fn unregister() {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let only = count(&mut registered);
    drop(registered);
    drop(only);
}

/// Counts the recorders, and gives the only one if there is one.
fn count(registered: &mut Vec<Weak<Recorder>>) -> Option<Arc<Recorder>> {
    registered.retain(|known| known.strong_count() > 0);
    let only = match &registered[..] {
        [only] => only.upgrade(),
        _ => None,
    };
    set_live(registered.len(), only.as_ref().map_or(NO_STAMP, |only| only.stamp()));
    only
}

/// The one live recorder that fits; `None` when there are several.
#[cold]
pub(crate) fn only(fits: impl Fn(&Recorder) -> bool) -> Option<Arc<Recorder>> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let live: Vec<_> = registered.iter().filter_map(Weak::upgrade).collect();
    drop(registered);
    let mut fitting = live.into_iter().filter(|recorder| fits(recorder));
    let only = fitting.next()?;
    fitting.next().is_none().then_some(only)
}
