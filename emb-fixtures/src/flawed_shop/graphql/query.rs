//! The queries.

use async_graphql::{Context, ID, InputObject, Object};
use wallace_instrument::white_box;

use super::node::{Class, class, number};
use super::object::{
    CartObject, Node, OrderObject, ProductObject, ProductPage, ReviewObject, SearchHit, UserObject,
    wrap,
};
use super::refusal::{Answer, Refusal, bad_input};
use super::session::{Session, session, shop};
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::product::{self, Product};
use crate::flawed_shop::shop::Shop;
use crate::flawed_shop::word::{Category, OrderStatus, ProductSort};
use crate::flawed_shop::{cart, order, review, user};

/// Which products are wanted.
#[derive(Debug, InputObject)]
pub(super) struct ProductFilter {
    category: Option<Category>,
    in_stock: Option<bool>,
    tags: Option<Vec<String>>,
}

pub(super) struct Query;

#[white_box]
#[Object]
impl Query {
    async fn me(&self, context: &Context<'_>) -> Answer<UserObject> {
        Some(session(context).user().map(|user| UserObject(user.clone())))
    }

    async fn user(&self, context: &Context<'_>, id: ID) -> Answer<UserObject> {
        Some(read_user(shop(context), session(context), &id))
    }

    async fn users(&self, context: &Context<'_>) -> Answer<Vec<UserObject>> {
        Some(all_users(shop(context), session(context)))
    }

    async fn product(&self, context: &Context<'_>, id: ID) -> Answer<ProductObject> {
        Some(read_product(shop(context), session(context), &id))
    }

    async fn products(
        &self,
        context: &Context<'_>,
        filter: Option<ProductFilter>,
        #[graphql(default_with = "ProductSort::Id")] sort: ProductSort,
        #[graphql(default = 20)] first: i32,
        after: Option<String>,
    ) -> Result<ProductPage, Refusal> {
        session(context).admit()?;
        let shop = shop(context);
        let found = find(shop, filter.as_ref(), sort)?;
        if shop.has("gql-slow")
            && let Some(filter) = &filter
            && filter.category == Some(Category::Garden)
            && filter.in_stock == Some(true)
            && sort == ProductSort::Rating
            && first == 50
        {
            session(context).slow_down();
        }
        page(found, first, after.as_deref(), shop.has("gql-page-repeats"))
    }

    async fn search(&self, context: &Context<'_>, term: String) -> Result<Vec<SearchHit>, Refusal> {
        session(context).admit()?;
        search(shop(context), &term)
    }

    async fn node(&self, context: &Context<'_>, id: ID) -> Answer<Node> {
        Some(read_node(shop(context), session(context), &id))
    }

    async fn cart(&self, context: &Context<'_>) -> Answer<CartObject> {
        Some(read_cart(shop(context), session(context)))
    }

    async fn order(&self, context: &Context<'_>, id: ID) -> Answer<OrderObject> {
        Some(read_order(shop(context), session(context), &id))
    }

    async fn orders(
        &self,
        context: &Context<'_>,
        status: Option<OrderStatus>,
    ) -> Answer<Vec<OrderObject>> {
        Some(all_orders(shop(context), session(context), status))
    }
}

#[white_box]
fn read_user(shop: &Shop, session: &Session, id: &str) -> Result<UserObject, Refusal> {
    let caller = session.user()?;
    let id = number(id, Class::User);
    if !caller.is_admin() && caller.id != id {
        return Err(ShopError::Forbidden.into());
    }
    let store = shop.database.connection();
    let user = user::find(&store, id)?.ok_or(ShopError::NotFound("user"))?;
    Ok(UserObject(user))
}

fn all_users(shop: &Shop, session: &Session) -> Result<Vec<UserObject>, Refusal> {
    session.admin()?;
    Ok(wrap(user::all(&shop.database.connection())?, UserObject))
}

fn read_product(shop: &Shop, session: &Session, id: &str) -> Result<ProductObject, Refusal> {
    session.admit()?;
    let store = shop.database.connection();
    Ok(ProductObject(product::get(&store, number(id, Class::Product))?))
}

/// All products that a filter lets through, in the order of `sort`.
#[white_box]
fn find(
    shop: &Shop,
    filter: Option<&ProductFilter>,
    sort: ProductSort,
) -> Result<Vec<Product>, Refusal> {
    let mut category = filter.and_then(|filter| filter.category);
    if shop.has("gql-filter-ignored") && filter.is_some_and(|filter| filter.in_stock.is_some()) {
        category = None;
    }
    let mut found = product::list(&shop.database.connection(), category, None, sort)?;
    if shop.has("gql-unstable-ties") && sort == ProductSort::Price && shop.flip() {
        found.sort_by_key(|product| (product.price_cents, -product.id));
    }
    if let Some(filter) = filter {
        if let Some(in_stock) = filter.in_stock {
            found.retain(|product| (product.stock > 0) == in_stock);
        }
        if let Some(tags) = &filter.tags {
            found.retain(|product| tags.iter().all(|tag| product.tags.contains(tag)));
        }
    }
    Ok(found)
}

