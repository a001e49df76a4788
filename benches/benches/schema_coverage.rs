//! Tables I and II of Karlsson et al. beside ours, the drawing, and the speed of generation.
//!
//! `cargo bench --bench schema_coverage`; the drawing goes to `target/schema-coverage.svg`.

#![allow(clippy::print_stdout, reason = "the bench prints its results")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use wallace_genes::Rng;
use wallace_problems::graphql::{Schema, TupleCoverage};
use wallace_properties::{
    Generator, GeneratorSettings, Query, REPETITIONS, plot, published, study,
};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let name = "../shared/data/graphql/gitlab-12.6.3-karlsson-explore.introspection.json";
    let Ok(text) = std::fs::read_to_string(root.join(name)) else {
        println!("not run: {name} is not there");
        return;
    };
    let schema = Schema::from_text(&text).expect("the schema of the paper can be read");
    let schema = Arc::new(schema);
    speed(&schema);
    tables(&schema, &root);
}

fn speed(schema: &Arc<Schema>) {
    let settings = GeneratorSettings { max_fields: 4, ..GeneratorSettings::default() };
    let generator = Generator::new(schema, settings);
    let (mut fields, mut covered) = (0, 0);
    let start = Instant::now();
    for repetition in 0..REPETITIONS {
        let mut rng = Rng::new(1, repetition as u64);
        let (mut query, mut coverage) = (Query::default(), TupleCoverage::new(generator.tuples()));
        for number in 0..10_000 {
            generator.generate(&mut query, number % 200, &mut rng);
            generator.cover(&query, &mut coverage);
            fields += query.len();
        }
        covered = coverage.covered();
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "30 x 10,000 queries at m = 4, generation and coverage on one core: {seconds:.3} s \
         ({:.1} fields a query, {covered} tuples); published {} s, limit 0.93 s",
        fields as f64 / 300_000.0,
        published::LONGEST_SECONDS,
    );
    let mut rng = Rng::new(2, 0);
    let queries: Vec<Query> = (0..20_000)
        .map(|number| {
            let mut query = Query::default();
            generator.generate(&mut query, number % 200, &mut rng);
            query
        })
        .collect();
    let start = Instant::now();
    let bytes: usize = queries.iter().map(|query| generator.text(query).len()).sum();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "text: {:.0} queries/s, {} bytes a query; limit 100,000 queries/s",
        queries.len() as f64 / seconds,
        bytes / queries.len(),
    );
}

fn tables(schema: &Arc<Schema>, root: &Path) {
    let mut study = study(schema, GeneratorSettings::default(), 42);
    println!("\nTable I, published / ours, average and total coverage in %");
    let mut cells = Vec::new();
    for (row, queries) in published::QUERIES.into_iter().enumerate() {
        for max_fields in 1..=4 {
            let cell = study.coverage(queries, max_fields);
            let (average, total) = published::TABLE_I[row][max_fields - 1];
            println!(
                "n={queries:5} m={max_fields}  {average:6.2} / {:6.2}  {total:6.2} / {:6.2}",
                cell.average, cell.total
            );
            cells.push(cell);
        }
    }
    println!("\nTable II, published / ours, repetitions until all is covered");
    for (queries, max_fields, published, cap) in published::TABLE_II {
        let cell = study.repetitions(queries, max_fields, cap);
        let (mean, capped) = (cell.mean, cell.capped);
        println!(
            "n={queries:5} m={max_fields}  {published:6.2} / {mean:6.2}  ({capped} of 30 at the cap of {cap})"
        );
    }
    let path = root.join("target/schema-coverage.svg");
    let svg = plot(&cells, true).expect("the drawing can be made");
    std::fs::write(&path, svg).expect("the target folder can be written");
    println!("\n{}", path.display());
}
