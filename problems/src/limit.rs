//! Being a considerate client: how fast calls are sent, what is tried again, and what is never
//! sent at all.

mod count;
mod guard;
mod rate;
mod retry;

pub use count::{CallCount, CountedTransport};
pub use guard::MutationGuard;
pub use rate::RateLimit;
pub use retry::{LimitedTransport, RetryPolicy};
