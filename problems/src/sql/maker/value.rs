//! Rows one by one, and values for their columns.

use serde_json::Value;
use wallace_genes::{Gene, Knowledge, sample};

use super::{Maker, Row, Wanted};
use crate::sql::column::Kind;
use crate::sql::repair::{row_hash, violates_key};
use crate::sql::table::SqlTables;
use crate::sql::value::is_same;

/// Tries to find a value that no other row has.
const TRIES: usize = 12;

impl Maker<'_> {
    /// A row with the wanted values, all others sampled, that no known rule forbids.
    pub(super) fn row(&mut self, table: usize, wanted: &Wanted) -> Option<Row> {
        let described = &self.tables.tables[table];
        let is_difficult = self.memory.is_difficult(&described.name);
        for _ in 0..TRIES {
            let mut gene = self.sampled(table);
            for (column, value) in wanted {
                if !described.set(&mut gene, *column, value) && !value.is_null() {
                    return None;
                }
            }
            for (place, column) in described.columns.iter().enumerate() {
                if column.is_nullable && is_difficult && !wanted.contains_key(&place) {
                    described.set(&mut gene, place, &Value::Null);
                }
                if column.is_counted && !wanted.contains_key(&place) {
                    leave_out(&mut gene, place);
                }
            }
            let row = Row { table, gene, is_new: true };
            let others = self.rows.iter().map(|other| (other.table, &other.gene));
            let is_refused = self.memory.trials.is_refused(row_hash(described, &row.gene));
            if !violates_key(self.tables, table, &row.gene, &others) && !is_refused {
                return Some(row);
            }
        }
        None
    }

    pub(super) fn sampled(&mut self, table: usize) -> Gene {
        let described = &self.tables.tables[table];
        let is_tainting = std::mem::take(&mut self.draw.is_tainting);
        let template = SqlTables::template(table);
        let gene = sample(&described.spec, template, &Knowledge::default(), self.draw);
        self.draw.is_tainting = is_tainting;
        gene
    }

    /// A value of a column that no row has.
    pub(super) fn fresh(&mut self, table: usize, column: usize) -> Value {
        let described = &self.tables.tables[table];
        for _ in 0..TRIES {
            let is_number = described.columns[column].kind == Kind::Integer;
            let is_key = described.keys.contains(&vec![column]);
            let is_bound = described.columns[column].domain.maximum.is_some();
            let value = if is_number && is_key && !is_bound {
                Value::from(self.draw.rng.between(1000, 99_999))
            } else {
                let gene = self.sampled(table);
                described.value(&gene, column).unwrap_or(Value::Null)
            };
            let is_taken = self.rows.iter().any(|row| {
                row.table == table
                    && described.value(&row.gene, column).is_some_and(|own| is_same(&own, &value))
            });
            let is_existing = described.existing.iter().any(|row| is_same(&row[column], &value));
            if !value.is_null() && !is_taken && !is_existing {
                return value;
            }
        }
        Value::from(self.draw.rng.between(100_000, 999_999))
    }

    /// Gives a column another value than these, and not null.
    pub(super) fn avoid(&mut self, row: usize, column: usize, values: &[Value]) {
        let table = self.rows[row].table;
        for _ in 0..TRIES {
            let described = &self.tables.tables[table];
            let own = described.value(&self.rows[row].gene, column);
            let is_fine = own.as_ref().is_none_or(|own| {
                !own.is_null() && !values.iter().any(|value| is_same(value, own))
            });
            if is_fine {
                return;
            }
            let gene = self.sampled(table);
            if let Some(value) = described.value(&gene, column) {
                described.set(&mut self.rows[row].gene, column, &value);
            }
        }
    }
}

pub(in crate::sql) fn leave_out(gene: &mut Gene, column: usize) {
    if let (Gene::Object(object), Ok(column)) = (gene, u32::try_from(column)) {
        object.set(column, Gene::Absent);
    }
}