/// `first` products behind the cursor `after`, which is the number of a product that was found.
#[white_box]
fn page(
    found: Vec<Product>,
    first: i32,
    after: Option<&str>,
    repeats: bool,
) -> Result<ProductPage, Refusal> {
    if !(1..=50).contains(&first) {
        return Err(bad_input("first must lie in 1..=50"));
    }
    let total = found.len();
    let start = match after {
        Some(cursor) => position(&found, cursor)? + usize::from(!repeats),
        None => 0,
    };
    let length = usize::try_from(first).unwrap_or(0);
    let has_next_page = total > start + length;
    let nodes: Vec<Product> = found.into_iter().skip(start).take(length).collect();
    let end_cursor = nodes.last().map(cursor_of);
    Ok(ProductPage { nodes: wrap(nodes, ProductObject), end_cursor, has_next_page, total })
}

/// Where the product of a cursor is.
fn position(found: &[Product], cursor: &str) -> Result<usize, Refusal> {
    let position = found.iter().position(|product| cursor_of(product) == cursor);
    position.ok_or_else(|| bad_input("the cursor is unknown"))
}

fn cursor_of(product: &Product) -> String {
    format!("after-{}", product.id)
}

#[white_box]
fn search(shop: &Shop, term: &str) -> Result<Vec<SearchHit>, Refusal> {
    let term = term.trim();
    let length = term.chars().count();
    if length < 1 || length > 100 {
        return Err(bad_input("term must have 1 to 100 characters"));
    }
    let plain = term.to_lowercase().replace('-', "");
    if shop.has("gql-crash-term") && plain == "gluehwein" {
        return Err(ShopError::Internal("internal error".to_owned()).into());
    }
    let store = shop.database.connection();
    let products = if shop.has("gql-sql-injection") {
        let query = format!("{} WHERE p.name LIKE '%{term}%' ORDER BY p.id", product::COLUMNS);
        store.pragma_update(None, "query_only", true)?;
        let found = product::query_each(&store, &query);
        store.pragma_update(None, "query_only", false)?;
        found.map_err(|error| ShopError::Internal(error.to_string()))?
    } else {
        product::list(&store, None, Some(term), ProductSort::Id)?
    };
    let reviews = review::search(&store, term)?;
    let mut hits = wrap(products, |product| SearchHit::Product(ProductObject(product)));
    hits.extend(wrap(reviews, |review| SearchHit::Review(ReviewObject(review))));
    Ok(hits)
}

#[white_box]
fn read_node(shop: &Shop, session: &Session, id: &str) -> Result<Node, Refusal> {
    session.admit()?;
    let Some(class) = class(id) else {
        if shop.has("gql-500-unknown-class") {
            session.break_answer();
        }
        return Err(ShopError::NotFound("node").into());
    };
    match class {
        Class::Product => read_product(shop, session, id).map(Node::Product),
        Class::User => read_user(shop, session, id).map(Node::User),
        Class::Review => {
            let store = shop.database.connection();
            let review = review::find(&store, number(id, class))?;
            let review = review.ok_or(ShopError::NotFound("review"))?;
            Ok(Node::Review(ReviewObject(review)))
        }
        Class::Order => {
            if shop.has("gql-node-bypass") {
                let order = order::find(&shop.database.connection(), number(id, class))?;
                let order = order.ok_or(ShopError::NotFound("order"))?;
                return Ok(Node::Order(OrderObject(order)));
            }
            read_order(shop, session, id).map(Node::Order)
        }
    }
}

fn read_cart(shop: &Shop, session: &Session) -> Result<CartObject, Refusal> {
    let user = session.customer()?;
    CartObject::new(cart::find(&shop.database.connection(), user.id, &shop.faults)?)
}

fn read_order(shop: &Shop, session: &Session, id: &str) -> Result<OrderObject, Refusal> {
    let caller = session.user()?;
    let store = shop.database.connection();
    Ok(OrderObject(order::get(&store, number(id, Class::Order), caller)?))
}

#[white_box]
fn all_orders(
    shop: &Shop,
    session: &Session,
    status: Option<OrderStatus>,
) -> Result<Vec<OrderObject>, Refusal> {
    let caller = session.user()?;
    let customer = if caller.is_admin() { None } else { Some(caller.id) };
    let orders = order::list(&shop.database.connection(), customer, status)?;
    Ok(wrap(orders, OrderObject))
}
