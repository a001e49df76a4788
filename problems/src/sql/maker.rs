//! Making rows: those that a statement looked for, and those that they refer to.

mod value;

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_genes::{Draw, Gene};

pub(super) use self::value::leave_out;
use super::condition::{Demand, Place, demands};
use super::memory::SqlMemory;
use super::statement::{Source, parse};
use super::table::SqlTables;
use super::value::{is_same, to_gene};

/// References that are followed from one row, and of these those that may be null.
const DEPTH: usize = 40;
const OPTIONAL_DEPTH: usize = 10;
/// Shares of references that are left null where that may be: those that lead to other tables, and
/// those to the same table, or far down.
const OPTIONAL_LEFT: f64 = 0.3;
const CYCLE_LEFT: f64 = 0.7;
/// Share of references to a row that is there from the start, where there is one.
const TO_EXISTING: f64 = 0.7;

/// A row under construction or of the test already.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) table: usize,
    pub(super) gene: Gene,
    pub(super) is_new: bool,
}

/// Columns of a row whose value was in the statement as a constant.
pub(super) type Taken = (usize, usize, Value);

/// Rows that a statement asked for.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) rows: Vec<Row>,
    /// Position of the row, column, and the constant.
    pub(super) taken: Vec<Taken>,
}

pub(super) struct Maker<'a> {
    pub(super) tables: &'a SqlTables,
    pub(super) memory: &'a SqlMemory,
    pub(super) draw: &'a mut Draw,
    /// Parents stand before the rows that refer to them.
    pub(super) rows: Vec<Row>,
}

/// Values that a row must have, by column.
type Wanted = BTreeMap<usize, Value>;

