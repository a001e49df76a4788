//! GraphQL: schemas in, documents out.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests and their helpers")]
#![allow(clippy::print_stdout, reason = "an example runs as a test")]

mod broken_schemas;
mod damaged_sdl;
mod executable;
mod introspection;
#[path = "../../examples/own_target.rs"]
mod own_target;
mod rendering;
mod scale;
mod sdl;
mod support;
mod templates;
mod wild_schemas;

#[test]
fn targets_of_the_users_own_are_found() {
    own_target::main();
}
