//! The numerical case study behind GraphQL.

use std::process::ExitCode;

fn main() -> ExitCode {
    emb_fixtures::run_fixture("graphql-ncs")
}
