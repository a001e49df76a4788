//! SQL of a service on SQLite: distances judged by SQLite itself, rows, and cleaning.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use wallace_instrument::{ExecutedSql, SqlDatabase, SqliteDatabase};
use wallace_sut_driver::database::{SqlRow, SqlValue};

const CLAUSES: &str = include_str!("sql/clauses.sql");

const SCHEMA: &str = "
    PRAGMA foreign_keys = ON;
    CREATE TABLE author (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL UNIQUE, born INT,
        country TEXT CHECK (length(country) = 2));
    CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL,
        author_id INT REFERENCES author, price DECIMAL(8, 2) NOT NULL CHECK (price >= 0),
        pages INTEGER, published TEXT, lang TEXT DEFAULT 'en', in_print BOOLEAN,
        UNIQUE (title, lang));
    CREATE TABLE loan (book_id INT NOT NULL, member TEXT, due TEXT, returned INT,
        PRIMARY KEY (book_id, member), FOREIGN KEY (book_id) REFERENCES book (id)) WITHOUT ROWID;";

const AUTHORS: &str = "INSERT INTO author VALUES (1, 'Herbert', 1920, 'US'), \
    (2, 'Austen', NULL, 'GB'), (3, 'Verne', 1828, 'FR');";

const BOOKS: &str = "INSERT INTO book VALUES \
    (1, 'Dune', 1, 9.5, 300, '1965-08-01', 'en', 1), (2, 'Emma', 2, 1.25, NULL, '1815-12-23', 'en', 0), \
    (3, 'It''s; a -- trap', NULL, 9.5, 12, NULL, 'fr', NULL), (4, 'a_b', 1, 150, 250, '2021-01-01', NULL, 1);";

const LOANS: &str = "INSERT INTO loan VALUES (1, 'ann', '2026-11-21', 0), (1, 'bob', '2019-05-05', 1), \
    (2, 'bob', '2026-11-21 08:30:00', 0);";

fn database(rows: &str) -> (SqliteDatabase, Arc<Mutex<Connection>>) {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    connection.execute_batch(rows).unwrap();
    let connection = Arc::new(Mutex::new(connection));
    (SqliteDatabase::new(Arc::clone(&connection)).unwrap(), connection)
}

#[test]
fn the_distance_is_0_exactly_where_a_row_meets_the_condition() {
    let states = [
        String::new(),
        AUTHORS.to_owned(),
        format!("{AUTHORS}{BOOKS}"),
        format!("{AUTHORS}{BOOKS}{LOANS}"),
    ];
    let (mut met, mut missed, mut unread) = (0, 0, Vec::new());
    for state in &states {
        let (database, connection) = database(state);
        for clause in CLAUSES.lines() {
            // A count of nothing is a row too; what counts are the rows that are counted.
            let rest = clause.strip_prefix("SELECT count(*)");
            let asked = rest.map_or(clause.to_owned(), |rest| format!("SELECT 1{rest}"));
            let exists = format!("SELECT EXISTS ({asked})");
            let asked = connection.lock().unwrap().query_row(&exists, [], |row| row.get(0));
            let is_met: bool = asked.unwrap_or_else(|error| panic!("{clause}: {error}"));
            let is_read =
                !database.activity(&[executed(clause)]).distances.is_empty() || state.is_empty();
            if !is_read {
                unread.push(clause);
                continue;
            }
            let distance = database.distance(clause);
            // `OFFSET` leaves out rows that meet the condition.
            let is_met = is_met || (clause.contains("OFFSET") && distance == Some(0.0));
            assert_eq!(distance == Some(0.0), is_met, "{clause}: {distance:?} over {state}");
            assert!(distance.is_none_or(|d| (0.0..=1.0).contains(&d)), "{clause}: {distance:?}");
            (met, missed) = if is_met { (met + 1, missed) } else { (met, missed + 1) };
        }
    }
    unread.sort_unstable();
    unread.dedup();
    assert!(CLAUSES.lines().count() >= 200);
    assert!(met > 200 && missed > 200, "{met} met, {missed} missed");
    assert!(unread.len() <= 4, "{unread:?}");
}

fn executed(text: &str) -> ExecutedSql {
    ExecutedSql { text: text.to_owned(), has_changed: false }
}

