//! What crates bring into a user's build, and which compiler that needs.

use std::path::Path;
use std::process::Command;

/// Most crates of a build, the crate itself included; arguments of `cargo tree`. Those of databases, of
/// the services that come along, and of both sides of the protocol are what features add.
const MOST: [(&str, usize); 5] = [
    ("--package wallace-instrument", 60),
    ("--package wallace-sut-driver --no-default-features --features client", 60),
    ("--package wallace-sut-driver --no-default-features --features server", 45),
    ("--package wallace-cli --no-default-features", 190),
    ("--package wallace-cli", 220),
];

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--locked", "--offline"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()
        .expect("cargo runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn crates_bring_few_others() {
    for (arguments, most) in MOST {
        let tree = ["tree", "--edges", "normal", "--prefix", "none", "--no-dedupe"];
        let arguments: Vec<&str> = tree.into_iter().chain(arguments.split(' ')).collect();
        let text = cargo(&arguments);
        let mut crates: Vec<&str> = text.lines().collect();
        crates.sort_unstable();
        crates.dedup();
        assert!(crates.len() <= most, "{arguments:?}: {} crates", crates.len());
    }
}

#[test]
fn the_declared_compiler_is_enough_for_every_crate() {
    // Of other platforms a build downloads nothing, and neither does a test.
    let told = cargo(&["-vV"]);
    let host = told.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo knows it");
    let text = cargo(&["metadata", "--format-version", "1", "--filter-platform", host]);
    let metadata: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let version = |package: &serde_json::Value| -> Vec<u32> {
        let text = package["rust_version"].as_str().unwrap_or_default();
        text.split('.').take(2).filter_map(|number| number.parse().ok()).collect()
    };
    let ours = packages.iter().find(|package| package["name"] == "wallace");
    let ours = version(ours.expect("it is in its own workspace"));
    assert!(ours.len() > 1, "a version is declared");
    for package in packages {
        assert!(version(package) <= ours, "{} {}", package["name"], package["rust_version"]);
    }
}
