//! A service made from a seed.

use std::process::ExitCode;

fn main() -> ExitCode {
    emb_fixtures::run_generated()
}