/// Conditions with a parameter, and values of it that come nearer and nearer; the last meets it.
const NEARER: &[(&str, &[&str])] = &[
    ("SELECT * FROM book WHERE id = {}", &["1000000", "900", "30", "5", "4"]),
    ("SELECT * FROM book WHERE price > {}", &["9999", "200", "151", "150", "149"]),
    ("SELECT * FROM book WHERE title = '{}'", &["Dunexxx", "Dunex", "zzne", "Dzne", "Dune"]),
    ("SELECT * FROM book WHERE title LIKE '{}%'", &["xyzw", "Dyzw", "Duzw", "Dunw", "Dun"]),
    (
        "SELECT * FROM loan WHERE due > '{}'",
        &["2099-01-01", "2027-11-21", "2026-12-01", "2026-11-20"],
    ),
    ("SELECT * FROM book WHERE id BETWEEN {} AND 100", &["90", "50", "6", "5", "4"]),
    ("SELECT * FROM book WHERE id IN ({}, 77)", &["70", "20", "6", "3"]),
    ("SELECT * FROM book WHERE id = 1 AND price = {}", &["90", "20", "10", "9.5"]),
    ("SELECT * FROM book WHERE NOT (id <> {})", &["90", "20", "10", "2"]),
    (
        "SELECT * FROM book b JOIN author a ON a.id = b.author_id WHERE a.born = {}",
        &["90", "1900", "1919", "1920"],
    ),
    (
        "SELECT * FROM author WHERE id IN (SELECT author_id FROM book WHERE price = {})",
        &["500", "300", "151", "150"],
    ),
    (
        "SELECT * FROM book WHERE EXISTS (SELECT 1 FROM loan WHERE book_id = book.id + {})",
        &["-90", "-20", "-5", "-1"],
    ),
    ("DELETE FROM book WHERE id = {}", &["99", "9", "4"]),
    ("UPDATE book SET price = 1 WHERE pages < {}", &["-400", "5", "12", "13"]),
];

#[test]
fn the_distance_falls_with_every_step_towards_the_condition() {
    let (database, _) = database(&format!("{AUTHORS}{BOOKS}{LOANS}"));
    for (clause, values) in NEARER {
        let distances = values.iter().map(|value| database.distance(&clause.replace("{}", value)));
        let distances: Vec<f64> = distances.map(Option::unwrap).collect();
        assert!(distances.windows(2).all(|pair| pair[0] > pair[1]), "{clause}: {distances:?}");
        assert_eq!(distances.last(), Some(&0.0), "{clause}");
    }
}

#[test]
fn activity_names_tables_and_columns() {
    let (database, _) = database("");
    let activity = database.activity(&[
        executed("BEGIN"),
        executed("SELECT b.* FROM book AS b JOIN author a ON a.id = b.author_id WHERE b.title = 'x' AND name = 'y'"),
        executed("INSERT INTO loan (book_id, member) VALUES (1, 'a')"),
        executed("UPDATE book SET price = 2, pages = 1 WHERE id = 7"),
        executed("DELETE FROM loan"),
        executed("not sql"),
    ]);
    let failed = &activity.failed_conditions;
    assert_eq!(failed["book"], ["author_id", "id", "title"]);
    assert_eq!(failed["author"], ["id", "name"]);
    assert_eq!(activity.inserted["loan"], ["book_id", "member"]);
    assert_eq!(activity.updated["book"], ["pages", "price"]);
    assert_eq!(activity.deleted, ["loan"]);
    assert_eq!((activity.statements.len(), activity.unread_statements), (6, 1));
    assert!(activity.distances.iter().all(|one| one.distance.is_none() && one.kind == "SQL"));
    let many = vec![executed("SELECT * FROM book WHERE id = 1"); 200];
    assert_eq!(database.activity(&many).distances.len(), 50);
}

#[test]
fn the_schema_tells_what_rows_must_be() {
    let (database, _) = database("");
    let schema = database.schema();
    let table = |name: &str| schema.tables.iter().find(|table| table.name == name).unwrap();
    let column = |table_name: &str, name: &str| {
        table(table_name).columns.iter().find(|column| column.name == name).unwrap().clone()
    };
    assert_eq!(schema.tables.len(), 3);
    assert!(column("author", "id").is_auto_increment && column("author", "name").is_unique);
    assert_eq!(column("author", "name").size, 40);
    assert!(column("book", "pages").is_nullable && !column("book", "price").is_nullable);
    assert!(
        column("book", "author_id").refers_to_auto_increment && !column("book", "title").is_unique
    );
    assert_eq!((column("book", "price").size, column("book", "price").scale), (8, Some(2)));
    assert_eq!(table("loan").primary_key, ["book_id", "member"]);
    assert_eq!(table("book").foreign_keys[0].target_columns, ["id"]);
    assert_eq!(table("book").checks, ["price >= 0"]);
    assert_eq!(table("author").checks, ["length(country) = 2"]);
}

