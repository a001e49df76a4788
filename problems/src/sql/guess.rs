//! What a call may have looked for in a database whose driver tells no statement.
//!
//! Drivers see the statements that pass where they look; those of some object mappers do not. Where
//! an answer lacks something, statements are guessed: of tables whose names, and those of whose
//! columns, are like what the call is named by and what it holds. They are followed as told
//! statements are, the likeliest first, and which table opened what is remembered
//! ([`SqlMemory`](super::SqlMemory)).

use serde_json::Value;
use wallace_genes::Gene;

use super::column::Kind;
use super::table::{SqlTables, Table};
use crate::http::HttpOutcome;
use crate::word::{singulars, words};

/// A table and the statement by which rows of it may have been looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guess {
    /// Position of the table.
    pub(super) table: usize,
    pub(super) statement: String,
}

/// A name of what a call holds, and its value.
pub(crate) type Input = (String, Value);

/// Tables that no operation is about: those of tools that bring a schema up to date.
const OF_TOOLS: [&str; 7] =
    ["migration", "flyway", "changelog", "alembic", "efmigrations", "sqlite_", "hibernate_seq"];

/// What answers say where something was not found, in lower case.
const MISSING: [&str; 7] =
    ["not found", "no such", "not exist", "doesn't exist", "unknown", "missing", "could not find"];

/// Words that make a bound of a name, and whether it is the lower one.
pub(crate) const BOUNDS: [(&str, bool); 12] = [
    ("min", true),
    ("minimum", true),
    ("from", true),
    ("after", true),
    ("since", true),
    ("start", true),
    ("max", false),
    ("maximum", false),
    ("to", false),
    ("before", false),
    ("until", false),
    ("end", false),
];

impl SqlTables {
    /// Statements that a call may have executed, the likeliest first. `operation` is its name.
    pub(super) fn guesses(&self, operation: &str, inputs: &[Input]) -> Vec<Guess> {
        let named = singulars(operation);
        let is_of_service = |table: &Table| {
            let name = table.name.to_ascii_lowercase();
            !OF_TOOLS.iter().any(|tool| name.contains(tool))
        };
        let mut tables: Vec<(f64, usize)> = (0..self.tables.len())
            .filter(|place| is_of_service(&self.tables[*place]))
            .map(|place| (self.likeness(place, &named, inputs), place))
            .collect();
        tables.sort_by(|one, other| other.0.total_cmp(&one.0));
        tables.into_iter().flat_map(|(_, place)| self.statements_on(place, inputs)).collect()
    }

    /// How much a table looks like what a call is about: by its own name, then by those of its
    /// columns and of the tables that it refers to.
    fn likeness(&self, place: usize, named: &[String], inputs: &[Input]) -> f64 {
        let table = &self.tables[place];
        let own = singulars(&table.name);
        // What a path ends in, it is about.
        let weight = |word: &String| {
            let at = named.iter().rposition(|name| name == word);
            at.map_or(0.0, |at| 1.0 + at as f64 / named.len() as f64)
        };
        let by_name = own.iter().map(weight).sum::<f64>() / own.len().max(1) as f64;
        let known =
            inputs.iter().filter(|(name, _)| self.condition(place, name, &Value::Null).is_some());
        let by_columns = known.count() as f64 / inputs.len().max(1) as f64;
        let by_parents = table.foreign_keys.iter().filter(|key| {
            let parent = singulars(&self.tables[key.target].name);
            parent.iter().any(|word| named.contains(word))
        });
        by_name + 0.5 * by_columns + 0.25 * by_parents.count().min(2) as f64
    }

