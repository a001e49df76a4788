//! Recording of requests to any service of the `tower` family, and their early end.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::http::{Response, StatusCode};
use tower_layer::Layer;
use tower_service::Service;

use crate::kill::{Ended, killable};
use crate::recorder::Recorder;

/// Records the requests of a service: a [`Layer`] for everything that is built on `tower`, such as
/// axum, hyper and tonic. Made by [`Recorder::layer`].
#[derive(Debug, Clone)]
pub struct RecordLayer(Arc<Recorder>);

/// A service whose requests are recorded. While the recorder's kill switch is on, requests that run
/// end with status 503 at their next `.await` or instrumented line, and new ones at once.
#[derive(Debug, Clone)]
pub struct RecordedService<S> {
    inner: S,
    recorder: Arc<Recorder>,
}

/// Responses that can stand for a request that was ended: those of the `http` crate.
pub trait EarlyEnd: sealed::Sealed {
    /// The response of a request that was ended.
    fn early_end() -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl<B> Sealed for super::Response<B> {}
}

impl<B: Default> EarlyEnd for Response<B> {
    fn early_end() -> Self {
        let mut response = Self::new(B::default());
        *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        response
    }
}

impl Recorder {
    /// A layer whose requests are recorded here.
    ///
    /// What tasks and threads do that a request starts is recorded here too if they are handed
    /// the recorder ([`Recorder::current`]); the kill switch never ends them.
    pub fn layer(self: &Arc<Self>) -> RecordLayer {
        RecordLayer(Arc::clone(self))
    }
}

impl Recorder {
    /// A service whose requests are recorded here; as [`Recorder::layer`], for one service.
    pub fn record<S>(self: &Arc<Self>, service: S) -> RecordedService<S> {
        self.layer().layer(service)
    }

    /// Runs the future of one request, recorded here, where a framework has middleware of its own:
    /// `None` where the kill switch ended it, to be answered with status 503. As the requests of
    /// [`Recorder::layer`] it ends at its next `.await` or instrumented line; it need not be `Send`.
    pub async fn request<F: Future>(self: &Arc<Self>, request: F) -> Option<F::Output> {
        let mut request = pin!(Arc::clone(self).scope(request));
        let mut ended = pin!(self.ended());
        poll_fn(|context| {
            if self.is_killed() {
                return Poll::Ready(None);
            }
            match catch_end(|| request.as_mut().poll(context)) {
                None => Poll::Ready(None),
                Some(Poll::Ready(output)) => Poll::Ready(Some(output)),
                Some(Poll::Pending) => ended.as_mut().poll(context).map(|()| None),
            }
        })
        .await
    }
}

impl<S> Layer<S> for RecordLayer {
    type Service = RecordedService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        RecordedService { inner, recorder: Arc::clone(&self.0) }
    }
}

impl<S, R> Service<R> for RecordedService<S>
where
    S: Service<R>,
    S::Response: EarlyEnd,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> Self::Future {
        let recorder = Arc::clone(&self.recorder);
        // The service may do its work here and not in the future.
        let called = catch_end(|| recorder.run(|| self.inner.call(request)));
        Box::pin(async move {
            match called {
                Some(future) => {
                    recorder.request(future).await.unwrap_or_else(|| Ok(S::Response::early_end()))
                }
                None => Ok(S::Response::early_end()),
            }
        })
    }
}

/// The value of `turn`, or `None` when an instrumented line ended it. Other panics go on.
fn catch_end<T>(turn: impl FnOnce() -> T) -> Option<T> {
    let is_end = |payload: &Box<dyn Any + Send>| payload.is::<Ended>();
    match catch_unwind(AssertUnwindSafe(|| killable(turn))) {
        Ok(value) => Some(value),
        Err(payload) if is_end(&payload) => None,
        Err(payload) => resume_unwind(payload),
    }
}
