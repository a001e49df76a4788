//! Values seen in responses, kept for later arguments.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::word::written;

/// Values by key: `Type.field`, `*.field` for fields of one name, `scalar:Name` for those of a
/// custom scalar, and `*id` for whatever identifies something.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pool {
    values: BTreeMap<String, VecDeque<Value>>,
}

/// The key of everything that identifies something.
pub(crate) const ANY_ID: &str = "*id";

impl Pool {
    /// Most values of one key; the oldest go first.
    pub(crate) const LIMIT: usize = 100;
    /// Longest text kept, in bytes.
    const LONGEST: usize = 200;

    /// Adds a value. One that is known moves to the end: it was seen to exist now.
    pub(crate) fn add(&mut self, key: &str, value: &Value) {
        let is_kept = match value {
            Value::String(text) => !text.is_empty() && text.len() <= Self::LONGEST,
            Value::Number(_) => true,
            _ => false,
        };
        if !is_kept {
            return;
        }
        let values = match self.values.get_mut(key) {
            Some(values) => values,
            None => self.values.entry(key.to_owned()).or_default(),
        };
        if let Some(known) = values.iter().position(|known| known == value) {
            values.remove(known);
        } else if values.len() == Self::LIMIT {
            values.pop_front();
        }
        values.push_back(value.clone());
    }

    /// Takes out a value that is no longer there; a text and the number that it reads as are one.
    pub(crate) fn forget(&mut self, key: &str, gone: &str) {
        if let Some(values) = self.values.get_mut(key) {
            values.retain(|known| written(known) != gone);
        }
    }

    /// The values of a key, oldest first.
    pub(crate) fn get(&self, key: &str) -> Option<&VecDeque<Value>> {
        self.values.get(key).filter(|values| !values.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_newest_values_are_kept_once() {
        let mut pool = Pool::default();
        for number in 0..250 {
            pool.add("User.id", &json!(number));
            pool.add("User.id", &json!(240));
        }
        pool.add("User.id", &json!(null));
        pool.add("User.id", &json!("x".repeat(500)));
        let values = pool.get("User.id").unwrap();
        assert_eq!(values.len(), Pool::LIMIT);
        assert_eq!((values.front(), values.back()), (Some(&json!(150)), Some(&json!(240))));
        assert!(pool.get("User.name").is_none());
        pool.forget("User.id", "240");
        assert!(!pool.get("User.id").unwrap().contains(&json!(240)));
    }
}
