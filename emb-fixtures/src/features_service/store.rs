//! The tables of the service.

use rusqlite::{Connection, Params};
use serde_json::{Value, json};

/// A feature that a configuration activates stays: the store refuses to delete it.
pub(super) const SCHEMA: &str = "
    CREATE TABLE products (name TEXT PRIMARY KEY);
    CREATE TABLE features (
        product TEXT NOT NULL REFERENCES products (name) ON DELETE CASCADE,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        PRIMARY KEY (product, name)
    );
    CREATE TABLE constraints (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        product TEXT NOT NULL,
        kind TEXT NOT NULL,
        source TEXT NOT NULL,
        other TEXT NOT NULL,
        FOREIGN KEY (product, source) REFERENCES features (product, name) ON DELETE CASCADE,
        FOREIGN KEY (product, other) REFERENCES features (product, name) ON DELETE CASCADE
    );
    CREATE TABLE configurations (
        product TEXT NOT NULL REFERENCES products (name) ON DELETE CASCADE,
        name TEXT NOT NULL,
        PRIMARY KEY (product, name)
    );
    CREATE TABLE active_features (
        product TEXT NOT NULL,
        configuration TEXT NOT NULL,
        feature TEXT NOT NULL,
        PRIMARY KEY (product, configuration, feature),
        FOREIGN KEY (product, configuration)
            REFERENCES configurations (product, name) ON DELETE CASCADE,
        FOREIGN KEY (product, feature) REFERENCES features (product, name) ON DELETE RESTRICT
    );";

/// A rule between two features of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) id: i64,
    /// `requires` or `excludes`.
    pub(super) kind: String,
    pub(super) source: String,
    pub(super) other: String,
}

impl Constraint {
    pub(super) fn view(&self) -> Value {
        let Self { id, kind, source, other } = self;
        json!({ "id": id, "type": kind, "sourceFeature": source, "otherFeature": other })
    }
}

fn names(store: &Connection, query: &str, values: impl Params) -> rusqlite::Result<Vec<String>> {
    let mut statement = store.prepare_cached(query)?;
    let names = statement.query_map(values, |row| row.get(0))?;
    names.collect()
}

fn exists(store: &Connection, query: &str, values: impl Params) -> rusqlite::Result<bool> {
    store.prepare_cached(query)?.exists(values)
}

fn change(store: &Connection, statement: &str, values: impl Params) -> rusqlite::Result<bool> {
    Ok(store.prepare_cached(statement)?.execute(values)? > 0)
}

pub(super) fn products(store: &Connection) -> rusqlite::Result<Vec<String>> {
    names(store, "SELECT name FROM products ORDER BY name", [])
}

pub(super) fn has_product(store: &Connection, product: &str) -> rusqlite::Result<bool> {
    exists(store, "SELECT 1 FROM products WHERE name = ?1", [product])
}

pub(super) fn add_product(store: &Connection, product: &str) -> rusqlite::Result<bool> {
    change(store, "INSERT INTO products VALUES (?1)", [product])
}

pub(super) fn delete_product(store: &Connection, product: &str) -> rusqlite::Result<bool> {
    // The configurations first: the features that they activate cannot go before them.
    change(store, "DELETE FROM configurations WHERE product = ?1", [product])?;
    change(store, "DELETE FROM products WHERE name = ?1", [product])
}

pub(super) fn features(store: &Connection, product: &str) -> rusqlite::Result<Vec<Value>> {
    let query = "SELECT name, description FROM features WHERE product = ?1 ORDER BY name";
    let mut statement = store.prepare_cached(query)?;
    let features = statement.query_map([product], |row| {
        let (name, description): (String, String) = (row.get(0)?, row.get(1)?);
        Ok(json!({ "name": name, "description": description }))
    })?;
    features.collect()
}

