//! Order among the rows of a test: references go to rows that are there, keys differ.

use serde_json::Value;
use wallace_engine::{Action, Individual, individual::Initialisation};
use wallace_genes::Gene;

use super::maker::leave_out;
use super::table::{ForeignKey, SqlTables, Table};
use super::value::{is_same, text};
use crate::binding::put_scalar;
use crate::fingerprint::Fingerprint;

impl SqlTables {
    /// Repairs the rows of a test over the whole of it, and puts their values into the requests
    /// that they feed. Rows that cannot be repaired are left out.
    pub(crate) fn repair<A: Action>(&self, individual: &mut Individual<A>) {
        let before: Vec<Initialisation> =
            individual.initialisation().iter().map(|step| Initialisation::clone(step)).collect();
        let mut kept: Vec<Initialisation> = Vec::with_capacity(before.len());
        let mut others = Vec::new();
        for mut step in before {
            let Some(table) = self.place(step.template) else {
                others.push(step);
                continue;
            };
            let rows: Vec<(usize, &Gene)> = kept
                .iter()
                .filter_map(|other| Some((self.place(other.template)?, &other.gene)))
                .collect();
            let is_valid = self.refer(table, &mut step.gene, &rows)
                && self.differ(table, &mut step.gene, &rows);
            if is_valid {
                kept.push(step);
            }
        }
        kept.extend(others);
        individual.set_initialisation(kept);
        self.feed(individual);
    }

    /// Puts the values of rows into the requests.
    pub(super) fn feed<A: Action>(&self, individual: &mut Individual<A>) {
        for step in individual.initialisation().to_vec() {
            let Some(table) = self.place(step.template) else { continue };
            for feed in &step.feeds {
                let [wallace_genes::PathStep::Field(column)] = feed.from.0[..] else { continue };
                let value = self.tables[table].value(&step.gene, column as usize);
                let Some(place) = individual.position(feed.action) else { continue };
                let is_there = feed.path.find(individual.actions()[place].1.gene()).is_some();
                if let (Some(value), true) = (value.filter(|value| !value.is_null()), is_there) {
                    put_scalar(individual.action_mut(place).gene_mut(), &feed.path, &value);
                }
            }
        }
    }

    /// Lets references go to rows that are there. Returns whether they do.
    fn refer(&self, table: usize, gene: &mut Gene, rows: &[(usize, &Gene)]) -> bool {
        let described = &self.tables[table];
        let mut settled: Vec<usize> = Vec::new();
        for key in &described.foreign_keys {
            let own: Vec<Option<Value>> =
                key.columns.iter().map(|column| described.value(gene, *column)).collect();
            let is_free = own.iter().any(|value| value.as_ref().is_none_or(Value::is_null));
            let is_nullable = key.columns.iter().any(|at| described.columns[*at].is_nullable);
            if is_free && is_nullable {
                continue;
            }
            let candidates = self.candidates(table, key, gene, rows);
            let is_same_as_own = |values: &&Vec<Value>| {
                values
                    .iter()
                    .zip(&own)
                    .all(|(value, own)| own.as_ref().is_some_and(|own| is_same(own, value)))
            };
            // Columns that an earlier reference has settled stay.
            let agrees = |values: &&Vec<Value>| {
                let mut pairs = key.columns.iter().zip(values.iter()).zip(&own);
                pairs.all(|((column, value), own)| {
                    !settled.contains(column) || own.as_ref().is_some_and(|own| is_same(own, value))
                })
            };
            let found = candidates.iter().find(is_same_as_own);
            let found = found.or_else(|| candidates.iter().find(agrees));
            match found {
                Some(values) => {
                    for (column, value) in key.columns.iter().zip(values) {
                        described.set(gene, *column, value);
                    }
                }
                None if is_nullable => {
                    for column in &key.columns {
                        described.set(gene, *column, &Value::Null);
                    }
                }
                None => return false,
            }
            settled.extend(&key.columns);
        }
        true
    }

