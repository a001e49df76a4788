//! Orders and their states.

use rusqlite::{Connection, OptionalExtension, Row};
use wallace_instrument::white_box;

use super::cart::{self, Cart};
use super::error::ShopError;
use super::product;
use super::user::User;
use super::word::{Country, OrderStatus};
use crate::switch::Switches;

/// Where an order is sent.
#[derive(Debug, Clone)]
pub(super) struct Address {
    pub(super) street: String,
    pub(super) city: String,
    pub(super) country: Country,
}

/// A product that was ordered, with its price then; the product may be gone.
#[derive(Debug, Clone)]
pub(super) struct OrderLine {
    pub(super) product_id: Option<i64>,
    pub(super) price_cents: i64,
    pub(super) quantity: i64,
}

/// An order.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub(super) id: i64,
    pub(super) customer_id: i64,
    pub(super) lines: Vec<OrderLine>,
    pub(super) total_cents: i64,
    pub(super) status: OrderStatus,
    pub(super) address: Option<Address>,
}

impl Order {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let street: Option<String> = row.get(4)?;
        let address = match street {
            Some(street) => Some(Address { street, city: row.get(5)?, country: row.get(6)? }),
            None => None,
        };
        Ok(Self {
            id: row.get(0)?,
            customer_id: row.get(1)?,
            lines: Vec::new(),
            total_cents: row.get(2)?,
            status: row.get(3)?,
            address,
        })
    }
}

const COLUMNS: &str = "SELECT id, user_id, total_cents, status, street, city, country FROM orders";

fn with_lines(store: &Connection, order: Order) -> Result<Order, ShopError> {
    let query = "SELECT product_id, price_cents, quantity FROM order_lines \
                 WHERE order_id = ?1 ORDER BY id";
    let mut statement = store.prepare_cached(query)?;
    let lines = statement.query_map([order.id], |row| {
        Ok(OrderLine { product_id: row.get(0)?, price_cents: row.get(1)?, quantity: row.get(2)? })
    })?;
    Ok(Order { lines: lines.collect::<Result<_, _>>()?, ..order })
}

pub(super) fn find(store: &Connection, id: i64) -> Result<Option<Order>, ShopError> {
    let mut statement = store.prepare_cached(&format!("{COLUMNS} WHERE id = ?1"))?;
    let order = statement.query_row([id], Order::read).optional()?;
    order.map(|order| with_lines(store, order)).transpose()
}

/// The order, if the caller may see it: customers are not told whether a foreign one exists.
#[white_box]
pub(super) fn get(store: &Connection, id: i64, caller: &User) -> Result<Order, ShopError> {
    let order = find(store, id)?;
    if caller.is_admin() {
        return order.ok_or(ShopError::NotFound("order"));
    }
    order.filter(|order| order.customer_id == caller.id).ok_or(ShopError::Forbidden)
}

/// Orders by id: of one customer or of all, in one state or in any.
pub(super) fn list(
    store: &Connection,
    customer: Option<i64>,
    status: Option<OrderStatus>,
) -> Result<Vec<Order>, ShopError> {
    let query = format!(
        "{COLUMNS} WHERE (?1 IS NULL OR user_id = ?1) AND (?2 IS NULL OR status = ?2) ORDER BY id"
    );
    let mut statement = store.prepare_cached(&query)?;
    let orders = statement.query_map((customer, status.map(OrderStatus::word)), Order::read)?;
    orders.map(|order| with_lines(store, order?)).collect()
}

/// Turns a cart into an order: takes the stock and empties the cart.
#[white_box]
pub(super) fn check_out(
    store: &Connection,
    user: i64,
    address: Option<&Address>,
    faults: &Switches,
) -> Result<Order, ShopError> {
    let cart = cart::find(store, user, faults)?;
    if cart.lines.is_empty() {
        if faults.is_on("rest-emptied-cart") && cart::was_emptied(store, user)? {
            return Err(ShopError::Internal("attempt to divide by zero".to_owned()));
        }
        return Err(ShopError::Conflict("EMPTY_CART", "the cart is empty"));
    }
    let spare = i64::from(faults.is_on("rest-stock-off-by-one"));
    for line in &cart.lines {
        if line.quantity > line.product.stock + spare {
            return Err(ShopError::Conflict("OUT_OF_STOCK", "there is not enough in stock"));
        }
    }
    let id = insert(store, user, &cart, address)?;
    cart::clear(store, user)?;
    find(store, id)?.ok_or(ShopError::NotFound("order"))
}

