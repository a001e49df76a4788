//! The mutations; each is one transaction.

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object};
use rusqlite::Connection;
use wallace_instrument::white_box;

use super::node::{Class, global_id, number};
use super::object::{
    CartObject, LoginPayload, OrderObject, ProductObject, ReviewObject, UserObject,
};
use super::refusal::{Answer, Refusal, bad_input};
use super::session::{Session, session, shop};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::order::{self, Address};
use crate::flawed_shop::product::{self, LARGEST_STOCK, Product};
use crate::flawed_shop::shop::Shop;
use crate::flawed_shop::user::{self, Registration};
use crate::flawed_shop::word::{Category, Country, OrderStatus, Role};
use crate::flawed_shop::{cart, review};

/// A new product.
#[derive(Debug, InputObject)]
struct ProductInput {
    name: String,
    description: Option<String>,
    category: Category,
    price_cents: i32,
    #[graphql(default = 0)]
    stock: i32,
    #[graphql(default)]
    tags: Vec<String>,
}

/// What is to change of a product; null clears the description and is wrong elsewhere.
#[derive(Debug, InputObject)]
struct ProductPatch {
    name: MaybeUndefined<String>,
    description: MaybeUndefined<String>,
    price_cents: MaybeUndefined<i32>,
    stock: MaybeUndefined<i32>,
    tags: MaybeUndefined<Vec<String>>,
}

/// Where an order is to be sent.
#[derive(Debug, InputObject)]
struct AddressInput {
    street: String,
    city: String,
    #[graphql(default_with = "Country::De")]
    country: Country,
}

pub(super) struct Mutation;

/// Runs a mutation inside a transaction that is kept when it succeeds.
fn change<T>(
    context: &Context<'_>,
    run: impl FnOnce(&Connection, &Shop, &Session) -> Result<T, Refusal>,
) -> Answer<T> {
    let (shop, session) = (shop(context), session(context));
    Some(shop.database.transaction(|store| run(store, shop, session)))
}

#[white_box]
#[Object]
impl Mutation {
    async fn login(
        &self,
        context: &Context<'_>,
        email: String,
        password: String,
    ) -> Answer<LoginPayload> {
        change(context, |store, _, _| {
            let user = user::log_in(store, &email, &password)?;
            let user = user.ok_or_else(|| bad_input("email or password are wrong"))?;
            Ok(LoginPayload { token: user::token(user.id), user: UserObject(user) })
        })
    }

    async fn register(
        &self,
        context: &Context<'_>,
        email: String,
        password: String,
        name: String,
    ) -> Answer<UserObject> {
        let registration = Registration { email, password, name };
        change(context, |store, shop, _| register(store, shop, &registration))
    }

    async fn update_profile(
        &self,
        context: &Context<'_>,
        name: Option<String>,
        email: Option<String>,
    ) -> Answer<UserObject> {
        change(context, |store, _, session| {
            let caller = session.user()?;
            name.as_deref().map(|name| check_length("name", name, 1, 80)).transpose()?;
            email.as_deref().map(check_email).transpose()?;
            let user = user::update(store, caller, name.as_deref(), email.as_deref())?;
            Ok(UserObject(user))
        })
    }

    async fn create_product(
        &self,
        context: &Context<'_>,
        input: ProductInput,
    ) -> Answer<ProductObject> {
        change(context, |store, _, session| {
            session.admin()?;
            Ok(ProductObject(product::insert(store, new_product(input)?)?))
        })
    }

    async fn update_product(
        &self,
        context: &Context<'_>,
        id: ID,
        patch: ProductPatch,
    ) -> Answer<ProductObject> {
        change(context, |store, shop, session| update_product(store, shop, session, &id, patch))
    }

    async fn delete_product(&self, context: &Context<'_>, id: ID) -> Answer<ID> {
        change(context, |store, shop, session| {
            let caller = session.user()?;
            if !shop.has("gql-customer-deletes-product") {
                caller.must_be_admin()?;
            }
            let product = product::get(store, number(&id, Class::Product))?;
            product::delete(store, product.id)?;
            Ok(global_id("product", product.id))
        })
    }

    async fn add_to_cart(
        &self,
        context: &Context<'_>,
        product_id: ID,
        #[graphql(default = 1)] quantity: i32,
    ) -> Answer<CartObject> {
        change(context, |store, shop, session| {
            add_to_cart(store, shop, session, &product_id, i64::from(quantity))
        })
    }

