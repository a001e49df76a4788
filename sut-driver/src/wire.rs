//! The messages as they stand on the wire.
//!
//! Requests are shared by both sides: the client writes them, the server reads them strictly.
//! Answers are read leniently here, because their fields changed over the protocol's releases;
//! what the server writes, exactly one release, stands beside the server.

pub(crate) mod answer;
pub(crate) mod authentication;
pub(crate) mod database;
pub(crate) mod lenient;
pub(crate) mod request;
pub(crate) mod results;

/// Path that all endpoints start with.
pub(crate) const BASE_PATH: &str = "/controller/api";
