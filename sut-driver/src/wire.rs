//! The messages as they stand on the wire.
//!
//! What the client writes and reads. Answers are read leniently, because their fields changed over
//! the protocol's releases; what the server reads and writes, exactly one release, stands beside it.

#[cfg(feature = "client")]
pub(crate) mod answer;
#[cfg(feature = "client")]
pub(crate) mod authentication;
#[cfg(feature = "client")]
pub(crate) mod database;
#[cfg(feature = "client")]
pub(crate) mod lenient;
#[cfg(feature = "client")]
pub(crate) mod request;
#[cfg(feature = "client")]
pub(crate) mod results;
#[cfg(feature = "client")]
pub(crate) mod store;

/// Path that all endpoints start with.
pub(crate) const BASE_PATH: &str = "/controller/api";
