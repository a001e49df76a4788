//! The runtime behind blocking calls: one thread, one runtime, all connections of that thread.

use std::future::Future;
use std::io;
use std::sync::Arc;

/// A current-thread runtime that the connections of one worker share.
///
/// Evaluation is blocking: a worker is a thread that owns one runtime and drives its sockets
/// itself, so that no other thread has to be woken for an exchange. Cloning is cheap and gives
/// the same runtime; only one thread may drive it at a time.
#[derive(Debug, Clone)]
pub struct BlockingRuntime {
    inner: Arc<tokio::runtime::Runtime>,
}

impl BlockingRuntime {
    /// Creates the runtime of this thread.
    ///
    /// # Errors
    /// When the operating system refuses the descriptors that a runtime needs.
    pub fn new() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self { inner: Arc::new(runtime) })
    }

    /// Runs `future` to its end on this thread.
    ///
    /// # Panics
    /// When called from inside an async task: a blocking call would stall that task's runtime.
    /// Use a plain thread, or `spawn_blocking`.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.inner.block_on(future)
    }
}
