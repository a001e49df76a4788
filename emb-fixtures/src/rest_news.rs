//! News items of countries, on an embedded database.
//!
//! [`operation`] and [`archive`] hold what the service does, instrumented; [`face`] is what callers see,
//! and [`status`] its statuses, wrong where a behaviour switch says so.

mod archive;
mod face;
mod item;
mod operation;
mod status;
mod store;

pub(crate) use face::system;
pub(crate) use status::SWITCHES;
