//! Products.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use wallace_instrument::white_box;

use super::answer::Answer;
use super::call::{Call, members};
use super::reader::{integer, parse_integer, parse_word, tags, text, text_of_length, word};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::product::{self, LARGEST_STOCK, Product};
use crate::flawed_shop::word::{Category, ProductSort};

type Handled = Result<Answer, ShopError>;

/// Highest price in cents.
const LARGEST_PRICE: i64 = 10_000_000;

fn view(call: &Call<'_>, product: &Product) -> Value {
    let Product { id, name, description, category, price_cents, stock, tags } = product;
    let price = if call.has("rest-price-text") && *price_cents >= 100_000 {
        json!(format!("{}.{:02}", price_cents / 100, price_cents % 100))
    } else {
        json!(price_cents)
    };
    json!({
        "id": id, "name": name, "description": description, "category": category.word(),
        "priceCents": price, "stock": stock, "tags": tags,
    })
}

/// Parameters of the list.
struct Page {
    category: Option<Category>,
    term: Option<String>,
    sort: ProductSort,
    limit: i64,
    offset: i64,
}

#[white_box]
impl Page {
    fn read(call: &Call<'_>) -> Result<Self, ShopError> {
        let mut page =
            Self { category: None, term: None, sort: ProductSort::Id, limit: 20, offset: 0 };
        if let Some(category) = call.parameter("category") {
            page.category = Some(parse_word("category", category, Category::parse)?);
        }
        if let Some(term) = call.parameter("q") {
            page.term = Some(text_of_length("q", term, 1..=100)?);
        }
        if let Some(sort) = call.parameter("sort") {
            page.sort = parse_word("sort", sort, ProductSort::parse)?;
        }
        if let Some(limit) = call.parameter("limit") {
            page.limit = parse_integer("limit", limit, 1..=50)?;
        }
        if let Some(offset) = call.parameter("offset") {
            page.offset = parse_integer("offset", offset, 0..=i64::MAX)?;
        }
        Ok(page)
    }

    /// Whether this is what the slow path of a fault waits for.
    fn is_slow(&self) -> bool {
        self.category == Some(Category::Garden)
            && self.sort == ProductSort::Rating
            && self.limit == 50
    }
}

#[white_box]
pub(super) fn list(call: &Call<'_>) -> Handled {
    let page = Page::read(call)?;
    let found = find(call, &page)?;
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    if call.has("rest-offset-past-end") && page.offset > total {
        return Err(ShopError::Internal("range starts after the end".to_owned()));
    }
    if call.has("rest-script-as-html")
        && found.is_empty()
        && let Some(term) = &page.term
    {
        let html = format!("<html><body><p>Nothing found for {term}</p></body></html>");
        return Ok(Answer::text(StatusCode::OK, "text/html; charset=utf-8", html));
    }
    let mut start = page.offset;
    if call.has("rest-page-overlap") && start > 0 {
        start -= 1;
    }
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    let length = usize::try_from(page.limit).unwrap_or(0);
    let items: Vec<Value> =
        found.iter().skip(start).take(length).map(|product| view(call, product)).collect();
    let (limit, offset) = (page.limit, page.offset);
    let body = json!({ "items": items, "total": total, "limit": limit, "offset": offset });
    let mut answer = Answer::ok(body);
    if call.has("rest-slow") && page.is_slow() {
        answer.delay = Duration::from_secs(3);
    }
    answer.delay += call.shop.take_sleep();
    Ok(answer)
}

#[white_box]
fn find(call: &Call<'_>, page: &Page) -> Result<Vec<Product>, ShopError> {
    if call.has("rest-sql-injection")
        && let Some(term) = &page.term
    {
        return find_by_pasting(call, page, term);
    }
    product::list(call.store, page.category, page.term.as_deref(), page.sort)
}

