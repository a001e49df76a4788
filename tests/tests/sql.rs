//! Rows as part of tests: whatever the schema, they are taken; whatever reads them, is reached.

#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use emb_fixtures::{Fixture, Options};
use rusqlite::Connection;
use tests::{cargo_test, is_slow_stage};
use wallace::{Settings, StopSignal};
use wallace_genes::{Draw, GeneSettings, Rng};
use wallace_instrument::{SqlDatabase, SqliteDatabase};
use wallace_problems::sql::{SqlMemory, SqlTables};
use wallace_sut_driver::database::{SqlRow, SqlValue};

/// A random schema: tables whose references may form cycles, keys of one and several columns,
/// unique columns, conditions.
fn random_schema(rng: &mut Rng) -> String {
    let count = 1 + rng.below(40);
    let mut schema = String::from("PRAGMA foreign_keys = ON;\n");
    // Tables with a key of two columns are referred to by both.
    let has_pair: Vec<bool> = (0..count).map(|_| rng.chance(0.25)).collect();
    for table in 0..count {
        let mut columns = Vec::new();
        let mut rules = Vec::new();
        if has_pair[table] {
            columns.push("a VARCHAR(12) NOT NULL".to_owned());
            columns.push("b SMALLINT NOT NULL".to_owned());
            rules.push("PRIMARY KEY (a, b)".to_owned());
        } else {
            let kinds = [
                "INTEGER PRIMARY KEY",
                "BIGINT NOT NULL PRIMARY KEY",
                "VARCHAR(9) NOT NULL PRIMARY KEY",
            ];
            columns.push(format!("a {}", kinds[rng.below(3)]));
        }
        for column in 0..rng.below(7) {
            let kinds = [
                "TEXT",
                "VARCHAR(30) NOT NULL UNIQUE",
                "INTEGER NOT NULL CHECK (c0 IS NULL OR 1 = 1)",
                "DECIMAL(6, 2) NOT NULL",
                "DATE",
                "TIMESTAMP NOT NULL",
                "BOOLEAN NOT NULL",
            ];
            let kind = kinds[rng.below(kinds.len())].replace("CHECK (c0 IS NULL OR 1 = 1)", "");
            columns.push(format!("c{column} {kind}"));
            if kind.starts_with("INTEGER") && rng.chance(0.6) {
                let low = rng.between(-50, 50);
                rules.push(format!("CHECK (c{column} >= {low} AND c{column} < {})", low + 20));
            }
            if kind == "TEXT" && rng.chance(0.5) {
                rules.push(format!("CHECK (c{column} IN ('x', 'it''s', 'z'))"));
            }
            if kind == "DATE" && rng.chance(0.3) {
                rules.push(format!("UNIQUE (c{column}, a)"));
            }
        }
        for reference in 0..rng.below(4) {
            let target = rng.below(count);
            // What points forward, or at itself, may be null, so that a first row is possible.
            let null = if target >= table || rng.chance(0.3) { "" } else { " NOT NULL" };
            let kind = "NUMERIC";
            columns.push(format!("r{reference} {kind}{null}"));
            if has_pair[target] {
                columns.push(format!("s{reference} {kind}{null}"));
                rules.push(format!(
                    "FOREIGN KEY (r{reference}, s{reference}) REFERENCES t{target} (a, b)"
                ));
            } else {
                rules.push(format!("FOREIGN KEY (r{reference}) REFERENCES t{target} (a)"));
            }
        }
        columns.extend(rules);
        writeln!(schema, "CREATE TABLE t{table} ({});", columns.join(", ")).unwrap();
    }
    // A reference has the type of what it refers to.
    retyped(&schema)
}

