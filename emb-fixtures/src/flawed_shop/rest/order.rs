//! Orders: checkout, states, addresses and exports.

use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::answer::Answer;
use super::call::{Call, members};
use super::callback;
use super::reader::{parse_word, text, word};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::order::{self, Address, Order, OrderLine};
use crate::flawed_shop::word::{Country, OrderStatus};

type Handled = Result<Answer, ShopError>;

fn view(order: &Order) -> Value {
    let line = |line: &OrderLine| {
        let OrderLine { product_id, price_cents, quantity } = line;
        json!({ "productId": product_id, "priceCents": price_cents, "quantity": quantity })
    };
    let address = |address: &Address| {
        let Address { street, city, country } = address;
        json!({ "street": street, "city": city, "country": country.word() })
    };
    json!({
        "id": order.id,
        "customerId": order.customer_id,
        "lines": order.lines.iter().map(line).collect::<Vec<_>>(),
        "totalCents": order.total_cents,
        "status": order.status.word(),
        "address": order.address.as_ref().map(address),
    })
}

/// A status that callers may name.
fn parse_status(text: &str) -> Option<OrderStatus> {
    OrderStatus::parse(text).filter(|status| *status != OrderStatus::Refunding)
}

#[white_box]
pub(super) fn check_out(call: &Call<'_>) -> Handled {
    let order = order::check_out(call.store, call.user()?.id, None, &call.shop.faults)?;
    let folder = if call.has("rest-location-nowhere") { "order" } else { "orders" };
    Ok(Answer::created(format!("/{folder}/{}", order.id), view(&order)))
}

#[white_box]
pub(super) fn list(call: &Call<'_>) -> Handled {
    let mut status = None;
    if let Some(text) = call.parameter("status") {
        status = Some(parse_word("status", text, parse_status)?);
    }
    let caller = call.user()?;
    let customer = if caller.is_admin() { None } else { Some(caller.id) };
    let orders = order::list(call.store, customer, status)?;
    Ok(Answer::ok(orders.iter().map(view).collect()))
}

pub(super) fn read(call: &Call<'_>) -> Handled {
    let order = order::get(call.store, call.id()?, call.user()?)?;
    Ok(Answer::ok(view(&order)))
}

#[white_box]
pub(super) fn set_address(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let body = call.json()?;
    let mut members = members(&body)?;
    let address = Address {
        street: text("street", members.required("street")?, 1..=100)?,
        city: text("city", members.required("city")?, 1..=60)?,
        country: word("country", members.required("country")?, Country::parse)?,
    };
    members.finish()?;
    let foreign =
        if call.has("rest-foreign-address") { order::find(call.store, id)? } else { None };
    let order = match foreign {
        Some(order) => order,
        None => order::get(call.store, id, call.user()?)?,
    };
    let order = order::set_address(call.store, order, address)?;
    Ok(Answer::ok(view(&order)))
}

#[white_box]
pub(super) fn transition(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let body = call.json()?;
    let mut members = members(&body)?;
    let to = word("to", members.required("to")?, parse_status)?;
    members.finish()?;
    let caller = call.user()?;
    let order = order::get(call.store, id, caller)?;
    let order = order::transition(call.store, order, to, caller, &call.shop.faults)?;
    Ok(Answer::ok(view(&order)))
}

#[white_box]
pub(super) fn export(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let Some(url) = call.parameter("callbackUrl") else {
        return Err(ShopError::Malformed("callbackUrl is missing".to_owned()));
    };
    if !callback::is_uri(url) {
        return Err(ShopError::malformed("callbackUrl", "a URI"));
    }
    let order = order::get(call.store, id, call.user()?)?;
    let is_fetched = call.has("rest-callback-fetched");
    if callback::host(url) != Some("hooks.shop.test") && !is_fetched {
        return Err(ShopError::Unprocessable("callbackUrl must be http(s)://hooks.shop.test/..."));
    }
    order::set_callback(call.store, order.id, url)?;
    let mut answer = Answer::accepted(json!({ "orderId": order.id, "callbackUrl": url }));
    answer.fetch = is_fetched.then(|| url.to_owned());
    Ok(answer)
}
