//! How many calls a service saw, whoever sent them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::http::{CallFailure, HttpRequest, HttpResponse, Transport};

/// Counts calls; shared by all that send some.
#[derive(Debug, Clone, Default)]
pub struct CallCount {
    all: Arc<AtomicU64>,
    again: Arc<AtomicU64>,
}

impl CallCount {
    /// Calls so far.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.all.load(Ordering::Relaxed)
    }

    /// The number of those that were made once more: whoever made the first knows nothing of them.
    #[must_use]
    pub fn again(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.again)
    }

    /// Counts one call.
    pub fn add(&self) {
        self.all.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts one call that is made once more.
    pub(crate) fn add_again(&self) {
        self.add();
        self.again.fetch_add(1, Ordering::Relaxed);
    }
}

/// Counts what another transport carries.
pub struct CountedTransport {
    inner: Box<dyn Transport>,
    count: CallCount,
}

impl CountedTransport {
    /// A transport that counts its calls.
    #[must_use]
    pub fn new(inner: Box<dyn Transport>, count: CallCount) -> Self {
        Self { inner, count }
    }
}

impl std::fmt::Debug for CountedTransport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("CountedTransport")
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

impl Transport for CountedTransport {
    fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.inner.wait_at_most(longest);
    }

    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        self.count.add();
        self.inner.send(request)
    }
}
