//! Rows with values at the ends of what their columns take, and with texts that the service compares
//! them with. What is stored decides there more often than elsewhere, and the search comes there
//! late: the values of rows are many, and each is changed seldom.

use serde_json::Value;
use wallace_engine::{Action, Evaluated, Individual};
use wallace_genes::{Specialisation, TemplateId};

use super::column::{Column, Kind};
use super::memory::SqlMemory;
use super::table::{SqlTables, Table};
use super::value::is_same;
use crate::fingerprint::Fingerprint;
use crate::http::{HttpOutcome, TextUse};
use crate::text_use::specialised;

/// Most tests of this kind that one test asks for.
const MOST_ENDS: usize = 8;
/// What stands for much where nothing bounds a number but its type.
const MUCH: i64 = 1_000_000;

impl Column {
    /// The ends of what the column takes, or all that is listed, and null. Where the type alone is
    /// the bound of a number, what is decided is its sign, and whether it is much. The text is one
    /// that shows what the service does with it.
    fn ends(&self, tainted: String) -> Vec<Value> {
        if self.is_reference || self.is_counted || self.is_unique || self.dimensions > 0 {
            return Vec::new();
        }
        let domain = &self.domain;
        let least = domain.minimum.unwrap_or(if self.is_unsigned { 0.0 } else { -1.0 });
        let bounds = [least, 0.0, domain.maximum.unwrap_or(MUCH as f64)];
        let bounds =
            bounds.into_iter().filter(|bound| domain.minimum.is_none_or(|min| *bound >= min));
        let mut ends: Vec<Value> = match self.kind {
            _ if !domain.values.is_empty() => domain.values.clone(),
            Kind::Integer => bounds.map(|bound| Value::from(bound as i64)).collect(),
            Kind::Decimal => bounds.map(Value::from).collect(),
            Kind::Boolean => vec![false.into(), true.into()],
            Kind::Text if domain.pattern.is_none() && !domain.is_email => vec![tainted.into()],
            _ => Vec::new(),
        };
        if self.is_nullable {
            ends.push(Value::Null);
        }
        ends
    }
}

/// One column of one row of a test, and a value at an end.
struct End<'a> {
    step: usize,
    table: &'a Table,
    column: usize,
    value: Value,
    /// The operation that the test is about.
    about: Option<TemplateId>,
}

impl End<'_> {
    /// What it is remembered by.
    fn key(&self) -> String {
        let Self { table, about, value, .. } = self;
        format!("{about:?} {} {} {value}", table.name, table.columns[self.column].name)
    }
}

impl SqlTables {
    /// The test with each of its rows at each end that was not tried yet with the operation that
    /// the test is about.
    pub(super) fn at_ends<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &SqlMemory,
    ) -> Vec<Individual<A>> {
        let ends = self.ends_of(&test.individual, memory).into_iter();
        let new = ends.filter(|end| !memory.trials.has_end(&end.key()));
        let changed = new.filter_map(|end| {
            let mut child = test.individual.clone();
            let row = &mut child.initialisation_mut(end.step).gene;
            let is_set = end.table.set(row, end.column, &end.value);
            self.repair(&mut child);
            (is_set && child != test.individual).then_some(child)
        });
        changed.take(MOST_ENDS).collect()
    }

    /// Texts that texts of rows were compared with, with the names of table and column.
    fn compared<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
    ) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let uses: Vec<&TextUse> =
            test.outcomes.iter().flat_map(|outcome| &outcome.text_uses).collect();
        if uses.is_empty() {
            return found;
        }
        for step in test.individual.initialisation() {
            let Some(place) = self.place(step.template) else { continue };
            let table = &self.tables[place];
            for (column, it) in table.columns.iter().enumerate() {
                let Some(Value::String(text)) = table.value(&step.gene, column) else { continue };
                for text_use in &uses {
                    if let Some(
                        Specialisation::Constant(wanted)
                        | Specialisation::ConstantIgnoreCase(wanted),
                    ) = specialised(&text, text_use)
                    {
                        found.push((column_key(table, it), wanted.to_string()));
                    }
                }
            }
        }
        found
    }

    /// Remembers at which ends the rows of a test are, and what their texts were compared with.
    pub(super) fn learn_ends<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &mut SqlMemory,
    ) {
        for (column, text) in self.compared(test) {
            memory.trials.note_text(column, text);
        }
        for end in self.ends_of(&test.individual, memory) {
            let row = &test.individual.initialisation()[end.step].gene;
            let value = end.table.value(row, end.column).unwrap_or(Value::Null);
            if is_same(&value, &end.value) {
                memory.trials.note_end(end.key());
            }
        }
    }

    fn ends_of<A: Action>(&self, test: &Individual<A>, memory: &SqlMemory) -> Vec<End<'_>> {
        let about = test.actions().last().map(|(_, action)| action.template());
        let mut found = Vec::new();
        // What was asked for comes last, behind what it refers to, and decides most.
        for (step, action) in test.initialisation().iter().enumerate().rev() {
            let Some(place) = self.place(action.template) else { continue };
            let table = &self.tables[place];
            for (column, it) in table.columns.iter().enumerate() {
                let key = column_key(table, it);
                let ends = it.ends(tainted(&key)).into_iter();
                let texts = memory.trials.texts(&key).map(Value::from);
                found.extend(texts.chain(ends).map(|value| End {
                    step,
                    table,
                    column,
                    value,
                    about,
                }));
            }
        }
        found
    }
}

fn column_key(table: &Table, column: &Column) -> String {
    format!("{}.{}", table.name, column.name)
}

/// A text of a column that drivers recognise wherever the service uses it.
pub(crate) fn tainted(key: &str) -> String {
    // Six digits: short enough for most columns. That a request has the same number is rare, and
    // costs a call.
    format!("_EM_{}_XYZ_", 900_000 + Fingerprint::of([key]) % 100_000)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_sut_driver::database::SqlColumn;

    use super::super::constraint::Domain;
    use super::*;

    #[test]
    fn ends_are_bounds_that_are_narrower_than_the_type_and_all_that_is_listed() {
        let ends = |sql_type: &str, is_reference, domain| {
            let is_nullable = sql_type == "DATE";
            let told =
                SqlColumn { sql_type: sql_type.to_owned(), is_nullable, ..SqlColumn::default() };
            let mut column = Column::new(&told, is_reference, Vec::new());
            column.domain = domain;
            column.ends("_EM_7_XYZ_".to_owned())
        };
        let bounded = || Domain { minimum: Some(1.0), maximum: Some(500.0), ..Domain::default() };
        let listed = Domain { values: vec![json!("a"), json!("b")], ..Domain::default() };
        assert_eq!(ends("INTEGER", false, bounded()), [json!(1), json!(500)]);
        assert_eq!(ends("VARCHAR", false, listed), [json!("a"), json!("b")]);
        assert_eq!(ends("DATE", false, Domain::default()), [Value::Null]);
        assert_eq!(ends("INTEGER", false, Domain::default()), [json!(-1), json!(0), json!(MUCH)]);
        assert_eq!(ends("VARCHAR", false, Domain::default()), ["_EM_7_XYZ_"]);
        assert!(ends("INTEGER", true, bounded()).is_empty());
    }
}
