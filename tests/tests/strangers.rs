//! Crates outside of the workspace: what strangers write with what is public, by path. Slow, since all
//! of it is built again, once for all of them.

#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of one crate each; `own_problem` is that of the engine, with the genes that it evolves.
const PAGES: [(&str, &str); 9] = [
    ("campaign", "wallace_campaign"),
    ("facade", "wallace"),
    ("genes", "wallace_genes"),
    ("harvest", "wallace_harvest"),
    ("instrument", "wallace_instrument"),
    ("problems", "wallace_problems"),
    ("properties", "wallace_properties"),
    ("suite", "wallace_suite"),
    ("sut_driver", "wallace_sut_driver"),
];

/// Most lines of such a crate.
const LINES: usize = 39;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("strangers")
}

fn target() -> PathBuf {
    folder().join("../../target/strangers")
}

fn cargo(arguments: &[&str]) {
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--locked"])
        .current_dir(folder())
        .env("CARGO_TARGET_DIR", target())
        .status()
        .unwrap();
    assert!(status.success(), "cargo {arguments:?}");
}

#[test]
fn strangers_write_little() {
    let crates = ["own_problem/src/main.rs", "own_targets/src/main.rs", "rest_router/src/lib.rs"];
    for file in crates {
        let text = std::fs::read_to_string(folder().join(file)).unwrap();
        assert!(text.lines().count() <= LINES, "{file} has {} lines", text.lines().count());
    }
}

#[test]
fn strangers_build_and_find_what_they_look_for() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        return;
    }
    // All of them at a time: each alone has other features, and what they share would be built again.
    cargo(&["build", "--workspace"]);
    for name in ["own-problem", "own-targets"] {
        let program = target().join("debug").join(name);
        let status = Command::new(program).current_dir(folder()).status().unwrap();
        assert!(status.success(), "{name}");
    }
    cargo(&["test", "--workspace"]);
}

/// What somebody writes who has read the page of one crate.
#[test]
fn one_crate_is_enough_for_its_page() {
    for (module, own) in PAGES {
        let file = format!("one_each/src/{module}.rs");
        let text = std::fs::read_to_string(folder().join(&file)).unwrap();
        let names = text.match_indices("wallace").map(|(start, _)| {
            let name = |letter: char| letter.is_alphanumeric() || letter == '_';
            text[start..].split(|letter| !name(letter)).next().unwrap()
        });
        let names: BTreeSet<&str> = names.collect();
        assert_eq!(names, BTreeSet::from([own]), "{file}");
    }
}
