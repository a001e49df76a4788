/** Tables and statements with which distances are compared with what the database says. */

export const TABLES = `
  CREATE TABLE author (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, born DATE);
  CREATE TABLE book (
    id INTEGER PRIMARY KEY,
    author_id INTEGER REFERENCES author (id),
    title VARCHAR(80) NOT NULL,
    pages INTEGER,
    price NUMERIC(8, 2) CHECK (price >= 0),
    "order" INTEGER
  );
`;

/** Fillings of the tables, from none to several rows. */
export const STATES = [
  [],
  ["INSERT INTO author VALUES (1, 'Ann', '1960-02-03')"],
  [
    "INSERT INTO author VALUES (1, 'Ann', '1960-02-03')",
    "INSERT INTO author VALUES (2, 'Bob''s', NULL)",
    "INSERT INTO book VALUES (1, 1, 'First', 120, 9.5, 3)",
    "INSERT INTO book VALUES (2, 1, '50%', NULL, NULL, 1)",
    "INSERT INTO book VALUES (3, 2, 'a_b', 700, 0, NULL)",
  ],
];

/** Conditions on books. */
const CONDITIONS = [
  "pages = 120",
  "pages <> 120",
  "pages != 700 AND pages <> 120",
  "pages > 699",
  "NOT pages <= 700",
  "NOT (pages > 1 AND price > 1)",
  "NOT (pages > 1 OR price > 100)",
  "pages BETWEEN 100 AND 130 AND price = 9.5",
  "pages NOT BETWEEN 100 AND 800",
  "pages BETWEEN 130 AND 100 OR price BETWEEN 9 AND 10",
  "title IN ('x', 'First')",
  "title NOT IN ('First', '50%', 'a_b')",
  "title LIKE 'F%t'",
  "title NOT LIKE '%'",
  "title LIKE '50!%' ESCAPE '!'",
  "title LIKE 'a!_c' ESCAPE '!'",
  "pages IS NULL",
  "pages IS NOT NULL AND price IS NULL",
  "CASE WHEN pages > 100 AND price > 5 THEN 1 ELSE 0 END = 1",
  "CASE WHEN pages > 100 OR price > 5 THEN 'a' ELSE 'b' END = 'c'",
  "author_id IN (SELECT id FROM author WHERE name = 'Ann')",
  "author_id NOT IN (SELECT id FROM author WHERE name = 'Ann')",
  "author_id IN (SELECT id FROM author WHERE name = 'Zed')",
  "EXISTS (SELECT 1 FROM author WHERE author.id = book.author_id AND born IS NULL)",
  "NOT EXISTS (SELECT 1 FROM author WHERE author.id = book.author_id)",
  "(pages = 1 OR (title = 'a_b' AND price = 0)) /* AND pages = 5 */",
  '"order" = 3 -- or 4',
  '"order" > 3',
  "lower(title) = 'first'",
  "length(title) = 3 AND pages + 1 = 701",
  "title = 'it''s; DROP'",
  "coalesce(pages, -5) = -5",
  "title || '!' = 'First!'",
  "price = 1 OR pages = 2 AND title = 'First' OR pages = 700",
];

/** Statements besides, and whether their conditions are the same as those of a query. */
const OTHERS = [
  "SELECT b.title FROM book b JOIN author a ON a.id = b.author_id WHERE a.name = 'Ann'",
  "SELECT b.title FROM book AS b INNER JOIN author AS a ON a.id = b.author_id AND a.born IS NULL",
  "SELECT b.title FROM book b LEFT JOIN author a ON a.id = b.author_id WHERE a.id IS NULL",
  "SELECT b.title FROM book b, author a WHERE a.id = b.author_id AND a.name = 'Cid'",
  "SELECT b.title FROM author a CROSS JOIN book b WHERE a.id = b.id AND b.pages = 120",
  "WITH thick AS (SELECT * FROM book WHERE pages > 500) SELECT title FROM thick WHERE price = 0",
  "SELECT title FROM (SELECT title, pages FROM book WHERE pages > 100) t WHERE t.pages < 200",
  "SELECT title FROM book WHERE pages = 120 GROUP BY title ORDER BY title LIMIT 5",
  "SELECT DISTINCT title FROM book WHERE pages = 121 ORDER BY 1 LIMIT 5",
  "SELECT title FROM book WHERE pages = 1 UNION SELECT name FROM author WHERE name = 'Ann'",
  "SELECT title FROM book",
];

export const QUERIES = [
  ...CONDITIONS.map((condition) => `SELECT title FROM book WHERE ${condition}`),
  ...OTHERS,
];

/** Changes, with queries for the rows that they would change. */
export const CHANGES = [
  [
    "UPDATE book SET pages = 1, title = 'x' WHERE pages = 120",
    "SELECT 1 FROM book WHERE pages = 120",
  ],
  ["UPDATE book SET pages = 1 WHERE title = 'z'", "SELECT 1 FROM book WHERE title = 'z'"],
  [
    "DELETE FROM book WHERE pages > 600 AND price < 1",
    "SELECT 1 FROM book WHERE pages > 600 AND price < 1",
  ],
  ["DELETE FROM author", "SELECT 1 FROM author"],
];
