//! Invoices for visits. No mutation writes them, so that only rows open what reads them.

use async_graphql::SimpleObject;
use rusqlite::{Connection, OptionalExtension, Row};
use wallace_instrument::white_box;

use super::operation::ClinicError;

pub(super) const SCHEMA: &str = "
    CREATE TABLE invoices (
        number INTEGER PRIMARY KEY,
        visit_id INTEGER NOT NULL REFERENCES visits (id),
        amount DECIMAL(8, 2) NOT NULL CHECK (amount > 0),
        status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'cancelled')),
        due DATE NOT NULL
    );";

/// An invoice as it is shown.
#[derive(Debug, Clone, SimpleObject)]
pub(super) struct Invoice {
    pub(super) number: i32,
    pub(super) amount: f64,
    pub(super) status: String,
    /// Whether somebody should write a letter.
    pub(super) is_reminded: bool,
}

/// A dear invoice that is open is one to write a letter about.
#[white_box]
fn read(row: &Row<'_>) -> rusqlite::Result<Invoice> {
    let (number, amount, status): (i32, f64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let is_reminded = if status == "open" { amount >= 100.0 } else { false };
    Ok(Invoice { number, amount, status, is_reminded })
}

#[white_box]
pub(super) fn invoice(store: &Connection, number: i32) -> Result<Invoice, ClinicError> {
    let query = "SELECT number, amount, status FROM invoices WHERE number = ?1";
    let found = store.prepare_cached(query)?.query_row([number], read).optional()?;
    let Some(invoice) = found else {
        return Err(ClinicError::Missing("invoice"));
    };
    Ok(invoice)
}

/// What an owner has not paid yet.
#[white_box]
pub(super) fn open_invoices(store: &Connection, owner: i32) -> Result<Vec<Invoice>, ClinicError> {
    let query = "SELECT i.number, i.amount, i.status FROM invoices i \
                 JOIN visits v ON v.id = i.visit_id JOIN pets p ON p.id = v.pet_id \
                 WHERE p.owner_id = ?1 AND i.status NOT IN ('paid', 'cancelled') ORDER BY i.due";
    let mut statement = store.prepare_cached(query)?;
    let found = statement.query_map([owner], read)?;
    let found: Vec<Invoice> = found.collect::<rusqlite::Result<_>>()?;
    if found.is_empty() {
        return Err(ClinicError::Missing("open invoice"));
    }
    Ok(found)
}
