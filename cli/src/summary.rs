//! The summary at the end of a run.

use std::cmp::Reverse;

use wallace::{Coverage, Summary, report::LedgerRow};

use crate::console::say;

/// Most things that calls were made for which are told.
const CAUSES: usize = 4;

/// Prints what a run gave.
pub(crate) fn print(summary: &Summary) {
    say(&text(summary));
}

/// Prints what a run gave as one JSON object on one line.
pub(crate) fn print_json(summary: &Summary) {
    let coverage = |Coverage { covered, total, at_start }: Coverage| serde_json::json!({ "covered": covered, "total": total, "atStart": at_start });
    say(&serde_json::json!({
        "version": 1,
        "event": "summary",
        "service": summary.service,
        "reason": summary.reason.to_string(),
        "seed": summary.seed,
        "calls": summary.calls,
        "callsAfter": summary.calls_after,
        "ledger": summary.ledger,
        "seconds": summary.elapsed.as_secs_f64(),
        "lines": coverage(summary.lines),
        "branches": coverage(summary.branches),
        "covered": summary.covered,
        "reached": summary.reached,
        "operations": summary.operations,
        "answered": summary.answered,
        "faults": summary.faults,
        "newFaults": summary.new_faults,
        "tests": summary.tests,
        "warnings": summary.warnings,
        "advice": summary.advice,
        "suite": summary.suite,
        "report": summary.report,
    })
    .to_string());
}

fn text(summary: &Summary) -> String {
    let Summary { calls, calls_per_second, covered, reached, tests, faults, .. } = summary;
    let seconds = summary.elapsed.as_secs_f64();
    let mut lines = vec![
        format!("{}: {}", summary.service, summary.reason),
        format!(
            "  calls      {calls} in {seconds:.1} s, {calls_per_second:.0}/s, and {} after the search",
            summary.calls_after
        ),
        format!("  spent      {}", spent(&summary.ledger)),
        format!("  targets    {covered} covered of {reached} reached"),
        format!(
            "  operations {} of {} answered without errors",
            summary.answered, summary.operations
        ),
        match faults.saturating_sub(summary.new_faults) {
            0 => format!("  faults     {faults}"),
            known => format!("  faults     {} new, {known} known", summary.new_faults),
        },
        format!("  tests      {tests}, with seed {}", summary.seed),
    ];
    if summary.is_white_box {
        lines.insert(3, format!("  lines      {}", coverage(summary.lines)));
        lines.insert(4, format!("  branches   {}", coverage(summary.branches)));
    }
    lines.extend(summary.differences.iter().map(|difference| format!("  differs    {difference}")));
    lines.extend(summary.warnings.iter().map(|warning| format!("  note       {warning}")));
    lines.extend(summary.advice.iter().map(|advice| format!("  try        {advice}")));
    lines.push(format!("  suite      {}", summary.suite.display()));
    lines.push(format!("  report     {}", summary.suite.join("report.html").display()));
    lines.join("\n")
}

/// What most calls were made for, and the operation that most went to.
fn spent(ledger: &[LedgerRow]) -> String {
    let all: u64 = ledger.iter().map(|row| row.calls).sum();
    let share = |calls: u64| format!("{:.0} %", calls as f64 * 100.0 / all.max(1) as f64);
    let causes = LedgerRow::sums(ledger, |row| row.cause.as_str());
    let mut causes: Vec<(&str, u64)> =
        causes.into_iter().map(|(cause, sum)| (cause, sum.calls)).collect();
    causes.sort_by_key(|(_, calls)| Reverse(*calls));
    let told =
        causes.iter().take(CAUSES).map(|(cause, calls)| format!("{} {cause}", share(*calls)));
    let told = told.collect::<Vec<_>>().join(", ");
    let operations = LedgerRow::sums(ledger, |row| row.operation.as_str());
    let named = operations.into_iter().filter(|(operation, _)| !operation.is_empty());
    match named.max_by_key(|(_, sum)| sum.calls) {
        Some((operation, sum)) => {
            format!("{all} calls in all: {told}; {} on {operation}", share(sum.calls))
        }
        None => format!("{all} calls in all: {told}"),
    }
}

fn coverage(coverage: Coverage) -> String {
    let Coverage { covered, total, at_start } = coverage;
    if total == 0 {
        return "not known: the driver tells no total".to_owned();
    }
    let share = covered as f64 * 100.0 / total as f64;
    let start =
        if at_start == 0 { String::new() } else { format!(", {at_start} of them by its start") };
    format!("{covered} of {total} ({share:.1} %){start}")
}

#[cfg(test)]
mod tests {
    use wallace::report::Phase;

    use super::*;

    #[test]
    fn where_calls_went_is_told_in_a_line() {
        let row = |phase, cause: &str, operation: &str, calls| LedgerRow {
            phase,
            cause: cause.to_owned(),
            operation: operation.to_owned(),
            calls,
            covered: 0,
            improved: 0,
            seconds: 0.0,
        };
        let ledger = [
            row(Phase::Search, "values", "GET:/a", 30),
            row(Phase::Search, "follow-up", "GET:/b", 45),
            row(Phase::Search, "values", "GET:/b", 20),
            row(Phase::Before, "description", "", 5),
        ];
        let told = "100 calls in all: 50 % values, 45 % follow-up, 5 % description; 65 % on GET:/b";
        assert_eq!(spent(&ledger), told);
    }

    #[test]
    fn coverage_is_told_as_a_share() {
        let of = |covered, total, at_start| coverage(Coverage { covered, total, at_start });
        assert_eq!(of(3, 8, 0), "3 of 8 (37.5 %)");
        assert_eq!(of(3, 8, 2), "3 of 8 (37.5 %), 2 of them by its start");
        assert!(of(0, 0, 0).starts_with("not known"));
    }
}
