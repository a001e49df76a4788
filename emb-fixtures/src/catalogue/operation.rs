//! What the service does.

use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::mapper::Query;
use super::record::Record;
use crate::resource::{Call, Refused};

type Answer = Result<Value, Refused>;

/// How long the report of turnover takes before it fails.
const SLOW: Duration = Duration::from_millis(20);

fn shown(rows: &[Record]) -> Value {
    rows.iter().map(|row| Value::Object(row.0.clone())).collect()
}

fn missing() -> Refused {
    Refused::new(404, "there is no such thing")
}

/// A query parameter that is a whole number, where there is one.
#[white_box]
fn number(call: &Call, name: &str) -> Result<Option<i64>, Refused> {
    let Some(text) = call.parameter(name) else { return Ok(None) };
    let Ok(number) = text.parse::<i64>() else {
        return Err(Refused::new(400, "a parameter is no whole number"));
    };
    Ok(Some(number))
}

fn text(call: &Call, name: &str) -> Option<String> {
    call.parameter(name).map(str::to_owned)
}

#[white_box]
pub(super) fn suppliers(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("suppliers").filter("t0.country", "=", text(call, "country"));
    let rows = query.filter("t0.rating", ">=", number(call, "minRating")?).all(store)?;
    for row in &rows {
        if row.number("blocked") == 1 {
            return Err(Refused::new(409, "a supplier is blocked"));
        }
    }
    Ok(shown(&rows))
}

#[white_box]
pub(super) fn supplier(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("suppliers").such("t0.id", "=", call.segment(0).to_owned());
    let Some(row) = query.first(store)? else { return Err(missing()) };
    let class = match row.number("rating") {
        5 => "preferred",
        1 => "probation",
        _ => "usual",
    };
    Ok(json!({ "name": row.text("name"), "class": class }))
}

#[white_box]
pub(super) fn supplier_products(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("products").joined("suppliers", "supplier_id", "id");
    let rows = query.such("t1.name", "=", call.segment(0).to_owned()).all(store)?;
    if rows.is_empty() {
        return Err(missing());
    }
    let most = rows.iter().map(|row| row.number("price")).max().unwrap_or(0);
    if most > 10_000 {
        return Ok(json!({ "range": "luxury" }));
    }
    Ok(json!({ "range": "usual" }))
}

#[white_box]
pub(super) fn products(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("products").filter("t0.price", "<=", number(call, "maxPrice")?);
    let query = query.filter("t0.category_id", "=", number(call, "category")?);
    let rows = query.page(20).all(store)?;
    let mut discontinued = 0;
    for row in &rows {
        if !row.is_null("discontinued") {
            discontinued += 1;
        }
    }
    Ok(json!({ "items": shown(&rows), "discontinued": discontinued }))
}

#[white_box]
pub(super) fn product(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("products").such("t0.id", "=", call.segment(0).to_owned());
    let Some(row) = query.first(store)? else { return Err(missing()) };
    let delivery = if row.number("price") >= 1_000 { "insured" } else { "plain" };
    let mut answer = json!({ "sku": row.text("sku"), "delivery": delivery });
    if row.is_null("weight") {
        answer["weight"] = "unknown".into();
    }
    Ok(answer)
}

#[white_box]
pub(super) fn product_by_sku(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("products").filter("t0.sku", "=", text(call, "sku"));
    let Some(row) = query.page(1).first(store)? else {
        return Err(Refused::new(500, "product is missing"));
    };
    Ok(json!({ "id": row.number("id") }))
}

#[white_box]
pub(super) fn product_stock(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("stocks").such("t0.product_id", "=", call.segment(0).to_owned());
    let rows = query.all(store)?;
    if rows.is_empty() {
        return Err(missing());
    }
    for row in &rows {
        if row.number("quantity") <= 0 {
            return Ok(json!({ "state": "sold out somewhere" }));
        }
    }
    Ok(json!({ "state": "available", "places": rows.len() }))
}

#[white_box]
pub(super) fn categories(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("categories").filter("t0.title", "=", text(call, "title"));
    let rows = query.all(store)?;
    let mut roots = 0;
    for row in &rows {
        if row.is_null("parent_id") {
            roots += 1;
        }
    }
    Ok(json!({ "categories": shown(&rows), "roots": roots }))
}

#[white_box]
pub(super) fn category(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("categories").such("t0.id", "=", call.segment(0).to_owned());
    let Some(row) = query.first(store)? else { return Err(missing()) };
    if row.text("visibility") == "hidden" {
        return Err(Refused::new(410, "the category is hidden"));
    }
    Ok(json!({ "title": row.text("title") }))
}

#[white_box]
pub(super) fn category_products(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("products").joined("categories", "category_id", "id");
    let rows = query.such("t1.title", "=", call.segment(0).to_owned()).all(store)?;
    if rows.is_empty() {
        return Ok(json!([]));
    }
    Ok(shown(&rows))
}