/// Gives each reference the type of the column that it refers to.
fn retyped(schema: &str) -> String {
    let key_type = |table: &str, column: &str| {
        let line = schema
            .lines()
            .find(|line| line.starts_with(&format!("CREATE TABLE {table} ")))
            .unwrap();
        let start = line.find(&format!("{column} ")).unwrap() + 2;
        line[start..].split([' ', ',']).next().unwrap().to_owned()
    };
    let mut lines: Vec<String> = schema.lines().map(str::to_owned).collect();
    for line in &mut lines {
        let references: Vec<String> =
            line.match_indices("FOREIGN KEY (").map(|(at, _)| line[at..].to_owned()).collect();
        for reference in references {
            let inside =
                |text: &str| text[text.find('(').unwrap() + 1..text.find(')').unwrap()].to_owned();
            let (own, rest) = reference.split_once(" REFERENCES ").unwrap();
            let (table, rest) = rest.split_once(' ').unwrap();
            for (own, target) in inside(own).split(", ").zip(inside(rest).split(", ")) {
                let kind = key_type(table, target);
                *line = line.replacen(&format!("{own} NUMERIC"), &format!("{own} {kind}"), 1);
            }
        }
    }
    lines.join("\n")
}

/// Rows of a table for a condition on its first column, or none.
fn statement(table: &str, rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => format!("SELECT * FROM {table}"),
        1 => format!("SELECT * FROM {table} WHERE a <> '7'"),
        _ => format!("SELECT count(*) FROM {table} x WHERE x.a IS NOT NULL AND NOT x.a = 12"),
    }
}

#[test]
fn rows_of_random_schemas_are_taken_at_the_first_try() {
    let (mut taken, mut tried, mut none, mut statements) = (0, 0, 0, 0);
    let (mut refused, mut unmet): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for seed in 0..60 {
        let mut rng = Rng::new(seed, 0);
        let schema = random_schema(&mut rng);
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(&schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
        let database = SqliteDatabase::new(Arc::new(Mutex::new(connection))).unwrap();
        let tables =
            SqlTables::new(&database.schema(), &mut |query| database.query(query).ok()).unwrap();
        let mut draw = Draw::new(seed, 1, Arc::new(GeneSettings::default()));
        for table in database.schema().tables {
            let statement = statement(&table.name, &mut rng);
            let memory = SqlMemory::default();
            statements += 1;
            let Some(rows) = tables.rows_for(&statement, &memory, &mut draw) else {
                none += 1;
                continue;
            };
            let done = database.insert(&rows);
            tried += rows.len();
            taken += done.is_inserted.iter().filter(|is_inserted| **is_inserted).count();
            let wrong =
                rows.iter().zip(&done.is_inserted).filter(|(_, is_inserted)| !**is_inserted);
            refused.extend(
                wrong.map(|(row, _)| format!("seed {seed}: {} of {statement}", as_sql(row))),
            );
            if database.distance(&statement).is_none() {
                let shown: Vec<String> = rows.iter().map(as_sql).collect();
                unmet.push(format!(
                    "seed {seed}: {statement} after {shown:?} {:?}",
                    done.is_inserted
                ));
            }
            database.clean().unwrap();
        }
    }
    eprintln!("{taken} of {tried} rows taken, nothing made for {none} of {statements} statements");
    assert!(tried > 1_000, "{tried}");
    assert!(unmet.len() * 50 < tried, "{:#?}", &unmet[..unmet.len().min(10)]);
    assert!(none * 100 <= statements, "nothing was made for {none} of {statements} statements");
    assert!(
        taken * 100 >= tried * 95,
        "{taken} of {tried}: {:#?}",
        &refused[..refused.len().min(10)]
    );
}

fn as_sql(row: &SqlRow) -> String {
    let values = row.values.iter().map(|(name, value)| match value {
        SqlValue::Literal(literal) => format!("{name}={literal}"),
        SqlValue::KeyOf(id) => format!("{name}=key of {id}"),
    });
    format!("{} ({})", row.table, values.collect::<Vec<_>>().join(", "))
}

/// Statements of services, and what they find among the rows that are made for them.
#[test]
fn rows_fit_the_conditions_of_statements() {
    let schema = "PRAGMA foreign_keys = ON;
        CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, pen_name VARCHAR(20) NOT NULL UNIQUE,
            rank INT NOT NULL CHECK (rank BETWEEN 1 AND 5));
        CREATE TABLE editorial (id INTEGER PRIMARY KEY, author_id INT NOT NULL REFERENCES author (id),
            section TEXT NOT NULL CHECK (section IN ('world', 'sport')), words INT NOT NULL,
            published DATE NOT NULL, withdrawn DATE, reply_to INT REFERENCES editorial (id));";
    let statements = [
        "SELECT * FROM editorial WHERE id = 685",
        "SELECT e.* FROM editorial e JOIN author a ON a.id = e.author_id WHERE a.pen_name = 'Gq' AND e.section = 'sport'",
        "SELECT * FROM editorial WHERE withdrawn IS NULL AND words > 2000 AND published >= '2020-01-01'",
        "SELECT * FROM editorial WHERE section NOT IN ('world') AND withdrawn IS NOT NULL",
        "SELECT * FROM author WHERE id IN (SELECT author_id FROM editorial WHERE words BETWEEN 7 AND 9)",
        "SELECT * FROM author a WHERE EXISTS (SELECT 1 FROM editorial e WHERE e.author_id = a.id AND e.section = 'world')",
        "SELECT * FROM author WHERE pen_name LIKE 'A_c%' AND NOT rank < 3",
        "SELECT * FROM editorial x, editorial y WHERE x.reply_to = y.id AND y.words = 5 AND x.words <> 5",
        "SELECT * FROM author WHERE lower(pen_name) = 'me' OR rank = 4",
        "DELETE FROM author WHERE pen_name = 'it''s'",
        "UPDATE editorial SET words = 1 WHERE id = 12 AND author_id = 77",
    ];
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(schema).unwrap();
    let database = SqliteDatabase::new(Arc::new(Mutex::new(connection))).unwrap();
    let tables =
        SqlTables::new(&database.schema(), &mut |query| database.query(query).ok()).unwrap();
    for statement in statements {
        for seed in 0..20 {
            let mut draw = Draw::new(seed, 1, Arc::new(GeneSettings::default()));
            let rows = tables.rows_for(statement, &SqlMemory::default(), &mut draw);
            let rows = rows.unwrap_or_else(|| panic!("nothing for {statement}"));
            let done = database.insert(&rows);
            let shown: Vec<String> = rows.iter().map(as_sql).collect();
            assert!(
                done.is_inserted.iter().all(|is_inserted| *is_inserted),
                "{statement}: {shown:#?}"
            );
            assert_eq!(database.distance(statement), Some(0.0), "{statement}: {shown:#?}");
            database.clean().unwrap();
        }
    }
}

