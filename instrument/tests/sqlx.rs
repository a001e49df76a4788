//! A service on `sqlx`: its statements, their distances, rows for tests, and cleaning.

#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Path as UrlPath, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use wallace_instrument::{Driver, ProblemInfo, SqlDatabase, SqliteDatabase, recorded};
use wallace_sut_driver::{
    SutController,
    database::{DatabaseActivity, SqlRow, SqlValue},
};

const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    CREATE TABLE kind (name TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE pet (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(20) NOT NULL UNIQUE,
        kind TEXT NOT NULL REFERENCES kind (name), age INTEGER);
    INSERT INTO kind VALUES ('cat'), ('dog');
    INSERT INTO pet VALUES (1, 'Tom', 'cat', 4);";

async fn pet(State(pool): State<SqlitePool>, UrlPath(name): UrlPath<String>) -> StatusCode {
    let query = sqlx::query_as("SELECT id, age FROM pet WHERE name = $1 AND age > ?2");
    let found: Option<(i64, i64)> =
        query.bind(name).bind(3_i64).fetch_optional(recorded(&pool)).await.unwrap();
    if found.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND }
}

/// Gives a new kind to all pets, in one transaction that reads too.
async fn rename(State(pool): State<SqlitePool>, UrlPath(kind): UrlPath<String>) -> StatusCode {
    let mut transaction = pool.begin().await.unwrap();
    let insert = sqlx::query("INSERT OR IGNORE INTO kind VALUES (?)").bind(&kind);
    insert.execute(recorded(&mut *transaction)).await.unwrap();
    let update = sqlx::query("UPDATE pet SET kind = ? WHERE age > ? AND name IS NOT NULL");
    let done = update.bind(&kind).bind(1.5).execute(recorded(&mut *transaction)).await.unwrap();
    let query = sqlx::query_as("SELECT count(*) FROM kind");
    let (kinds,): (i64,) = query.fetch_one(recorded(&mut *transaction)).await.unwrap();
    transaction.commit().await.unwrap();
    if done.rows_affected() > 0 && kinds > 2 { StatusCode::OK } else { StatusCode::CONFLICT }
}

async fn clear(State(pool): State<SqlitePool>) -> StatusCode {
    sqlx::raw_sql("DELETE FROM pet; DELETE FROM kind").execute(recorded(&pool)).await.unwrap();
    StatusCode::NO_CONTENT
}

fn router(pool: SqlitePool) -> Router {
    let router = Router::new().route("/pets/{name}", get(pet)).route("/kinds/{kind}", post(rename));
    router.route("/clear", post(clear)).with_state(pool)
}

struct Started {
    controller: Arc<dyn SutController>,
    database: SqliteDatabase,
    authority: String,
    /// The pool's tasks run here.
    _runtime: tokio::runtime::Runtime,
}

fn start(file: &Path) -> Started {
    let own = rusqlite::Connection::open(file).unwrap();
    own.execute_batch(SCHEMA).unwrap();
    let database = SqliteDatabase::new(Arc::new(Mutex::new(own))).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let watched = database.clone();
    let pool = SqlitePoolOptions::new().max_connections(2).after_connect(move |connection, _| {
        let watched = watched.clone();
        Box::pin(async move { watched.watch_sqlx(connection).await })
    });
    let options = SqliteConnectOptions::new().filename(file);
    let pool = runtime.block_on(pool.connect_with(options)).unwrap();
    let problem = ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() };
    let driver = Driver::new("pets", problem).service(0, move || router(pool.clone()));
    let controller = driver.database(database.clone()).controller().unwrap();
    let url = controller.start().unwrap();
    controller.new_search();
    let authority = url.trim_start_matches("http://").to_owned();
    Started { controller, database, authority, _runtime: runtime }
}

