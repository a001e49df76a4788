//! Products.

use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::{Batch, Connection, OptionalExtension, Row};
use wallace_instrument::white_box;

use super::cart;
use super::error::ShopError;
use super::word::{Category, ProductSort};

/// Most of one product that the shop can have.
pub(super) const LARGEST_STOCK: i64 = 100_000;

/// A product as it is stored; `id` is 0 before it is.
#[derive(Debug, Clone)]
pub(super) struct Product {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) category: Category,
    pub(super) price_cents: i64,
    pub(super) stock: i64,
    pub(super) tags: Vec<String>,
}

impl Product {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let tags: String = row.get(6)?;
        Ok(Self {
            id: row.get(0)?,
            name: row.get(1)?,
            description: row.get(2)?,
            category: row.get(3)?,
            price_cents: row.get(4)?,
            stock: row.get(5)?,
            tags: serde_json::from_str(&tags).unwrap_or_default(),
        })
    }

    fn tags_text(&self) -> String {
        serde_json::Value::from(self.tags.clone()).to_string()
    }
}

/// The columns that [`Product`] is read from, of a table called `p`.
pub(super) const COLUMNS: &str = "SELECT p.id, p.name, p.description, p.category, p.price_cents, p.stock, p.tags FROM products p";

pub(super) fn find(store: &Connection, id: i64) -> Result<Option<Product>, ShopError> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} WHERE p.id = ?1"))?;
    Ok(statement.query_row([id], Product::read).optional()?)
}

/// The product, which must exist.
pub(super) fn get(store: &Connection, id: i64) -> Result<Product, ShopError> {
    find(store, id)?.ok_or(ShopError::NotFound("product"))
}

/// Products whose names hold `term` whatever its case, in the order of `sort`; ties by id.
pub(super) fn list(
    store: &Connection,
    category: Option<Category>,
    term: Option<&str>,
    sort: ProductSort,
) -> Result<Vec<Product>, ShopError> {
    let order = order_by(sort);
    let query = format!(
        "{COLUMNS} LEFT JOIN (SELECT product_id, avg(rating) AS mean FROM reviews \
         GROUP BY product_id) r ON r.product_id = p.id \
         WHERE (?1 IS NULL OR p.category = ?1) AND (?2 IS NULL OR instr(fold(p.name), ?2) > 0) \
         ORDER BY {order}"
    );
    let mut statement = store.prepare_cached(&query)?;
    let term = term.map(str::to_lowercase);
    let products = statement.query_map((category.map(Category::word), term), Product::read)?;
    Ok(products.collect::<Result<_, _>>()?)
}

/// The products that a text of SQL finds, whose first statement begins with [`COLUMNS`]; what
/// other statements it holds are run too.
pub(super) fn query_each(store: &Connection, text: &str) -> Result<Vec<Product>, rusqlite::Error> {
    let mut batch = Batch::new(store, text);
    let mut found = Vec::new();
    while let Some(mut statement) = batch.next()? {
        if found.is_empty() && statement.column_count() == 7 {
            found = statement.query_map([], Product::read)?.collect::<Result<_, _>>()?;
        } else {
            let mut rows = statement.query([])?;
            while rows.next()?.is_some() {}
        }
    }
    Ok(found)
}

fn order_by(sort: ProductSort) -> &'static str {
    match sort {
        ProductSort::Id => "p.id",
        ProductSort::Name => "p.name, p.id",
        ProductSort::Price => "p.price_cents, p.id",
        ProductSort::Rating => "r.mean DESC NULLS LAST, p.id",
    }
}

/// Adds a product whose members have the described shapes; gives it with its id.
pub(super) fn insert(store: &Connection, product: Product) -> Result<Product, ShopError> {
    let insert = "INSERT INTO products (name, description, category, price_cents, stock, tags) \
                  VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    store.prepare_cached(insert)?.execute((
        &product.name,
        &product.description,
        product.category.word(),
        product.price_cents,
        product.stock,
        product.tags_text(),
    ))?;
    Ok(Product { id: store.last_insert_rowid(), ..product })
}

/// Writes all members. A price that would make a cart too large is refused.
#[white_box]
pub(super) fn update(store: &Connection, product: &Product) -> Result<(), ShopError> {
    let update = "UPDATE products SET name = ?2, description = ?3, category = ?4, \
                  price_cents = ?5, stock = ?6, tags = ?7 WHERE id = ?1";
    store.prepare_cached(update)?.execute((
        product.id,
        &product.name,
        &product.description,
        product.category.word(),
        product.price_cents,
        product.stock,
        product.tags_text(),
    ))?;
    if cart::largest_subtotal(store, product.id)? > cart::LARGEST_SUBTOTAL {
        return Err(cart::too_large());
    }
    Ok(())
}

/// Removes a product with its reviews and cart lines; lines of orders forget which it was.
pub(super) fn delete(store: &Connection, id: i64) -> Result<(), ShopError> {
    store.prepare_cached("DELETE FROM products WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// Changes the stock by `difference`, up to what the shop can have.
pub(super) fn restock(store: &Connection, id: i64, difference: i64) -> Result<(), ShopError> {
    let update = "UPDATE products SET stock = min(stock + ?2, ?3) WHERE id = ?1";
    store.prepare_cached(update)?.execute((id, difference, LARGEST_STOCK))?;
    Ok(())
}

/// Mean of the ratings, if there are any.
pub(super) fn rating(store: &Connection, id: i64) -> Result<Option<f64>, ShopError> {
    let mean = "SELECT avg(rating) FROM reviews WHERE product_id = ?1";
    Ok(store.prepare_cached(mean)?.query_row([id], |row| row.get(0))?)
}
