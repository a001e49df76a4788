//! Executing runs again, to see whether they repeat.

use std::path::Path;

use wallace_genes::Rng;

use crate::error::CampaignError;
use crate::execution::execute;
use crate::plan::{Plan, RunDescription, RunResult};

/// What came of executing a run again.
#[derive(Debug, Clone, PartialEq)]
pub struct Verified {
    /// The run.
    pub run: RunDescription,
    /// How the second result differs from the first, in one line; `None` when they are equal.
    pub difference: Option<String>,
}

/// Executes `sample` runs that have a result again, drawn by chance but always the same, and compares
/// the results. Runs with a budget in time are expected to differ.
///
/// # Errors
/// When no run has a result, or one cannot be read.
pub fn verify(
    plan: &Plan,
    wallace: &Path,
    sample: usize,
    observe: &mut dyn FnMut(&Verified),
) -> Result<Vec<Verified>, CampaignError> {
    let mut results = plan.results()?;
    if results.is_empty() {
        return Err(CampaignError::NoResults(plan.folder().to_owned()));
    }
    let mut rng = Rng::new(0, results.len() as u64);
    let mut all = Vec::new();
    while all.len() < sample && !results.is_empty() {
        let first = results.swap_remove(rng.below(results.len()));
        let difference = match execute(plan, &first.run, wallace) {
            Ok(second) => difference(&first, &second),
            Err(reason) => Some(format!("the second run failed: {reason}")),
        };
        let verified = Verified { run: first.run, difference };
        observe(&verified);
        all.push(verified);
    }
    Ok(all)
}

/// The first thing that differs.
fn difference(first: &RunResult, second: &RunResult) -> Option<String> {
    if first.tool != second.tool {
        return Some(format!("made by {}, now {}", first.tool, second.tool));
    }
    for (name, value) in &first.measures {
        let other = second.measures.get(name);
        if other != Some(value) {
            return Some(format!("{name} was {value}, now {other:?}"));
        }
    }
    if first.curves != second.curves {
        return Some("coverage grew in another way".to_owned());
    }
    let odd: Vec<&String> = first.covered.symmetric_difference(&second.covered).collect();
    odd.first().map(|target| format!("{} targets differ, such as {target}", odd.len()))
}
