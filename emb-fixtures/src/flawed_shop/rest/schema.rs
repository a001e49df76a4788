//! The schemas of the description.

use serde_json::{Value, json};

/// All schemas by name; parameters of a path are named like the parameter.
pub(super) fn schemas() -> Value {
    let mut schemas = requests();
    for part in [parameters(), answers(), lists()] {
        if let (Value::Object(all), Value::Object(part)) = (&mut schemas, part) {
            all.extend(part);
        }
    }
    schemas
}

/// An object with these members and no others.
fn object(required: &[&str], properties: &Value) -> Value {
    json!({
        "type": "object", "required": required, "properties": properties,
        "additionalProperties": false,
    })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn text(shortest: u32, longest: u32) -> Value {
    json!({ "type": "string", "minLength": shortest, "maxLength": longest })
}

fn integer(smallest: i64, largest: i64) -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": smallest, "maximum": largest })
}

fn id() -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": 1 })
}

fn amount() -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": 0 })
}

fn email() -> Value {
    json!({ "type": "string", "minLength": 3, "maxLength": 120, "pattern": "^[^@]*@[^@]*$" })
}

fn tags() -> Value {
    json!({ "type": "array", "maxItems": 5, "items": { "type": "string" } })
}

fn parameters() -> Value {
    let code = json!({
        "type": "string", "pattern": "^[A-Z0-9-]{3,24}$", "minLength": 3, "maxLength": 24,
        "examples": ["SAVE10"],
    });
    json!({
        "Category": { "type": "string", "enum": ["BOOKS", "GARDEN", "TOYS", "FOOD", "MUSIC"] },
        "ProductSort": {
            "type": "string", "enum": ["ID", "NAME", "PRICE", "RATING"], "default": "ID",
        },
        "OrderStatus": {
            "type": "string", "enum": ["NEW", "PAID", "SHIPPED", "DELIVERED", "CANCELLED"],
        },
        "Country": { "type": "string", "enum": ["DE", "SE", "FR", "US"] },
        "Role": { "type": "string", "enum": ["CUSTOMER", "ADMIN"] },
        "SearchTerm": text(1, 100),
        "Limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 20 },
        "Offset": { "type": "integer", "format": "int64", "minimum": 0, "default": 0 },
        "Rating": integer(1, 5),
        "CallbackUrl": {
            "type": "string", "format": "uri", "examples": ["https://hooks.shop.test/orders"],
        },
        "Code": code,
        "Id": id(),
    })
}

fn product_properties() -> Value {
    json!({
        "name": text(1, 80),
        "description": { "type": ["string", "null"] },
        "category": reference("Category"),
        "priceCents": integer(1, 10_000_000),
        "stock": integer(0, 100_000),
        "tags": tags(),
    })
}

fn requests() -> Value {
    let product = product_properties();
    let new_coupon = json!({
        "code": reference("Code"),
        "percentOff": integer(1, 100),
        "amountOffCents": integer(1, super::coupon::LARGEST_AMOUNT),
        "active": { "type": "boolean", "default": true },
    });
    json!({
        "Credentials": object(
            &["email", "password"],
            &json!({ "email": { "type": "string" }, "password": { "type": "string" } }),
        ),
        "Registration": object(
            &["email", "password", "name"],
            &json!({ "email": email(), "password": text(8, 64), "name": text(1, 80) }),
        ),
        "UserPatch": object(&[], &json!({ "name": text(1, 80), "email": email() })),
        "NewProduct": object(&["name", "category", "priceCents"], &product),
        "ProductPatch": object(&[], &product),
        "NewReview": object(
            &["rating", "text"],
            &json!({ "rating": reference("Rating"), "text": text(0, 500) }),
        ),
        "Quantity": object(&["quantity"], &json!({ "quantity": integer(1, 10_000) })),
        "Address": address(),
        "Transition": object(&["to"], &json!({ "to": reference("OrderStatus") })),
        "NewCoupon": object(&["code"], &new_coupon),
    })
}

fn address() -> Value {
    object(
        &["street", "city", "country"],
        &json!({ "street": text(1, 100), "city": text(1, 60), "country": reference("Country") }),
    )
}

fn answers() -> Value {
    let mut product = product_properties();
    product["id"] = id();
    let product_members = ["id", "name", "description", "category", "priceCents", "stock", "tags"];
    let login = json!({ "token": { "type": "string" }, "userId": id(), "role": reference("Role") });
    let user = json!({
        "id": id(), "email": email(), "name": text(1, 80), "role": reference("Role"),
    });
    let review = json!({
        "id": id(), "productId": id(), "authorId": id(), "rating": reference("Rating"),
        "text": text(0, 500),
    });
    let coupon = json!({
        "code": reference("Code"), "percentOff": integer(1, 100),
        "amountOffCents": integer(1, super::coupon::LARGEST_AMOUNT), "active": { "type": "boolean" },
    });
    json!({
        "Problem": object(
            &["code", "message"],
            &json!({ "code": { "type": "string" }, "message": { "type": "string" } }),
        ),
        "Login": object(&["token", "userId", "role"], &login),
        "User": object(&["id", "email", "name", "role"], &user),
        "Product": object(&product_members, &product),
        "Review": object(&["id", "productId", "authorId", "rating", "text"], &review),
        "Coupon": object(&["code", "active"], &coupon),
        "Cart": cart(),
        "Order": order(),
        "Export": object(
            &["orderId", "callbackUrl"],
            &json!({ "orderId": id(), "callbackUrl": { "type": "string" } }),
        ),
    })
}

fn cart() -> Value {
    let line = json!({
        "productId": id(), "priceCents": amount(), "quantity": integer(1, 10_000),
    });
    let lines = json!({ "type": "array", "items": object(&["productId", "priceCents", "quantity"], &line) });
    object(
        &["lines", "coupon", "subtotalCents", "totalCents"],
        &json!({
            "lines": lines, "coupon": { "type": ["string", "null"] },
            "subtotalCents": amount(), "totalCents": amount(),
        }),
    )
}

fn order() -> Value {
    let product = json!({ "type": ["integer", "null"], "format": "int64", "minimum": 1 });
    let line =
        json!({ "productId": product, "priceCents": amount(), "quantity": integer(1, 10_000) });
    let lines = json!({ "type": "array", "items": object(&["productId", "priceCents", "quantity"], &line) });
    object(
        &["id", "customerId", "lines", "totalCents", "status", "address"],
        &json!({
            "id": id(), "customerId": id(), "lines": lines, "totalCents": amount(),
            "status": reference("OrderStatus"),
            "address": { "oneOf": [reference("Address"), { "type": "null" }] },
        }),
    )
}

fn lists() -> Value {
    let list = |name: &str| json!({ "type": "array", "items": reference(name) });
    let page = json!({
        "items": list("Product"), "total": amount(),
        "limit": reference("Limit"), "offset": reference("Offset"),
    });
    json!({
        "Users": list("User"),
        "Reviews": list("Review"),
        "Orders": list("Order"),
        "Coupons": list("Coupon"),
        "ProductPage": object(&["items", "total", "limit", "offset"], &page),
    })
}
