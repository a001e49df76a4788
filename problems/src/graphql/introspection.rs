//! Introspection: the queries, and reading their answers.

mod query;
mod read;
mod support;
mod wire;

pub use query::INTROSPECTION_QUERY;
pub(crate) use read::read;
pub use support::IntrospectionSupport;