impl Started {
    fn call(&self, method: &str, path: &str) -> u16 {
        let mut stream = TcpStream::connect(&self.authority).unwrap();
        let head = "Host: localhost\r\nConnection: close\r\nContent-Length: 0";
        write!(stream, "{method} {path} HTTP/1.1\r\n{head}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split(' ').nth(1).unwrap().parse().unwrap()
    }

    /// Does one call as a test, and tells what it did with the database.
    fn test(&self, method: &str, path: &str) -> (u16, DatabaseActivity) {
        self.controller.begin_action(0, path, &[]);
        let status = self.call(method, path);
        let recorded = self.controller.recorded();
        (status, recorded.actions[0].database.as_deref().cloned().unwrap_or_default())
    }

    fn reset(&self) {
        self.controller.reset().unwrap();
        self.controller.new_test();
    }

    fn rows(&self, query: &str) -> Vec<Vec<String>> {
        self.database.query(query).unwrap()
    }
}

#[test]
fn statements_of_sqlx_have_distances_and_rows_meet_them() {
    let folder = tempfile::tempdir().unwrap();
    let pets = start(&folder.path().join("pets.db"));
    pets.reset();
    let (status, activity) = pets.test("GET", "/pets/Tim");
    let statement = "SELECT id, age FROM pet WHERE name = 'Tim' AND age > 3";
    assert_eq!((status, &*activity.statements[0].command), (404, statement));
    assert_eq!(activity.failed_conditions["pet"], ["age", "name"]);
    let near = activity.distances[0].distance.unwrap();
    pets.reset();
    let far = pets.test("GET", "/pets/Zyxwvu").1.distances[0].distance.unwrap();
    assert!(0.0 < near && near < far, "{near} {far}");
    pets.reset();
    let literal = |text: &str| SqlValue::Literal(text.to_owned());
    let values = [("name", "\"Tim\""), ("kind", "\"dog\""), ("age", "9")];
    let values = values.map(|(name, value)| (name.to_owned(), literal(value))).to_vec();
    let row = SqlRow { id: Some(0), table: "pet".to_owned(), values };
    assert_eq!(pets.controller.insert_rows(&[row]).unwrap().is_inserted, [true]);
    let (status, activity) = pets.test("GET", "/pets/Tim");
    assert_eq!((status, activity.distances[0].distance), (200, Some(0.0)));
    pets.reset();
    assert_eq!(pets.test("GET", "/pets/Tim").0, 404, "the row is gone");
    pets.controller.report_sql(false);
    pets.reset();
    assert!(pets.test("GET", "/pets/Tim").1.statements.is_empty(), "nobody asked");
}

#[test]
fn what_sqlx_wrote_is_cleaned_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let pets = start(&folder.path().join("pets.db"));
    pets.reset();
    let before = (pets.rows("SELECT * FROM pet"), pets.rows("SELECT * FROM kind"));
    let (status, activity) = pets.test("POST", "/kinds/bird");
    assert_eq!(status, 200);
    let commands: Vec<&str> = activity.statements.iter().map(|it| &*it.command).collect();
    assert_eq!(
        commands,
        [
            "INSERT OR IGNORE INTO kind VALUES ('bird')",
            "UPDATE pet SET kind = 'bird' WHERE age > 1.5 AND name IS NOT NULL",
            "SELECT count(*) FROM kind",
        ]
    );
    assert_eq!(activity.distances[0].distance, Some(0.0), "what it changed, it found");
    assert_eq!(pets.rows("SELECT kind FROM pet"), [["bird"]]);
    pets.reset();
    assert_eq!((pets.rows("SELECT * FROM pet"), pets.rows("SELECT * FROM kind")), before);
    let (status, activity) = pets.test("POST", "/clear");
    assert_eq!((status, activity.statements.len()), (204, 2));
    assert!(pets.rows("SELECT * FROM pet").is_empty());
    pets.reset();
    assert_eq!((pets.rows("SELECT * FROM pet"), pets.rows("SELECT * FROM kind")), before);
    // A test that only reads leaves the file as it is.
    let version = pets.rows("PRAGMA data_version");
    pets.test("GET", "/pets/Tom");
    pets.reset();
    assert_eq!(pets.rows("PRAGMA data_version"), version);
}
