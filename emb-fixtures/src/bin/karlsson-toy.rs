//! The toy service of the property-based study.

use std::process::ExitCode;

fn main() -> ExitCode {
    emb_fixtures::run_fixture("karlsson-toy")
}
