//! The operations: who may call them, what they take, what they give.

use super::answer::Answer;
use super::call::Call;
use super::{cart, coupon, order, product, review, user};
use crate::flawed_shop::error::ShopError;

/// Who may call an operation, as far as that does not depend on the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Everybody; the `Authorization` header is not looked at.
    Ignored,
    /// Everybody; but a token must be one of the shop's.
    Public,
    /// Whoever has a token.
    Known,
    /// Customers.
    Customer,
    /// Admins.
    Admin,
}

/// A query parameter.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: &'static str,
    /// Name of its schema, see [`super::schema`].
    pub(super) schema: &'static str,
    pub(super) is_required: bool,
}

const fn optional(name: &'static str, schema: &'static str) -> Parameter {
    Parameter { name, schema, is_required: false }
}

/// One method of one path.
pub(super) struct Operation {
    pub(super) method: &'static str,
    /// Template of the path.
    pub(super) path: &'static str,
    pub(super) summary: &'static str,
    pub(super) access: Access,
    pub(super) query: &'static [Parameter],
    /// Name of the schema of the body; `None` for operations without one.
    pub(super) body: Option<&'static str>,
    /// Statuses of success, with the name of the schema of each.
    pub(super) success: &'static [(u16, Option<&'static str>)],
    /// Statuses of refusal beyond those that follow from the rest.
    pub(super) refusals: &'static [u16],
    pub(super) run: fn(&Call<'_>) -> Result<Answer, ShopError>,
}

impl Operation {
    /// An operation of a method and path, open to everybody, without parameters or body.
    const fn new(
        method: &'static str,
        path: &'static str,
        summary: &'static str,
        run: fn(&Call<'_>) -> Result<Answer, ShopError>,
    ) -> Self {
        Self {
            method,
            path,
            summary,
            access: Access::Public,
            query: &[],
            body: None,
            success: &[(204, None)],
            refusals: &[],
            run,
        }
    }

    const fn access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    const fn query(self, query: &'static [Parameter]) -> Self {
        Self { query, ..self }
    }

    const fn body(self, schema: &'static str) -> Self {
        Self { body: Some(schema), ..self }
    }

    const fn gives(self, success: &'static [(u16, Option<&'static str>)]) -> Self {
        Self { success, ..self }
    }

    const fn refuses(self, refusals: &'static [u16]) -> Self {
        Self { refusals, ..self }
    }

    /// Whether its path has parameters.
    pub(super) fn has_path_parameters(&self) -> bool {
        self.path.contains('{')
    }

    /// Whether the body is a patch, which has a media type of its own too.
    pub(super) fn is_patch(&self) -> bool {
        self.method == "PATCH"
    }
}

