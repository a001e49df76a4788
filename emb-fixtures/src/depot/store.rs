//! Documents and keys in memory, and what drivers tell of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use wallace_instrument::{
    DatabaseActivity, DatabaseDistance, DocumentStore, MongoCollection, MongoDocument,
    RedisCommand, RedisKey,
};

const DATABASE: &str = "depot";

/// What the documents of each collection are, as drivers write it: a schema, one that refers to
/// others, or a class that says nothing.
const TYPES: [(&str, &str); 4] = [
    (
        "parcels",
        r#""com.depot.Parcel":{"type":"object", "properties": {"_id":{"type":"integer","format":"int64"},"code":{"type":"string"},"status":{"type":"string", "enum":["NEW","SENT","LOST"]},"weight":{"type":"integer","format":"int32"},"value":{"type":"integer","format":"int64"},"isFragile":{"type":"boolean"}}}"#,
    ),
    (
        "couriers",
        r##""com.depot.Courier":{"com.depot.Courier":{"type":"object", "properties": {"address":{"$ref":"#/components/schemas/com.depot.Address"},"skills":{"type":"array", "items":{"type":"string"}},"vehicle":{"type":"string"},"since":{"type":"string","format":"date-time"}}},"com.depot.Address":{"type":"object", "properties": {"city":{"type":"string"},"country":{"type":"string"}}}}"##,
    ),
    (
        "tours",
        r#""com.depot.Tour":{"type":"object", "properties": {"courierId":{"type":"integer"},"stops":{"type":"integer"}}}"#,
    ),
    ("branches", "org.bson.Document"),
];

