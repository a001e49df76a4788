//! Documents and keys of a test as a driver takes them, and order among them.

use serde_json::{Value, json};
use wallace_engine::{Action, Evaluated, Individual, individual::Initialisation};
use wallace_genes::{Gene, PathStep};
use wallace_sut_driver::database::{MongoDocument, RedisKey};

use super::document::{self, ID, NAMES, PLACES};
use super::{DOCUMENT, KEY, Stores};
use crate::binding::put_scalar;
use crate::fingerprint::Fingerprint;
use crate::http::HttpOutcome;

/// What a step of initialisation inserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Insertion {
    /// A document.
    Document(MongoDocument),
    /// A value under a key.
    Key(RedisKey),
}

impl Insertion {
    /// What the step inserts; `None` where it is none of documents or keys.
    pub(crate) fn of(step: &Initialisation) -> Option<Self> {
        let gene = &step.gene;
        let place = |index| document::place(gene, index).to_owned();
        Some(match step.template {
            DOCUMENT => Self::Document(MongoDocument {
                database: place(0),
                collection: place(1),
                data: document::json(gene, true).to_string(),
            }),
            KEY => Self::Key(RedisKey {
                command: place(0),
                key: place(1) + &place(2) + &place(3),
                field: Some(place(4)).filter(|field| !field.is_empty()),
                value: match document::json(gene, false) {
                    Value::String(text) => text,
                    other => other.to_string(),
                },
            }),
            _ => return None,
        })
    }

    /// Where it goes, for all that is alike: a collection, or the command on keys of a kind.
    pub(super) fn place(gene: &Gene) -> String {
        [0, 1].map(|index| document::place(gene, index)).join(".")
    }

    /// A number that stands for it.
    pub(super) fn hash(&self) -> u64 {
        Fingerprint::of([self])
    }

    fn message(&self) -> Value {
        match self {
            Self::Document(it) => json!({
                "databaseName": it.database, "collectionName": it.collection, "data": it.data,
            }),
            Self::Key(it) => {
                let mut message =
                    json!({ "command": it.command, "key": it.key, "value": it.value });
                if let Some(field) = &it.field {
                    message["field"] = Value::from(&**field);
                }
                message
            }
        }
    }
}

impl Stores {
    /// What the steps of a test insert that are documents or keys, in their order.
    pub(crate) fn insertions<A: Action>(&self, individual: &Individual<A>) -> Vec<Insertion> {
        individual.initialisation().iter().filter_map(|step| Insertion::of(step)).collect()
    }

    /// The documents, and the keys, that a test begins with and that were inserted, as the bodies of
    /// the driver protocol's `mongoInsertion` and `redisInsertion`; `None` where there are none.
    #[must_use]
    pub fn commands<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
    ) -> [Option<Value>; 2] {
        let told = test.outcomes.first().and_then(|outcome| outcome.stores.as_deref());
        let is_inserted = told.map_or(&[][..], |told| &told.is_inserted);
        let all = self.insertions(&test.individual).into_iter().enumerate();
        let taken = all.filter(|(place, _)| is_inserted.get(*place) != Some(&false));
        let (documents, keys): (Vec<_>, Vec<_>) =
            taken.map(|(_, it)| it).partition(|it| matches!(it, Insertion::Document(_)));
        [documents, keys].map(|some| {
            let messages: Vec<Value> = some.iter().map(Insertion::message).collect();
            (!messages.is_empty()).then(|| json!({ "insertions": messages }))
        })
    }

    /// Leaves out what mutation put in that means nothing, and documents with the id of another, and
    /// puts values into the requests that they feed.
    pub(crate) fn repair<A: Action>(&self, individual: &mut Individual<A>) {
        let mut ids = Vec::new();
        let mut kept: Vec<Initialisation> = Vec::new();
        for step in individual.initialisation() {
            let mut step = Initialisation::clone(step);
            if self.spec(step.template).is_some() {
                step.gene = document::with_members(&step.gene, &document::members(&step.gene));
                let id = document::json(&step.gene, false)[&ID[1..]].clone();
                let own = (Insertion::place(&step.gene), id);
                if step.template == DOCUMENT && !own.1.is_null() {
                    if ids.contains(&own) {
                        continue;
                    }
                    ids.push(own);
                }
            }
            kept.push(step);
        }
        for step in &kept {
            for feed in &step.feeds {
                let value =
                    fed(&step.gene, &feed.from.0).filter(|_| self.spec(step.template).is_some());
                if let (Some(value), Some(place)) = (value, individual.position(feed.action)) {
                    put_scalar(individual.action_mut(place).gene_mut(), &feed.path, &value);
                }
            }
        }
        individual.set_initialisation(kept);
    }
}

/// The value that a step feeds from an address: that of the member whose name is there, or a part of
/// the key.
fn fed(gene: &Gene, from: &[PathStep]) -> Option<Value> {
    match from {
        [PathStep::Field(NAMES), PathStep::Element(name)] => {
            document::member(gene, *name as usize).map(|member| member.leaf.value())
        }
        [PathStep::Field(PLACES), PathStep::Element(part)] => {
            Some(Value::from(document::place(gene, *part as usize)))
        }
        _ => None,
    }
}
