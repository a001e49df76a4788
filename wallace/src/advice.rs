//! When little was found: why that may be, and what to try.

use std::collections::BTreeMap;

use wallace_engine::TargetKind;
use wallace_problems::message;
use wallace_suite::record::{OpenReason, RunRecord};
use wallace_suite::report::counted;

/// Share of the operations that should have answered well, and of open branches that one reason
/// must have before it is told.
const FEW: f64 = 0.5;

/// Most operations that are named for one reason.
const NAMED: usize = 3;

/// Calls for each operation, with fewer of which not all are called.
const ENOUGH: u64 = 5;

/// Most reasons that are told for operations that never answered well.
const REASONS: usize = 5;

/// Sentences that each say what limited the run and what to try; none where nothing did.
pub(crate) fn advice(record: &RunRecord, has_users: bool) -> Vec<String> {
    let mut advice = Vec::new();
    answers(record, has_users, &mut advice);
    open_branches(record, &mut advice);
    let totals = &record.totals;
    if record.faults.is_empty() {
        if !totals.is_white_box {
            advice.push(
                "no fault was found from outside: a driver lets the search see the code and go \
                 deeper (docs/white-box-rust.md, docs/jvm.md)"
                    .to_owned(),
            );
        }
        if is_growing(record) {
            advice.push(
                "coverage was still growing when the budget ended: allow more with --calls or \
                 --time"
                    .to_owned(),
            );
        }
    }
    advice
}

/// Operations that never answered well, by what they answered.
fn answers(record: &RunRecord, has_users: bool, advice: &mut Vec<String>) {
    let operations = &record.facts.operations;
    let called = || operations.iter().filter(|facts| facts.calls > 0);
    let never: Vec<&str> = called()
        .filter(|facts| facts.data + facts.data_and_errors == 0)
        .map(|facts| facts.operation_id.as_str())
        .collect();
    let uncalled = operations.iter().filter(|facts| facts.calls == 0).count();
    if !never.is_empty() && never.len() as f64 >= FEW * called().count() as f64 {
        let names = never.iter().take(3).copied().collect::<Vec<_>>().join(", ");
        let users = if has_users { "" } else { "users with --auth, " };
        advice.push(format!(
            "{} of {} operations never answered well ({names}): give {users}values that exist with \
             --seeds or a corpus, and see the answers in report.html",
            never.len(),
            called().count()
        ));
    }
    // What is alike but for values is one reason, shown as one of them said it.
    let mut reasons: BTreeMap<String, (&str, Vec<&str>)> = BTreeMap::new();
    for facts in called().filter(|facts| facts.data + facts.data_and_errors == 0) {
        let alike = message(&facts.refusal).unwrap_or_else(|| facts.refusal.clone());
        let reason = reasons.entry(alike).or_insert((&facts.refusal, Vec::new()));
        reason.1.push(&facts.operation_id);
    }
    reasons.remove("");
    let mut reasons: Vec<(&str, Vec<&str>)> = reasons.into_values().collect();
    reasons.sort_by_key(|(_, operations)| std::cmp::Reverse(operations.len()));
    for (reason, operations) in reasons.iter().take(REASONS) {
        let named = operations.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = match operations.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        advice.push(format!("never answered well, last with \"{reason}\": {named}{more}"));
    }
    let others =
        reasons.iter().skip(REASONS).map(|(_, operations)| operations.len()).sum::<usize>();
    if others > 0 {
        advice.push(format!(
            "never answered well, each with another answer: {} more, see report.html",
            counted(others, "operation")
        ));
    }
    if uncalled > 0 && record.totals.calls < ENOUGH * operations.len() as u64 {
        advice.push(format!("not called for want of calls: {}", counted(uncalled, "operation")));
    } else if uncalled > 0 && record.totals.calls > 0 {
        advice.push(format!(
            "not called: {}, left out by filters, or since they would change what is a user's own, are \
             unsafe on another machine, or need values that nothing tells",
            counted(uncalled, "operation")
        ));
    }
}

/// Open branches by reason, where one prevails.
fn open_branches(record: &RunRecord, advice: &mut Vec<String>) {
    let open: Vec<&OpenReason> = record
        .targets
        .iter()
        .filter(|target| target.kind == TargetKind::Branch)
        .filter_map(|target| target.open.as_ref())
        .map(|open| &open.reason)
        .filter(|reason| !matches!(reason, OpenReason::Infeasible(_)))
        .collect();
    for reason in [OpenReason::NeverReached, OpenReason::NoGradient, OpenReason::Starved] {
        let count = open.iter().filter(|known| ***known == reason).count();
        if count >= 5 && count as f64 >= FEW * open.len() as f64 {
            let words = reason.as_str();
            advice.push(format!(
                "{count} of {} open branches: {words}. {}",
                open.len(),
                reason.advice()
            ));
        }
    }
}

/// Whether something was covered in the last tenth of the budget.
fn is_growing(record: &RunRecord) -> bool {
    let last = record.timeline.last();
    let before = record.timeline.iter().rfind(|point| point.used <= 0.9);
    last.zip(before).is_some_and(|(last, before)| last.covered > before.covered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wallace_suite::report::OperationFacts;

    fn record(data: u64) -> RunRecord {
        let mut record = RunRecord::default();
        record.totals.calls = 30;
        record.facts.operations = vec![OperationFacts {
            operation_id: "Query.a".to_owned(),
            calls: 30,
            data,
            errors: 30 - data,
            data_and_errors: 0,
            refusal: if data == 0 { "404, no row *".to_owned() } else { String::new() },
        }];
        record
    }

    #[test]
    fn it_is_said_why_little_was_found() {
        let said = advice(&record(0), false).join(" ");
        assert!(
            ["Query.a", "--auth", "driver", "\"404, no row *\": Query.a"]
                .iter()
                .all(|it| said.contains(it)),
            "{said}"
        );
        assert!(!advice(&record(0), true).join(" ").contains("--auth"));
        let mut many = record(0);
        let one = many.facts.operations[0].clone();
        let words = ["a cat", "a dog", "a cow", "a hen", "an owl", "an emu", "a bee"];
        many.facts.operations = words
            .map(|word| OperationFacts {
                refusal: format!("404, no {word} is there"),
                ..one.clone()
            })
            .into();
        let said = advice(&many, true).join(" ");
        assert!(said.contains("2 operations more, see report.html"), "{said}");
        let mut fine = record(30);
        fine.totals.is_white_box = true;
        assert_eq!(advice(&fine, true), Vec::<String>::new());
        fine.timeline = [(0.5, 3), (1.0, 9)]
            .map(|(used, covered)| wallace_suite::record::TimePoint {
                used,
                covered,
                ..Default::default()
            })
            .to_vec();
        assert!(advice(&fine, true).join(" ").contains("still growing"));
    }
}
