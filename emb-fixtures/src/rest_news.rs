//! News items of countries, on an embedded database.
//!
//! [`operation`] holds what the service does, instrumented; [`face`] is what callers see, wrong
//! where a behaviour switch says so.

mod face;
mod item;
mod operation;
mod store;

pub(crate) use face::{SWITCHES, system};
