//! The runtime that a run is called from, as in a `#[tokio::test]`.

use std::future::Future;

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::task::block_in_place;

use crate::error::RunError;

/// The runtime of the task that this is called from, if it is one.
///
/// # Errors
/// [`RunError::Settings`] for a runtime of one thread: what blocks there would wait for itself.
fn around() -> Result<Option<Handle>, RunError> {
    match Handle::try_current() {
        Err(_) => Ok(None),
        Ok(handle) if handle.runtime_flavor() == RuntimeFlavor::MultiThread => Ok(Some(handle)),
        Ok(_) => Err(RunError::Settings(
            "a run blocks, and the runtime that it is called from has one thread: write \
             #[tokio::test(flavor = \"multi_thread\")], or call it outside of a runtime"
                .to_owned(),
        )),
    }
}

/// Runs what blocks, from wherever it is called.
///
/// # Errors
/// Those of `run`, and [`RunError::Settings`] from a task of a runtime of one thread.
pub(crate) fn blocking<T>(run: impl FnOnce() -> Result<T, RunError>) -> Result<T, RunError> {
    if around()?.is_some() { block_in_place(run) } else { run() }
}

/// Where a service in this process runs: its tasks and connections live there.
pub(crate) enum Surroundings {
    /// In the runtime that it was made in, whose connections it may hold.
    Around(Handle),
    Own(Runtime),
}

impl Surroundings {
    /// # Errors
    /// As [`blocking`], and [`RunError::Internal`] when the operating system refuses what a runtime needs.
    pub(crate) fn find() -> Result<Self, RunError> {
        if let Some(handle) = around()? {
            return Ok(Self::Around(handle));
        }
        let own = Builder::new_current_thread().enable_all().build();
        own.map(Self::Own)
            .map_err(|error| RunError::Internal(format!("no runtime for calls: {error}")))
    }

    pub(crate) fn block_on<F: Future>(&self, future: F) -> F::Output {
        match self {
            Self::Around(handle) => block_in_place(|| handle.block_on(future)),
            Self::Own(runtime) => runtime.block_on(future),
        }
    }
}