fn insert(
    store: &Connection,
    user: i64,
    cart: &Cart,
    address: Option<&Address>,
) -> Result<i64, ShopError> {
    let insert = "INSERT INTO orders (user_id, total_cents, status, street, city, country) \
                  VALUES (?1, ?2, 'NEW', ?3, ?4, ?5)";
    let street = address.map(|address| address.street.as_str());
    let city = address.map(|address| address.city.as_str());
    let country = address.map(|address| address.country.word());
    let values = (user, cart.total_cents, street, city, country);
    store.prepare_cached(insert)?.execute(values)?;
    let id = store.last_insert_rowid();
    let insert = "INSERT INTO order_lines (order_id, product_id, price_cents, quantity) \
                  VALUES (?1, ?2, ?3, ?4)";
    let mut statement = store.prepare_cached(insert)?;
    for line in &cart.lines {
        statement.execute([id, line.product.id, line.product.price_cents, line.quantity])?;
        product::restock(store, line.product.id, -line.quantity)?;
    }
    Ok(id)
}

/// Whether the caller, who may see the order, may bring it from one state into another.
#[white_box]
fn is_allowed(order: &Order, to: OrderStatus, caller: &User) -> bool {
    let is_owner = order.customer_id == caller.id;
    match (order.status, to) {
        (OrderStatus::New, OrderStatus::Paid) => is_owner,
        (OrderStatus::New | OrderStatus::Paid, OrderStatus::Cancelled) => true,
        (OrderStatus::Paid, OrderStatus::Shipped) => caller.is_admin(),
        (OrderStatus::Shipped, OrderStatus::Delivered) => caller.is_admin(),
        _ => false,
    }
}

/// Brings an order into another state; the stock of a cancelled one returns.
#[white_box]
pub(super) fn transition(
    store: &Connection,
    order: Order,
    to: OrderStatus,
    caller: &User,
    faults: &Switches,
) -> Result<Order, ShopError> {
    if !is_allowed(&order, to, caller) {
        return Err(ShopError::Conflict("INVALID_TRANSITION", "the order cannot change to this"));
    }
    let is_refunding =
        faults.is_on("gql-status-refunding") || faults.is_on("rest-status-refunding");
    let mut status = to;
    if to == OrderStatus::Cancelled {
        if is_refunding && order.status == OrderStatus::Paid {
            status = OrderStatus::Refunding;
        }
        for line in &order.lines {
            if let Some(product) = line.product_id {
                product::restock(store, product, line.quantity)?;
            }
        }
    }
    let update = "UPDATE orders SET status = ?2 WHERE id = ?1";
    store.prepare_cached(update)?.execute((order.id, status.word()))?;
    Ok(Order { status, ..order })
}

/// Replaces the address, which can change until the order is shipped.
#[white_box]
pub(super) fn set_address(
    store: &Connection,
    order: Order,
    address: Address,
) -> Result<Order, ShopError> {
    if order.status != OrderStatus::New && order.status != OrderStatus::Paid {
        return Err(ShopError::Conflict("ADDRESS_FIXED", "the address cannot change any more"));
    }
    let update = "UPDATE orders SET street = ?2, city = ?3, country = ?4 WHERE id = ?1";
    let values = (order.id, &address.street, &address.city, address.country.word());
    store.prepare_cached(update)?.execute(values)?;
    Ok(Order { address: Some(address), ..order })
}

/// Remembers whom to tell about an order.
pub(super) fn set_callback(store: &Connection, id: i64, url: &str) -> Result<(), ShopError> {
    let update = "UPDATE orders SET callback_url = ?2 WHERE id = ?1";
    store.prepare_cached(update)?.execute((id, url))?;
    Ok(())
}
