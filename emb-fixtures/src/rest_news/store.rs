//! The tables of the service.

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::item::NewsItem;

pub(super) const SCHEMA: &str = "
    CREATE TABLE countries (name TEXT PRIMARY KEY);
    CREATE TABLE news (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        author_id TEXT NOT NULL,
        text TEXT NOT NULL,
        country TEXT NOT NULL REFERENCES countries (name)
    );";

pub(super) const SEED: &str = "
    INSERT INTO countries VALUES ('Denmark'), ('England'), ('Finland'), ('France'), ('Germany'),
        ('Iceland'), ('Italy'), ('Norway'), ('Spain'), ('Sweden');";

const COLUMNS: &str = "SELECT id, author_id, text, country FROM news";

fn read(row: &Row<'_>) -> rusqlite::Result<NewsItem> {
    Ok(NewsItem {
        news_id: row.get(0)?,
        author_id: row.get(1)?,
        text: row.get(2)?,
        country: row.get(3)?,
    })
}

fn query(store: &Connection, rest: &str, values: impl Params) -> rusqlite::Result<Vec<NewsItem>> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} {rest}"))?;
    let items = statement.query_map(values, read)?;
    items.collect()
}

pub(super) fn all(store: &Connection) -> rusqlite::Result<Vec<NewsItem>> {
    query(store, "ORDER BY id", [])
}

pub(super) fn of_country(store: &Connection, country: &str) -> rusqlite::Result<Vec<NewsItem>> {
    query(store, "WHERE country = ?1 ORDER BY id", [country])
}

pub(super) fn of_author(store: &Connection, author: &str) -> rusqlite::Result<Vec<NewsItem>> {
    query(store, "WHERE author_id = ?1 ORDER BY id", [author])
}

pub(super) fn of_country_and_author(
    store: &Connection,
    country: &str,
    author: &str,
) -> rusqlite::Result<Vec<NewsItem>> {
    query(store, "WHERE country = ?1 AND author_id = ?2 ORDER BY id", [country, author])
}

pub(super) fn find(store: &Connection, id: i64) -> rusqlite::Result<Option<NewsItem>> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?;
    statement.query_row([id], read).optional()
}

pub(super) fn insert(
    store: &Connection,
    author: &str,
    text: &str,
    country: &str,
) -> rusqlite::Result<i64> {
    let insert = "INSERT INTO news (author_id, text, country) VALUES (?1, ?2, ?3)";
    store.prepare_cached(insert)?.execute([author, text, country])?;
    Ok(store.last_insert_rowid())
}

pub(super) fn update(
    store: &Connection,
    id: i64,
    author: &str,
    text: &str,
    country: &str,
) -> rusqlite::Result<()> {
    let update = "UPDATE news SET author_id = ?2, text = ?3, country = ?4 WHERE id = ?1";
    store.prepare_cached(update)?.execute((id, author, text, country))?;
    Ok(())
}

pub(super) fn set_text(store: &Connection, id: i64, text: &str) -> rusqlite::Result<()> {
    store.prepare_cached("UPDATE news SET text = ?2 WHERE id = ?1")?.execute((id, text))?;
    Ok(())
}

/// Whether there was something to delete.
pub(super) fn delete(store: &Connection, id: i64) -> rusqlite::Result<bool> {
    Ok(store.prepare_cached("DELETE FROM news WHERE id = ?1")?.execute([id])? > 0)
}

/// Names of the countries, in alphabetical order.
pub(super) fn countries(store: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = store.prepare_cached("SELECT name FROM countries ORDER BY name")?;
    let names = statement.query_map([], |row| row.get(0))?;
    names.collect()
}
