//! What is remembered of a database from one action to the next.

use std::collections::HashMap;
use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::types::Value;
use wallace_sut_driver::database::SqlSchema;

use super::constant::Template;
use super::plan::Plan;
use super::probe::parse;
use super::schema;

/// Statements that are remembered; with more, all are found out about anew.
const MOST_PLANS: usize = 1_000;

/// The schema, and what there is to know of statements, as long as the schema stays the same.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// SQLite's number of the schema.
    version: Option<i64>,
    schema: Arc<SqlSchema>,
    /// By statement without constants; `None` for what is no statement.
    plans: HashMap<String, Option<Arc<Plan>>>,
}

impl Known {
    /// The schema as it is now.
    pub(super) fn schema(&mut self, connection: &Connection) -> rusqlite::Result<Arc<SqlSchema>> {
        let version = connection
            .prepare_cached("PRAGMA main.schema_version")?
            .query_row([], |row| row.get::<_, i64>(0))?;
        if self.version != Some(version) {
            self.schema = Arc::new(schema::read(connection)?);
            self.version = Some(version);
            self.plans.clear();
        }
        Ok(Arc::clone(&self.schema))
    }

    /// What there is to know of a statement, and the values of its parameters; `None` for a text
    /// that is none. The schema must have been looked at since it may have changed.
    pub(super) fn plan(&mut self, text: &str) -> Option<(Arc<Plan>, Vec<Value>)> {
        let template = Template::of(text);
        let plan =
            template.and_then(|template| Some((self.find(&template.text)?, template.values)));
        // Where constants cannot be parameters, as in the name of a type, they stay.
        plan.or_else(|| Some((self.find(text)?, Vec::new())))
    }

    fn find(&mut self, text: &str) -> Option<Arc<Plan>> {
        if let Some(plan) = self.plans.get(text) {
            return plan.clone();
        }
        if self.plans.len() >= MOST_PLANS {
            self.plans.clear();
        }
        let plan = parse(text).map(|statement| Arc::new(Plan::of(&statement, &self.schema)));
        self.plans.insert(text.to_owned(), plan.clone());
        plan
    }
}
