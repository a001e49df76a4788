//! The examples do what they say: each runs as a test of its own.

#![allow(missing_docs, clippy::print_stdout)]

#[path = "../examples/numeric_puzzle.rs"]
mod numeric_puzzle;
#[path = "../examples/state_machine.rs"]
mod state_machine;

#[test]
fn the_numbers_are_found() {
    numeric_puzzle::main();
}

#[test]
fn every_state_is_reached() {
    state_machine::main();
}
