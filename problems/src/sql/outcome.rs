//! What a call did with SQL databases, as far as the search needs it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wallace_genes::Finite;
use wallace_sut_driver::database::DatabaseActivity;

/// Statements without a row that are kept of a call.
const MOST_FAILED: usize = 10;
/// Longest of them, in characters.
const LONGEST: usize = 16_000;
/// Tables that are kept of a call, of those it read and of those it wrote.
const MOST_TABLES: usize = 40;

/// Work of one call on SQL databases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SqlOutcome {
    /// Commands executed, without those of the connection pool.
    pub commands: u32,
    /// Mean distance of the conditions, where any is known.
    pub mean_distance: Option<Finite>,
    /// Statements whose condition no row met.
    pub failed: Vec<String>,
    /// Tables that were read, in lower case and in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read: Vec<Box<str>>,
    /// Tables into which rows were put, or whose rows were changed; likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<Box<str>>,
    /// Of the first call of a test: whether each row of its initialisation was inserted.
    pub is_inserted: Vec<bool>,
}

impl SqlOutcome {
    /// Reads what a driver tells. Drivers stand for "no row" and "not computed" by the same
    /// largest number: either way there is no distance.
    #[must_use]
    pub fn of(activity: &DatabaseActivity) -> Self {
        let statements = activity.statements.iter();
        let commands = statements.filter(|statement| !is_pool(&statement.command)).count();
        let (mut sum, mut count) = (0.0, 0.0);
        let mut failed: Vec<String> = Vec::new();
        for one in activity.distances.iter().filter(|one| one.kind == "SQL") {
            if let Some(distance) = one.distance {
                sum += distance;
                count += 1.0;
            }
            let is_met = one.distance == Some(0.0);
            let is_new = failed.len() < MOST_FAILED && !failed.contains(&one.statement);
            if !is_met && is_new && one.statement.len() <= LONGEST {
                failed.push(one.statement.clone());
            }
        }
        Self {
            commands: u32::try_from(commands).unwrap_or(u32::MAX),
            mean_distance: (count > 0.0).then(|| Finite::nearest(sum / count)),
            failed,
            read: tables(activity.queried.keys()),
            written: tables(activity.inserted.keys().chain(activity.updated.keys())),
            is_inserted: Vec::new(),
        }
    }
}

fn tables<'a>(names: impl Iterator<Item = &'a String>) -> Vec<Box<str>> {
    let names: BTreeSet<String> = names.map(|name| name.to_ascii_lowercase()).collect();
    names.into_iter().take(MOST_TABLES).map(String::into_boxed_str).collect()
}

/// Whether a statement is one by which pools look whether a connection lives.
fn is_pool(statement: &str) -> bool {
    let statement = statement.trim().trim_end_matches(';');
    statement.eq_ignore_ascii_case("SELECT 1")
        || statement.eq_ignore_ascii_case("SELECT 1 FROM DUAL")
}

/// The secondary objective (docs/reference/search.md#order-of-fitness): more commands first, then a
/// smaller mean distance. Lower is better.
pub(crate) fn secondary(outcome: Option<&SqlOutcome>) -> f64 {
    outcome.map_or(0.0, |outcome| order(outcome.commands, outcome.mean_distance))
}

/// The same for what was asked of any store.
pub(crate) fn order(queries: u32, mean_distance: Option<Finite>) -> f64 {
    let distance = mean_distance.map_or(1.0, |mean| mean.get() / (mean.get() + 1.0));
    distance - f64::from(queries) * 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use wallace_sut_driver::database::{DatabaseDistance, SqlStatement};

    fn activity(commands: &[&str], distances: &[Option<f64>]) -> DatabaseActivity {
        let command = |command: &&str| SqlStatement {
            command: (*command).to_owned(),
            milliseconds: 0,
            has_failed: false,
        };
        let distance = |distance: &Option<f64>| DatabaseDistance {
            kind: "SQL".to_owned(),
            statement: format!("SELECT {distance:?}"),
            distance: *distance,
        };
        DatabaseActivity {
            statements: commands.iter().map(command).collect(),
            distances: distances.iter().map(distance).collect(),
            ..DatabaseActivity::default()
        }
    }

    #[test]
    fn more_commands_are_better_and_then_smaller_distances() {
        let of = |commands: &[&str], distances: &[Option<f64>]| {
            secondary(Some(&SqlOutcome::of(&activity(commands, distances))))
        };
        let descending = [
            0.0,
            of(&["SELECT 1", "SELECT a"], &[None]),
            of(&["SELECT a"], &[Some(1e9), Some(3.0)]),
            of(&["SELECT a"], &[Some(2.0)]),
            of(&["SELECT a"], &[Some(0.0)]),
            of(&["SELECT a", "SELECT b"], &[None, None]),
        ];
        assert!(descending.windows(2).all(|pair| pair[0] > pair[1]), "{descending:?}");
        // So far away that nothing is left of it counts as no distance at all.
        let far = of(&["SELECT a"], &[Some(f64::MAX), Some(3.0)]);
        assert_eq!(far, of(&["SELECT a"], &[None]));
        assert_eq!(secondary(None), of(&["SELECT 1"], &[]) - 1.0);
    }

    #[test]
    fn tables_are_told_apart_by_what_was_done() {
        let columns = |tables: &[&str]| {
            tables.iter().map(|table| ((*table).to_owned(), vec!["*".to_owned()])).collect()
        };
        let activity = DatabaseActivity {
            queried: columns(&["B", "a"]),
            inserted: columns(&["C"]),
            updated: columns(&["c", "a"]),
            ..DatabaseActivity::default()
        };
        let outcome = SqlOutcome::of(&activity);
        let names = |tables: &[Box<str>]| tables.join(" ");
        assert_eq!((names(&outcome.read), names(&outcome.written)), ("a b".into(), "a c".into()));
    }

    #[test]
    fn only_conditions_that_no_row_met_are_kept() {
        let outcome = SqlOutcome::of(&activity(&[], &[Some(0.0), None, Some(2.0), None]));
        assert_eq!(outcome.failed, ["SELECT None", "SELECT Some(2.0)"]);
        assert_eq!(outcome.mean_distance, Some(Finite::nearest(1.0)));
    }
}