fn row(id: i64, table: &str, values: &[(&str, SqlValue)]) -> SqlRow {
    let values = values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    SqlRow { id: Some(id), table: table.to_owned(), values }
}

fn literal(text: &str) -> SqlValue {
    SqlValue::Literal(text.to_owned())
}

#[test]
fn rows_are_inserted_one_by_one_and_cleaned() {
    let (database, connection) = database(AUTHORS);
    let before = database.query("SELECT * FROM author").unwrap();
    let rows = [
        row(0, "author", &[("name", literal("\"O'Neill\"")), ("country", literal("\"IE\""))]),
        row(1, "author", &[("name", literal("\"Herbert\""))]),
        row(
            2,
            "book",
            &[
                ("title", literal("\"x\"")),
                ("price", literal("1")),
                ("author_id", SqlValue::KeyOf(0)),
            ],
        ),
        row(3, "loan", &[("book_id", SqlValue::KeyOf(2)), ("member", literal("\"m\""))]),
        row(4, "nothing", &[]),
    ];
    let done = database.insert(&rows);
    assert_eq!(done.is_inserted, [true, false, true, true, false]);
    assert_eq!(done.keys.into_iter().collect::<Vec<_>>(), [(0, 4), (2, 1), (3, 1)]);
    let found = database.query("SELECT name, born FROM author WHERE id = 4").unwrap();
    assert_eq!(found, [["O'Neill", "NULL"]]);
    connection.lock().unwrap().execute_batch("UPDATE author SET name = 'X' WHERE id = 1").unwrap();
    database.clean().unwrap();
    assert_eq!(database.query("SELECT * FROM author").unwrap(), before);
    assert!(database.query("SELECT * FROM book").unwrap().is_empty());
    assert!(database.query("SELECT * FROM loan").unwrap().is_empty());
    // The numbers begin anew, and keys are checked again.
    assert_eq!(database.insert(&rows[2..3]).is_inserted, [false], "the author is not there");
    let again = database.insert(&[rows[0].clone(), rows[2].clone()]);
    assert_eq!(again.keys[&2], 1);
}

#[test]
fn only_written_tables_are_cleaned() {
    let (database, connection) = database(&format!("{AUTHORS}{BOOKS}{LOANS}"));
    let changes = || connection.lock().unwrap().total_changes();
    // Reading is no writing, however it is done.
    database.query("SELECT * FROM book").unwrap();
    let before = changes();
    database.clean().unwrap();
    assert_eq!(changes(), before);
    // All rows at once, of a table that no hook tells of.
    connection.lock().unwrap().execute_batch("DELETE FROM loan").unwrap();
    database.clean().unwrap();
    assert_eq!(database.query("SELECT count(*) FROM loan").unwrap(), [["3"]]);
    let before = changes();
    connection.lock().unwrap().execute_batch("INSERT INTO loan VALUES (3, 'x', NULL, 0)").unwrap();
    database.clean().unwrap();
    assert_eq!(changes() - before, 1 + 4 + 3, "four rows deleted, three brought back");
    assert_eq!(database.query("SELECT count(*) FROM book").unwrap(), [["4"]]);
}