/// What a query asks of a member.
#[derive(Debug)]
pub(super) enum Condition<'a> {
    Is(&'a str, &'a str),
    Equals(&'a str, i64),
    AtLeast(&'a str, i64),
}

impl<'a> Condition<'a> {
    pub(super) fn is(member: &'a str, text: &'a str) -> Self {
        Self::Is(member, text)
    }

    /// How far a document is from it, between 0 and 1.
    fn distance(&self, document: &Value) -> f64 {
        let (Self::Is(member, _) | Self::Equals(member, _) | Self::AtLeast(member, _)) = self;
        let value = document.pointer(member);
        let apart = match self {
            Self::Is(_, text) => value.and_then(Value::as_str).map(|known| {
                let same = known.chars().zip(text.chars()).filter(|(one, other)| one == other);
                known.chars().count().max(text.chars().count()).abs_diff(same.count()) as f64
            }),
            Self::Equals(_, number) => {
                value.and_then(Value::as_i64).map(|known| known.abs_diff(*number) as f64)
            }
            Self::AtLeast(_, least) => {
                value.and_then(Value::as_i64).map(|known| (least - known).max(0) as f64)
            }
        };
        apart.map_or(1.0, |apart| apart / (apart + 1.0))
    }
}

/// A value under a key.
#[derive(Debug, Clone)]
enum Kept {
    Text(String),
    Hash(BTreeMap<String, String>),
    Set(BTreeSet<String>),
}

#[derive(Debug, Default)]
struct Inner {
    documents: BTreeMap<String, Vec<Value>>,
    keys: BTreeMap<String, Kept>,
    activity: DatabaseActivity,
}

/// A store of one instance; copies share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store(Arc<Mutex<Inner>>);

impl Store {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The documents of a collection of which all conditions are true.
    pub(super) fn find(&self, collection: &str, conditions: &[Condition<'_>]) -> Vec<Value> {
        let mut inner = self.inner();
        let all = inner.documents.get(collection).cloned().unwrap_or_default();
        let count = conditions.len().max(1) as f64;
        let apart = |document: &Value| {
            conditions.iter().map(|one| one.distance(document)).sum::<f64>() / count
        };
        let nearest = all.iter().map(apart).reduce(f64::min);
        inner.activity.distances.push(DatabaseDistance {
            kind: "MONGO".to_owned(),
            statement: format!("{conditions:?}"),
            distance: nearest,
        });
        if all.is_empty() {
            let told = TYPES.iter().find(|(name, _)| *name == collection);
            inner.activity.empty_collections.push(MongoCollection {
                database: DATABASE.to_owned(),
                collection: collection.to_owned(),
                document_type: told.map_or("", |(_, told)| told).to_owned(),
            });
        }
        all.into_iter().filter(|document| apart(document) == 0.0).collect()
    }

    /// What a command gives; told where that is nothing.
    fn ask<T>(
        &self,
        command: (&str, &str, Option<&str>),
        read: impl FnOnce(&BTreeMap<String, Kept>) -> Option<T>,
    ) -> Option<T> {
        let mut inner = self.inner();
        let found = read(&inner.keys);
        let (command, key, field) = command;
        let is_pattern = command == "KEYS";
        if found.is_none() {
            inner.activity.failed_redis_commands.push(RedisCommand {
                command: command.to_owned(),
                keys: if is_pattern { Vec::new() } else { vec![key.to_owned()] },
                pattern: is_pattern.then(|| format!("{key}.*")),
                field: field.map(str::to_owned),
            });
        }
        inner.activity.distances.push(DatabaseDistance {
            kind: "REDIS".to_owned(),
            statement: format!("{command} {key}"),
            distance: Some(if found.is_none() { 1.0 } else { 0.0 }),
        });
        found
    }

    pub(super) fn get(&self, key: &str) -> Option<String> {
        self.ask(("GET", key, None), |keys| match keys.get(key)? {
            Kept::Text(text) => Some(text.clone()),
            _ => None,
        })
    }

    pub(super) fn get_field(&self, key: &str, field: &str) -> Option<String> {
        self.ask(("HGET", key, Some(field)), |keys| match keys.get(key)? {
            Kept::Hash(hash) => hash.get(field).cloned(),
            _ => None,
        })
    }

    pub(super) fn fields(&self, key: &str) -> Vec<String> {
        let fields = self.ask(("HGETALL", key, None), |keys| match keys.get(key)? {
            Kept::Hash(hash) => Some(hash.keys().cloned().collect()),
            _ => None,
        });
        fields.unwrap_or_default()
    }

    pub(super) fn members(&self, key: &str) -> Vec<String> {
        let members = self.ask(("SMEMBERS", key, None), |keys| match keys.get(key)? {
            Kept::Set(set) => Some(set.iter().cloned().collect()),
            _ => None,
        });
        members.unwrap_or_default()
    }

    /// The keys that begin so.
    pub(super) fn keys(&self, beginning: &str) -> Vec<String> {
        let found = self.ask(("KEYS", beginning, None), |keys| {
            let found = keys.keys().filter(|key| key.starts_with(beginning));
            let found: Vec<String> = found.cloned().collect();
            Some(found).filter(|found| !found.is_empty())
        });
        found.unwrap_or_default()
    }
}

impl Inner {
    fn insert(&mut self, document: &MongoDocument) -> Option<()> {
        let mut value: Value =
            serde_json::from_str(&document.data).ok().filter(Value::is_object)?;
        plain(&mut value);
        let all = self.documents.entry(document.collection.clone()).or_default();
        let id = value.get("_id");
        let is_known = id.is_some() && all.iter().any(|known| known.get("_id") == id);
        if is_known || document.database != DATABASE {
            return None;
        }
        all.push(value);
        Some(())
    }

    fn put(&mut self, key: &RedisKey) -> Option<()> {
        let empty = match key.command.as_str() {
            "SET" => Kept::Text(String::new()),
            "HSET" => Kept::Hash(BTreeMap::new()),
            "SADD" => Kept::Set(BTreeSet::new()),
            _ => return None,
        };
        match (self.keys.entry(key.key.clone()).or_insert(empty), key.command.as_str()) {
            (Kept::Text(text), "SET") => text.clone_from(&key.value),
            (Kept::Hash(hash), "HSET") => {
                hash.insert(key.field.clone()?, key.value.clone());
            }
            (Kept::Set(set), "SADD") => {
                set.insert(key.value.clone());
            }
            _ => return None,
        }
        Some(())
    }
}

/// Extended JSON as what it stands for.
fn plain(value: &mut Value) {
    let members = value.as_object();
    let inner = members.and_then(|it| it.get("$date").or_else(|| it.get("$oid"))).cloned();
    if let Some(inner) = inner {
        *value = inner;
    }
    match value {
        Value::Object(members) => members.values_mut().for_each(plain),
        Value::Array(elements) => elements.iter_mut().for_each(plain),
        _ => {}
    }
}

/// Up to the first that is refused.
fn each<T>(all: &[T], mut insert: impl FnMut(&T) -> Option<()>) -> Vec<bool> {
    let taken = all.iter().take_while(|one| insert(one).is_some()).count();
    (0..all.len()).map(|place| place < taken).collect()
}

impl DocumentStore for Store {
    fn activity(&self) -> DatabaseActivity {
        std::mem::take(&mut self.inner().activity)
    }

    fn insert_documents(&self, documents: &[MongoDocument]) -> Result<Vec<bool>, String> {
        let mut inner = self.inner();
        Ok(each(documents, |document| inner.insert(document)))
    }

    fn insert_keys(&self, keys: &[RedisKey]) -> Result<Vec<bool>, String> {
        let mut inner = self.inner();
        Ok(each(keys, |key| inner.put(key)))
    }

    fn clean(&self) -> Result<(), String> {
        *self.inner() = Inner::default();
        Ok(())
    }
}
