//! The largest published harvest: 24,049 queries. Run alone to see its own memory:
//! `RUN_SLOW_TESTS=1 cargo test -p wallace-harvest --test harvest month -- --nocapture`.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use wallace_harvest::{Harvest, HarvestSettings, read_text, write};
use wallace_problems::graphql::Schema;
use wallace_suite::Format;

const QUERIES: usize = 24_049;

/// Peak memory of this process in MiB, where the system tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

/// The production log again and again, every time with other numbers and texts in documents and
/// variables.
fn log(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut log = String::with_capacity(text.len() * (QUERIES / lines.len() + 1));
    for number in 0..QUERIES {
        let (round, line) = (number / lines.len(), lines[number % lines.len()]);
        let line = line.replace("first: 100", &format!("first: {}", 100 + round));
        let line = line.replace("last: 5", &format!("last: {}", 5 + round));
        log.push_str(
            &line
                .replacen("\"variables\": {", &format!("\"variables\": {{\"round\": {round}, "), 1)
                .replace(", }", " }"),
        );
        log.push('\n');
    }
    log
}

#[test]
fn a_month_of_production_becomes_tests() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        println!("not run: RUN_SLOW_TESTS is not set");
        return;
    }
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let (Ok(sdl), Ok(text)) = (
        std::fs::read_to_string(data.join("graphql/saleor-2.11.schema.graphql")),
        std::fs::read_to_string(data.join("autographql/saleor-prod-queries.ndjson")),
    ) else {
        println!("not run: {} is not there", data.display());
        return;
    };
    let log = log(&text);
    for merges_similar in [true, false] {
        let out = tempfile::tempdir().unwrap();
        let start = Instant::now();
        let schema = Arc::new(Schema::from_text(&sdl).unwrap());
        let mut settings = HarvestSettings { merges_similar, ..HarvestSettings::default() };
        let harvest = Harvest::new(schema, read_text("log", &log), &mut settings);
        let read = start.elapsed();
        assert_eq!((harvest.read(), harvest.rejected()), (QUERIES, &[] as &[_]));
        write(&harvest, "http://localhost:8000", &[Format::Rust], &out.path().join("suite"), false)
            .unwrap();
        println!(
            "{QUERIES} queries, similar ones merged: {merges_similar}; {} tests written in {:.1} s \
             (read and validated in {:.1} s), peak memory {:?} MiB",
            harvest.operations().len(),
            start.elapsed().as_secs_f64(),
            read.as_secs_f64(),
            peak_memory(),
        );
        if !merges_similar {
            assert_eq!(harvest.operations().len(), QUERIES);
        }
    }
}