    /// With all conditions that the inputs may be, and without any.
    fn statements_on(&self, place: usize, inputs: &[Input]) -> Vec<Guess> {
        let table = &self.tables[place];
        let conditions =
            inputs.iter().filter_map(|(name, value)| self.condition(place, name, value));
        let mut joins = Vec::new();
        let mut asked = Vec::new();
        for condition in conditions {
            if let Some(join) = condition.join.filter(|join| !joins.contains(join)) {
                joins.push(join);
            }
            asked.push(condition.text);
        }
        let all = format!("SELECT * FROM {}", quoted(&table.insertion_name));
        let mut found = Vec::new();
        if !asked.is_empty() {
            let statement = format!("{all}{} WHERE {}", joins.concat(), asked.join(" AND "));
            found.push(Guess { table: place, statement });
        }
        found.push(Guess { table: place, statement: all });
        found
    }

    /// What an input asks of rows of a table: a value of a column like it, or the row that one of
    /// its references goes to.
    fn condition(&self, place: usize, name: &str, value: &Value) -> Option<Condition> {
        let table = &self.tables[place];
        let parent = self.parent_like(table, name);
        let column = column_like(table, name)
            // Whom `supplier` means is no matter of `supplier_id` where it is a text, and the name of
            // a supplier no matter of the name of a product.
            .filter(|found| {
                let column = &table.columns[found.column];
                let is_number = column.is_reference && column.kind == Kind::Integer;
                let is_other =
                    is_number && value.is_string() || !column.is_reference && parent.is_some();
                found.is_exact || !is_other
            });
        let literal = match value {
            Value::String(text) => format!("'{}'", text.replace('\'', "''")),
            other => other.to_string(),
        };
        if let Some(Found { column, is, .. }) = column {
            let column = &table.columns[column].name;
            let text = format!("{}.{} {is} {literal}", quoted(&table.name), quoted(column));
            return Some(Condition { join: None, text });
        }
        let (own, parent, key) = parent?;
        let called = naming(parent, value).unwrap_or(key);
        let parents = quoted(&parent.name);
        let join = format!(
            " JOIN {} ON {}.{} = {parents}.{}",
            quoted(&parent.insertion_name),
            quoted(&table.name),
            quoted(&table.columns[own].name),
            quoted(&parent.columns[key].name),
        );
        let text = format!("{parents}.{} = {literal}", quoted(&parent.columns[called].name));
        Some(Condition { join: Some(join), text })
    }

    /// A reference to a table that is called as an input is: the column, that table and its column.
    fn parent_like(&self, table: &Table, name: &str) -> Option<(usize, &Table, usize)> {
        let wanted = singulars(name);
        table.foreign_keys.iter().find_map(|key| {
            let parent = &self.tables[key.target];
            let is_it = singulars(&parent.name).iter().any(|word| wanted.contains(word));
            let (own, key) = (*key.columns.first()?, *key.target_columns.first()?);
            is_it.then_some((own, parent, key))
        })
    }
}

struct Condition {
    join: Option<String>,
    text: String,
}

/// A column, how an input is compared with it, and whether both are called the same.
struct Found {
    column: usize,
    is: &'static str,
    is_exact: bool,
}

/// Likenesses of names that have the same words, with those of the table and without.
const SAME: u8 = 4;
const EXACT: u8 = 3;

/// The column that an input is likely to be compared with, and how.
fn column_like(table: &Table, name: &str) -> Option<Found> {
    let own = singulars(&table.name);
    let mut wanted = singulars(name);
    let mut is = "=";
    let bound = |word: &String| BOUNDS.iter().find(|(bound, _)| bound == word);
    if wanted.len() > 1
        && let Some(at) = wanted.iter().position(|word| bound(word).is_some())
    {
        let lower = bound(&wanted.remove(at)).is_some_and(|(_, is_lower)| *is_lower);
        is = if lower { ">=" } else { "<=" };
    }
    let bare = |words: &[String]| -> Vec<String> {
        words.iter().filter(|word| !own.contains(word)).cloned().collect()
    };
    let (wanted, asked) = (bare(&wanted), wanted);
    let like = |column: &super::column::Column| {
        let words = singulars(&column.name);
        let stripped = bare(&words);
        match () {
            () if words == asked => SAME,
            () if !wanted.is_empty() && stripped == wanted => EXACT,
            () if wanted.is_empty() || stripped.is_empty() => 0,
            () if stripped.starts_with(&wanted) || wanted.starts_with(&stripped) => 2,
            () if stripped.last() == wanted.last() && wanted.last().is_some_and(|w| w != "id") => 1,
            () => 0,
        }
    };
    let (place, likeness) = table
        .columns
        .iter()
        .map(like)
        .enumerate()
        .max_by_key(|(place, likeness)| (*likeness, usize::MAX - place))?;
    if likeness > 0 {
        return Some(Found { column: place, is, is_exact: likeness >= EXACT });
    }
    // `/things/{thing}`: what is called as the table is names one of its rows.
    let is_row = wanted.is_empty() && !asked.is_empty();
    let key = table.keys.first().filter(|key| key.len() == 1 && is_row)?;
    Some(Found { column: key[0], is, is_exact: true })
}

