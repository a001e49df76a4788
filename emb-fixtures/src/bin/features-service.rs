//! Products and their features behind REST.

use std::process::ExitCode;

fn main() -> ExitCode {
    emb_fixtures::run_fixture("features-service")
}
