//! From what was counted to the result of a run.

use std::collections::BTreeMap;

use wallace_sut_driver::{CurvePoint, Tally};

use super::ToolReport;
use crate::plan::{Curve, RunDescription, RunResult};
use crate::statistic::area;

/// How many targets of a kind a point of the curve has.
type Count = fn(&CurvePoint) -> u64;

/// The kinds of targets that curves are kept of.
const KINDS: [(&str, Count); 3] = [
    ("targets", |point| point.targets),
    ("lines", |point| point.lines),
    ("branches", |point| point.branches),
];

/// Joins what the proxy counted with what the tool tells. The tool cannot overrule the proxy, and
/// what it covers beyond the budget, in calls for cleaning up, does not count.
pub(super) fn result(
    run: &RunDescription,
    report: ToolReport,
    tally: Option<Tally>,
) -> Result<RunResult, String> {
    let mut measures = report.measures;
    let mut curves = BTreeMap::new();
    let mut covered = std::collections::BTreeSet::new();
    if let Some(tally) = tally {
        if tally.calls == 0 {
            return Err("the tool announced no call to the driver: look at its log".to_owned());
        }
        let end = run.budget.calls.unwrap_or(tally.calls);
        for (name, value) in KINDS {
            let points: Vec<(u64, f64)> =
                tally.curve.iter().map(|point| (point.calls, value(point) as f64)).collect();
            measures.insert(name.to_owned(), height(&points, end));
            if name == "branches" {
                measures.insert("area".to_owned(), area(&points, end));
            }
            curves.insert(name.to_owned(), snapshots(&points, end, run.snapshot));
        }
        measures.insert("calls".to_owned(), tally.calls as f64);
        let in_budget = tally.covered.iter().filter(|(_, calls)| **calls <= end);
        covered = in_budget.map(|(name, _)| name.to_string()).collect();
    }
    let (tool, machine) = (report.tool, super::machine::describe());
    Ok(RunResult { run: run.clone(), tool, machine, measures, curves, covered })
}

/// Heights of a step curve at each share of `end`.
fn snapshots(points: &[(u64, f64)], end: u64, share: f64) -> Curve {
    let count = (1.0 / share).round().max(1.0) as u64;
    (1..=count).map(|step| end * step / count).map(|at| (at, height(points, at))).collect()
}

/// Height of a step curve at a position.
fn height(points: &[(u64, f64)], position: u64) -> f64 {
    points.iter().take_while(|point| point.0 <= position).last().map_or(0.0, |point| point.1)
}

#[cfg(test)]
mod tests {
    use super::snapshots;

    #[test]
    fn a_snapshot_has_the_height_reached_by_then() {
        let points = [(3, 1.0), (5, 4.0), (12, 9.0)];
        assert_eq!(snapshots(&points, 10, 0.25), [(2, 0.0), (5, 4.0), (7, 4.0), (10, 4.0)]);
        assert_eq!(snapshots(&[], 10, 1.0), [(10, 0.0)]);
    }
}
