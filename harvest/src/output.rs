//! A harvest as files: tests, coverage, and the page.

use std::path::Path;

use wallace_suite::{Format, OutputError, OutputFolder, Provenance, SuiteFile, TestSuite};

use crate::harvest::Harvest;
use crate::report::page;

/// Writes everything that comes of a harvest to a folder, or nothing: the tests in each of the
/// formats, `coverage.csv`, `coverage.json`, `coverage.html` and `rejected.txt`.
///
/// # Errors
/// When the folder cannot be written, or holds something else and `force` is not set.
pub fn write(
    harvest: &Harvest,
    base_url: &str,
    formats: &[Format],
    out: &Path,
    force: bool,
) -> Result<(), OutputError> {
    let folder = OutputFolder::prepare(out, force)?;
    let report = harvest.coverage();
    let suite = TestSuite {
        provenance: Provenance {
            tool: "Wallace".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: 0,
        },
        service: "production".to_owned(),
        default_base_url: base_url.to_owned(),
        start_command: None,
        tests: harvest.tests(),
    };
    let mut files: Vec<SuiteFile> =
        formats.iter().flat_map(|format| format.write(&suite)).collect();
    drop(suite);
    let rejected = harvest.rejected().iter().map(|it| format!("{it}\n")).collect::<String>();
    files.push(SuiteFile::new("rejected.txt", rejected));
    files.push(SuiteFile::new("coverage.html", page(harvest, &report)));
    files.push(SuiteFile::new("coverage.csv", report.to_csv()));
    files.push(SuiteFile::new("coverage.json", report.to_json()));
    folder.write(&files)
}