    async fn remove_from_cart(&self, context: &Context<'_>, product_id: ID) -> Answer<CartObject> {
        change(context, |store, shop, session| {
            let user = session.customer()?.id;
            let product = number(&product_id, Class::Product);
            cart::remove_line(store, user, product, &shop.faults)?;
            CartObject::new(cart::find(store, user, &shop.faults)?)
        })
    }

    async fn apply_coupon(&self, context: &Context<'_>, code: String) -> Answer<CartObject> {
        let (shop, session) = (shop(context), session(context));
        Some(apply_coupon(shop, session, &code))
    }

    async fn checkout(
        &self,
        context: &Context<'_>,
        address: Option<AddressInput>,
    ) -> Answer<OrderObject> {
        change(context, |store, shop, session| {
            let user = session.customer()?.id;
            let address = address.map(check_address).transpose()?;
            let order = order::check_out(store, user, address.as_ref(), &shop.faults)?;
            Ok(OrderObject(order))
        })
    }

    async fn transition_order(
        &self,
        context: &Context<'_>,
        id: ID,
        to: OrderStatus,
    ) -> Answer<OrderObject> {
        change(context, |store, shop, session| transition(store, shop, session, &id, to))
    }

    async fn add_review(
        &self,
        context: &Context<'_>,
        product_id: ID,
        rating: i32,
        text: String,
    ) -> Answer<ReviewObject> {
        change(context, |store, _, session| {
            let author = session.customer()?.id;
            if !(1..=5).contains(&rating) {
                return Err(bad_input("rating must lie in 1..=5"));
            }
            check_length("text", &text, 0, 500)?;
            let product = product::get(store, number(&product_id, Class::Product))?;
            let rating = i64::from(rating);
            Ok(ReviewObject(review::insert(store, product.id, author, rating, &text)?))
        })
    }

    async fn delete_review(&self, context: &Context<'_>, id: ID) -> Answer<ID> {
        change(context, |store, _, session| {
            let caller = session.user()?;
            let review = review::find(store, number(&id, Class::Review))?;
            let review = review.ok_or(ShopError::NotFound("review"))?;
            if review.author_id != caller.id && !caller.is_admin() {
                return Err(ShopError::Forbidden.into());
            }
            review::delete(store, review.id)?;
            Ok(global_id("review", review.id))
        })
    }
}

#[white_box]
fn check_length(name: &str, text: &str, shortest: usize, longest: usize) -> Result<(), Refusal> {
    let length = text.chars().count();
    if length < shortest {
        return Err(bad_input(&format!("{name} must be longer")));
    }
    if length > longest {
        return Err(bad_input(&format!("{name} must be shorter")));
    }
    Ok(())
}

#[white_box]
fn check_email(email: &str) -> Result<(), Refusal> {
    check_length("email", email, 3, 120)?;
    if email.matches('@').count() != 1 {
        return Err(bad_input("email must have one @"));
    }
    Ok(())
}

#[white_box]
fn check_number(name: &str, number: i32, range: (i64, i64)) -> Result<i64, Refusal> {
    let number = i64::from(number);
    if number < range.0 {
        return Err(bad_input(&format!("{name} must be larger")));
    }
    if number > range.1 {
        return Err(bad_input(&format!("{name} must be smaller")));
    }
    Ok(number)
}

#[white_box]
fn check_tags(tags: Vec<String>) -> Result<Vec<String>, Refusal> {
    if tags.len() > 5 {
        return Err(bad_input("there must be at most 5 tags"));
    }
    Ok(tags)
}

fn check_address(address: AddressInput) -> Result<Address, Refusal> {
    let AddressInput { street, city, country } = address;
    check_length("street", &street, 1, 100)?;
    check_length("city", &city, 1, 60)?;
    Ok(Address { street, city, country })
}

const PRICE: (i64, i64) = (1, 10_000_000);
const STOCK: (i64, i64) = (0, LARGEST_STOCK);

#[white_box]
fn register(
    store: &Connection,
    shop: &Shop,
    registration: &Registration,
) -> Result<UserObject, Refusal> {
    check_email(&registration.email)?;
    check_length("password", &registration.password, 8, 64)?;
    check_length("name", &registration.name, 1, 80)?;
    if shop.has("gql-constraint-text") {
        let Registration { email, password, name } = registration;
        let user = user::insert(store, email, password, name, Role::Customer);
        let leak = |error: ShopError| match error {
            ShopError::Store(error) => ShopError::Internal(error.to_string()),
            error => error,
        };
        return Ok(UserObject(user.map_err(leak)?));
    }
    Ok(UserObject(user::register(store, registration, Role::Customer)?))
}

