//! Products with features, constraints between features, and configurations that activate them.
//!
//! [`operation`] and [`constraint`] hold what the service does, instrumented; [`face`] is what
//! callers see, and [`status`] their statuses, wrong where a behaviour switch says so. Two faults are part of the service itself,
//! as in the system it is made after: adding a feature twice, and deleting one that a
//! configuration uses, give 500.

mod constraint;
mod declaration;
mod face;
mod licence;
mod operation;
mod status;
mod store;

pub(crate) use declaration::system;
pub(crate) use status::SWITCHES;