#[test]
fn references_and_triggers_are_no_hindrance() {
    let schema = "
        PRAGMA foreign_keys = ON;
        CREATE TABLE a (id INTEGER PRIMARY KEY, up INT REFERENCES a (id) ON DELETE RESTRICT);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INT NOT NULL REFERENCES a (id) ON DELETE CASCADE);
        CREATE TABLE c (id INTEGER PRIMARY KEY, b_id INT REFERENCES b (id) ON DELETE SET NULL);
        CREATE TABLE free (id INTEGER PRIMARY KEY, c_id INT REFERENCES c (id));
        CREATE TABLE log (text TEXT);
        CREATE TABLE plain (text TEXT);
        INSERT INTO plain VALUES ('x');
        INSERT INTO a VALUES (1, NULL), (2, 1); INSERT INTO b VALUES (1, 2); INSERT INTO c VALUES (1, 1), (2, NULL);";
    let trigger =
        "CREATE TRIGGER t AFTER DELETE ON b BEGIN INSERT INTO log VALUES ('deleted'); END";
    let changes = [
        "UPDATE a SET up = 2 WHERE id = 1",
        "UPDATE a SET up = NULL; DELETE FROM a",
        "DELETE FROM b",
        "INSERT INTO b VALUES (7, 1)",
        // All at once, of which no hook tells.
        "DELETE FROM plain",
        "INSERT INTO c VALUES (3, 1); INSERT INTO free VALUES (9, 3)",
        "INSERT INTO free VALUES (9, 1); DELETE FROM c WHERE id = 2; INSERT INTO b VALUES (7, 1)",
    ];
    for triggers in ["", trigger] {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(schema).unwrap();
        connection.execute_batch(triggers).unwrap();
        let connection = Arc::new(Mutex::new(connection));
        let database = SqliteDatabase::new(Arc::clone(&connection)).unwrap();
        let state = || {
            let tables = ["a", "b", "c", "free", "log", "plain"].iter();
            let rows =
                tables.map(|table| database.query(&format!("SELECT * FROM {table}")).unwrap());
            rows.collect::<Vec<_>>()
        };
        let before = state();
        for change in changes {
            connection.lock().unwrap().execute_batch(change).unwrap();
            assert_ne!(state(), before, "{change}");
            database.clean().unwrap();
            assert_eq!(state(), before, "{change} {triggers}");
            let refused =
                connection.lock().unwrap().execute_batch("INSERT INTO free VALUES (1, 77)");
            assert!(refused.is_err(), "references are checked again");
        }
    }
}

#[test]
fn large_tables_cost_no_memory() {
    let many = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) \
                INSERT INTO book (id, title, price) SELECT i, 'title ' || i, i FROM n";
    let (database, connection) = database(many);
    assert_eq!(database.distance("SELECT * FROM book WHERE id = 200000"), Some(0.0));
    let distance = database.distance("SELECT * FROM book WHERE id = 300000").unwrap();
    assert!(distance > 0.0 && distance < 1.0);
    let product = "SELECT * FROM book a JOIN book b ON a.id = b.id JOIN book c ON c.id = b.id WHERE a.price < 0";
    assert!(database.distance(product).unwrap() > 0.0);
    // Rows that come later go again, those of the start stay.
    connection
        .lock()
        .unwrap()
        .execute_batch("INSERT INTO book (title, price) VALUES ('new', 1)")
        .unwrap();
    database.clean().unwrap();
    assert_eq!(
        database.query("SELECT count(*), max(id) FROM book").unwrap(),
        [["199991", "200000"]]
    );
}

/// Most memory of this process so far, in bytes; `None` where the system does not tell.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok()? * 1024)
}

#[test]
fn a_million_rows_cost_no_memory() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        eprintln!("skipped: RUN_SLOW_TESTS is not set");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.db");
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch(SCHEMA).unwrap();
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) \
                INSERT INTO book (id, title, price) \
                SELECT i, printf('%0150d', i), i FROM n";
    connection.execute_batch(many).unwrap();
    let size = std::fs::metadata(&file).unwrap().len();
    let Some(before) = peak_memory() else { return };
    let database = SqliteDatabase::new(Arc::new(Mutex::new(connection))).unwrap();
    for clause in [
        "SELECT * FROM book WHERE title = 'x'",
        "SELECT * FROM book ORDER BY title DESC",
        "SELECT * FROM book WHERE price IN (SELECT price FROM book WHERE title LIKE '%z')",
        "SELECT * FROM book a JOIN book b ON a.id = b.price WHERE a.title > b.title",
        "UPDATE book SET price = 1 WHERE pages = 7",
    ] {
        let distance = database.activity(&[executed(clause)]).distances[0].distance.unwrap();
        assert!((0.0..=1.0).contains(&distance), "{clause}: {distance}");
    }
    database.insert(&[row(0, "book", &[("title", literal("\"x\"")), ("price", literal("1"))])]);
    assert_eq!(database.distance("SELECT * FROM book WHERE title = 'x'"), Some(0.0));
    database.clean().unwrap();
    assert_eq!(database.query("SELECT count(*) FROM book").unwrap(), [["1000000"]]);
    let grown = peak_memory().unwrap() - before;
    eprintln!("a table of {size} bytes cost {grown}");
    assert!(size > 150_000_000 && grown < size / 4, "{size} bytes of rows cost {grown}");
}
