//! The object types.

use async_graphql::{Context, ID, Interface, Object, SimpleObject, Union};
use wallace_instrument::white_box;

use super::node::global_id;
use super::refusal::{Answer, Refusal};
use super::session::{Caller, session, shop};
use crate::flawed_shop::cart::Cart;
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::order::{self, Address, Order};
use crate::flawed_shop::product::{self, Product};
use crate::flawed_shop::review::{self, Review};
use crate::flawed_shop::user::{self, User};
use crate::flawed_shop::word::{Category, Country, OrderStatus, Role};

/// Anything with an id.
#[derive(Interface)]
#[graphql(name = "Node", field(name = "id", ty = "ID"))]
pub(super) enum Node {
    User(UserObject),
    Product(ProductObject),
    Review(ReviewObject),
    Order(OrderObject),
}

/// What a search finds.
#[derive(Union)]
#[graphql(name = "SearchHit")]
pub(super) enum SearchHit {
    Product(ProductObject),
    Review(ReviewObject),
}

/// A user, as anybody may see one; email and orders are for some only.
pub(super) struct UserObject(pub(super) User);

impl UserObject {
    /// Whether the caller sees everything of this user.
    fn is_open_to(&self, context: &Context<'_>) -> bool {
        match &session(context).caller {
            Caller::Known(caller) => caller.id == self.0.id || caller.is_admin(),
            Caller::Anonymous | Caller::Refused => false,
        }
    }
}

#[white_box]
#[Object(name = "User")]
impl UserObject {
    async fn id(&self) -> ID {
        global_id("user", self.0.id)
    }

    async fn name(&self) -> &str {
        &self.0.name
    }

    async fn role(&self) -> Role {
        self.0.role
    }

    async fn email(&self, context: &Context<'_>) -> Option<&str> {
        if self.is_open_to(context) { Some(self.0.email.as_str()) } else { None }
    }

    async fn orders(&self, context: &Context<'_>) -> Answer<Option<Vec<OrderObject>>> {
        if !self.is_open_to(context) {
            return None;
        }
        let store = shop(context).database.connection();
        let orders = order::list(&store, Some(self.0.id), None);
        Some(orders.map(|orders| Some(wrap(orders, OrderObject))).map_err(Refusal::from))
    }

    async fn reviews(&self, context: &Context<'_>) -> Result<Vec<ReviewObject>, Refusal> {
        let store = shop(context).database.connection();
        Ok(wrap(review::of_author(&store, self.0.id)?, ReviewObject))
    }
}

pub(super) fn wrap<T, U>(items: Vec<T>, wrapper: impl Fn(T) -> U) -> Vec<U> {
    items.into_iter().map(wrapper).collect()
}

/// A product.
pub(super) struct ProductObject(pub(super) Product);

#[white_box]
#[Object(name = "Product")]
impl ProductObject {
    async fn id(&self) -> ID {
        global_id("product", self.0.id)
    }

    async fn name(&self) -> &str {
        &self.0.name
    }

    async fn description(&self) -> Option<&str> {
        self.0.description.as_deref()
    }

    async fn category(&self) -> Category {
        self.0.category
    }

    async fn price_cents(&self) -> i64 {
        self.0.price_cents
    }

    async fn stock(&self) -> i64 {
        self.0.stock
    }

    async fn tags(&self) -> &[String] {
        &self.0.tags
    }

    /// Nothing is weighed yet.
    async fn weight_grams(&self) -> Option<i32> {
        None
    }

    async fn rating(&self, context: &Context<'_>) -> Answer<Option<f64>> {
        let store = shop(context).database.connection();
        Some(product::rating(&store, self.0.id).map_err(Refusal::from))
    }

    async fn reviews(
        &self,
        context: &Context<'_>,
        #[graphql(default_with = "Some(1)")] min_rating: Option<i32>,
    ) -> Result<Vec<ReviewObject>, Refusal> {
        let minimum = i64::from(min_rating.unwrap_or(1));
        let store = shop(context).database.connection();
        Ok(wrap(review::of_product(&store, self.0.id, minimum)?, ReviewObject))
    }
}