/// What happens where a term is pasted into the text of a query. Nothing can be written this way,
/// so that the shop stays usable.
fn find_by_pasting(call: &Call<'_>, page: &Page, term: &str) -> Result<Vec<Product>, ShopError> {
    let category = page
        .category
        .map_or(String::new(), |category| format!("p.category = '{}' AND ", category.word()));
    let query = format!("{} WHERE {category}p.name LIKE '%{term}%'", product::COLUMNS);
    call.store.pragma_update(None, "query_only", true)?;
    let found = product::query_each(call.store, &query);
    call.store.pragma_update(None, "query_only", false)?;
    found.map_err(|error| ShopError::Internal(error.to_string()))
}

#[white_box]
pub(super) fn create(call: &Call<'_>) -> Handled {
    let product = read_whole(call, None)?;
    let product = product::insert(call.store, product)?;
    Ok(Answer::created(format!("/products/{}", product.id), view(call, &product)))
}

/// A product from a body; what is missing is empty, or as in `before` where a fault says so.
#[white_box]
fn read_whole(call: &Call<'_>, before: Option<&Product>) -> Result<Product, ShopError> {
    let body = call.json()?;
    let mut members = members(&body)?;
    let mut product = Product {
        id: 0,
        name: text("name", members.required("name")?, 1..=80)?,
        description: before.and_then(|before| before.description.clone()),
        category: word("category", members.required("category")?, Category::parse)?,
        price_cents: integer("priceCents", members.required("priceCents")?, 1..=LARGEST_PRICE)?,
        stock: 0,
        tags: before.map(|before| before.tags.clone()).unwrap_or_default(),
    };
    if let Some(value) = members.optional("description") {
        product.description = description(value)?;
    }
    if let Some(value) = members.optional("stock") {
        product.stock = integer("stock", value, 0..=LARGEST_STOCK)?;
    }
    if let Some(value) = members.optional("tags") {
        product.tags = tags(value)?;
    }
    members.finish()?;
    Ok(product)
}

#[white_box]
fn description(value: &Value) -> Result<Option<String>, ShopError> {
    if value.is_null() {
        return Ok(None);
    }
    text("description", value, 0..=usize::MAX).map(Some)
}

#[white_box]
pub(super) fn read(call: &Call<'_>) -> Handled {
    let product = product::get(call.store, call.id()?)?;
    if call.has("rest-get-takes-stock") && product.stock > 0 {
        product::restock(call.store, product.id, -1)?;
    }
    Ok(Answer::ok(view(call, &product)))
}

#[white_box]
pub(super) fn replace(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let before = if call.has("rest-put-merges") { product::find(call.store, id)? } else { None };
    let product = Product { id, ..read_whole(call, before.as_ref())? };
    product::get(call.store, id)?;
    product::update(call.store, &product)?;
    Ok(Answer::ok(view(call, &product)))
}

#[white_box]
pub(super) fn patch(call: &Call<'_>) -> Handled {
    let id = call.id()?;
    let body = call.json()?;
    let mut members = members(&body)?;
    let name = members.optional("name").map(|value| text("name", value, 1..=80)).transpose()?;
    let new_description = members.optional("description").map(description).transpose()?;
    let category = members.optional("category");
    let category = category.map(|value| word("category", value, Category::parse)).transpose()?;
    let price = members.optional("priceCents");
    let price = price.map(|value| integer("priceCents", value, 1..=LARGEST_PRICE)).transpose()?;
    let stock = members.optional("stock");
    let stock = stock.map(|value| integer("stock", value, 0..=LARGEST_STOCK)).transpose()?;
    let tags = members.optional("tags").map(tags).transpose()?;
    members.finish()?;
    let before = product::get(call.store, id)?;
    let product = Product {
        id,
        name: name.unwrap_or(before.name),
        description: new_description.unwrap_or(before.description),
        category: category.unwrap_or(before.category),
        price_cents: price.unwrap_or(before.price_cents),
        stock: stock.unwrap_or(before.stock),
        tags: tags.unwrap_or(before.tags),
    };
    product::update(call.store, &product)?;
    Ok(Answer::ok(view(call, &product)))
}

#[white_box]
pub(super) fn delete(call: &Call<'_>) -> Handled {
    let product = product::get(call.store, call.id()?)?;
    product::delete(call.store, product.id)?;
    Ok(Answer::nothing())
}
