//! The examples do what they say: each runs as a test of its own.

#![allow(missing_docs, clippy::duplicate_mod, clippy::print_stdout, clippy::unwrap_used)]

#[path = "../examples/own_oracle.rs"]
mod own_oracle;
#[path = "../examples/recursion_depth.rs"]
mod recursion_depth;
#[path = "../examples/response_time.rs"]
mod response_time;

#[test]
fn a_fault_of_ones_own_is_found() {
    own_oracle::main().unwrap();
}

#[test]
fn a_deep_recursion_is_reached() {
    recursion_depth::main().unwrap();
}

#[test]
fn a_slow_answer_is_reached() {
    response_time::main().unwrap();
}
