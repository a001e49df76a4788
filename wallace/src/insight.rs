//! What the driver knows of targets that are not covered, asked for once the search is over.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use wallace_engine::{Evaluator, Problem, Solution, StopSignal, Wanted, solution::NearestTest};
use wallace_sut_driver::{DecisionValues, KnownTarget};

use crate::ledger::{Ledger, Purpose};
use crate::service_family::ServiceFamily;
use crate::target_system::TargetSystem;

/// Most tests that are run again for the values of their decisions.
const TESTS: usize = 400;

/// Places of targets, and the values that decided against those that are open.
#[derive(Debug, Default)]
pub(crate) struct Insight {
    /// Every target of the service, reached or not; empty where the driver does not tell.
    pub(crate) known: Vec<KnownTarget>,
    /// By name of the target.
    pub(crate) values: HashMap<String, DecisionValues>,
    /// Calls that this took.
    pub(crate) calls: u64,
}

/// Runs the nearest test of every open target once more, with the driver keeping values, in at most
/// `most` calls.
///
/// Drivers of other projects tell neither places nor values: then nothing is run.
pub(crate) fn look<P: ServiceFamily>(
    system: &mut TargetSystem<P>,
    solution: &Solution<<P as Problem>::Action>,
    most: u64,
    stop: &StopSignal,
    ledger: &mut Ledger,
) -> Insight {
    let mut insight = Insight::default();
    let Some(driver) = system.evaluator.driver() else { return insight };
    insight.known = driver.known_targets().unwrap_or_default();
    if insight.known.is_empty() || driver.keep_operands(true).is_err() {
        return insight;
    }
    for group in groups::<P>(&solution.nearest).iter().take(TESTS) {
        let individual = &group[0].evaluated.individual;
        if stop.is_set() || insight.calls + individual.actions().len() as u64 > most {
            break;
        }
        let begin = Instant::now();
        let Ok(evaluation) = system.evaluator.evaluate(individual, &Wanted::Everything) else {
            continue;
        };
        insight.calls += evaluation.calls;
        ledger.book::<P>(Purpose::Explain, individual, &evaluation.outcomes, begin.elapsed());
        let Some(driver) = system.evaluator.driver() else { break };
        for values in driver.operands().unwrap_or_default() {
            // Those of the nearest test count; others are better than none.
            let is_nearest = group.iter().any(|near| near.name.as_str() == values.target);
            if is_nearest || !insight.values.contains_key(&values.target) {
                insight.values.insert(values.target.clone(), values);
            }
        }
    }
    if let Some(driver) = system.evaluator.driver()
        && let Err(error) = driver.keep_operands(false)
    {
        tracing::debug!("the driver goes on keeping values: {error}");
    }
    insight
}

/// The nearest tests of code targets, those of the same test together, in the order of names.
fn groups<P: ServiceFamily>(
    nearest: &[NearestTest<<P as Problem>::Action>],
) -> Vec<Vec<&NearestTest<<P as Problem>::Action>>> {
    let mut groups: Vec<Vec<&NearestTest<_>>> = Vec::new();
    for near in nearest.iter().filter(|near| near.name.kind().is_decision()) {
        let same =
            |group: &&mut Vec<&NearestTest<_>>| Arc::ptr_eq(&group[0].evaluated, &near.evaluated);
        match groups.iter_mut().find(same) {
            Some(group) => group.push(near),
            None => groups.push(vec![near]),
        }
    }
    groups
}
