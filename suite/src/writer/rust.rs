//! Suites as a Rust crate of their own: `cargo test` runs them.

mod json;
mod layout;
mod literal;
mod statement;

use serde_json::Number;

use crate::test_case::TestSuite;
use crate::writer::dialect::{Dialect, Header, Order, files, indented, is_among};
use crate::writer::layout::{Instructions, project_name};
use crate::writer::program::Statement;
use crate::writer::{SuiteFile, Writer};

/// The library that the tests share.
const SUPPORT: &str = include_str!("../../templates/rust/lib.rs");

/// What stands in [`SUPPORT`] for the two values that depend on the suite.
const BASE_URL_CONSTANT: (&str, &str) = ("DEFAULT_BASE_URL", "\"http://localhost:8080\"");
const GRAPHQL_PATH_CONSTANT: (&str, &str) = ("GRAPHQL_PATH", "\"/graphql\"");

/// Settings of `rustfmt` for the crate, so that none of a folder around it are taken.
const FORMAT: &str = "# The defaults, wherever the folder lies.\n";

/// Macro recursion that the compiler allows by itself, less what a test uses anyway.
const FREE_RECURSION: usize = 100;

/// Names that stand for something in every test or in the support library, and names of crates.
const RESERVED: &str = "\
    service response document variables body text json support serde_json tokio connect anything \
    any_boolean any_list any_number any_object any_string list_starting_with any_integer by_type \
    each including non_null nullable one_of json_text plain_text path_segment json_file \
    text_file environment main core std";

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
        files(self, suite)
    }
}

impl Dialect for RustWriter {
    fn is_reserved(&self, name: &str) -> bool {
        is_among(name, RESERVED) || literal::is_keyword(name)
    }

    fn string(&self, text: &str) -> String {
        literal::string(text)
    }

    /// The support library takes the indentation away again, so that no byte changes.
    fn block(&self, text: &str, indentation: usize) -> Option<String> {
        let lines = indented(text, indentation + self.step());
        literal::raw_string(&format!("\n{lines}\n{}", " ".repeat(indentation)))
    }

    fn number(&self, number: &Number) -> String {
        literal::number(number)
    }

    fn can_send(_: &Number) -> bool {
        true
    }

    fn function(&self, name: &str) -> String {
        match name {
            "fill" => "with".to_owned(),
            other => other.to_owned(),
        }
    }

    /// As `rustfmt` has it, with JSON inside of a macro.
    fn laid_out(&self, statement: &Statement) -> Option<String> {
        statement::source(statement)
    }

    fn assignment(&self, variable: &str, value: &str, _: Order) -> String {
        format!("let {variable} = {value}")
    }

    fn test_name(&self, name: &str) -> String {
        literal::identifier(name, |name| is_among(name, RESERVED))
    }

    fn test(&self, name: &str, comments: &str, body: &str) -> String {
        format!("{comments}#[tokio::test]\nasync fn {name}() {{\n{body}}}\n")
    }

    fn path(&self, stem: &str) -> String {
        format!("tests/{stem}.rs")
    }

    fn folder(&self) -> &'static str {
        "tests/"
    }

    fn header(&self, file: &Header<'_>) -> String {
        let [what, who] = &file.about;
        let mut text = format!("//! {what}\n//!\n//! {who}\n\n");
        let values = json::Values::of(file.functions);
        if values.has_floats {
            text += "// Numbers are what the service said, even if they are close to a constant.\n\
                     #![allow(clippy::approx_constant, clippy::excessive_precision)]\n";
        }
        if values.recursion > FREE_RECURSION {
            let limit = (2 * values.recursion).next_power_of_two();
            text += &format!("#![recursion_limit = \"{limit}\"]\n");
        }
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
        if values.uses_macro {
            text += "use serde_json::json;\n";
        }
        text + &layout::import("support", &file.uses) + "\n"
    }

    fn project(&self, suite: &TestSuite, graphql_path: &str) -> Vec<SuiteFile> {
        vec![
            SuiteFile::new("Cargo.toml", manifest(suite)),
            SuiteFile::new(".gitignore", "/target\n"),
            SuiteFile::new("rustfmt.toml", FORMAT),
            SuiteFile::new("src/lib.rs", support(suite, graphql_path)),
        ]
    }

    fn instructions(&self) -> Instructions {
        Instructions::new(None, "cargo test")
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
