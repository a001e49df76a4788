//! Being a considerate client: how fast calls are sent, what is tried again, and what is never
//! sent at all.

mod count;
mod guard;
mod patience;
mod rate;
mod resting;
mod retry;

pub use count::{CallCount, CountedTransport};
pub use guard::MutationGuard;
pub(crate) use patience::Patience;
pub use rate::RateLimit;
pub(crate) use resting::Resting;
pub(crate) use retry::retry_after;
pub use retry::{LimitedTransport, RetryPolicy};
