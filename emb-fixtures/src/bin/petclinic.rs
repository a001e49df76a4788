//! A clinic for pets behind GraphQL.

use std::process::ExitCode;

fn main() -> ExitCode {
    emb_fixtures::run_fixture("petclinic")
}
