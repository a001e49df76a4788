INSERT INTO users (email, password, name, role) VALUES
    ('alice@shop.test', 'alice-pass', 'Alice', 'CUSTOMER'),
    ('bob@shop.test', 'bob-pass', 'Bob', 'CUSTOMER'),
    ('admin@shop.test', 'admin-pass', 'Admin', 'ADMIN');
INSERT INTO products (name, description, category, price_cents, stock, tags) VALUES
    ('Atlas', 'World maps', 'BOOKS', 2500, 13, '["maps","large"]'),
    ('Novel', NULL, 'BOOKS', 1200, 31, '["fiction"]'),
    ('Poems', 'Verses', 'BOOKS', 1200, 6, '[]'),
    ('Spade', 'Steel', 'GARDEN', 1900, 17, '["tool"]'),
    ('Seeds', NULL, 'GARDEN', 300, 211, '["spring","vegetable"]'),
    ('Greenhouse', 'Glass', 'GARDEN', 214800, 8, '["large"]'),
    ('Robot', 'Walks', 'TOYS', 4500, 12, '["battery"]'),
    ('Puzzle', NULL, 'TOYS', 1200, 26, '[]'),
    ('Tea', 'Green', 'FOOD', 700, 61, '["organic"]'),
    ('Jam', NULL, 'FOOD', 450, 41, '["organic","sweet"]'),
    ('Record', 'Vinyl', 'MUSIC', 2100, 15, '[]'),
    ('Piano', 'Grand', 'MUSIC', 9999999, 7, '["large"]');
INSERT INTO coupons (code, percent_off, amount_off_cents, active) VALUES
    ('SAVE10', 10, NULL, 1), ('HALF50', 50, NULL, 1), ('BIG60', 60, NULL, 1), ('OLD5', 5, NULL, 0);
INSERT INTO orders (user_id, total_cents, status) VALUES (1, 2500, 'NEW'), (2, 2400, 'PAID');
INSERT INTO order_lines (order_id, product_id, price_cents, quantity) VALUES
    (1, 1, 2500, 1), (2, 2, 1200, 2);
INSERT INTO reviews (product_id, author_id, rating, text) VALUES
    (1, 1, 5, 'Great'), (1, 2, 3, 'Fine'), (7, 1, 4, 'Fun'), (12, 2, 2, 'Loud');