/// The column by whose value a row of another table is named: a text that is unique or called so.
fn naming(parent: &Table, value: &Value) -> Option<usize> {
    let is_text = |place: &usize| parent.columns[*place].kind == Kind::Text;
    let is_name = |place: &usize| {
        let last = words(&parent.columns[*place].name).pop().unwrap_or_default();
        ["name", "code", "title", "login", "slug", "email", "label"].contains(&last.as_str())
    };
    if !value.is_string() {
        return None;
    }
    let texts = || (0..parent.columns.len()).filter(is_text);
    texts().find(is_name).or_else(|| texts().find(|place| parent.columns[*place].is_unique))
}

/// A name that may be qualified, between quotes.
fn quoted(name: &str) -> String {
    let parts = name.split('.').map(|part| format!("\"{}\"", part.replace(['"', '`'], "")));
    parts.collect::<Vec<_>>().join(".")
}

/// The value of a gene that is a text or a number.
pub(crate) fn leaf(gene: &Gene) -> Option<Value> {
    match gene {
        Gene::String(string) => Some(Value::from(&*string.text)),
        Gene::Integer(number) => Some(Value::from(*number)),
        Gene::Long(number) => Some(Value::from(*number)),
        _ => None,
    }
}

/// Whether an answer says, or shows, that something was not there.
pub(super) fn is_lacking(outcome: &HttpOutcome) -> bool {
    let Ok(response) = &outcome.response else { return false };
    let says = || {
        let body = response.body.to_lowercase();
        MISSING.iter().any(|missing| body.contains(missing))
    };
    match response.status {
        204 | 404 | 410 | 500.. => true,
        200..300 => response.tree().is_some_and(|tree| is_empty(&tree)) || response.body.is_empty(),
        400 | 409 | 422 => says(),
        _ => false,
    }
}

