//! What tests over the whole workspace share.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether the slow proofs were asked for; says so when not.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
#[must_use]
pub fn is_slow_stage() -> bool {
    let is_on = std::env::var_os("RUN_SLOW_TESTS").is_some();
    if !is_on {
        eprintln!("skipped: set RUN_SLOW_TESTS=1 to run it");
    }
    is_on
}

/// Runs `cargo test` inside a suite. `place` names the environment variable that says where the
/// service is, and what it says. Gives whether all passed, and what was told.
///
/// # Panics
/// When cargo cannot be started.
#[must_use]
pub fn cargo_test(suite: &Path, place: (&str, &str)) -> (bool, String) {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    let output = Command::new(env!("CARGO"))
        .args(["test", "--no-fail-fast"])
        .current_dir(suite)
        .env("CARGO_TARGET_DIR", target.join("generated-suites"))
        .env(place.0, place.1)
        .output()
        .expect("cargo runs this test");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text.into_owned())
}
