//! Why a target is or is not covered, and what a code means, as text for a terminal.

use std::fmt::Write;

use crate::code::fault_code;
use crate::record::{CallRecord, FaultRecord, OpenTarget, RunRecord, TargetRecord};
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

/// What a code means and what to do about it, and the faults of a run that have it, each with its
/// test, or with its calls where no test shows it.
#[must_use]
pub fn explain_faults(record: &RunRecord, code: u16) -> String {
    let mut text = match fault_code(code) {
        Some(known) => format!(
            "F{code} {}, {}\n  meaning     {}\n  importance  {}\n  what to do  {}\n",
            known.title,
            known.severity.as_str(),
            known.meaning,
            known.importance,
            known.advice
        ),
        None => format!("F{code} is a rule of your own\n"),
    };
    let mut found = record.faults.iter().filter(|fault| fault.fault.code == code).peekable();
    if found.peek().is_none() {
        text.push_str("  found       never by this run\n");
    }
    found.for_each(|fault| found_fault(&mut text, record, fault));
    text
}

fn found_fault(text: &mut String, record: &RunRecord, fault: &FaultRecord) {
    let _ = writeln!(text, "  found       {} {}", fault.fault.operation, fault.fault.context);
    for (operation, context) in &fault.also {
        let _ = writeln!(text, "  also        {operation} {context}");
    }
    match fault.tests.first().and_then(|test| record.written(*test)) {
        Some((file, test)) => {
            let _ = writeln!(text, "  shown by    {}:{}", file.path, test.start_line);
        }
        None => calls(text, record, &fault.calls),
    }
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
        calls(text, record, &test.calls);
    }
}

fn calls(text: &mut String, record: &RunRecord, calls: &[CallRecord]) {
    for call in calls {
        let _ = writeln!(text, "    {}", call.curl(&record.suite.default_base_url));
        if let Some(answer) = &call.answer {
            let body = cut(&answer.body, SHOWN).replace('\n', " ");
            let _ = writeln!(text, "    -> {} {body}", answer.status);
        }
    }
}
