//! The files of the sample suite, byte by byte. `UPDATE_EXPECT=1` writes them anew.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use wallace_suite::{SuiteFile, TestCase, Writer, writer::RustWriter};

use crate::shop;

fn golden_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/rust")
}

#[test]
fn the_files_are_the_expected_ones() {
    for file in RustWriter.write(&shop::suite()) {
        let path = golden_folder().join(&file.path);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &file.content).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert!(file.content == expected, "{} changed; see UPDATE_EXPECT", file.path);
    }
}

#[test]
fn equal_suites_give_equal_bytes() {
    assert_eq!(RustWriter.write(&shop::suite()), RustWriter.write(&shop::suite()));
}

#[test]
fn rustfmt_has_nothing_to_add() {
    let folder = tempfile::tempdir().unwrap();
    for file in RustWriter.write(&shop::suite()) {
        check_format(&folder, &file);
    }
}

/// Fails if `rustfmt` would change the file; a machine without it checks nothing.
fn check_format(folder: &tempfile::TempDir, file: &SuiteFile) {
    if !file.path.ends_with(".rs") {
        return;
    }
    let path = folder.path().join("checked.rs");
    fs::write(&path, &file.content).unwrap();
    let command =
        Command::new("rustfmt").args(["--edition", "2024", "--check"]).arg(&path).output();
    let Ok(output) = command else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn locations_are_where_the_tests_stand() {
    let suite = shop::suite();
    let mut found = 0;
    for file in RustWriter.write(&suite) {
        let lines: Vec<&str> = file.content.lines().collect();
        for location in &file.tests {
            let block = &lines[location.start_line - 1..location.end_line];
            assert_eq!(location.name, suite.tests[location.test].name);
            assert!(block[0].starts_with("// "), "{block:?}");
            assert_eq!(block.last(), Some(&"}"));
            let head = format!("async fn {}() {{", location.name);
            assert_eq!(block.iter().filter(|line| **line == head).count(), 1);
            assert_eq!(block.iter().filter(|line| line.starts_with("async fn")).count(), 1);
            found += 1;
        }
    }
    assert_eq!(found, suite.tests.len());
}

#[test]
fn long_suites_are_split_into_files() {
    let mut suite = shop::suite();
    let test = suite.tests[0].clone();
    suite.tests = (0..450)
        .map(|number| TestCase { name: format!("test_{number}"), ..test.clone() })
        .collect();
    let files = RustWriter.write(&suite);
    let sizes: Vec<(&str, usize)> = files
        .iter()
        .filter(|file| !file.tests.is_empty())
        .map(|file| (file.path.as_str(), file.tests.len()))
        .collect();
    assert_eq!(
        sizes,
        [
            ("tests/regression.rs", 200),
            ("tests/regression_2.rs", 200),
            ("tests/regression_3.rs", 50)
        ]
    );
}

#[test]
fn a_suite_without_tests_is_still_a_crate() {
    let mut suite = shop::suite();
    suite.tests.clear();
    let paths: Vec<String> = RustWriter.write(&suite).into_iter().map(|file| file.path).collect();
    assert_eq!(paths, ["Cargo.toml", ".gitignore", "rustfmt.toml", "src/lib.rs", "README.md"]);
}

#[test]
fn the_support_library_knows_the_service() {
    let mut suite = shop::suite();
    suite.default_base_url = "https://shop.example".to_owned();
    suite.tests.truncate(1);
    suite.tests[0].steps[0].request.path = "/api/\"v1\"".into();
    let files = RustWriter.write(&suite);
    let content = |path: &str| &files.iter().find(|file| file.path == path).unwrap().content;
    assert!(content("src/lib.rs").contains("DEFAULT_BASE_URL: &str = \"https://shop.example\";"));
    assert!(content("src/lib.rs").contains("GRAPHQL_PATH: &str = r#\"/api/\"v1\"\"#;"));
    assert!(content("Cargo.toml").contains("features = [\"rustls\"]"));
}
