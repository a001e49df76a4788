//! Suites as a Rust crate of their own: `cargo test` runs them.

mod json;
mod layout;
mod literal;
mod request_source;
mod scope;
mod test_function;

use std::collections::BTreeSet;

use crate::layout::{Instructions, about, chunks, graphql_path, project_name, provenance};
use crate::test_case::{TestKind, TestSuite};
use crate::writer::{SuiteFile, TestLocation, Writer};
use scope::Scope;

/// The library that the tests share.
const SUPPORT: &str = include_str!("../templates/rust/lib.rs");

/// What stands in [`SUPPORT`] for the two values that depend on the suite.
const BASE_URL_CONSTANT: (&str, &str) = ("DEFAULT_BASE_URL", "\"http://localhost:8080\"");
const GRAPHQL_PATH_CONSTANT: (&str, &str) = ("GRAPHQL_PATH", "\"/graphql\"");

/// Settings of `rustfmt` for the crate, so that none of a folder around it are taken.
const FORMAT: &str = "# The defaults, wherever the folder lies.\n";

/// Macro recursion that the compiler allows by itself, less what a test uses anyway.
const FREE_RECURSION: usize = 100;

/// Writes a crate with one asynchronous test function per test, on reqwest and tokio.
///
/// The crate has a workspace of its own, so it may lie inside of any other. What it is
/// laid out like is what `cargo fmt` makes of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct RustWriter;

impl Writer for RustWriter {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile> {
        let graphql_path = graphql_path(suite);
        let mut files = vec![
            SuiteFile::new("Cargo.toml", manifest(suite)),
            SuiteFile::new(".gitignore", "/target\n"),
            SuiteFile::new("rustfmt.toml", FORMAT),
            SuiteFile::new("src/lib.rs", support(suite, &graphql_path)),
        ];
        for chunk in chunks(suite) {
            let path = format!("tests/{}.rs", chunk.stem);
            files.push(test_file(path, suite, &chunk.tests, &graphql_path));
        }
        files.push(SuiteFile::new("README.md", readme(suite, &files)));
        files
    }
}

fn manifest(suite: &TestSuite) -> String {
    let name = project_name(suite);
    let is_encrypted = suite.default_base_url.starts_with("https:");
    let features = if is_encrypted { "[\"rustls\"]" } else { "[]" };
    format!(
        "[package]\n\
         name = \"{name}\"\n\
         version = \"0.1.0\"\n\
         edition = \"2024\"\n\
         publish = false\n\
         \n\
         # What the tests share. It has no tests of its own.\n\
         [lib]\n\
         name = \"support\"\n\
         test = false\n\
         doctest = false\n\
         \n\
         [dependencies]\n\
         reqwest = {{ version = \"0.13\", default-features = false, features = {features} }}\n\
         serde_json = {{ version = \"1\", features = [\"float_roundtrip\"] }}\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt\", \"sync\"] }}\n\
         \n\
         # A workspace of its own, wherever the folder lies.\n\
         [workspace]\n"
    )
}

fn support(suite: &TestSuite, graphql_path: &str) -> String {
    let with_url = replace_constant(SUPPORT, BASE_URL_CONSTANT, &suite.default_base_url);
    replace_constant(&with_url, GRAPHQL_PATH_CONSTANT, graphql_path)
}

fn replace_constant(source: &str, (name, value): (&str, &str), text: &str) -> String {
    let start = format!("pub const {name}: &str =");
    let literal = literal::string(text);
    let line = format!("{start} {literal};");
    let line = if line.len() <= 100 { line } else { format!("{start}\n    {literal};") };
    source.replacen(&format!("{start} {value};"), &line, 1)
}

/// A file with the tests of these numbers.
fn test_file(path: String, suite: &TestSuite, tests: &[usize], graphql_path: &str) -> SuiteFile {
    let mut scope = Scope::default();
    let mut names = BTreeSet::new();
    let mut functions = Vec::with_capacity(tests.len());
    for &index in tests {
        let test = &suite.tests[index];
        let is_taken = |name: &str| scope::is_reserved(name) || names.contains(name);
        let name = literal::identifier(&test.name, is_taken);
        names.insert(name.clone());
        let source = test_function::source(test, &name, graphql_path, &mut scope);
        functions.push((index, name, source));
    }
    let mut content = header(suite, suite.tests[tests[0]].kind, &scope);
    let mut locations = Vec::with_capacity(functions.len());
    for (test, name, source) in functions {
        content.push('\n');
        let start_line = content.lines().count() + 1;
        content.push_str(&source);
        let end_line = content.lines().count();
        locations.push(TestLocation { test, name, start_line, end_line });
    }
    SuiteFile { path, content, tests: locations }
}

fn header(suite: &TestSuite, kind: TestKind, scope: &Scope) -> String {
    let mut text = format!("//! {}\n//!\n//! {}\n\n", about(suite, kind), provenance(suite));
    if scope.has_floats {
        text += "// Numbers are what the service said, even if they are close to a constant.\n\
                 #![allow(clippy::approx_constant, clippy::excessive_precision)]\n";
    }
    if scope.recursion > FREE_RECURSION {
        let limit = (2 * scope.recursion).next_power_of_two();
        text += &format!("#![recursion_limit = \"{limit}\"]\n");
    }
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    if scope.uses_json {
        text += "use serde_json::json;\n";
    }
    let imports: Vec<&str> = scope.imports.iter().copied().collect();
    text + &layout::import("support", &imports)
}

/// The instructions that lie beside the tests.
fn readme(suite: &TestSuite, files: &[SuiteFile]) -> String {
    let run = Instructions::new(None, "cargo test");
    run.readme(suite, files)
}
