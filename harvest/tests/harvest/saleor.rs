//! The Saleor figures of AutoGraphQL (Zetterlund et al., ICST 2022), row by row.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use wallace_harvest::{Harvest, HarvestSettings, Masking, Reading, read_text};
use wallace_problems::graphql::{Schema, Templates};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name)
}

fn data(name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path(name)).ok();
    if text.is_none() {
        println!("not run: {} is not there", path(name).display());
    }
    text
}

fn schema() -> Option<Arc<Schema>> {
    let text = data("graphql/saleor-2.11.schema.graphql")?;
    Some(Arc::new(Schema::from_text(&text).unwrap()))
}

fn log(kinds: &[&str]) -> Option<Reading> {
    let mut reading = Reading::default();
    for kind in kinds {
        let name = format!("autographql/saleor-prod-{kind}.ndjson");
        reading.extend(read_text(&name, &data(&name)?));
    }
    Some(reading)
}

/// As the published tool has it: nothing masked, nothing merged.
fn harvest(kinds: &[&str]) -> Option<Harvest> {
    let mut settings =
        HarvestSettings { merges_similar: false, masking: Masking::off(), ..Default::default() };
    Some(Harvest::new(schema()?, log(kinds)?, &mut settings))
}

/// A CSV file without quoted cells: rows by their first cell.
fn rows(name: &str) -> BTreeMap<String, Vec<String>> {
    let text = data(name).unwrap();
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    text.lines().skip(1).map(cells).map(|row| (row[0].clone(), row)).collect()
}

/// Identifiers of the log entries in its order, which is that of the harvest.
fn ids(kind: &str) -> Vec<String> {
    let text = data(&format!("autographql/saleor-prod-{kind}.ndjson")).unwrap();
    let id = |line: &str| line.split('"').nth(3).unwrap().to_owned();
    text.lines().map(id).collect()
}

#[test]
fn all_568_operations_are_valid() {
    let Some(harvest) = harvest(&["queries", "mutations"]) else { return };
    assert_eq!(harvest.rejected(), []);
    assert_eq!((harvest.read(), harvest.operations().len()), (568, 568));
    assert_eq!(harvest.tests().len(), 568);
}

#[test]
fn the_published_counts_come_out_exactly() {
    let Some(harvest) = harvest(&["queries"]) else { return };
    let report = harvest.coverage();
    let entry_points = report.rows().filter(|(owner, ..)| *owner == "Query");
    let (mut all, mut used) = (0, 0);
    for (_, _, tuple) in entry_points {
        all += 1;
        used += usize::from(tuple.test_count > 0);
    }
    let times: u64 = harvest.operations().iter().map(|operation| operation.times).sum();
    println!("{:24} published  ours", "");
    for (what, published, ours) in [
        ("unique queries", 334, harvest.operations().len()),
        ("schema tuples", 1884, report.total()),
        ("covered tuples", 506, report.covered()),
        ("entry points", 69, all),
        ("entry points triggered", 43, used),
        ("calls", 1282, times as usize),
    ] {
        println!("{what:24} {published:9}  {ours:4}");
        assert_eq!(ours, published, "{what}");
    }
    assert_eq!(format!("{:.1}", report.percent()), "26.9");
}

#[test]
fn covered_tuples_are_the_published_set() {
    let Some(harvest) = harvest(&["queries"]) else { return };
    let report = harvest.coverage();
    let table = rows("autographql/coverage-prod-queries.csv");
    assert_eq!(table.len(), 1884);
    for (owner, field, used) in report.rows() {
        // The published table joins the names in small letters.
        let key = format!("{owner}{field}").to_lowercase();
        let row = table.get(&key).unwrap_or_else(|| panic!("{key} is not in the table"));
        assert_eq!(row[1] == "True", used.test_count > 0, "{owner}.{field}");
    }
    let csv = report.to_csv();
    assert_eq!(csv.lines().count(), 1885);
    assert_eq!(csv.lines().filter(|line| line.contains(",true,")).count(), 506);
}

#[test]
fn every_query_covers_as_many_tuples_as_published() {
    let Some(harvest) = harvest(&["queries"]) else { return };
    let table = rows("autographql/saleor-prod-per-query-coverage.csv");
    for (id, operation) in ids("queries").iter().zip(harvest.operations()) {
        assert_eq!(operation.covered().to_string(), table[id][2], "{id}");
    }
}

#[test]
fn production_with_its_mutations_covers_881_tuples() {
    let Some(harvest) = harvest(&["queries", "mutations"]) else { return };
    assert_eq!(harvest.coverage().covered(), 881);
}

const KINDS: [&str; 10] = [
    "assertArrayHasKey",
    "assertArrayNotHasKey",
    "assertContains",
    "assertEquals",
    "assertIsArray",
    "assertIsBool",
    "assertIsInt",
    "assertIsNumeric",
    "assertIsString",
    "assertNotNull",
];

#[test]
fn assertions_are_counted_as_published_row_by_row() {
    let Some(harvest) = harvest(&["queries"]) else { return };
    let table = rows("autographql/saleor-prod-generated-assertions.csv");
    let (mut published, mut ours, mut different) = ([0; 10], [0; 10], BTreeSet::new());
    for (id, count) in ids("queries").iter().zip(harvest.assertion_counts()) {
        let row: Vec<usize> = table[id][1..].iter().map(|cell| cell.parse().unwrap()).collect();
        for (kind, counted) in count.kinds().into_iter().enumerate() {
            published[kind] += row[kind];
            ours[kind] += counted;
            if row[kind] != counted {
                different.insert(format!("{id} {} {} {counted}", KINDS[kind], row[kind]));
            }
        }
    }
    println!("{:22} published   ours", "assertion");
    for (kind, (published, ours)) in published.iter().zip(&ours).enumerate() {
        println!("{:22} {published:9}  {ours:5}", KINDS[kind]);
    }
    for row in different.iter().take(40) {
        println!("{row}");
    }
    assert!(different.is_empty(), "{} cells differ", different.len());
    assert_eq!(ours.iter().sum::<usize>(), 29_615);
}

#[test]
fn alike_operations_become_one_test() {
    let (Some(schema), Some(log)) = (schema(), log(&["queries", "mutations"])) else { return };
    let apart = harvest(&["queries", "mutations"]).unwrap();
    let merged = Harvest::new(schema, log, &mut HarvestSettings::default());
    let similar: usize = merged.operations().iter().map(|operation| operation.similar).sum();
    assert_eq!(similar, 568);
    assert!(merged.operations().len() < 568, "{}", merged.operations().len());
    println!("568 operations become {} tests", merged.operations().len());
    assert_eq!(merged.coverage().covered(), apart.coverage().covered());
    let times = |harvest: &Harvest| -> u64 {
        harvest.operations().iter().map(|operation| operation.times).sum()
    };
    assert_eq!(times(&merged), times(&apart));
}

/// Every operation of production is a test that a search can begin with, but the one that sent the
/// text "2" as a required `Int`.
#[test]
fn of_568_operations_567_are_seeds() {
    let Some(harvest) = harvest(&["queries", "mutations"]) else { return };
    let templates = Templates::new(Arc::clone(harvest.schema())).unwrap();
    let seeds = harvest.seeds(&templates);
    assert_eq!(seeds.len(), 567);
}
