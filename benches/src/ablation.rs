//! Ablation: the search with one technique left out, or one setting changed.

use wallace_engine::{SearchSettings, TargetChoice};

use crate::statistic::{a12, a12_interval, median};

/// Changes settings.
pub type Change = fn(&mut SearchSettings);

/// What is left out or changed, by the name it has in tables.
pub const CHANGES: [(&str, Change); 22] = [
    ("no hints", |settings| settings.hints = 0.0),
    ("no history", |settings| settings.genes.guided = 0.0),
    ("no impact", |settings| settings.impact = 0.0),
    ("no weights by size", |settings| settings.weigh_by_size = false),
    ("no single gene", |settings| settings.single_gene = 0.0),
    ("fixed structure", |settings| settings.adaptive_structure = false),
    ("scheduled sampling", |settings| settings.adaptive_sampling = 0.0),
    ("no staying", |settings| settings.stays_while_improving = false),
    ("no trim", |settings| settings.trim = 0.0),
    ("no revisit", |settings| settings.revisit = 0.0),
    ("no focus on action", |settings| settings.focus_on_action = 0.0),
    ("no drift", |settings| settings.neutral_patience = 0),
    ("no stagnation", |settings| settings.stagnation = 0),
    ("no splice", |settings| settings.splice = 0.0),
    ("population 1", |settings| settings.population_start = 1.0),
    ("5 mutations", |settings| settings.mutations_start = 5.0),
    ("lowest counter", |settings| settings.target_choice = TargetChoice::LowestCounter),
    ("last", |settings| settings.target_choice = TargetChoice::Last),
    ("uniform", |settings| settings.target_choice = TargetChoice::Uniform),
    ("no taint", |settings| settings.is_tainting = false),
    ("K=4", |settings| settings.lineages = 4),
    ("K=16", |settings| settings.lineages = 16),
];

/// One cell of a table: the median of the changed runs, their A12 against the default with its
/// 95 % interval, and the A12 of the areas under the curves. Above 0.5 the change is better.
///
/// # Panics
/// When a sample is empty.
#[must_use]
pub fn cell(ends: [&[f64]; 2], areas: [&[f64]; 2]) -> String {
    let [changed, default] = ends;
    let (size, (low, high)) = (a12(changed, default), a12_interval(changed, default));
    let area = a12(areas[0], areas[1]);
    format!("{:.3} {size:.2} [{low:.2}, {high:.2}] {area:.2}", median(changed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_changes_something() {
        let default = SearchSettings::default();
        for (name, change) in CHANGES {
            let mut settings = default.clone();
            change(&mut settings);
            assert_ne!(settings, default, "{name}");
        }
    }

    #[test]
    fn a_cell_says_which_is_better() {
        let (better, worse) = ([0.8, 0.9, 1.0], [0.1, 0.2, 0.3]);
        assert_eq!(cell([&better, &worse], [&worse, &better]), "0.900 1.00 [1.00, 1.00] 0.00");
    }
}
