//! A finished solution as files.

mod date;
mod derivation;
mod document;
mod expectation;
mod lower;
mod name;
mod output;
mod pointer;
mod report;
mod request;
mod rust;
mod test_case;
mod text;
mod volatile;
mod writer;

pub use date::rfc3339;
pub use derivation::*;
pub use document::pretty_graphql;
pub use expectation::*;
pub use lower::lower;
pub use name::*;
pub use output::{OutputError, OutputFolder};
pub use report::*;
pub use request::*;
pub use rust::{RustWriter, TESTS_PER_FILE};
pub use test_case::*;
pub use text::*;
pub use writer::*;
