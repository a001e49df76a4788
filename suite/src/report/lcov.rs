//! Coverage as LCOV tracefiles (the format of `geninfo`), which editors and coverage services read.

use std::fmt::Write;

use super::source::{branches, files};
use crate::record::RunRecord;

/// Lines and branches of every source file. A covered line counts as executed once: how often is
/// not recorded.
#[must_use]
pub fn lcov(record: &RunRecord) -> String {
    let mut text = String::from("TN:\n");
    for file in files(record) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "SF:{}", one_line(file.path));
        let (mut found, mut hit) = (0, 0);
        for (number, line) in &file.lines {
            for (block, sides) in branches(&line.sides).iter().enumerate() {
                for (branch, side) in sides.iter().enumerate() {
                    let taken = match (side.is_covered(), line.is_covered()) {
                        (true, _) => "1",
                        (false, true) => "0",
                        (false, false) => "-",
                    };
                    let _ = writeln!(text, "BRDA:{number},{block},{branch},{taken}");
                    found += 1;
                    hit += usize::from(side.is_covered());
                }
            }
        }
        let _ = writeln!(text, "BRF:{found}\nBRH:{hit}");
        for (number, line) in &file.lines {
            let _ = writeln!(text, "DA:{number},{}", u8::from(line.is_covered()));
        }
        let (covered, all) = file.line_counts();
        let _ = writeln!(text, "LF:{all}\nLH:{covered}\nend_of_record");
    }
    text
}

fn one_line(path: &str) -> String {
    path.replace(['\n', '\r'], " ")
}
