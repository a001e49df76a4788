//! The service as callers see it. Not instrumented.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::operation as does;
use crate::amendment::Amendments;
use crate::database::Database;
use crate::resource::{Call, Operation, Refused, Reply, router};
use crate::switch::Switches;
use crate::system::System;

type Does = fn(&Connection, &Call) -> Result<Value, Refused>;

/// An instance with this database.
pub(super) fn system(database: Database) -> System {
    let state = database.clone();
    let statuses = Amendments::new(Switches::default(), &[]);
    let schemas = json!({ "Answer": {}, "Things": { "type": "object" } });
    System::on_database(router("Catalogue", OPERATIONS, &schemas, database, &statuses), state)
}

fn answer(database: &Database, call: &Call, does: Does) -> Reply {
    match does(&database.connection(), call) {
        Ok(body) => Reply::new(200, body),
        Err(refused) => refused.into(),
    }
}

macro_rules! operations {
    ($($method:literal $path:literal $query:expr => $does:ident,)*) => {
        &[$(Operation {
            method: $method,
            path: $path,
            summary: "",
            query: &$query,
            body: None,
            answers: &[(200, "Answer")],
            run: |database, call| answer(database, call, does::$does),
        },)*]
    };
}

const OPERATIONS: &[Operation<Database>] = operations! {
    "GET" "/suppliers" ["country", "minRating"] => suppliers,
    "GET" "/suppliers/{id}" [] => supplier,
    "GET" "/suppliers-by-name/{supplier}/products" [] => supplier_products,
    "GET" "/products" ["maxPrice", "category"] => products,
    "GET" "/products/{id}" [] => product,
    "GET" "/product" ["sku"] => product_by_sku,
    "GET" "/products/{id}/stock" [] => product_stock,
    "GET" "/categories" ["title"] => categories,
    "GET" "/categories/{id}" [] => category,
    "GET" "/categories-by-title/{category}/products" [] => category_products,
    "GET" "/levels" ["level"] => levels,
    "GET" "/warehouses" ["city", "minCapacity"] => warehouses,
    "GET" "/warehouses/{code}" [] => warehouse,
    "GET" "/warehouses/{code}/stocks" ["maxQuantity"] => warehouse_stocks,
    "GET" "/customers" ["tier"] => customers,
    "GET" "/customers-by-email/{email}" [] => customer,
    "GET" "/customers/{id}/orders" ["since"] => customer_orders,
    "GET" "/orders" ["state", "before"] => orders,
    "GET" "/orders/{id}" [] => order,
    "GET" "/orders/{id}/lines" [] => order_lines,
    "GET" "/reports/turnover" ["year"] => turnover,
    "GET" "/glossary" ["term"] => glossary,
    "POST" "/import" ["file"] => closed,
    "POST" "/scores" ["project"] => closed,
    "GET" "/health" [] => healthy,
    "GET" "/health.json" [] => healthy,
    "GET" "/error" [] => healthy,
};