impl Maker<'_> {
    /// Rows for which the condition of a statement is true, behind those of the test; `None` where
    /// nothing can be made.
    pub(super) fn for_statement(mut self, text: &str) -> Option<Made> {
        let statement = parse(text)?;
        let mut source = Source::of(&statement, self.tables);
        let demands = demands(&mut source, self.tables, &mut self.draw.rng);
        let wanted = self.merged(&source, &demands);
        let mut taken = Vec::new();
        let mut has_asked = false;
        for alias in order(self.tables, &source, &demands) {
            let table = source.tables[alias].1;
            if !self.memory.trusts(&self.tables.tables[table].name) {
                return None;
            }
            let mut own: Wanted = wanted
                .iter()
                .filter(|((of, _), _)| *of == alias)
                .map(|((_, column), value)| (*column, value.clone()))
                .collect();
            self.exchange(table, &mut own);
            let Some(row) = self.ensure(table, &own, DEPTH, true) else { continue };
            has_asked |= row.is_some();
            for demand in &demands {
                if let Demand::Is((of, column), value) = demand
                    && *of == alias
                    && let Some(row) = row
                {
                    taken.push((row, *column, value.clone()));
                }
            }
            for demand in &demands {
                if let Demand::Not((of, column), values) = demand
                    && *of == alias
                    && let Some(row) = row
                {
                    self.avoid(row, *column, values);
                }
            }
        }
        let is_new = has_asked && self.rows.iter().any(|row| row.is_new);
        is_new.then_some(Made { rows: self.rows, taken })
    }

    /// Puts other values in the place of those that a row cannot have, because the column does not
    /// hold them or another row has the key. Where such a constant came from the request, the
    /// request gets the row's value instead.
    fn exchange(&mut self, table: usize, own: &mut Wanted) {
        let described = &self.tables.tables[table];
        let columns: Vec<usize> = own.keys().copied().collect();
        for column in columns {
            let value = &own[&column];
            let spec = described.column_spec(column);
            let is_held = to_gene(&described.columns[column], &spec, value).is_some();
            let has_key = |row: &Vec<Value>| is_same(&row[column], value);
            let is_taken = described.keys.contains(&vec![column])
                && !described.columns[column].is_reference
                && described.existing.iter().any(has_key);
            if !value.is_null() && (!is_held || is_taken) {
                let fresh = self.fresh(table, column);
                own.insert(column, fresh);
            }
        }
    }

    /// The value of each column that has to have one: those that must be the same have one value.
    fn merged(&mut self, source: &Source<'_>, demands: &[Demand]) -> BTreeMap<Place, Value> {
        let mut groups: Vec<Vec<Place>> = Vec::new();
        for demand in demands {
            let Demand::Same(one, other) = demand else { continue };
            let mut merged = vec![*one, *other];
            groups.retain(|group| {
                let is_apart = !group.contains(one) && !group.contains(other);
                if !is_apart {
                    merged.extend(group);
                }
                is_apart
            });
            merged.sort_unstable();
            merged.dedup();
            groups.push(merged);
        }
        let mut wanted = BTreeMap::new();
        for demand in demands {
            if let Demand::Is(place, value) = demand {
                wanted.insert(*place, value.clone());
            }
        }
        for group in groups {
            let known = group.iter().find_map(|place| wanted.get(place).cloned());
            let value = known.unwrap_or_else(|| {
                // What is referred to says what the value may be.
                let is_reference = |(alias, column): &Place| {
                    let table = source.tables[*alias].1;
                    self.tables.tables[table].columns[*column].is_reference
                };
                let root = group.iter().find(|place| !is_reference(place)).unwrap_or(&group[0]);
                self.fresh(source.tables[root.0].1, root.1)
            });
            for place in group {
                wanted.entry(place).or_insert_with(|| value.clone());
            }
        }
        wanted
    }

    /// A row with the wanted values: one of the test, one of the start, or a new one. The position
    /// of the row among those of the test is `None` for one of the start; nothing when no such row
    /// can be.
    fn ensure(
        &mut self,
        table: usize,
        wanted: &Wanted,
        depth: usize,
        is_asked: bool,
    ) -> Option<Option<usize>> {
        let known = self.tables;
        let fits = |row: &Row| {
            row.table == table
                && wanted.iter().all(|(column, value)| {
                    known.tables[table]
                        .value(&row.gene, *column)
                        .is_some_and(|own| is_same(&own, value))
                })
        };
        // A statement that found no row wants one of its own.
        let may_reuse = !is_asked || !wanted.is_empty();
        if may_reuse && let Some(place) = self.rows.iter().rposition(fits) {
            return Some(Some(place));
        }
        let described = &known.tables[table];
        let keys: Vec<usize> = described.keys.iter().flatten().copied().collect();
        let is_known = |row: &&Vec<Value>| {
            let mut columns = wanted.iter();
            columns.all(|(column, value)| !row[*column].is_null() && is_same(&row[*column], value))
        };
        if !is_asked {
            let existing: Vec<&Vec<Value>> = described.existing.iter().filter(is_known).collect();
            let must = wanted.keys().any(|column| keys.contains(column));
            if !existing.is_empty() && (must || self.draw.rng.chance(TO_EXISTING)) {
                return Some(None);
            }
        }
        if depth == 0 {
            return None;
        }
        self.create(table, wanted, depth).map(Some)
    }

    /// A new row, behind those that it refers to.
    fn create(&mut self, table: usize, wanted: &Wanted, depth: usize) -> Option<usize> {
        let described = &self.tables.tables[table];
        let mut wanted = wanted.clone();
        for key in &described.foreign_keys {
            let asked: Wanted = key
                .columns
                .iter()
                .zip(&key.target_columns)
                .filter_map(|(own, target)| Some((*target, wanted.get(own)?.clone())))
                .collect();
            let is_null = asked.values().any(Value::is_null);
            let may_be_null = key
                .columns
                .iter()
                .any(|own| described.columns[*own].is_nullable && !wanted.contains_key(own));
            // A row that refers to itself, or further to what it comes from, ends here.
            let is_cycle = key.target == table || depth <= DEPTH - OPTIONAL_DEPTH;
            let left = if is_cycle { CYCLE_LEFT } else { OPTIONAL_LEFT };
            let is_left = is_null || (may_be_null && self.draw.rng.chance(left));
            let before = self.rows.len();
            let values = if is_left {
                None
            } else {
                self.parent(key.target, &key.target_columns, &asked, depth)
            };
            let Some(values) = values else {
                self.rows.truncate(before);
                if is_left || may_be_null {
                    for own in key.columns.iter().filter(|at| described.columns[**at].is_nullable) {
                        wanted.entry(*own).or_insert(Value::Null);
                    }
                    continue;
                }
                if key.target == table {
                    // The row itself is the one that it refers to.
                    for (own, target) in key.columns.iter().zip(&key.target_columns) {
                        let value = wanted.get(target).cloned();
                        let value = value.unwrap_or_else(|| self.fresh(table, *target));
                        wanted.insert(*target, value.clone());
                        wanted.insert(*own, value);
                    }
                    continue;
                }
                return None;
            };
            for (own, value) in key.columns.iter().zip(values) {
                wanted.entry(*own).or_insert(value);
            }
        }
        let row = self.row(table, &wanted)?;
        self.rows.push(row);
        Some(self.rows.len() - 1)
    }

    /// The values that a reference takes from the row it goes to.
    fn parent(
        &mut self,
        target: usize,
        columns: &[usize],
        asked: &Wanted,
        depth: usize,
    ) -> Option<Vec<Value>> {
        let mut asked = asked.clone();
        for _ in 0..2 {
            match self.ensure(target, &asked, depth - 1, false)? {
                Some(place) => {
                    let described = &self.tables.tables[target];
                    for column in columns {
                        if described.value(&self.rows[place].gene, *column).is_none() {
                            // The database would count it up, and nobody here would know.
                            let value = self.fresh(target, *column);
                            described.set(&mut self.rows[place].gene, *column, &value);
                        }
                    }
                    let gene = &self.rows[place].gene;
                    let values = columns.iter().map(|column| described.value(gene, *column));
                    let values: Option<Vec<Value>> = values.collect();
                    return values.filter(|values| !values.iter().any(Value::is_null));
                }
                None => {
                    let described = &self.tables.tables[target];
                    let fitting: Vec<&Vec<Value>> = described
                        .existing
                        .iter()
                        .filter(|row| asked.iter().all(|(at, value)| is_same(&row[*at], value)))
                        .collect();
                    let row = *self.draw.rng.pick(&fitting)?;
                    let values: Vec<Value> = columns.iter().map(|at| row[*at].clone()).collect();
                    if !values.iter().any(Value::is_null) {
                        return Some(values);
                    }
                    asked.clear();
                }
            }
        }
        None
    }
}

/// The tables of a statement, those first that others refer to.
fn order(tables: &SqlTables, source: &Source<'_>, demands: &[Demand]) -> Vec<usize> {
    let is_reference =
        |(alias, column): Place| tables.tables[source.tables[alias].1].columns[column].is_reference;
    // Of two tables that are joined, or one that is joined with itself, what is referred to.
    let follows = |alias: usize, other: usize| {
        demands.iter().any(|demand| {
            let Demand::Same(one, two) = demand else { return false };
            [(*one, *two), (*two, *one)].into_iter().any(|(own, target)| {
                (own.0, target.0) == (alias, other) && is_reference(own) && !is_reference(target)
            })
        })
    };
    let mut left: Vec<usize> = (0..source.tables.len()).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let waits = |alias: &usize| {
            let table = source.tables[*alias].1;
            let is_joined = left.iter().any(|other| follows(*alias, *other));
            is_joined
                || tables.tables[table].foreign_keys.iter().any(|key| {
                    key.target != table
                        && left.iter().any(|other| source.tables[*other].1 == key.target)
                })
        };
        let next = left.iter().position(|alias| !waits(alias)).unwrap_or(0);
        order.push(left.remove(next));
    }
    order
}
