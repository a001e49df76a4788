//! Suites that come of searches on REST services, run by their real runner.

use std::path::Path;
use std::process::Command;

use emb_fixtures::Fixture;

use crate::{white_box, without_driver};

/// Whether the slow proofs were asked for; says so when not.
fn is_slow_stage() -> bool {
    let is_on = std::env::var_os("RUN_SLOW_TESTS").is_some();
    if !is_on {
        eprintln!("skipped: set RUN_SLOW_TESTS=1 to run it");
    }
    is_on
}

/// Runs `cargo test` inside a suite against a service.
fn cargo_test(suite: &Path, base_url: &str) -> (bool, String) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated-suite");
    let output = Command::new(env!("CARGO"))
        .arg("test")
        .current_dir(suite)
        .env("CARGO_TARGET_DIR", target)
        .env("WALLACE_BASE_URL", base_url)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text.into_owned())
}

#[test]
fn the_suite_passes_on_the_service_and_fails_on_a_changed_one() {
    if !is_slow_stage() {
        return;
    }
    for name in ["rest-ncs", "rest-scs"] {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite");
        white_box(name, 42, 5_000, &suite);
        let suite = suite.join("rust");
        let same = without_driver(&[], name);
        let (passes, text) = cargo_test(&suite, &same.base_url);
        assert!(passes, "{text}");
        let mut caught = 0;
        let switches = Fixture::find(name).unwrap().switches();
        for switch in switches.iter().take(10) {
            let changed = without_driver(&[switch.name], name);
            caught += usize::from(!cargo_test(&suite, &changed.base_url).0);
        }
        assert!(caught >= 6, "{name}: {caught} of 10 switches noticed");
    }
}
