//! Introspection: the query, and reading its answer.

mod query;
mod read;
mod wire;

pub use query::INTROSPECTION_QUERY;
pub(crate) use read::read;