#[white_box]
pub(super) fn warehouses(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("warehouses").filter("t0.city", "=", text(call, "city"));
    let rows = query.filter("t0.capacity", ">=", number(call, "minCapacity")?).all(store)?;
    for row in &rows {
        if row.number("capacity") < 0 {
            return Err(Refused::new(500, "a capacity is negative"));
        }
    }
    Ok(shown(&rows))
}

#[white_box]
pub(super) fn warehouse(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("warehouses").such("t0.code", "=", call.segment(0).to_owned());
    let Some(row) = query.first(store)? else { return Err(missing()) };
    let state = if row.is_null("opened") { "planned" } else { "open" };
    Ok(json!({ "city": row.text("city"), "state": state }))
}

#[white_box]
pub(super) fn warehouse_stocks(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("stocks").such("t0.warehouse_code", "=", call.segment(0).to_owned());
    let rows = query.filter("t0.quantity", "<=", number(call, "maxQuantity")?).all(store)?;
    let mut filled = 0;
    for row in &rows {
        if row.number("quantity") > 0 {
            filled += 1;
        }
    }
    Ok(json!({ "stocks": shown(&rows), "filled": filled }))
}

#[white_box]
pub(super) fn levels(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("categories").filter("t0.level", "=", number(call, "level")?);
    let rows = query.all(store)?;
    for row in &rows {
        if row.number("level") >= 3 {
            return Ok(json!({ "isDeep": true }));
        }
    }
    Ok(json!({ "categories": shown(&rows) }))
}

#[white_box]
pub(super) fn customers(store: &Connection, call: &Call) -> Answer {
    let rows = Query::of("customers").filter("t0.tier", "=", text(call, "tier")).all(store)?;
    let mut debtors = 0;
    for row in &rows {
        if row.number("balance") < 0 {
            debtors += 1;
        }
    }
    Ok(json!({ "customers": shown(&rows), "debtors": debtors }))
}

#[white_box]
pub(super) fn customer(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("customers").such("t0.email", "=", call.segment(0).to_owned());
    let Some(row) = query.first(store)? else { return Err(missing()) };
    let discount = match row.text("tier") {
        "gold" => 10,
        "silver" => 5,
        _ => 0,
    };
    Ok(json!({ "discount": discount }))
}

#[white_box]
pub(super) fn customer_orders(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("orders").such("t0.customer_id", "=", call.segment(0).to_owned());
    let rows = query.filter("t0.placed", ">=", text(call, "since")).all(store)?;
    for row in &rows {
        if row.text("state") == "shipped" {
            return Ok(json!({ "hasShipped": true }));
        }
    }
    Ok(json!({ "orders": shown(&rows) }))
}

#[white_box]
pub(super) fn orders(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("orders").filter("t0.state", "=", text(call, "state"));
    let rows = query.filter("t0.placed", "<", text(call, "before")).page(10).all(store)?;
    let mut noted = 0;
    for row in &rows {
        if !row.is_null("note") {
            noted += 1;
        }
    }
    Ok(json!({ "content": shown(&rows), "noted": noted }))
}

#[white_box]
pub(super) fn order(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("orders").such("t0.id", "=", call.segment(0).to_owned());
    let Some(row) = query.first(store)? else { return Err(missing()) };
    Ok(json!({ "state": row.text("state") }))
}

#[white_box]
pub(super) fn order_lines(store: &Connection, call: &Call) -> Answer {
    let query = Query::of("order_lines").such("t0.order_id", "=", call.segment(0).to_owned());
    let rows = query.all(store)?;
    if rows.is_empty() {
        return Err(missing());
    }
    let mut reduced = 0;
    for row in &rows {
        if !row.is_null("discount") && row.number("discount") > 0 {
            reduced += 1;
        }
    }
    Ok(json!({ "lines": shown(&rows), "reduced": reduced }))
}

/// Turnover needs a host that is not there.
#[white_box]
pub(super) fn turnover(_store: &Connection, _call: &Call) -> Answer {
    std::thread::sleep(SLOW);
    Err(Refused::new(503, "the ledger cannot be reached"))
}

/// Every term leads to another one.
#[white_box]
pub(super) fn glossary(_store: &Connection, call: &Call) -> Answer {
    let term = text(call, "term").unwrap_or_default();
    let next = term.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
    if term == format!("term-{}", next % 97) {
        return Ok(json!({ "meaning": next }));
    }
    Ok(json!({ "see": format!("term-{}", next % 1_000_000) }))
}

/// Switched off.
pub(super) fn closed(_store: &Connection, _call: &Call) -> Answer {
    Err(Refused::new(403, "this is switched off"))
}

pub(super) fn healthy(_store: &Connection, _call: &Call) -> Answer {
    Ok(json!({ "status": "up" }))
}
