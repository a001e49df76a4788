//! Coverage as Cobertura XML, which most CI servers read.

use std::fmt::Write;

use super::source::{SourceFile, files};
use super::xml::escaped;
use crate::record::RunRecord;

/// Lines and branches of every source file, a class for each. The time stamp is that of the
/// report's creation where it can be read, else 0.
#[must_use]
pub fn cobertura(record: &RunRecord) -> String {
    let files = files(record);
    let sum = |counts: fn(&SourceFile<'_>) -> (usize, usize)| {
        files.iter().map(counts).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    let (lines, sides) = (sum(|file| file.line_counts()), sum(|file| file.side_counts()));
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n",
    );
    // Writing to a text cannot fail.
    let _ = writeln!(
        text,
        "<coverage line-rate=\"{}\" branch-rate=\"{}\" lines-covered=\"{}\" lines-valid=\"{}\" \
         branches-covered=\"{}\" branches-valid=\"{}\" complexity=\"0\" version=\"{}\" \
         timestamp=\"0\">",
        rate(lines),
        rate(sides),
        lines.0,
        lines.1,
        sides.0,
        sides.1,
        escaped(&record.suite.provenance.version),
    );
    text.push_str("  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n");
    let _ = writeln!(
        text,
        "    <package name=\"{}\" line-rate=\"{}\" branch-rate=\"{}\" complexity=\"0\">\n      <classes>",
        escaped(&record.suite.service),
        rate(lines),
        rate(sides),
    );
    for file in &files {
        class(&mut text, file);
    }
    text.push_str("      </classes>\n    </package>\n  </packages>\n</coverage>\n");
    text
}

fn class(text: &mut String, file: &SourceFile<'_>) {
    let path = escaped(file.path);
    let name = escaped(file.path.rsplit('/').next().unwrap_or(file.path));
    let (lines, sides) = (rate(file.line_counts()), rate(file.side_counts()));
    let _ = writeln!(
        text,
        "        <class name=\"{name}\" filename=\"{path}\" line-rate=\"{lines}\" \
         branch-rate=\"{sides}\" complexity=\"0\">\n          <methods/>\n          <lines>"
    );
    for (number, line) in &file.lines {
        let hits = u8::from(line.is_covered());
        let (taken, all) = (line.covered_sides(), line.sides.len());
        let branch = match all {
            0 => "branch=\"false\"".to_owned(),
            _ => format!(
                "branch=\"true\" condition-coverage=\"{}% ({taken}/{all})\"",
                taken * 100 / all
            ),
        };
        let _ = writeln!(text, "            <line number=\"{number}\" hits=\"{hits}\" {branch}/>");
    }
    text.push_str("          </lines>\n        </class>\n");
}

/// A share with four digits; 1 of nothing, as Cobertura has it.
fn rate((covered, all): (usize, usize)) -> String {
    if all == 0 { "1".to_owned() } else { format!("{:.4}", covered as f64 / all as f64) }
}
