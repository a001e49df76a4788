//! The tables, and rows of them as objects.

use serde_json::{Map, Value};

/// Eight tables, among them one with a composite key and one that refers to itself.
pub(super) const SCHEMA: &str = "
    CREATE TABLE suppliers (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(60) NOT NULL UNIQUE,
        country VARCHAR(2) NOT NULL, rating INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
        blocked BOOLEAN NOT NULL
    );
    CREATE TABLE categories (
        id INTEGER PRIMARY KEY AUTOINCREMENT, title VARCHAR(40) NOT NULL,
        parent_id INTEGER REFERENCES categories (id), level INTEGER NOT NULL, visibility TEXT NOT NULL
    );
    CREATE TABLE products (
        id INTEGER PRIMARY KEY AUTOINCREMENT, sku VARCHAR(20) NOT NULL UNIQUE,
        name VARCHAR(80) NOT NULL, price INTEGER NOT NULL, weight REAL,
        supplier_id INTEGER NOT NULL REFERENCES suppliers (id),
        category_id INTEGER NOT NULL REFERENCES categories (id), discontinued DATE
    );
    CREATE TABLE warehouses (
        code VARCHAR(8) PRIMARY KEY, city VARCHAR(40) NOT NULL, capacity INTEGER NOT NULL,
        opened DATE
    );
    CREATE TABLE stocks (
        product_id INTEGER NOT NULL REFERENCES products (id),
        warehouse_code VARCHAR(8) NOT NULL REFERENCES warehouses (code),
        quantity INTEGER NOT NULL, PRIMARY KEY (product_id, warehouse_code)
    );
    CREATE TABLE customers (
        id INTEGER PRIMARY KEY AUTOINCREMENT, email VARCHAR(80) NOT NULL UNIQUE,
        tier TEXT NOT NULL CHECK (tier IN ('basic', 'silver', 'gold')), balance INTEGER NOT NULL
    );
    CREATE TABLE orders (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        customer_id INTEGER NOT NULL REFERENCES customers (id),
        placed DATE NOT NULL, state TEXT NOT NULL, note TEXT
    );
    CREATE TABLE order_lines (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        order_id INTEGER NOT NULL REFERENCES orders (id),
        product_id INTEGER NOT NULL REFERENCES products (id),
        quantity INTEGER NOT NULL, discount INTEGER
    );";

/// A row as an object mapper gives it.
#[derive(Debug, Clone)]
pub(super) struct Record(pub(super) Map<String, Value>);

impl Record {
    pub(super) fn number(&self, column: &str) -> i64 {
        self.0.get(column).and_then(Value::as_i64).unwrap_or(0)
    }

    pub(super) fn text(&self, column: &str) -> &str {
        self.0.get(column).and_then(Value::as_str).unwrap_or("")
    }

    pub(super) fn is_null(&self, column: &str) -> bool {
        self.0.get(column).is_none_or(Value::is_null)
    }
}
