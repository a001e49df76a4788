//! What a call looked for among documents and keys, as far as the search needs it.

use serde::{Deserialize, Serialize};
use wallace_genes::Finite;
use wallace_sut_driver::database::DatabaseActivity;

use crate::sql::order;

/// Misses that are kept of a call.
const MOST_FAILED: usize = 10;
/// Longest description of the documents of a collection, in bytes.
const LONGEST: usize = 16_000;

/// What was looked for and not found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StoreMiss {
    /// A query on a collection without documents.
    Collection {
        /// Database.
        database: String,
        /// Collection.
        collection: String,
        /// Type or schema of its documents, as the driver writes it.
        document_type: String,
    },
    /// A command on keys.
    Key {
        /// Its name, in capitals.
        command: String,
        /// Keys.
        keys: Vec<String>,
        /// Pattern of keys.
        pattern: Option<String>,
        /// Field of a hash.
        field: Option<String>,
    },
}

/// Work of one call on documents and keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreOutcome {
    /// What was looked for and not found.
    pub failed: Vec<StoreMiss>,
    /// Queries and commands of which a distance is told, known or not.
    pub queries: u32,
    /// Mean distance of their conditions, where any is known.
    pub mean_distance: Option<Finite>,
    /// Of the first call of a test: whether each document and key of its initialisation was
    /// inserted.
    pub is_inserted: Vec<bool>,
}

impl StoreOutcome {
    /// Reads what a driver tells; `None` where it tells nothing of documents and keys.
    #[must_use]
    pub fn of(activity: &DatabaseActivity) -> Option<Self> {
        let told =
            activity.distances.iter().filter(|one| one.kind == "MONGO" || one.kind == "REDIS");
        let distances: Vec<Option<f64>> = told.map(|one| one.distance).collect();
        let known: Vec<f64> = distances.iter().copied().flatten().collect();
        let collections = activity.empty_collections.iter().map(|one| StoreMiss::Collection {
            database: one.database.clone(),
            collection: one.collection.clone(),
            document_type: Some(&one.document_type)
                .filter(|it| it.len() <= LONGEST)
                .cloned()
                .unwrap_or_default(),
        });
        let keys = activity.failed_redis_commands.iter().map(|one| StoreMiss::Key {
            command: one.command.to_ascii_uppercase(),
            keys: one.keys.clone(),
            pattern: one.pattern.clone(),
            field: one.field.clone(),
        });
        let mut failed: Vec<StoreMiss> = Vec::new();
        for miss in collections.chain(keys) {
            if failed.len() < MOST_FAILED && !failed.contains(&miss) {
                failed.push(miss);
            }
        }
        let outcome = Self {
            failed,
            queries: u32::try_from(distances.len()).unwrap_or(u32::MAX),
            mean_distance: (!known.is_empty())
                .then(|| Finite::nearest(known.iter().sum::<f64>() / known.len() as f64)),
            is_inserted: Vec::new(),
        };
        (outcome != Self::default()).then_some(outcome)
    }
}

/// The secondary objective, as that of SQL.
pub(crate) fn secondary(outcome: Option<&StoreOutcome>) -> f64 {
    outcome.map_or(0.0, |outcome| order(outcome.queries, outcome.mean_distance))
}

#[cfg(test)]
mod tests {
    use wallace_sut_driver::database::{DatabaseDistance, RedisCommand};

    use super::*;

    #[test]
    fn only_what_is_told_of_documents_and_keys_counts() {
        let distance = |kind: &str, distance| DatabaseDistance {
            kind: kind.to_owned(),
            statement: String::new(),
            distance,
        };
        let of = |distances: Vec<DatabaseDistance>| {
            StoreOutcome::of(&DatabaseActivity { distances, ..DatabaseActivity::default() })
        };
        assert_eq!(of(vec![distance("SQL", Some(1.0))]), None);
        let near = of(vec![distance("MONGO", Some(0.25)), distance("SQL", Some(9.0))]);
        let far = of(vec![distance("REDIS", Some(0.75)), distance("REDIS", None)]);
        let (near, far) = (secondary(near.as_ref()), secondary(far.as_ref()));
        assert!(far < near && near < secondary(None), "{far} {near}");
        let failed = RedisCommand {
            command: "hget".to_owned(),
            keys: vec!["a".to_owned()],
            pattern: None,
            field: Some("b".to_owned()),
        };
        let twice = vec![failed.clone(), failed];
        let activity = DatabaseActivity { failed_redis_commands: twice, ..Default::default() };
        let failed = StoreOutcome::of(&activity).map(|outcome| outcome.failed);
        let told = StoreMiss::Key {
            command: "HGET".to_owned(),
            keys: vec!["a".to_owned()],
            pattern: None,
            field: Some("b".to_owned()),
        };
        assert_eq!(failed, Some(vec![told]));
    }
}
