//! GraphQL: schemas in, documents out.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests and their helpers")]

mod broken_schemas;
mod damaged_sdl;
mod introspection;
mod rendering;
mod scale;
mod sdl;
mod support;
mod templates;
mod wild_schemas;
