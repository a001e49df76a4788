//! GraphQL: schemas in, documents out.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests and their helpers")]

mod broken_schemas;
mod introspection;
mod rendering;
mod scale;
mod support;
mod templates;
mod wild_schemas;
