//! What only editors write: no operation fills these tables, so that only rows open what reads
//! them.

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};
use wallace_instrument::white_box;

use crate::resource::Refused;

pub(super) const SCHEMA: &str = "
    CREATE TABLE authors (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        pen_name VARCHAR(24) NOT NULL UNIQUE,
        country TEXT NOT NULL REFERENCES countries (name),
        rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 5)
    );
    CREATE TABLE editorials (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        author_id INTEGER NOT NULL REFERENCES authors (id),
        section TEXT NOT NULL CHECK (section IN ('world', 'sport', 'culture')),
        headline VARCHAR(80) NOT NULL,
        words INTEGER NOT NULL CHECK (words > 0),
        published DATE NOT NULL,
        withdrawn DATE
    );";

/// An editorial that is not withdrawn, with how long it takes to read.
#[white_box]
pub(super) fn editorial(store: &Connection, id: i64) -> Result<Value, Refused> {
    let query = "SELECT headline, words, section FROM editorials \
                 WHERE id = ?1 AND withdrawn IS NULL";
    let mut statement = store.prepare_cached(query)?;
    let found = statement.query_row([id], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?))
    });
    let Some((headline, words, section)) = found.optional()? else {
        return Err(Refused::new(404, "there is no such editorial"));
    };
    let length = if words > 2000 { "long" } else { "short" };
    Ok(json!({ "headline": headline, "length": length, "isSport": section == "sport" }))
}

/// Headlines of what an author wrote for a section since 2020.
#[white_box]
pub(super) fn headlines(
    store: &Connection,
    pen_name: &str,
    section: &str,
) -> Result<Vec<String>, Refused> {
    let query = "SELECT e.headline FROM editorials e JOIN authors a ON a.id = e.author_id \
                 WHERE a.pen_name = ?1 AND e.section = ?2 AND e.published >= '2020-01-01' \
                 ORDER BY e.id";
    let mut statement = store.prepare_cached(query)?;
    let found = statement.query_map([pen_name, section], |row| row.get(0))?;
    let found: Vec<String> = found.collect::<rusqlite::Result<_>>()?;
    if found.is_empty() {
        return Err(Refused::new(404, "there are no such editorials"));
    }
    Ok(found)
}