/// What a run came to: operations that answered, and of those that only rows can open, how many
/// and after how many calls at most.
struct Came {
    answered: usize,
    opened: usize,
    last_call: u64,
}

/// Operations that only rows can open, by fixture.
const OPENED_BY_ROWS: &[(&str, &[&str])] = &[
    (
        "rest-news",
        &["rest:ok:GET /editorials/{id}", "rest:ok:GET /authors/{author}/headlines/{section}"],
    ),
    ("features-service", &["rest:ok:GET /products/{product}/licences/{holder}"]),
    ("petclinic", &["gql:ok:Query.invoice", "gql:ok:Query.openInvoices"]),
];

fn run(name: &str, opened: &[&str], seed: u64, calls: u64, sql: bool) -> Came {
    run_with(Options::default(), (name, opened), seed, calls, sql)
}

fn run_with(
    options: Options,
    (name, opened): (&str, &[&str]),
    seed: u64,
    calls: u64,
    sql: bool,
) -> Came {
    let fixture = Fixture::find(name).unwrap();
    let running = fixture.start(options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut settings = Settings::new(running.driver_url.as_deref().unwrap(), &out);
    settings.calls = Some(calls);
    settings.search.seed = seed;
    settings.sql = sql;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
    let table = std::fs::read_to_string(out.join("report/targets.csv")).unwrap();
    let mut came = Came { answered: summary.answered, opened: 0, last_call: 0 };
    for line in table.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        if opened.contains(&cells[0].trim_matches('"')) && cells[4] == "1" {
            came.opened += 1;
            came.last_call = came.last_call.max(cells[6].parse().unwrap_or(0));
        }
    }
    came
}

