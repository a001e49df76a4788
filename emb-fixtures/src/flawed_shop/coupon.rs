//! Coupons.

use rusqlite::{Connection, OptionalExtension, Row};

use super::error::ShopError;

/// A coupon. Without the fault that lets both in, it has exactly one of percents and amount.
#[derive(Debug, Clone)]
pub(super) struct Coupon {
    pub(super) code: String,
    pub(super) percent_off: Option<i64>,
    pub(super) amount_off_cents: Option<i64>,
    pub(super) active: bool,
}

impl Coupon {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            code: row.get(0)?,
            percent_off: row.get(1)?,
            amount_off_cents: row.get(2)?,
            active: row.get(3)?,
        })
    }

    /// What it takes off a subtotal; may be more than that.
    pub(super) fn discount(&self, subtotal_cents: i64) -> i64 {
        match (self.percent_off, self.amount_off_cents) {
            (Some(percent), _) => subtotal_cents * percent / 100,
            (None, Some(amount)) => amount,
            (None, None) => 0,
        }
    }
}

const COLUMNS: &str = "SELECT code, percent_off, amount_off_cents, active FROM coupons";

pub(super) fn find(store: &Connection, code: &str) -> Result<Option<Coupon>, ShopError> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} WHERE code = ?1"))?;
    Ok(statement.query_row([code], Coupon::read).optional()?)
}

pub(super) fn all(store: &Connection) -> Result<Vec<Coupon>, ShopError> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} ORDER BY code"))?;
    let coupons = statement.query_map([], Coupon::read)?;
    Ok(coupons.collect::<Result<_, _>>()?)
}

pub(super) fn insert(store: &Connection, coupon: &Coupon) -> Result<(), ShopError> {
    let insert = "INSERT INTO coupons (code, percent_off, amount_off_cents, active) \
                  VALUES (?1, ?2, ?3, ?4)";
    store.prepare_cached(insert)?.execute((
        &coupon.code,
        coupon.percent_off,
        coupon.amount_off_cents,
        coupon.active,
    ))?;
    Ok(())
}