pub(super) fn has_feature(
    store: &Connection,
    product: &str,
    feature: &str,
) -> rusqlite::Result<bool> {
    exists(store, "SELECT 1 FROM features WHERE product = ?1 AND name = ?2", [product, feature])
}

pub(super) fn add_feature(
    store: &Connection,
    product: &str,
    feature: &str,
    description: &str,
) -> rusqlite::Result<bool> {
    change(store, "INSERT INTO features VALUES (?1, ?2, ?3)", [product, feature, description])
}

pub(super) fn describe_feature(
    store: &Connection,
    product: &str,
    feature: &str,
    description: &str,
) -> rusqlite::Result<bool> {
    let update = "UPDATE features SET description = ?3 WHERE product = ?1 AND name = ?2";
    change(store, update, [product, feature, description])
}

pub(super) fn delete_feature(
    store: &Connection,
    product: &str,
    feature: &str,
) -> rusqlite::Result<bool> {
    change(store, "DELETE FROM features WHERE product = ?1 AND name = ?2", [product, feature])
}

pub(super) fn constraints(store: &Connection, product: &str) -> rusqlite::Result<Vec<Constraint>> {
    let query = "SELECT id, kind, source, other FROM constraints WHERE product = ?1 ORDER BY id";
    let mut statement = store.prepare_cached(query)?;
    let constraints = statement.query_map([product], |row| {
        let (id, kind) = (row.get(0)?, row.get(1)?);
        Ok(Constraint { id, kind, source: row.get(2)?, other: row.get(3)? })
    })?;
    constraints.collect()
}

pub(super) fn add_constraint(
    store: &Connection,
    product: &str,
    kind: &str,
    source: &str,
    other: &str,
) -> rusqlite::Result<i64> {
    let insert = "INSERT INTO constraints (product, kind, source, other) VALUES (?1, ?2, ?3, ?4)";
    change(store, insert, [product, kind, source, other])?;
    Ok(store.last_insert_rowid())
}

pub(super) fn delete_constraint(
    store: &Connection,
    product: &str,
    id: i64,
) -> rusqlite::Result<bool> {
    change(store, "DELETE FROM constraints WHERE product = ?1 AND id = ?2", (product, id))
}

pub(super) fn configurations(store: &Connection, product: &str) -> rusqlite::Result<Vec<String>> {
    names(store, "SELECT name FROM configurations WHERE product = ?1 ORDER BY name", [product])
}

pub(super) fn has_configuration(
    store: &Connection,
    product: &str,
    name: &str,
) -> rusqlite::Result<bool> {
    exists(store, "SELECT 1 FROM configurations WHERE product = ?1 AND name = ?2", [product, name])
}

pub(super) fn add_configuration(
    store: &Connection,
    product: &str,
    name: &str,
) -> rusqlite::Result<bool> {
    change(store, "INSERT INTO configurations VALUES (?1, ?2)", [product, name])
}

pub(super) fn delete_configuration(
    store: &Connection,
    product: &str,
    name: &str,
) -> rusqlite::Result<bool> {
    change(store, "DELETE FROM configurations WHERE product = ?1 AND name = ?2", [product, name])
}

pub(super) fn active(
    store: &Connection,
    product: &str,
    configuration: &str,
) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT feature FROM active_features WHERE product = ?1 AND configuration = ?2 \
                 ORDER BY feature";
    names(store, query, [product, configuration])
}

pub(super) fn activate(
    store: &Connection,
    product: &str,
    configuration: &str,
    feature: &str,
) -> rusqlite::Result<bool> {
    let insert = "INSERT INTO active_features VALUES (?1, ?2, ?3)";
    change(store, insert, [product, configuration, feature])
}

pub(super) fn deactivate(
    store: &Connection,
    product: &str,
    configuration: &str,
    feature: &str,
) -> rusqlite::Result<bool> {
    let delete = "DELETE FROM active_features \
                  WHERE product = ?1 AND configuration = ?2 AND feature = ?3";
    change(store, delete, [product, configuration, feature])
}
