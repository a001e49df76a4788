//! Why a target is or is not covered, as text for a terminal.

use std::fmt::Write;

use crate::record::{OpenTarget, RunRecord, TargetRecord};
use crate::report::xml::cut;

/// Longest value or body that is shown.
const SHOWN: usize = 500;

/// What the record knows of a target: the test that covers it, or why none does, the nearest test
/// with its calls, and the two values that decided.
#[must_use]
pub fn explain(record: &RunRecord, target: &TargetRecord) -> String {
    let mut text = format!("{}\n", target.name);
    // Writing to a text cannot fail.
    if let Some(place) = &target.place {
        let _ = writeln!(text, "  at          {}:{}", place.file, place.line);
    }
    match &target.open {
        Some(open) => open_target(&mut text, record, target, open),
        None => covered(&mut text, record, target),
    }
    text
}

fn covered(text: &mut String, record: &RunRecord, target: &TargetRecord) {
    let test = target.test.and_then(|test| Some((test, record.suite.tests.get(test)?)));
    match test {
        Some((index, test)) => {
            let _ = writeln!(text, "  covered by  {}", test.name);
            if let Some((file, written)) = record.written(index) {
                let _ = writeln!(text, "  in          {}:{}", file.path, written.start_line);
            }
        }
        None => {
            let _ = writeln!(
                text,
                "  covered     by the start of the service or by a test without answer"
            );
        }
    }
    if let Some(first) = target.first {
        let (calls, seconds) = (first.calls, first.seconds);
        let _ = writeln!(text, "  first       after {calls} calls ({seconds:.2} s)");
    }
}

fn open_target(text: &mut String, record: &RunRecord, target: &TargetRecord, open: &OpenTarget) {
    let _ = writeln!(text, "  not covered {}: {}", open.reason.as_str(), open.reason.advice());
    let _ = writeln!(
        text,
        "  best score  {:.4}, {} tests spent since it last rose",
        target.score, open.tried
    );
    if let Some(guard) = &open.behind {
        let _ = writeln!(text, "  behind      {guard}");
    }
    if let Some(operands) = &open.operands {
        let (left, right) = (cut(&operands.left, SHOWN), cut(&operands.right, SHOWN));
        let _ = writeln!(text, "  last seen   {left} {} {right}", operands.relation);
    }
    let nearest = open.nearest.and_then(|nearest| record.near_tests.get(nearest));
    if let Some(test) = nearest {
        let _ = writeln!(text, "  nearest     {}", test.name);
        for call in &test.calls {
            let _ = writeln!(text, "    {}", call.curl(&record.suite.default_base_url));
            if let Some(answer) = &call.answer {
                let body = cut(&answer.body, SHOWN).replace('\n', " ");
                let _ = writeln!(text, "    -> {} {body}", answer.status);
            }
        }
    }
}
