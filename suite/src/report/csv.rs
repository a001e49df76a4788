//! Tables for statistics: one of the run over time, one of its targets.

use std::fmt::Write;

use crate::record::{LedgerRow, RunRecord, TimePoint};

/// Shares of the budget at which the run has a row: every 5 %.
const SNAPSHOTS: usize = 20;

/// A row for every 5 % of the budget, one for each operation and each thing that calls of it were
/// made for, and a last one, of kind `run`, for the whole run. The calls of the rows of kind `calls`
/// are together all that went out.
///
/// | column | unit |
/// | --- | --- |
/// | kind | `snapshot`, `calls` or `run` |
/// | used | share of the budget, in [0, 1] |
/// | seconds, calls | since the search began |
/// | covered, lines, branches, faults | targets, lines, branch sides and distinct faults so far |
/// | evaluations, failures, reached, operations, answered, tests | of the run; empty in snapshots |
/// | service, tool, version, seed | of the run; empty in snapshots |
/// | phase, cause, operation, improved | of calls: part of the run, what they were made for, where they went, times that they came nearer to a target; their seconds, calls and covered targets are their own |
#[must_use]
pub fn statistics_csv(record: &RunRecord) -> String {
    let mut text = String::from(
        "kind,used,seconds,calls,covered,lines,branches,faults,evaluations,failures,reached,\
         operations,answered,tests,service,tool,version,seed,phase,cause,operation,improved\n",
    );
    let row = |kind: &str, point: &TimePoint| {
        let TimePoint { calls, seconds, used, covered, lines, branches, faults } = point;
        format!("{kind},{used:.4},{seconds:.3},{calls},{covered},{lines},{branches},{faults}")
    };
    for step in 1..SNAPSHOTS {
        let share = step as f64 / SNAPSHOTS as f64;
        if let Some(point) = record.timeline.iter().rfind(|point| point.used <= share) {
            // Writing to a text cannot fail.
            let _ = writeln!(
                text,
                "{},,,,,,,,,,,,,,",
                row("snapshot", &TimePoint { used: share, ..*point })
            );
        }
    }
    for row in &record.ledger {
        let LedgerRow { phase, cause, operation, calls, covered, improved, seconds } = row;
        let (cause, operation) = (field(cause), field(operation));
        let phase = format!("{phase:?}").to_lowercase();
        let _ = writeln!(
            text,
            "calls,,{seconds:.3},{calls},{covered},,,,,,,,,,,,,,{phase},{cause},{operation},{improved}"
        );
    }
    let totals = &record.totals;
    let last = record.timeline.last().copied().unwrap_or_default();
    let whole = TimePoint {
        calls: totals.calls,
        seconds: totals.seconds,
        covered: totals.covered,
        faults: record.faults.len(),
        ..last
    };
    let provenance = &record.suite.provenance;
    let _ = writeln!(
        text,
        "{},{},{},{},{},{},{},{},{},{},{},,,,",
        row("run", &whole),
        totals.evaluations,
        totals.failures,
        totals.reached,
        totals.operations,
        totals.answered,
        record.suite.tests.len(),
        field(&record.suite.service),
        field(&provenance.tool),
        field(&provenance.version),
        provenance.seed,
    );
    text
}

/// A row for every target: its name, kind and place, the best score, the test that covers it and
/// when it was covered first; and for open ones why, tests spent since the last progress, the test
/// that came nearest, and the two values that decided.
#[must_use]
pub fn targets_csv(record: &RunRecord) -> String {
    let mut text = String::from(
        "name,kind,file,line,score,test,first_calls,first_seconds,reason,tried,nearest,left,relation,right\n",
    );
    for target in &record.targets {
        let place = target.place.as_ref();
        let test = target.test.and_then(|test| record.suite.tests.get(test));
        let open = target.open.as_ref();
        let nearest = open.and_then(|open| record.near_tests.get(open.nearest?));
        let operands = open.and_then(|open| open.operands.as_ref());
        let (first_calls, first_seconds) = target.first.map_or_else(Default::default, |first| {
            (first.calls.to_string(), format!("{:.3}", first.seconds))
        });
        let cells = [
            field(&target.name),
            target.kind.as_str().to_owned(),
            field(place.map_or("", |place| &place.file)),
            place.map(|place| place.line.to_string()).unwrap_or_default(),
            target.score.to_string(),
            field(test.map_or("", |test| &test.name)),
            first_calls,
            first_seconds,
            open.map_or("", |open| open.reason.as_str()).to_owned(),
            open.map(|open| open.tried.to_string()).unwrap_or_default(),
            field(nearest.map_or("", |test| &test.name)),
            field(operands.map_or("", |operands| &operands.left)),
            field(operands.map_or("", |operands| &operands.relation)),
            field(operands.map_or("", |operands| &operands.right)),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A cell by RFC 4180.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}
