CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL
);
CREATE TABLE products (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    description TEXT,
    category TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    stock INTEGER NOT NULL,
    tags TEXT NOT NULL
);
CREATE TABLE coupons (
    code TEXT PRIMARY KEY,
    percent_off INTEGER,
    amount_off_cents INTEGER,
    active INTEGER NOT NULL
);
CREATE TABLE cart_lines (
    user_id INTEGER NOT NULL REFERENCES users (id),
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    quantity INTEGER NOT NULL,
    PRIMARY KEY (user_id, product_id)
);
CREATE TABLE cart_coupons (
    user_id INTEGER NOT NULL REFERENCES users (id),
    code TEXT NOT NULL REFERENCES coupons (code),
    times INTEGER NOT NULL,
    PRIMARY KEY (user_id, code)
);
-- Carts that lost their last line; nothing of the shop itself needs to know.
CREATE TABLE emptied_carts (user_id INTEGER PRIMARY KEY REFERENCES users (id));
CREATE TABLE orders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    total_cents INTEGER NOT NULL,
    status TEXT NOT NULL,
    street TEXT,
    city TEXT,
    country TEXT,
    callback_url TEXT
);
CREATE TABLE order_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
    product_id INTEGER REFERENCES products (id) ON DELETE SET NULL,
    price_cents INTEGER NOT NULL,
    quantity INTEGER NOT NULL
);
CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    product_id INTEGER NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    author_id INTEGER NOT NULL REFERENCES users (id),
    rating INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (product_id, author_id)
);
