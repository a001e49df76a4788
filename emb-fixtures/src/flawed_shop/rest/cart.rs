//! The cart of the caller.

use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::answer::Answer;
use super::call::{Call, members};
use super::reader::{coupon_code, integer};
use crate::flawed_shop::cart::{self, Cart, LARGEST_QUANTITY};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::product;

type Handled = Result<Answer, ShopError>;

fn view(cart: &Cart) -> Value {
    let line = |line: &cart::CartLine| {
        let product = &line.product;
        json!({
            "productId": product.id, "priceCents": product.price_cents, "quantity": line.quantity,
        })
    };
    json!({
        "lines": cart.lines.iter().map(line).collect::<Vec<_>>(),
        "coupon": cart.coupon,
        "subtotalCents": cart.subtotal_cents,
        "totalCents": cart.total_cents,
    })
}

fn current(call: &Call<'_>) -> Result<Value, ShopError> {
    let cart = cart::find(call.store, call.user()?.id, &call.shop.faults)?;
    Ok(view(&cart))
}

pub(super) fn read(call: &Call<'_>) -> Handled {
    Ok(Answer::ok(current(call)?))
}

#[white_box]
pub(super) fn set_line(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let body = call.json()?;
    let mut members = members(&body)?;
    let smallest = if call.has("rest-quantity-unchecked") { -LARGEST_QUANTITY } else { 1 };
    let quantity = members.required("quantity")?;
    let quantity = integer("quantity", quantity, smallest..=LARGEST_QUANTITY)?;
    members.finish()?;
    let (user, product) = (call.user()?.id, product::get(call.store, id)?);
    let is_new = cart::quantity(call.store, user, product.id)?.is_none();
    cart::set_line(call.store, user, product.id, quantity, &call.shop.faults)?;
    let cart = current(call)?;
    if is_new { Ok(Answer::added(cart)) } else { Ok(Answer::ok(cart)) }
}

pub(super) fn remove_line(call: &Call<'_>) -> Handled {
    let (id, user) = (call.id()?, call.user()?.id);
    cart::remove_line(call.store, user, id, &call.shop.faults)?;
    Ok(Answer::nothing())
}

#[white_box]
pub(super) fn apply_coupon(call: &Call<'_>) -> Handled {
    let code = coupon_code(call.segment()?)?;
    if call.has("rest-legacy-coupon") && code == "WELCOME-BACK-2019" {
        return Err(ShopError::Internal("the row of the campaign is missing".to_owned()));
    }
    cart::apply_coupon(call.store, call.user()?.id, code, &call.shop.faults)?;
    Ok(Answer::ok(current(call)?))
}
