//! Coupons, for admins.

use serde_json::{Map, Value, json};
use wallace_instrument::white_box;

use super::answer::Answer;
use super::call::{Call, members};
use super::reader::{coupon_code, integer, text};
use crate::flawed_shop::coupon::{self, Coupon};
use crate::flawed_shop::error::ShopError;

type Handled = Result<Answer, ShopError>;

fn view(coupon: &Coupon) -> Value {
    let mut view = Map::new();
    view.insert("code".to_owned(), json!(coupon.code));
    view.insert("active".to_owned(), json!(coupon.active));
    let amounts = [("percentOff", coupon.percent_off), ("amountOffCents", coupon.amount_off_cents)];
    for (name, amount) in amounts {
        if let Some(amount) = amount {
            view.insert(name.to_owned(), json!(amount));
        }
    }
    Value::Object(view)
}

pub(super) fn list(call: &Call<'_>) -> Handled {
    let coupons: Vec<Value> = coupon::all(call.store)?.iter().map(view).collect();
    Ok(Answer::ok(coupons.into()))
}

pub(super) fn read(call: &Call<'_>) -> Handled {
    let code = coupon_code(call.segment()?)?;
    let coupon = coupon::find(call.store, code)?.ok_or(ShopError::NotFound("coupon"))?;
    Ok(Answer::ok(view(&coupon)))
}

#[white_box]
pub(super) fn create(call: &Call<'_>) -> Handled {
    let coupon = read_coupon(&call.json()?)?;
    if coupon::find(call.store, &coupon.code)?.is_some() {
        return Err(ShopError::Conflict("CODE_TAKEN", "this code is taken"));
    }
    if coupon.percent_off.is_some() == coupon.amount_off_cents.is_some() {
        let error = ShopError::Unprocessable("exactly one of percentOff and amountOffCents");
        if call.has("rest-failed-create-stays") && coupon.percent_off.is_some() {
            coupon::insert(call.store, &coupon)?;
            return Ok(Answer::refused_and_kept(&error));
        }
        return Err(error);
    }
    coupon::insert(call.store, &coupon)?;
    Ok(Answer::created(format!("/coupons/{}", coupon.code), view(&coupon)))
}

#[white_box]
fn read_coupon(body: &Value) -> Result<Coupon, ShopError> {
    let mut members = members(body)?;
    let code = text("code", members.required("code")?, 0..=usize::MAX)?;
    let percent = members.optional("percentOff");
    let amount = members.optional("amountOffCents");
    let coupon = Coupon {
        code: coupon_code(&code)?.to_owned(),
        percent_off: percent.map(|value| integer("percentOff", value, 1..=100)).transpose()?,
        amount_off_cents: amount
            .map(|value| integer("amountOffCents", value, 1..=LARGEST_AMOUNT))
            .transpose()?,
        active: members.optional("active").map_or(Ok(true), flag)?,
    };
    members.finish()?;
    Ok(coupon)
}

fn flag(value: &Value) -> Result<bool, ShopError> {
    value.as_bool().ok_or_else(|| ShopError::malformed("active", "true or false"))
}

/// More than any cart is worth.
pub(super) const LARGEST_AMOUNT: i64 = 2_147_483_647;
