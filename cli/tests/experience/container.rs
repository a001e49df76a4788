//! The container recipe: its one step, run without a container.

use std::path::Path;
use std::process::Command;

use crate::support::text;

/// The recipe does nothing besides the script.
#[test]
fn the_recipe_is_the_script() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let recipe = std::fs::read_to_string(root.join("Containerfile")).expect("it is there");
    let steps: Vec<&str> = recipe.lines().filter_map(|line| line.strip_prefix("RUN ")).collect();
    assert_eq!(steps[0], "scripts/container-build /wallace");
    assert!(steps[1..].iter().all(|step| step.starts_with("useradd ")), "{steps:?}");
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn the_script_makes_a_command_that_works() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        eprintln!("skipped: set RUN_SLOW_TESTS=1 to build what the container holds");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let into = folder.path().join("wallace");
    // The profile that the tests have built already.
    let output = Command::new(root.join("scripts/container-build"))
        .arg(&into)
        .env("CONTAINER_PROFILE", "dev")
        .output()
        .expect("the script runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = Command::new(into.join("bin/wallace")).arg("--version").output().expect("it runs");
    assert!(text(&told.stdout).contains(env!("CARGO_PKG_VERSION")), "{told:?}");
    assert!(into.join("share/licenses/wallace/LICENSE-MIT").is_file());
}
