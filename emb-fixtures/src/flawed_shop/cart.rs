//! Carts: lines, coupons, totals and checkout.

use rusqlite::{Connection, OptionalExtension};
use wallace_instrument::white_box;

use super::coupon::{self, Coupon};
use super::error::ShopError;
use super::product::{self, Product};
use crate::switch::Switches;

/// Largest sum of a cart, in cents, before its discount.
pub(super) const LARGEST_SUBTOTAL: i64 = 2_000_000_000;
/// Most of one product in a cart.
pub(super) const LARGEST_QUANTITY: i64 = 10_000;

/// A product in a cart.
#[derive(Debug, Clone)]
pub(super) struct CartLine {
    pub(super) product: Product,
    pub(super) quantity: i64,
}

/// What a customer is about to buy; lines by product id.
#[derive(Debug, Clone)]
pub(super) struct Cart {
    pub(super) lines: Vec<CartLine>,
    /// Code of the coupon that was applied last.
    pub(super) coupon: Option<String>,
    pub(super) subtotal_cents: i64,
    /// Never negative, unless faulty coupons add up.
    pub(super) total_cents: i64,
}

/// The refusal of carts above [`LARGEST_SUBTOTAL`].
pub(super) fn too_large() -> ShopError {
    ShopError::Conflict("CART_TOO_LARGE", "the cart would be worth too much")
}

/// The cart of a customer.
pub(super) fn find(store: &Connection, user: i64, faults: &Switches) -> Result<Cart, ShopError> {
    let lines = lines(store, user)?;
    let coupons = coupons(store, user)?;
    let worth = |line: &CartLine| line.product.price_cents * line.quantity;
    let subtotal_cents = lines.iter().map(worth).sum();
    let discount: i64 =
        coupons.iter().map(|(coupon, times)| coupon.discount(subtotal_cents) * times).sum();
    let total_cents = if faults.is_on("gql-coupons-stack") {
        subtotal_cents - discount
    } else {
        subtotal_cents - discount.min(subtotal_cents)
    };
    let coupon = coupons.last().map(|(coupon, _)| coupon.code.clone());
    Ok(Cart { lines, coupon, subtotal_cents, total_cents })
}

fn lines(store: &Connection, user: i64) -> Result<Vec<CartLine>, ShopError> {
    let query =
        "SELECT product_id, quantity FROM cart_lines WHERE user_id = ?1 ORDER BY product_id";
    let mut statement = store.prepare_cached(query)?;
    let rows = statement.query_map([user], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.map(|row| {
        let (id, quantity) = row?;
        Ok(CartLine { product: product::get(store, id)?, quantity })
    })
    .collect()
}

/// Coupons of a cart with how often each counts, in the order in which they came.
fn coupons(store: &Connection, user: i64) -> Result<Vec<(Coupon, i64)>, ShopError> {
    let query = "SELECT code, times FROM cart_coupons WHERE user_id = ?1 ORDER BY rowid";
    let mut statement = store.prepare_cached(query)?;
    let rows = statement.query_map([user], |row| Ok((row.get::<_, String>(0)?, row.get(1)?)))?;
    rows.map(|row| {
        let (code, times) = row?;
        let coupon = coupon::find(store, &code)?.ok_or(ShopError::NotFound("coupon"))?;
        Ok((coupon, times))
    })
    .collect()
}

/// Quantity of a product in a cart, if it is there.
pub(super) fn quantity(
    store: &Connection,
    user: i64,
    product: i64,
) -> Result<Option<i64>, ShopError> {
    let query = "SELECT quantity FROM cart_lines WHERE user_id = ?1 AND product_id = ?2";
    let mut statement = store.prepare_cached(query)?;
    Ok(statement.query_row([user, product], |row| row.get(0)).optional()?)
}

/// Puts this many of a product into a cart, instead of what there was of it.
#[white_box]
pub(super) fn set_line(
    store: &Connection,
    user: i64,
    product: i64,
    quantity: i64,
    faults: &Switches,
) -> Result<(), ShopError> {
    let upsert = "INSERT INTO cart_lines (user_id, product_id, quantity) VALUES (?1, ?2, ?3) \
                  ON CONFLICT DO UPDATE SET quantity = excluded.quantity";
    store.prepare_cached(upsert)?.execute([user, product, quantity])?;
    store.prepare_cached("DELETE FROM emptied_carts WHERE user_id = ?1")?.execute([user])?;
    let subtotal = find(store, user, faults)?.subtotal_cents;
    if subtotal > LARGEST_SUBTOTAL && !faults.is_on("gql-total-64-bit") {
        return Err(too_large());
    }
    Ok(())
}

/// Takes a product out of a cart.
#[white_box]
pub(super) fn remove_line(
    store: &Connection,
    user: i64,
    product: i64,
    faults: &Switches,
) -> Result<(), ShopError> {
    let delete = "DELETE FROM cart_lines WHERE user_id = ?1 AND product_id = ?2";
    if store.prepare_cached(delete)?.execute([user, product])? == 0 {
        return Err(ShopError::NotFound("line"));
    }
    if faults.is_on("rest-emptied-cart") && lines(store, user)?.is_empty() {
        store.execute("INSERT OR IGNORE INTO emptied_carts VALUES (?1)", [user])?;
    }
    Ok(())
}

/// Uses a coupon, instead of the one there was.
#[white_box]
pub(super) fn apply_coupon(
    store: &Connection,
    user: i64,
    code: &str,
    faults: &Switches,
) -> Result<(), ShopError> {
    let coupon = coupon::find(store, code)?;
    if !coupon.is_some_and(|coupon| coupon.active) {
        return Err(ShopError::NotFound("coupon"));
    }
    if !faults.is_on("gql-coupons-stack") {
        let others = "DELETE FROM cart_coupons WHERE user_id = ?1 AND code <> ?2";
        store.prepare_cached(others)?.execute((user, code))?;
    }
    let more = i64::from(faults.is_on("rest-coupon-stacks"));
    let upsert = "INSERT INTO cart_coupons (user_id, code, times) VALUES (?1, ?2, 1) \
                  ON CONFLICT DO UPDATE SET times = times + ?3";
    store.prepare_cached(upsert)?.execute((user, code, more))?;
    Ok(())
}

/// Empties a cart: lines and coupon.
pub(super) fn clear(store: &Connection, user: i64) -> Result<(), ShopError> {
    store.prepare_cached("DELETE FROM cart_lines WHERE user_id = ?1")?.execute([user])?;
    store.prepare_cached("DELETE FROM cart_coupons WHERE user_id = ?1")?.execute([user])?;
    Ok(())
}

/// Whether the last line of a cart was taken out, where a fault remembers that.
pub(super) fn was_emptied(store: &Connection, user: i64) -> Result<bool, ShopError> {
    let query = "SELECT count(*) FROM emptied_carts WHERE user_id = ?1";
    Ok(store.prepare_cached(query)?.query_row([user], |row| row.get::<_, i64>(0))? > 0)
}

/// The largest subtotal of the carts that hold a product.
pub(super) fn largest_subtotal(store: &Connection, product: i64) -> Result<i64, ShopError> {
    let query = "SELECT coalesce(max(worth), 0) FROM (SELECT sum(l.quantity * p.price_cents) AS worth \
                 FROM cart_lines l JOIN products p ON p.id = l.product_id WHERE l.user_id IN \
                 (SELECT user_id FROM cart_lines WHERE product_id = ?1) GROUP BY l.user_id)";
    Ok(store.prepare_cached(query)?.query_row([product], |row| row.get(0))?)
}
