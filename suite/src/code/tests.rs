//! The list of codes.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

#[test]
fn every_code_is_explained_once_in_whole_sentences() {
    assert!(FAULT_CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
    for known in FAULT_CODES {
        for text in [known.meaning, known.importance, known.advice] {
            assert!(text.ends_with('.') && text.len() > 20, "{}: {text}", known.code);
        }
        assert!(known.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
    }
    assert_eq!(fault_code(100).map(|known| known.severity), Some(Severity::High));
    assert_eq!((fault_code(42), severity(42)), (None, Severity::Medium));
}

/// What comes before the sections of the codes.
const PAGE: &str = "# Faults and their codes

A fault is told once for each cause, with its code, the smallest test that shows it, and what was seen. Codes up to 299
are those of the Web Fuzzing Commons; the others are of the block that tools define. `--oracle-off CODE` leaves one out.
Your own oracles: implement `Oracle` (`wallace_problems::Oracle`) and give them to the problem. They may use the codes from 990 on,
which nobody else has. `wallace baseline DIR` accepts the faults of a run, so that only new ones fail the next.

Generated from the code.
";

/// `UPDATE_DOCS=1` writes the page anew.
#[test]
fn every_code_has_its_section_in_the_documentation() {
    let mut page = PAGE.to_owned();
    for FaultCode { code, name, title, severity, meaning, importance, advice } in FAULT_CODES {
        page += &format!(
            "\n## {code} {title}\n\n`{name}`, {}\n\n{meaning}\n\n**Why it matters.** {importance}\n\n\
             **What to do.** {advice}\n",
            severity.as_str()
        );
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/faults.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == page, "docs/faults.md is not that of the code: UPDATE_DOCS=1 writes it");
}

/// A code that an oracle gives and nobody explains would be a number to its readers.
#[test]
fn every_code_that_an_oracle_gives_is_explained() {
    let problems = concat!(env!("CARGO_MANIFEST_DIR"), "/../problems/src");
    let mut given = BTreeSet::new();
    codes_below(Path::new(problems), &mut given);
    assert!(given.len() > 30, "the sources are read: {given:?}");
    let known: BTreeSet<u16> = FAULT_CODES.iter().map(|known| known.code).collect();
    let unknown: Vec<&u16> = given.difference(&known).collect();
    assert!(unknown.is_empty(), "{unknown:?} have no explanation");
}

/// The codes of the block of tools that stand in sources, but for those of the user (990 to 999);
/// comments and tests aside. Codes of the standard cannot be told from statuses by their looks.
fn codes_below(folder: &Path, given: &mut BTreeSet<u16>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            codes_below(&path, given);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            let source = source.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            let is_apart = |one: char| !one.is_alphanumeric() && one != '_';
            let words = lines.flat_map(|line| line.split(is_apart));
            let codes = words.filter_map(|word| word.parse().ok());
            given.extend(codes.filter(|code: &u16| (901..990).contains(code)));
        }
    }
}
