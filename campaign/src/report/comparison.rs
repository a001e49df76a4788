//! Configurations compared by system and measure.

use std::collections::{BTreeMap, BTreeSet};

use crate::definition::Definition;
use crate::plan::RunResult;
use crate::statistic::{Effect, Interval, Spread, bootstrap, friedman, holm, mann_whitney, mean};
use rayon::prelude::*;

/// Measures that are compared, in the order of the report. Others stand in `runs.csv` only.
const MEASURES: [&str; 6] =
    ["targets", "lines", "branches", "area", "faults", "operations answered"];

/// Everything that is compared.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Measures that some run has.
    pub measures: Vec<String>,
    /// Configuration that the others are compared with.
    pub baseline: String,
    /// Each configuration on each system.
    pub cells: Vec<Cell>,
    /// Each configuration against the baseline on each system.
    pub pairs: Vec<Pair>,
    /// All configurations together, where there are at least three.
    pub rankings: Vec<Ranking>,
    /// What only one configuration ever covers.
    pub unique: Vec<Unique>,
}

/// The runs of one configuration on one system.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// What was measured.
    pub measure: String,
    /// On which system.
    pub system: String,
    /// By which configuration.
    pub configuration: String,
    /// The values.
    pub spread: Spread,
}

/// A configuration against the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// What was measured.
    pub measure: String,
    /// On which system.
    pub system: String,
    /// The configuration.
    pub configuration: String,
    /// Probability that it is better than the baseline, in `[0, 1]`.
    pub a12: f64,
    /// 95 % bootstrap interval of that.
    pub interval: Interval,
    /// Word for its size.
    pub effect: Effect,
    /// Mann-Whitney U of the configuration's values.
    pub u: f64,
    /// Two-sided probability of such a difference by chance.
    pub p: f64,
    /// The same, corrected by Holm's method over the systems.
    pub p_holm: f64,
}

/// All configurations over all systems.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// What was measured.
    pub measure: String,
    /// Friedman's chi square; blocks are systems by their means, or the seeds of the only system.
    pub chi_square: f64,
    /// Probability of so large a value by chance.
    pub p: f64,
    /// Configurations and their mean ranks; the highest rank has the largest values.
    pub ranks: Vec<(String, f64)>,
}

/// Targets that no other configuration covered on a system in any run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unique {
    /// The system.
    pub system: String,
    /// The configuration.
    pub configuration: String,
    /// Names of the targets.
    pub targets: Vec<String>,
}

/// Values of one measure by system and configuration.
#[derive(Default)]
struct Values(BTreeMap<(String, String), Vec<f64>>);

impl Values {
    fn get(&self, system: &str, configuration: &str) -> Option<&Vec<f64>> {
        self.0.get(&(system.to_owned(), configuration.to_owned()))
    }
}

impl Comparison {
    /// Of these results of a campaign.
    #[must_use]
    pub fn of(definition: &Definition, results: &[RunResult]) -> Self {
        let systems: Vec<&str> = definition.systems.iter().map(|one| one.name.as_str()).collect();
        let configurations: Vec<&str> =
            definition.configurations.iter().map(|one| one.name.as_str()).collect();
        let baseline = definition.baseline.as_deref().unwrap_or(configurations[0]);
        let has = |measure: &&str| results.iter().any(|run| run.measures.contains_key(*measure));
        let measures: Vec<&str> = MEASURES.into_iter().filter(has).collect();
        let (mut cells, mut pairs, mut rankings) = (Vec::new(), Vec::new(), Vec::new());
        for measure in &measures {
            let values = values(measure, results);
            cells.extend(cells_of(measure, &systems, &configurations, &values));
            for configuration in configurations.iter().filter(|one| **one != baseline) {
                pairs.extend(pairs_of(measure, &systems, configuration, baseline, &values));
            }
            rankings.extend(ranking(measure, &systems, &configurations, &values));
        }
        Self {
            measures: measures.into_iter().map(str::to_owned).collect(),
            baseline: baseline.to_owned(),
            cells,
            pairs,
            rankings,
            unique: unique(&systems, &configurations, results),
        }
    }
}

