//! The formats in which suites are written, by the names that users give them.

use std::fmt;
use std::str::FromStr;

use super::{
    CurlWriter, HarWriter, HttpFileWriter, JavaScriptWriter, JavaWriter, KotlinWriter,
    PhpunitWriter, PostmanWriter, PytestWriter, RustWriter, SuiteFile, Writer,
};
use crate::test_case::TestSuite;

/// A format in which a suite can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Rust, on reqwest and tokio.
    Rust,
    /// Python, for pytest, on requests.
    Pytest,
    /// JavaScript, for Jest.
    Jest,
    /// TypeScript, for Jest.
    JestTypeScript,
    /// JavaScript, for Vitest.
    Vitest,
    /// TypeScript, for Vitest.
    VitestTypeScript,
    /// Java, for JUnit 5, on REST Assured.
    Java,
    /// Kotlin, for JUnit 5, on REST Assured.
    Kotlin,
    /// PHP, for PHPUnit, on curl.
    Phpunit,
    /// A shell script, on curl and jq.
    Curl,
    /// A Postman collection.
    Postman,
    /// Files of the HTTP clients of editors.
    Http,
    /// An HTTP archive, to look at and to import.
    Har,
}

/// A format was asked for that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {name:?}: the formats are {}", names())]
pub struct UnknownFormat {
    name: String,
}

fn names() -> String {
    Format::ALL.map(Format::name).join(", ")
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 13] = [
        Self::Rust,
        Self::Pytest,
        Self::Jest,
        Self::JestTypeScript,
        Self::Vitest,
        Self::VitestTypeScript,
        Self::Java,
        Self::Kotlin,
        Self::Phpunit,
        Self::Curl,
        Self::Postman,
        Self::Http,
        Self::Har,
    ];

    /// What users call it; also the name of its folder.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.writer().name()
    }

    /// The writer of the format.
    #[must_use]
    pub fn writer(self) -> Box<dyn Writer> {
        match self {
            Self::Rust => Box::new(RustWriter),
            Self::Pytest => Box::new(PytestWriter),
            Self::Jest => Box::new(JavaScriptWriter::jest()),
            Self::JestTypeScript => Box::new(JavaScriptWriter::jest().typed()),
            Self::Vitest => Box::new(JavaScriptWriter::vitest()),
            Self::VitestTypeScript => Box::new(JavaScriptWriter::vitest().typed()),
            Self::Java => Box::new(JavaWriter),
            Self::Kotlin => Box::new(KotlinWriter),
            Self::Phpunit => Box::new(PhpunitWriter),
            Self::Curl => Box::new(CurlWriter),
            Self::Postman => Box::new(PostmanWriter),
            Self::Http => Box::new(HttpFileWriter),
            Self::Har => Box::new(HarWriter),
        }
    }

    /// The files of a suite in this format, in a folder of the format's name.
    #[must_use]
    pub fn write(self, suite: &TestSuite) -> Vec<SuiteFile> {
        let files = self.writer().write(suite).into_iter();
        files.map(|file| file.inside(self.name())).collect()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_are_those_of_the_writers() {
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
        }
        let error = "cobol".parse::<Format>().unwrap_err().to_string();
        assert!(
            error.starts_with("unknown format \"cobol\": the formats are rust, pytest"),
            "{error}"
        );
    }
}
