//! Licences of products. No operation sells them, so that only rows open what reads them.

use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};
use wallace_instrument::white_box;

use crate::resource::Refused;

pub(super) const SCHEMA: &str = "
    CREATE TABLE licences (
        product TEXT NOT NULL REFERENCES products (name) ON DELETE CASCADE,
        holder VARCHAR(40) NOT NULL,
        seats INTEGER NOT NULL CHECK (seats >= 1 AND seats <= 500),
        expires DATE,
        PRIMARY KEY (product, holder)
    );";

/// A licence, with what kind it is.
#[white_box]
pub(super) fn licence(store: &Connection, product: &str, holder: &str) -> Result<Value, Refused> {
    let query = "SELECT seats, expires FROM licences WHERE product = ?1 AND holder = ?2";
    let mut statement = store.prepare_cached(query)?;
    let found = statement.query_row([product, holder], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?))
    });
    let Some((seats, expires)) = found.optional()? else {
        return Err(Refused::new(404, "there is no such licence"));
    };
    let kind = if seats == 1 { "single" } else { "team" };
    if expires.is_none() {
        return Ok(json!({ "kind": kind, "isPerpetual": true }));
    }
    Ok(json!({ "kind": kind, "isPerpetual": false }))
}