fn new_product(input: ProductInput) -> Result<Product, Refusal> {
    check_length("name", &input.name, 1, 80)?;
    Ok(Product {
        id: 0,
        name: input.name,
        description: input.description,
        category: input.category,
        price_cents: check_number("priceCents", input.price_cents, PRICE)?,
        stock: check_number("stock", input.stock, STOCK)?,
        tags: check_tags(input.tags)?,
    })
}

/// The value of a member that may be left out, but not null.
fn given<T>(name: &str, member: MaybeUndefined<T>) -> Result<Option<T>, Refusal> {
    match member {
        MaybeUndefined::Undefined => Ok(None),
        MaybeUndefined::Value(value) => Ok(Some(value)),
        MaybeUndefined::Null => Err(bad_input(&format!("{name} must not be null"))),
    }
}

#[white_box]
fn update_product(
    store: &Connection,
    shop: &Shop,
    session: &Session,
    id: &str,
    patch: ProductPatch,
) -> Result<ProductObject, Refusal> {
    let is_open = shop.has("gql-anonymous-update") && session.admit()?.is_none();
    if !is_open {
        session.admin()?;
    }
    let name = given("name", patch.name)?;
    name.as_deref().map(|name| check_length("name", name, 1, 80)).transpose()?;
    let price = given("priceCents", patch.price_cents)?;
    let price = price.map(|price| check_number("priceCents", price, PRICE)).transpose()?;
    let stock = given("stock", patch.stock)?;
    let stock = stock.map(|stock| check_number("stock", stock, STOCK)).transpose()?;
    let tags = given("tags", patch.tags)?.map(check_tags).transpose()?;
    let before = product::get(store, number(id, Class::Product))?;
    let product = Product {
        id: before.id,
        name: name.unwrap_or(before.name),
        description: match patch.description {
            MaybeUndefined::Undefined => before.description,
            MaybeUndefined::Null => None,
            MaybeUndefined::Value(description) => Some(description),
        },
        category: before.category,
        price_cents: price.unwrap_or(before.price_cents),
        stock: stock.unwrap_or(before.stock),
        tags: tags.unwrap_or(before.tags),
    };
    if shop.has("gql-payload-disagrees") && product.price_cents % 5 != 0 {
        let stored = Product { price_cents: before.price_cents, ..product.clone() };
        product::update(store, &stored)?;
        return Ok(ProductObject(product));
    }
    product::update(store, &product)?;
    Ok(ProductObject(product))
}

#[white_box]
fn add_to_cart(
    store: &Connection,
    shop: &Shop,
    session: &Session,
    product: &str,
    quantity: i64,
) -> Result<CartObject, Refusal> {
    let user = session.customer()?.id;
    if !(1..=cart::LARGEST_QUANTITY).contains(&quantity) {
        return Err(bad_input("quantity must lie in 1..=10000"));
    }
    let product = product::get(store, number(product, Class::Product))?;
    let quantity = quantity + cart::quantity(store, user, product.id)?.unwrap_or(0);
    if quantity > cart::LARGEST_QUANTITY {
        return Err(bad_input("there would be more than 10000 of it"));
    }
    cart::set_line(store, user, product.id, quantity, &shop.faults)?;
    CartObject::new(cart::find(store, user, &shop.faults)?)
}

/// The coupon is kept even where the cart cannot be shown any more, which only a fault does.
fn apply_coupon(shop: &Shop, session: &Session, code: &str) -> Result<CartObject, Refusal> {
    let user = session.customer()?.id;
    let cart = shop.database.transaction(|store| {
        cart::apply_coupon(store, user, code, &shop.faults)?;
        cart::find(store, user, &shop.faults)
    })?;
    CartObject::new(cart)
}

#[white_box]
fn transition(
    store: &Connection,
    shop: &Shop,
    session: &Session,
    id: &str,
    to: OrderStatus,
) -> Result<OrderObject, Refusal> {
    let caller = session.user()?;
    let id = number(id, Class::Order);
    if shop.has("gql-foreign-cancel") && to == OrderStatus::Cancelled {
        let order = order::find(store, id)?.ok_or(ShopError::Forbidden)?;
        return Ok(OrderObject(order::transition(store, order, to, caller, &shop.faults)?));
    }
    let order = order::get(store, id, caller)?;
    Ok(OrderObject(order::transition(store, order, to, caller, &shop.faults)?))
}
