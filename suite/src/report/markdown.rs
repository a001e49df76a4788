//! The summary for the page of a CI job.

use std::fmt::Write;

use wallace_engine::TargetKind;

use crate::record::{FaultRecord, RunRecord};
use crate::report::{counted, fault_code, severity};

/// Most faults that are listed.
const FAULTS: usize = 50;
/// Most targets of the user's own that are listed.
const OWN: usize = 50;
/// Most notes that are listed.
const NOTES: usize = 20;

/// Verdict, numbers, faults and notes.
#[must_use]
pub fn markdown(record: &RunRecord) -> String {
    let new: Vec<&FaultRecord> = record.new_faults().collect();
    let known = record.faults.len() - new.len();
    let verdict = match (new.len(), known) {
        (0, 0) => "no fault found".to_owned(),
        (0, known) => format!("no new fault, {known} known"),
        (new, 0) => counted(new, "fault"),
        (new, known) => format!("{}, {known} known", counted(new, "new fault")),
    };
    let mut text = format!("## Wallace: {} — {verdict}\n\n", cell(&record.suite.service));
    numbers(&mut text, record);
    if !new.is_empty() {
        text.push_str("\n| | code | operation | what | test |\n| --- | --- | --- | --- | --- |\n");
        for fault in new.iter().take(FAULTS) {
            row(&mut text, record, fault);
        }
        if new.len() > FAULTS {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "\n{} more are in `report.html`.", new.len() - FAULTS);
        }
    }
    own(&mut text, record);
    let notes = &record.facts.warnings;
    if !notes.is_empty() {
        text.push_str("\n<details><summary>Notes</summary>\n\n");
        for note in notes.iter().take(NOTES) {
            let _ = writeln!(text, "- {}", cell(&note.message));
        }
        text.push_str("\n</details>\n");
    }
    let provenance = &record.suite.provenance;
    let _ = writeln!(
        text,
        "\n{} {}, seed {}. Open `report.html` for requests, answers and coverage.",
        cell(&provenance.tool),
        cell(&provenance.version),
        provenance.seed
    );
    text
}

fn numbers(text: &mut String, record: &RunRecord) {
    let totals = &record.totals;
    let seconds = totals.seconds;
    let _ = writeln!(text, "| | |\n| --- | --- |");
    let _ = writeln!(text, "| calls | {} in {seconds:.1} s |", totals.calls);
    let _ = writeln!(
        text,
        "| operations | {} of {} answered without errors |",
        totals.answered, totals.operations
    );
    for criterion in &record.facts.coverage {
        let share = criterion.total.filter(|total| *total > 0).map_or_else(String::new, |total| {
            format!(" of {total} ({:.1} %)", criterion.covered as f64 * 100.0 / total as f64)
        });
        let _ = writeln!(text, "| {} | {}{share} |", cell(&criterion.name), criterion.covered);
    }
    let _ = writeln!(text, "| tests | {} |", record.suite.tests.len());
}

/// What the user looked for besides, and how near the run came.
fn own(text: &mut String, record: &RunRecord) {
    let mut own =
        record.targets.iter().filter(|target| target.kind == TargetKind::Own).take(OWN).peekable();
    if own.peek().is_some() {
        text.push_str("\n| own target | best score |\n| --- | --- |\n");
    }
    for target in own {
        let _ = writeln!(text, "| `{}` | {:.3} |", cell(&target.name), target.score);
    }
}

fn row(text: &mut String, record: &RunRecord, fault: &FaultRecord) {
    let title = fault_code(fault.fault.code).map_or("a rule of your own", |known| known.title);
    let colon = if fault.fault.context.is_empty() { "" } else { ": " };
    let test = fault.tests.first().and_then(|test| record.written(*test));
    let test = test.map_or_else(String::new, |(file, written)| {
        format!("`{}:{}`", cell(&file.path), written.start_line)
    });
    let _ = writeln!(
        text,
        "| {} | F{} | `{}` | {title}{colon}{} | {test} |",
        severity(fault.fault.code).as_str(),
        fault.fault.code,
        cell(&fault.fault.operation),
        cell(&fault.fault.context),
    );
}

/// A text as it may stand in a table and outside of one.
fn cell(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' => output.push_str("\\|"),
            '<' => output.push_str("&lt;"),
            '`' => output.push('\''),
            control if control.is_control() => output.push(' '),
            other => output.push(other),
        }
    }
    output
}