#[test]
fn operations_over_empty_tables_answer_with_rows_only() {
    for (name, opened) in OPENED_BY_ROWS {
        let with = run(name, opened, 1, 1_000, true);
        let without = run(name, opened, 1, 500, false);
        eprintln!("{name}: opened after {} calls, {} answered", with.last_call, with.answered);
        assert_eq!((with.opened, without.opened), (opened.len(), 0), "{name}");
    }
}

/// Most of them: what asks for several things at once, as headlines of an author, a section and a
/// year, is seldom guessed within so few calls.
#[test]
fn rows_are_guessed_where_no_statement_is_told() {
    let (mut found, mut all) = (0, 0);
    for (name, opened) in OPENED_BY_ROWS {
        let options = Options { tells_statements: false, ..Options::default() };
        let came = run_with(options, (name, opened), 1, 1_000, true);
        eprintln!("{name}: {} opened after {} calls", came.opened, came.last_call);
        found += came.opened;
        all += opened.len();
    }
    assert!(found * 2 > all, "{found} of {all}");
}

/// Replaces a text in the sources of a suite; how often it stood there.
fn replace(folder: &Path, from: &str, to: &str) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            count += replace(&path, from, to);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            count += text.matches(from).count();
            std::fs::write(&path, text.replace(from, to)).unwrap();
        }
    }
    count
}

#[test]
fn written_tests_bring_their_rows() {
    if !is_slow_stage() {
        return;
    }
    let running = Fixture::find("rest-news").unwrap().start(Options::default()).unwrap();
    let driver = running.driver_url.as_deref().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut settings = Settings::new(driver, folder.path().join("out"));
    settings.calls = Some(1_000);
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
    let suite = folder.path().join("out/rust");
    let (passes, told) = cargo_test(&suite, ("WALLACE_DRIVER", driver));
    assert!(passes, "{told}");
    // Rows of another table open nothing.
    let rows = "\"targetTable\": \"editorials\"";
    assert!(replace(&suite, rows, "\"targetTable\": \"countries\"") > 0);
    let (passes, told) = cargo_test(&suite, ("WALLACE_DRIVER", driver));
    let is_told = told.contains("get_editorials_by_id_answers_200 ... FAILED");
    assert!(!passes && is_told, "{told}");
}

/// Processor time of this process, service included, in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

/// Two seeds; the measure of benches/runs is `WALLACE_SEEDS=20`, alone and with `--nocapture`.
#[test]
fn in_nine_of_ten_runs() {
    if !is_slow_stage() {
        return;
    }
    const CALLS: u64 = 2_000;
    let seeds: u64 = std::env::var("WALLACE_SEEDS").map_or(2, |text| text.parse().unwrap());
    for (name, opened) in OPENED_BY_ROWS {
        let mut costs = [0.0; 2];
        let mut runs = [0; 2];
        let mut calls = Vec::new();
        for seed in 0..seeds {
            for sql in [true, false] {
                let before = processor_time();
                let came = run(name, opened, seed, CALLS, sql);
                costs[usize::from(sql)] += processor_time() - before;
                runs[usize::from(sql)] += u64::from(came.opened == opened.len());
                if sql {
                    calls.push(if came.opened == opened.len() { came.last_call } else { u64::MAX });
                } else {
                    assert_eq!(came.opened, 0, "{name}: seed {seed} without rows");
                }
            }
        }
        calls.sort_unstable();
        let each = |cost: f64| cost / (seeds * CALLS) as f64 * 1e6;
        eprintln!(
            "{name}: all opened in {} of {seeds} runs with SQL, {} without; median call {}; \
             {:.0} us of CPU a call with, {:.0} without: {:.2}x",
            runs[1],
            runs[0],
            calls[calls.len() / 2],
            each(costs[1]),
            each(costs[0]),
            costs[1] / costs[0],
        );
        assert!(runs[1] * 10 >= seeds * 9, "{name}: {} of {seeds}", runs[1]);
    }
}