/// All operations, by path.
pub(super) static OPERATIONS: &[Operation] = &[
    Operation::new("POST", "/login", "get a token", user::log_in)
        .access(Access::Ignored)
        .body("Credentials")
        .gives(&[(200, Some("Login"))]),
    Operation::new("POST", "/users", "become a customer", user::register)
        .access(Access::Ignored)
        .body("Registration")
        .gives(&[(201, Some("User"))])
        .refuses(&[409]),
    Operation::new("GET", "/users", "all users, by id", user::list)
        .access(Access::Admin)
        .gives(&[(200, Some("Users"))]),
    Operation::new("GET", "/users/{userId}", "one user", user::read)
        .access(Access::Known)
        .gives(&[(200, Some("User"))])
        .refuses(&[403, 404]),
    Operation::new("PATCH", "/users/{userId}", "change a user", user::patch)
        .access(Access::Known)
        .body("UserPatch")
        .gives(&[(200, Some("User"))])
        .refuses(&[403, 404, 409]),
    Operation::new("GET", "/products", "a page of products", product::list)
        .query(&[
            optional("category", "Category"),
            optional("q", "SearchTerm"),
            optional("sort", "ProductSort"),
            optional("limit", "Limit"),
            optional("offset", "Offset"),
        ])
        .gives(&[(200, Some("ProductPage"))]),
    Operation::new("POST", "/products", "add a product", product::create)
        .access(Access::Admin)
        .body("NewProduct")
        .gives(&[(201, Some("Product"))]),
    Operation::new("GET", "/products/{productId}", "one product", product::read)
        .gives(&[(200, Some("Product"))])
        .refuses(&[404]),
    Operation::new("PUT", "/products/{productId}", "replace a product", product::replace)
        .access(Access::Admin)
        .body("NewProduct")
        .gives(&[(200, Some("Product"))])
        .refuses(&[404, 409]),
    Operation::new("PATCH", "/products/{productId}", "change a product", product::patch)
        .access(Access::Admin)
        .body("ProductPatch")
        .gives(&[(200, Some("Product"))])
        .refuses(&[404, 409]),
    Operation::new("DELETE", "/products/{productId}", "remove a product", product::delete)
        .access(Access::Admin)
        .refuses(&[404]),
    Operation::new("GET", "/products/{productId}/reviews", "reviews of a product", review::list)
        .query(&[optional("minRating", "Rating")])
        .gives(&[(200, Some("Reviews"))])
        .refuses(&[404]),
    Operation::new("POST", "/products/{productId}/reviews", "review a product", review::create)
        .access(Access::Customer)
        .body("NewReview")
        .gives(&[(201, Some("Review"))])
        .refuses(&[404, 409]),
    Operation::new("GET", "/reviews/{reviewId}", "one review", review::read)
        .gives(&[(200, Some("Review"))])
        .refuses(&[404]),
    Operation::new("DELETE", "/reviews/{reviewId}", "remove a review", review::delete)
        .access(Access::Known)
        .refuses(&[403, 404]),
    Operation::new("GET", "/cart", "the cart of the caller", cart::read)
        .access(Access::Customer)
        .gives(&[(200, Some("Cart"))]),
    Operation::new("PUT", "/cart/items/{productId}", "set a quantity", cart::set_line)
        .access(Access::Customer)
        .body("Quantity")
        .gives(&[(200, Some("Cart")), (201, Some("Cart"))])
        .refuses(&[404, 409]),
    Operation::new("DELETE", "/cart/items/{productId}", "take a line out", cart::remove_line)
        .access(Access::Customer)
        .refuses(&[404]),
    Operation::new("PUT", "/cart/coupons/{code}", "use a coupon", cart::apply_coupon)
        .access(Access::Customer)
        .gives(&[(200, Some("Cart"))])
        .refuses(&[404]),
    Operation::new("POST", "/orders", "check the cart out", order::check_out)
        .access(Access::Customer)
        .gives(&[(201, Some("Order"))])
        .refuses(&[409]),
    Operation::new("GET", "/orders", "orders of the caller, or all", order::list)
        .access(Access::Known)
        .query(&[optional("status", "OrderStatus")])
        .gives(&[(200, Some("Orders"))]),
    Operation::new("GET", "/orders/{orderId}", "one order", order::read)
        .access(Access::Known)
        .gives(&[(200, Some("Order"))])
        .refuses(&[403, 404]),
    Operation::new("PUT", "/orders/{orderId}/address", "replace the address", order::set_address)
        .access(Access::Known)
        .body("Address")
        .gives(&[(200, Some("Order"))])
        .refuses(&[403, 404, 409]),
    Operation::new("POST", "/orders/{orderId}/transitions", "change the state", order::transition)
        .access(Access::Known)
        .body("Transition")
        .gives(&[(200, Some("Order"))])
        .refuses(&[403, 404, 409]),
    Operation::new("POST", "/orders/{orderId}/export", "send an order to a hook", order::export)
        .access(Access::Known)
        .query(&[Parameter { name: "callbackUrl", schema: "CallbackUrl", is_required: true }])
        .gives(&[(202, Some("Export"))])
        .refuses(&[403, 404, 422]),
    Operation::new("GET", "/coupons", "all coupons, by code", coupon::list)
        .access(Access::Admin)
        .gives(&[(200, Some("Coupons"))]),
    Operation::new("POST", "/coupons", "add a coupon", coupon::create)
        .access(Access::Admin)
        .body("NewCoupon")
        .gives(&[(201, Some("Coupon"))])
        .refuses(&[409, 422]),
    Operation::new("GET", "/coupons/{code}", "one coupon", coupon::read)
        .access(Access::Admin)
        .gives(&[(200, Some("Coupon"))])
        .refuses(&[404]),
];
