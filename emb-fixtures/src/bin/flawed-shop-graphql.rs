//! The shop with seeded faults, seen through GraphQL.

use std::process::ExitCode;

fn main() -> ExitCode {
    emb_fixtures::run_fixture("flawed-shop-graphql")
}
