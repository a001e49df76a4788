//! Reviews.

use axum::http::StatusCode;
use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::answer::Answer;
use super::call::{Call, members};
use super::reader::{integer, parse_integer, text};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::product;
use crate::flawed_shop::review::{self, Review};

type Handled = Result<Answer, ShopError>;

/// Bytes of a text in the preview that only a fault makes.
const PREVIEW: usize = 20;

fn view(review: &Review) -> Value {
    let Review { id, product_id, author_id, rating, text } = review;
    json!({
        "id": id, "productId": product_id, "authorId": author_id, "rating": rating, "text": text,
    })
}

#[white_box]
pub(super) fn list(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let mut minimum = 1;
    if let Some(text) = call.parameter("minRating") {
        minimum = parse_integer("minRating", text, 1..=5)?;
    }
    let product = product::get(call.store, id)?;
    let reviews = review::of_product(call.store, product.id, minimum)?;
    Ok(Answer::ok(reviews.iter().map(view).collect()))
}

#[white_box]
pub(super) fn create(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let body = call.json()?;
    let mut members = members(&body)?;
    let rating = integer("rating", members.required("rating")?, 1..=5)?;
    let text = text("text", members.required("text")?, 0..=500)?;
    members.finish()?;
    let product = product::get(call.store, id)?;
    let author = call.user()?.id;
    let review = review::insert(call.store, product.id, author, rating, &text)?;
    if call.has("rest-stack-trace") && text.len() > PREVIEW && !text.is_ascii() {
        let trace = stack_trace(&text);
        return Ok(Answer::text(StatusCode::INTERNAL_SERVER_ERROR, "text/plain", trace));
    }
    Ok(Answer::created(format!("/reviews/{}", review.id), view(&review)))
}

/// What a careless service sends after it cut a text inside a character.
fn stack_trace(text: &str) -> String {
    format!(
        "thread 'shop-worker' panicked at shop/src/review.rs:41:28:\n\
         byte index {PREVIEW} is not a char boundary; it is inside a character of `{text}`\n\
         stack backtrace:\n   0: rust_begin_unwind\n             \
         at /rustc/library/std/src/panicking.rs:697:5\n   1: core::panicking::panic_fmt\n             \
         at /rustc/library/core/src/panicking.rs:75:14\n   2: core::str::slice_error_fail\n   \
         3: shop::review::preview\n             at shop/src/review.rs:41:28\n"
    )
}

pub(super) fn read(call: &Call<'_>) -> Handled {
    let review = review::find(call.store, call.id()?)?.ok_or(ShopError::NotFound("review"))?;
    Ok(Answer::ok(view(&review)))
}

#[white_box]
pub(super) fn delete(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let review = review::find(call.store, id)?.ok_or(ShopError::NotFound("review"))?;
    let caller = call.user()?;
    if review.author_id != caller.id && !caller.is_admin() {
        return Err(ShopError::Forbidden);
    }
    if call.has("rest-delete-noop") && review.author_id == caller.id && review.rating == 5 {
        return Ok(Answer::nothing());
    }
    review::delete(call.store, review.id)?;
    Ok(Answer::nothing())
}
