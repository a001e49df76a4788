//! What a suite looks like as files: one [`Writer`] per language or format.

mod curl;
mod dialect;
mod fact;
mod format;
mod har;
mod http_file;
mod java;
mod javascript;
mod kotlin;
mod layout;
mod literal;
mod message;
mod php;
mod placeholder;
mod postman;
mod printer;
mod program;
mod python;
mod rust;
mod script;

use crate::test_case::TestSuite;

pub use curl::CurlWriter;
pub use format::{Format, UnknownFormat};
pub use har::HarWriter;
pub use http_file::HttpFileWriter;
pub use java::JavaWriter;
pub use javascript::JavaScriptWriter;
pub use kotlin::KotlinWriter;
pub use layout::TESTS_PER_FILE;
pub use php::PhpunitWriter;
pub use postman::PostmanWriter;
pub use python::PytestWriter;
pub use rust::RustWriter;

/// Turns a suite into the files of one language or format.
///
/// Equal suites give equal bytes: no clock, no chance, no order that depends on memory.
pub trait Writer {
    /// Name of the format, as the user asks for it: `rust`.
    fn name(&self) -> &'static str;

    /// The files, in a fixed order.
    fn write(&self, suite: &TestSuite) -> Vec<SuiteFile>;
}

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFile {
    /// Where, relative to the output folder, with forward slashes.
    pub path: String,
    /// The whole content.
    pub content: String,
    /// The tests in it, in order.
    pub tests: Vec<TestLocation>,
}

/// Where a test stands in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestLocation {
    /// Index into [`TestSuite::tests`].
    pub test: usize,
    /// The name it has there, which may differ from its neutral name by the rules of the
    /// language.
    pub name: String,
    /// First line, counted from 1; comments that belong to the test included.
    pub start_line: usize,
    /// Last line, included.
    pub end_line: usize,
}

impl SuiteFile {
    /// A file without tests.
    #[must_use]
    pub fn new(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self { path: path.into(), content: content.into(), tests: Vec::new() }
    }

    /// The same file inside a folder of the output.
    #[must_use]
    pub fn inside(mut self, folder: &str) -> Self {
        self.path = format!("{folder}/{}", self.path);
        self
    }
}
