//! Reviews: one per customer and product.

use rusqlite::{Connection, OptionalExtension, Row};
use wallace_instrument::white_box;

use super::error::ShopError;

/// What a customer says of a product.
#[derive(Debug, Clone)]
pub(super) struct Review {
    pub(super) id: i64,
    pub(super) product_id: i64,
    pub(super) author_id: i64,
    pub(super) rating: i64,
    pub(super) text: String,
}

impl Review {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            product_id: row.get(1)?,
            author_id: row.get(2)?,
            rating: row.get(3)?,
            text: row.get(4)?,
        })
    }
}

const COLUMNS: &str = "SELECT id, product_id, author_id, rating, text FROM reviews";

pub(super) fn find(store: &Connection, id: i64) -> Result<Option<Review>, ShopError> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?;
    Ok(statement.query_row([id], Review::read).optional()?)
}

/// Reviews of a product with at least this rating, by id.
pub(super) fn of_product(
    store: &Connection,
    product: i64,
    minimum: i64,
) -> Result<Vec<Review>, ShopError> {
    let query = format!("{COLUMNS} WHERE product_id = ?1 AND rating >= ?2 ORDER BY id");
    let mut statement = store.prepare_cached(&query)?;
    let reviews = statement.query_map([product, minimum], Review::read)?;
    Ok(reviews.collect::<Result<_, _>>()?)
}

/// Reviews by a user, by id.
pub(super) fn of_author(store: &Connection, author: i64) -> Result<Vec<Review>, ShopError> {
    let query = format!("{COLUMNS} WHERE author_id = ?1 ORDER BY id");
    let mut statement = store.prepare_cached(&query)?;
    let reviews = statement.query_map([author], Review::read)?;
    Ok(reviews.collect::<Result<_, _>>()?)
}

/// Reviews whose text holds `term` whatever its case, by id.
pub(super) fn search(store: &Connection, term: &str) -> Result<Vec<Review>, ShopError> {
    let query = format!("{COLUMNS} WHERE instr(fold(text), ?1) > 0 ORDER BY id");
    let mut statement = store.prepare_cached(&query)?;
    let reviews = statement.query_map([term.to_lowercase()], Review::read)?;
    Ok(reviews.collect::<Result<_, _>>()?)
}

/// Adds a review of an existing product.
#[white_box]
pub(super) fn insert(
    store: &Connection,
    product: i64,
    author: i64,
    rating: i64,
    text: &str,
) -> Result<Review, ShopError> {
    let before = of_author(store, author)?;
    if before.iter().any(|review| review.product_id == product) {
        return Err(ShopError::Conflict("ALREADY_REVIEWED", "you have reviewed this product"));
    }
    let insert =
        "INSERT INTO reviews (product_id, author_id, rating, text) VALUES (?1, ?2, ?3, ?4)";
    store.prepare_cached(insert)?.execute((product, author, rating, text))?;
    let id = store.last_insert_rowid();
    Ok(Review { id, product_id: product, author_id: author, rating, text: text.to_owned() })
}

pub(super) fn delete(store: &Connection, id: i64) -> Result<(), ShopError> {
    store.prepare_cached("DELETE FROM reviews WHERE id = ?1")?.execute([id])?;
    Ok(())
}