/// Whether all lists of an answer are empty, and nothing else is in it but numbers that are 0 and
/// what says that something is not there.
fn is_empty(tree: &Value) -> bool {
    match tree {
        Value::Null => true,
        Value::Array(elements) => elements.is_empty(),
        Value::Object(members) => {
            // As GraphQL answers.
            if let Some(data) = members.get("data") {
                return members.contains_key("errors") || is_empty(data);
            }
            let mut lists = members.values().filter(|it| it.is_array() || it.is_object());
            let are_empty = lists.clone().all(is_empty);
            let has_list = lists.next().is_some();
            let are_null = members.values().all(Value::is_null);
            (has_list && are_empty) || are_null
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use wallace_sut_driver::database::{SqlColumn, SqlForeignKey, SqlSchema, SqlTable};

    use super::*;
    use crate::http::{CallFailure, HttpResponse};

    fn column(name: &str, sql_type: &str) -> SqlColumn {
        SqlColumn { name: name.into(), sql_type: sql_type.into(), ..SqlColumn::default() }
    }

    fn table(name: &str, columns: Vec<SqlColumn>) -> SqlTable {
        let primary_key = vec![columns[0].name.clone()];
        let (name, insertion_name) = (name.to_owned(), format!("public.{name}"));
        SqlTable { name, insertion_name, columns, primary_key, ..SqlTable::default() }
    }

    fn tables() -> SqlTables {
        let mut projects = table(
            "git_projects",
            vec![
                column("id", "BIGINT"),
                column("name", "VARCHAR"),
                column("stars_count", "INT"),
                column("owner_id", "BIGINT"),
            ],
        );
        projects.foreign_keys = vec![SqlForeignKey {
            columns: vec!["owner_id".into()],
            target_table: "organizations".into(),
            target_columns: Vec::new(),
        }];
        let owners =
            table("organizations", vec![column("id", "BIGINT"), column("login", "VARCHAR")]);
        let tool = table("flyway_schema_history", vec![column("id", "BIGINT")]);
        let schema = SqlSchema { tables: vec![tool, owners, projects], ..SqlSchema::default() };
        SqlTables::new(&schema, &mut |_| None).unwrap()
    }

    fn answer(status: u16, body: &str) -> HttpOutcome {
        HttpOutcome::new(Ok(HttpResponse { status, body: body.into(), ..HttpResponse::default() }))
    }

    #[test]
    fn what_an_answer_lacks_shows() {
        let lacking = [
            (404, ""),
            (500, "x"),
            (200, "[]"),
            (200, "null"),
            (200, r#"{"items":[],"total":0}"#),
            (400, "Order does not exist"),
            (200, r#"{"data":{"pets":[]}}"#),
            (200, r#"{"data":{"pet":null}}"#),
            (200, r#"{"page":{"content":[]}}"#),
        ];
        for (status, body) in lacking {
            assert!(is_lacking(&answer(status, body)), "{status} {body}");
        }
        let whole = [
            (200, "[1]"),
            (200, r#"{"items":[1]}"#),
            (403, "not found"),
            (200, r#"{"ok":true}"#),
            (400, "bad number"),
            (200, r#"{"data":{"pets":[{"id":1}]}}"#),
            (200, "true"),
        ];
        for (status, body) in whole {
            assert!(!is_lacking(&answer(status, body)), "{status} {body}");
        }
        assert!(!is_lacking(&HttpOutcome::new(Err(CallFailure::TimedOut))));
    }

    #[test]
    fn statements_are_guessed_by_names() {
        let inputs = |inputs: &[(&str, Value)]| -> Vec<Input> {
            inputs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
        };
        let tables = tables();
        let guess = |operation: &str, given: &[(&str, Value)]| -> Vec<String> {
            let guesses = tables.guesses(operation, &inputs(given));
            guesses.into_iter().map(|guess| guess.statement).collect()
        };
        let plain = r#"SELECT * FROM "public"."git_projects""#;
        assert_eq!(guess("GET:/projects", &[])[0], plain);
        assert_eq!(guess("GET:/projects", &[]).len(), 2, "no table of a tool");
        let one = guess("GET:/projects/{projectId}", &[("projectId", json!(7))]);
        assert_eq!(
            one[..2],
            [format!(r#"{plain} WHERE "git_projects"."id" = 7"#), plain.to_owned()]
        );
        let few =
            guess("GET:/projects", &[("minStars", json!(3)), ("organization", json!("it's"))]);
        assert_eq!(
            few[0],
            format!(
                r#"{plain} JOIN "public"."organizations" ON "git_projects"."owner_id" = "organizations"."id" WHERE "git_projects"."stars_count" >= 3 AND "organizations"."login" = 'it''s'"#
            )
        );
        assert!(guess("Query.organization", &[])[0].contains("organizations"));
        let owner = guess("GET:/owners/{id}/projects", &[("owners id", json!(7))]);
        assert_eq!(owner[0], format!(r#"{plain} WHERE "git_projects"."owner_id" = 7"#));
        let organization =
            guess("GET:/organizations/{name}/projects", &[("organizations name", json!("a"))]);
        assert!(organization[0].ends_with(r#""organizations"."login" = 'a'"#), "{organization:?}");
    }
}