fn values(measure: &str, results: &[RunResult]) -> Values {
    let mut values = Values::default();
    for result in results {
        if let Some(value) = result.measures.get(measure) {
            let key = (result.run.system.name.clone(), result.run.configuration.name.clone());
            values.0.entry(key).or_default().push(*value);
        }
    }
    values
}

fn cells_of(
    measure: &str,
    systems: &[&str],
    configurations: &[&str],
    values: &Values,
) -> Vec<Cell> {
    let keys =
        systems.iter().flat_map(|system| configurations.iter().map(move |one| (*system, *one)));
    let cell = |(system, configuration): (&str, &str)| {
        Some(Cell {
            measure: measure.to_owned(),
            system: system.to_owned(),
            configuration: configuration.to_owned(),
            spread: Spread::of(values.get(system, configuration)?)?,
        })
    };
    keys.filter_map(cell).collect()
}

fn pairs_of(
    measure: &str,
    systems: &[&str],
    configuration: &str,
    baseline: &str,
    values: &Values,
) -> Vec<Pair> {
    // Each pair draws its samples anew many times, from a generator of its own.
    let pair = |system: &&str| {
        let ours = values.get(system, configuration)?;
        let theirs = values.get(system, baseline)?;
        let test = mann_whitney(ours, theirs)?;
        let a12 =
            |one: &[f64], other: &[f64]| mann_whitney(one, other).map_or(0.5, |test| test.a12);
        Some(Pair {
            measure: measure.to_owned(),
            system: (*system).to_owned(),
            configuration: configuration.to_owned(),
            a12: test.a12,
            interval: bootstrap(ours, theirs, 0, a12)?,
            effect: Effect::of(test.a12),
            u: test.u1,
            p: test.p,
            p_holm: test.p,
        })
    };
    let pairs = systems.par_iter().map(pair).collect::<Vec<_>>();
    let mut pairs: Vec<Pair> = pairs.into_iter().flatten().collect();
    let probabilities: Vec<f64> = pairs.iter().map(|pair| pair.p).collect();
    for (pair, corrected) in pairs.iter_mut().zip(holm(&probabilities)) {
        pair.p_holm = corrected;
    }
    pairs
}

/// Blocks are the systems, each configuration by its mean; with one system its runs, in order.
fn ranking(
    measure: &str,
    systems: &[&str],
    configurations: &[&str],
    values: &Values,
) -> Option<Ranking> {
    let of = |system: &str| -> Option<Vec<&Vec<f64>>> {
        configurations.iter().map(|one| values.get(system, one)).collect()
    };
    let blocks: Vec<Vec<f64>> = match systems {
        [system] => {
            let columns = of(system)?;
            let runs = columns.iter().map(|column| column.len()).min()?;
            (0..runs).map(|run| columns.iter().map(|column| column[run]).collect()).collect()
        }
        _ => {
            let means =
                |columns: Vec<&Vec<f64>>| columns.into_iter().map(|one| mean(one)).collect();
            systems.iter().filter_map(|system| of(system).and_then(means)).collect()
        }
    };
    let test = friedman(&blocks)?;
    let names = configurations.iter().map(|name| (*name).to_owned());
    Some(Ranking {
        measure: measure.to_owned(),
        chi_square: test.chi_square,
        p: test.p,
        ranks: names.zip(test.mean_ranks).collect(),
    })
}

fn unique(systems: &[&str], configurations: &[&str], results: &[RunResult]) -> Vec<Unique> {
    let covered = |system: &str, is_wanted: &dyn Fn(&str) -> bool| -> BTreeSet<&String> {
        let runs = results.iter().filter(|result| result.run.system.name == system);
        let runs = runs.filter(|result| is_wanted(&result.run.configuration.name));
        runs.flat_map(|result| &result.covered).collect()
    };
    let mut all = Vec::new();
    for system in systems {
        for configuration in configurations {
            let ours = covered(system, &|name| name == *configuration);
            let others = covered(system, &|name| name != *configuration);
            let targets: Vec<String> =
                ours.difference(&others).map(|name| (*name).clone()).collect();
            if configurations.len() > 1 && !targets.is_empty() {
                let (system, configuration) = ((*system).to_owned(), (*configuration).to_owned());
                all.push(Unique { system, configuration, targets });
            }
        }
    }
    all
}
