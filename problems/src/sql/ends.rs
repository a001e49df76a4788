//! Rows with values at the ends of what their columns take. What is stored decides there more often
//! than elsewhere, and the search comes there late: the values of rows are many, and each is changed
//! seldom.

use serde_json::Value;
use wallace_engine::{Action, Evaluated, Individual};
use wallace_genes::TemplateId;

use super::column::{Column, Kind};
use super::memory::SqlMemory;
use super::table::{SqlTables, Table};
use super::value::is_same;
use crate::http::HttpOutcome;

/// Most tests of this kind that one test asks for.
const MOST_ENDS: usize = 8;

impl Column {
    /// The ends of what the column takes, or all that is listed, and null. None where the type alone
    /// is the bound: nothing is likely to be decided there.
    fn ends(&self) -> Vec<Value> {
        if self.is_reference || self.is_counted || self.is_unique {
            return Vec::new();
        }
        let domain = &self.domain;
        let bounds = [domain.minimum, domain.maximum].into_iter().flatten();
        let mut ends: Vec<Value> = match self.kind {
            _ if !domain.values.is_empty() => domain.values.clone(),
            Kind::Integer => bounds.map(|bound| Value::from(bound as i64)).collect(),
            Kind::Decimal => bounds.map(Value::from).collect(),
            Kind::Boolean => vec![false.into(), true.into()],
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
        let ends = self.ends_of(&test.individual).into_iter();
        let new = ends.filter(|end| !memory.has_end(&end.key()));
        let changed = new.filter_map(|end| {
            let mut child = test.individual.clone();
            let row = &mut child.initialisation_mut(end.step).gene;
            let is_set = end.table.set(row, end.column, &end.value);
            self.repair(&mut child);
            (is_set && child != test.individual).then_some(child)
        });
        changed.take(MOST_ENDS).collect()
    }

    /// Remembers at which ends the rows of a test are.
    pub(super) fn learn_ends<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &mut SqlMemory,
    ) {
        for end in self.ends_of(&test.individual) {
            let row = &test.individual.initialisation()[end.step].gene;
            let value = end.table.value(row, end.column).unwrap_or(Value::Null);
            if is_same(&value, &end.value) {
                memory.note_end(end.key());
            }
        }
    }

    fn ends_of<A: Action>(&self, test: &Individual<A>) -> Vec<End<'_>> {
        let about = test.actions().last().map(|(_, action)| action.template());
        let mut found = Vec::new();
        for (step, action) in test.initialisation().iter().enumerate() {
            let Some(place) = self.place(action.template) else { continue };
            let table = &self.tables[place];
            for (column, it) in table.columns.iter().enumerate() {
                let ends = it.ends().into_iter();
                found.extend(ends.map(|value| End { step, table, column, value, about }));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_sut_driver::SqlColumn;

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
            column.ends()
        };
        let bounded = || Domain { minimum: Some(1.0), maximum: Some(500.0), ..Domain::default() };
        let listed = Domain { values: vec![json!("a"), json!("b")], ..Domain::default() };
        assert_eq!(ends("INTEGER", false, bounded()), [json!(1), json!(500)]);
        assert_eq!(ends("VARCHAR", false, listed), [json!("a"), json!("b")]);
        assert_eq!(ends("DATE", false, Domain::default()), [Value::Null]);
        assert!(ends("INTEGER", false, Domain::default()).is_empty());
        assert!(ends("INTEGER", true, bounded()).is_empty());
    }
}
