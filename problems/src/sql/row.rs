//! Rows as a driver takes them, and as SQL.

use serde_json::{Value, json};
use wallace_engine::{Action, Individual, individual::Initialisation};
use wallace_genes::Draw;
use wallace_sut_driver::database::{SqlRow, SqlValue};

use super::maker::{Maker, Row};
use super::memory::SqlMemory;
use super::table::SqlTables;
use super::value::{literal, sql_literal};

impl SqlTables {
    /// Rows for which the condition of a statement is true, behind the rows that they refer to;
    /// `None` where none can be made.
    pub fn rows_for(
        &self,
        statement: &str,
        memory: &SqlMemory,
        draw: &mut Draw,
    ) -> Option<Vec<SqlRow>> {
        let maker = Maker { tables: self, memory, draw, rows: Vec::new() };
        let made = maker.for_statement(statement)?;
        let step = |row: Row| Initialisation {
            template: Self::template(row.table),
            gene: row.gene,
            round: 1,
            feeds: Vec::new(),
        };
        let steps = made.rows.into_iter().map(step).enumerate();
        Some(steps.filter_map(|(id, step)| self.row(id, &step)).collect())
    }

    /// The rows that a test begins with, one for each step of its initialisation.
    #[must_use]
    pub fn rows<A: Action>(&self, individual: &Individual<A>) -> Vec<SqlRow> {
        let steps = individual.initialisation().iter().enumerate();
        steps.filter_map(|(id, step)| self.row(id, step)).collect()
    }

    /// The rows that a test begins with, as the body of the driver protocol's `databaseCommand`;
    /// `None` where there are none.
    #[must_use]
    pub fn command<A: Action>(&self, individual: &Individual<A>) -> Option<Value> {
        let entry = |(name, value): &(String, SqlValue)| {
            let (literal, key) = match value {
                SqlValue::Literal(literal) => (Value::from(literal.as_str()), Value::Null),
                SqlValue::KeyOf(id) => (Value::Null, Value::from(*id)),
            };
            json!({
                "variableName": name,
                "printableValue": literal,
                "foreignKeyToPreviouslyGeneratedRow": key,
            })
        };
        let rows = self.rows(individual);
        let insertions = rows.iter().map(|row| {
            let data: Vec<Value> = row.values.iter().map(entry).collect();
            json!({ "id": row.id, "targetTable": row.table, "data": data })
        });
        let insertions: Vec<Value> = insertions.collect();
        (!insertions.is_empty())
            .then(|| json!({ "idCounter": null, "command": null, "insertions": insertions }))
    }

    fn row(&self, id: usize, step: &Initialisation) -> Option<SqlRow> {
        let table = &self.tables[self.place(step.template)?];
        let columns = table.columns.iter().enumerate();
        let values = columns.filter_map(|(place, column)| {
            let value = table.value(&step.gene, place)?;
            Some((column.name.clone(), SqlValue::Literal(literal(&value))))
        });
        Some(SqlRow {
            id: i64::try_from(id).ok(),
            table: table.insertion_name.clone(),
            values: values.collect(),
        })
    }

    /// The rows that a test begins with, as statements of SQL.
    pub fn statements<A: Action>(&self, individual: &Individual<A>) -> Vec<String> {
        let steps = individual.initialisation().iter();
        let statement = |step: &std::sync::Arc<Initialisation>| {
            let table = &self.tables[self.place(step.template)?];
            let columns = table.columns.iter().enumerate();
            let (names, values): (Vec<&str>, Vec<String>) = columns
                .filter_map(|(place, column)| {
                    let value = table.value(&step.gene, place)?;
                    Some((column.name.as_str(), sql_literal(&value)))
                })
                .unzip();
            let (name, names, values) =
                (&table.insertion_name, names.join(", "), values.join(", "));
            Some(format!("INSERT INTO {name} ({names}) VALUES ({values})"))
        };
        steps.filter_map(statement).collect()
    }
}