    /// Values that a reference can take: of the rows before, the nearest first, of the row itself
    /// where it may refer to itself, and of those that are there from the start.
    fn candidates(
        &self,
        table: usize,
        key: &ForeignKey,
        gene: &Gene,
        rows: &[(usize, &Gene)],
    ) -> Vec<Vec<Value>> {
        let target = &self.tables[key.target];
        let values = |row: &Gene| -> Option<Vec<Value>> {
            let values = key.target_columns.iter().map(|column| target.value(row, *column));
            let values: Option<Vec<Value>> = values.collect();
            values.filter(|values| !values.iter().any(Value::is_null))
        };
        let own = rows.iter().rev().filter(|(other, _)| *other == key.target);
        let mut candidates: Vec<Vec<Value>> = own.filter_map(|(_, row)| values(row)).collect();
        if key.target == table {
            candidates.extend(values(gene));
        }
        let existing = target.existing.iter().map(|row| {
            key.target_columns.iter().map(|column| row[*column].clone()).collect::<Vec<Value>>()
        });
        candidates.extend(existing.filter(|row| !row.iter().any(Value::is_null)));
        candidates
    }

    /// Changes keys that another row has. Returns whether none is the same any more.
    fn differ(&self, table: usize, gene: &mut Gene, rows: &[(usize, &Gene)]) -> bool {
        let described = &self.tables[table];
        for number in 0..20_i64 {
            if !violates_key(self, table, gene, &rows.iter().copied()) {
                return true;
            }
            for key in &described.keys {
                let Some(column) =
                    key.iter().find(|at| !described.columns[**at].is_reference).copied()
                else {
                    continue;
                };
                if described.columns[column].is_counted {
                    leave_out(gene, column);
                } else if let Some(value) = described.value(gene, column) {
                    described.set(gene, column, &other(&value, number));
                }
            }
        }
        false
    }
}

/// A value like this one and not the same.
fn other(value: &Value, number: i64) -> Value {
    match value {
        Value::Number(known) => match known.as_i64() {
            Some(known) => Value::from(known.wrapping_add(number + 1)),
            None => Value::from(known.as_f64().unwrap_or(0.0) + number as f64 + 1.0),
        },
        Value::String(text) => {
            let mut text = text.clone();
            text.pop();
            Value::String(format!("{text}{}", char::from(b'a' + (number % 26) as u8)))
        }
        Value::Bool(is_true) => Value::Bool(!is_true),
        other => other.clone(),
    }
}

/// Whether a row has a key that another one has, of these or of the start.
pub(super) fn violates_key<'a>(
    tables: &SqlTables,
    table: usize,
    gene: &Gene,
    rows: &(impl Iterator<Item = (usize, &'a Gene)> + Clone),
) -> bool {
    let described = &tables.tables[table];
    described.keys.iter().any(|key| {
        let own: Option<Vec<Value>> = key.iter().map(|at| described.value(gene, *at)).collect();
        let Some(own) = own.filter(|own| !own.iter().any(Value::is_null)) else { return false };
        let equals = |other: &dyn Fn(usize) -> Option<Value>| {
            key.iter()
                .zip(&own)
                .all(|(at, own)| other(*at).is_some_and(|other| is_same(&other, own)))
        };
        let mut others = rows.clone().filter(|(other, _)| *other == table);
        others.any(|(_, row)| equals(&|at| described.value(row, at)))
            || described.existing.iter().any(|row| equals(&|at| Some(row[at].clone())))
    })
}

/// A number that stands for the values of a row.
pub(super) fn row_hash(table: &Table, gene: &Gene) -> u64 {
    let columns = 0..table.columns.len();
    let values = columns.map(|column| table.value(gene, column).map(|value| text(&value)));
    Fingerprint::of([Some(table.name.clone())].into_iter().chain(values))
}