/// A review.
pub(super) struct ReviewObject(pub(super) Review);

#[Object(name = "Review")]
impl ReviewObject {
    async fn id(&self) -> ID {
        global_id("review", self.0.id)
    }

    async fn rating(&self) -> i64 {
        self.0.rating
    }

    async fn text(&self) -> &str {
        &self.0.text
    }

    async fn author(&self, context: &Context<'_>) -> Result<UserObject, Refusal> {
        user_of(context, self.0.author_id)
    }

    async fn product(&self, context: &Context<'_>) -> Result<ProductObject, Refusal> {
        let store = shop(context).database.connection();
        Ok(ProductObject(product::get(&store, self.0.product_id)?))
    }
}

fn user_of(context: &Context<'_>, id: i64) -> Result<UserObject, Refusal> {
    let store = shop(context).database.connection();
    let user = user::find(&store, id)?.ok_or(ShopError::NotFound("user"))?;
    Ok(UserObject(user))
}

/// A product in a cart or an order; it may be gone.
#[derive(SimpleObject)]
#[graphql(name = "Line")]
pub(super) struct LineObject {
    product: Option<ProductObject>,
    price_cents: i64,
    quantity: i64,
}

/// A cart.
#[derive(SimpleObject)]
#[graphql(name = "Cart")]
pub(super) struct CartObject {
    lines: Vec<LineObject>,
    coupon: Option<String>,
    subtotal_cents: i64,
    total_cents: i64,
}

#[white_box]
impl CartObject {
    /// The view of a cart; a negative total, which only a fault makes, has none.
    pub(super) fn new(cart: Cart) -> Result<Self, Refusal> {
        if cart.total_cents < 0 {
            return Err(ShopError::Internal("the total is out of range".to_owned()).into());
        }
        let line = |line: crate::flawed_shop::cart::CartLine| LineObject {
            price_cents: line.product.price_cents,
            quantity: line.quantity,
            product: Some(ProductObject(line.product)),
        };
        Ok(Self {
            lines: wrap(cart.lines, line),
            coupon: cart.coupon,
            subtotal_cents: cart.subtotal_cents,
            total_cents: cart.total_cents,
        })
    }
}

/// Where an order is sent.
#[derive(SimpleObject)]
#[graphql(name = "Address")]
pub(super) struct AddressObject {
    street: String,
    city: String,
    country: Country,
}

/// An order.
pub(super) struct OrderObject(pub(super) Order);

#[Object(name = "Order")]
impl OrderObject {
    async fn id(&self) -> ID {
        global_id("order", self.0.id)
    }

    async fn status(&self) -> OrderStatus {
        self.0.status
    }

    async fn lines(&self, context: &Context<'_>) -> Result<Vec<LineObject>, Refusal> {
        let store = shop(context).database.connection();
        let mut lines = Vec::new();
        for line in &self.0.lines {
            let product = match line.product_id {
                Some(id) => product::find(&store, id)?.map(ProductObject),
                None => None,
            };
            let (price_cents, quantity) = (line.price_cents, line.quantity);
            lines.push(LineObject { product, price_cents, quantity });
        }
        Ok(lines)
    }

    async fn total_cents(&self) -> i64 {
        self.0.total_cents
    }

    async fn address(&self) -> Option<AddressObject> {
        let Address { street, city, country } = self.0.address.clone()?;
        Some(AddressObject { street, city, country })
    }

    async fn customer(&self, context: &Context<'_>) -> Result<UserObject, Refusal> {
        user_of(context, self.0.customer_id)
    }
}

/// A part of a list of products.
#[derive(SimpleObject)]
#[graphql(name = "ProductPage")]
pub(super) struct ProductPage {
    pub(super) nodes: Vec<ProductObject>,
    pub(super) end_cursor: Option<String>,
    pub(super) has_next_page: bool,
    pub(super) total: usize,
}

/// A token and whose it is.
#[derive(SimpleObject)]
#[graphql(name = "LoginPayload")]
pub(super) struct LoginPayload {
    pub(super) token: String,
    pub(super) user: UserObject,
}
