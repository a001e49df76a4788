//! A clinic for pets behind GraphQL, on an embedded database.
//!
//! [`operation`] and [`date`] hold what the service does, instrumented; queries, mutations and
//! objects are what callers see, wrong where a behaviour switch says so.

mod clinic;
mod date;
mod input;
mod invoice;
mod mutation;
mod object;
mod operation;
mod query;
mod store;
mod switch_list;

pub(crate) use clinic::system;
pub(crate) use switch_list::SWITCHES;
