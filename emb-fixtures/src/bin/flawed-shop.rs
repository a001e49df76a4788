//! The shop with seeded faults, seen through REST.

use std::process::ExitCode;

fn main() -> ExitCode {
    emb_fixtures::run_fixture("flawed-shop")
}
