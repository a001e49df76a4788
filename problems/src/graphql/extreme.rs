//! Extremes: the largest numbers that a service took, and the things with the largest numbers.
//!
//! Sums and products break where large meets large, so the two are tried together. What stays
//! within bounds for most things does not for the largest one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use wallace_genes::Gene;

use super::site::visit_sites;
use super::template::{OperationTemplate, Templates};

/// The largest numbers seen in a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Extremes {
    /// The largest number of an argument in calls that went well, by coordinate.
    taken: BTreeMap<String, i64>,
    /// The things with the largest numbers, the largest first: by the key of their ids, then by the
    /// field with the number.
    things: BTreeMap<String, BTreeMap<String, Vec<Thing>>>,
}

/// A thing with one of its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Thing {
    number: f64,
    id: Value,
}

impl Extremes {
    /// Most things kept of one field.
    pub(crate) const MOST: usize = 3;

    /// Notes the numbers of a call that went well.
    pub(crate) fn note_call(
        &mut self,
        templates: &Templates,
        operation: &OperationTemplate,
        gene: &Gene,
    ) {
        visit_sites(templates, operation, gene, &mut |site| {
            let number = match site.gene {
                Gene::Integer(number) => i64::from(*number),
                Gene::Long(number) => *number,
                _ => return,
            };
            match self.taken.get_mut(site.coordinate) {
                Some(known) => *known = number.max(*known),
                None => drop(self.taken.insert(site.coordinate.to_owned(), number)),
            }
        });
    }

    /// Notes the numbers of a thing; `key` is the `Type.field` of its id.
    pub(crate) fn note_thing(&mut self, key: &str, id: &Value, thing: &Map<String, Value>) {
        let numbers = thing.iter().filter(|(_, value)| *value != id);
        for (field, number) in numbers.filter_map(|(field, value)| Some((field, value.as_f64()?))) {
            let known = self.things.entry(key.to_owned()).or_default();
            let known = known.entry(field.clone()).or_default();
            known.retain(|thing| thing.id != *id);
            let place = known.partition_point(|thing| thing.number >= number);
            if place < Self::MOST {
                known.insert(place, Thing { number, id: id.clone() });
                known.truncate(Self::MOST);
            }
        }
    }

    /// Forgets a thing that may be gone.
    pub(crate) fn forget(&mut self, id: &str) {
        for known in self.things.values_mut().flat_map(BTreeMap::values_mut) {
            known.retain(|thing| thing.id.as_str() != Some(id));
        }
    }

    /// The largest number that an argument had in a call that went well.
    pub(crate) fn taken(&self, coordinate: &str) -> Option<i64> {
        self.taken.get(coordinate).copied()
    }

    /// Ids of the things with the largest numbers, by field: the field with the largest number
    /// first, and of each field the largest thing.
    pub(crate) fn largest(&self, key: &str) -> Vec<Vec<Value>> {
        let fields = self.things.get(key).into_iter().flat_map(BTreeMap::values);
        let mut fields: Vec<&Vec<Thing>> = fields.filter(|things| !things.is_empty()).collect();
        fields.sort_by(|one, other| other[0].number.total_cmp(&one[0].number));
        let ids = |things: &Vec<Thing>| things.iter().map(|thing| thing.id.clone()).collect();
        fields.into_iter().map(ids).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_largest_things_come_first() {
        let mut extremes = Extremes::default();
        for (id, price, stock) in [("a", 5, 70), ("b", 900, 1), ("c", 30, 2), ("d", 40, 3)] {
            let thing = json!({"id": id, "price": price, "stock": stock, "name": id});
            extremes.note_thing("Stone.id", &json!(id), thing.as_object().unwrap());
        }
        assert_eq!(
            extremes.largest("Stone.id"),
            [[json!("b"), json!("d"), json!("c")], [json!("a"), json!("d"), json!("c")]]
        );
        let cheap = json!({"id": "b", "price": 1});
        extremes.note_thing("Stone.id", &json!("b"), cheap.as_object().unwrap());
        extremes.forget("a");
        assert_eq!(extremes.largest("Stone.id")[0], [json!("d"), json!("c"), json!("b")]);
        assert!(extremes.largest("Tree.id").is_empty());
    }
}
