//! `wallace properties`: random queries from the schema, and properties of the answers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use wallace_harvest::{Reading, read};
use wallace_properties::{
    ArgumentFamily, CheckSettings, GeneratorSettings, Outcome, RecordedQuery, Schema, Service,
    Strategy, plot, published, read_saved, saved, study,
};

use crate::console::{complain, say};

/// Arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct Properties {
    /// Address of the GraphQL endpoint, such as http://localhost:8080/graphql
    #[arg(long, value_name = "URL", conflicts_with = "driver")]
    url: Option<String>,
    /// Address of the driver of an instrumented service
    #[arg(long, value_name = "URL")]
    driver: Option<String>,
    /// Schema as SDL or introspection answer, in place of the service's own
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// Random queries
    #[arg(long, value_name = "N", default_value_t = 100)]
    queries: usize,
    /// Most fields selected of one object
    #[arg(long, value_name = "M", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=100))]
    max_fields: u16,
    /// Seed of the queries: same seed, same queries
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Go where the schema is not covered yet, and give values to all required arguments
    #[arg(long)]
    directed: bool,
    /// Texts of any characters, for numbers and truth values too
    #[arg(long)]
    hostile: bool,
    /// An identifier that exists; may be given several times
    #[arg(long = "id", value_name = "ID")]
    ids: Vec<String>,
    /// Log of queries with their answers, which must come out again
    #[arg(long, value_name = "FILE")]
    compare_with: Option<PathBuf>,
    /// Only the paper's properties: status, schema, no errors
    #[arg(long)]
    paper_only: bool,
    /// Where failures are kept, to be replayed first in the next run
    #[arg(long, value_name = "FILE", default_value = "wallace-out/properties.ndjson")]
    state: PathBuf,
    /// Write the counts of the run to this file, as CSV
    #[arg(long, value_name = "FILE", conflicts_with = "study")]
    statistics: Option<PathBuf>,
    /// Measure how random queries cover the schema, and send nothing
    #[arg(long, requires = "schema", conflicts_with_all = ["url", "driver"])]
    study: bool,
    /// Draw the study to this SVG file
    #[arg(long, value_name = "FILE", requires = "study")]
    plot: Option<PathBuf>,
    /// Show the published numbers of the GitLab schema beside the study
    #[arg(long, requires = "study")]
    published: bool,
}

pub(crate) fn run(arguments: &Properties) -> ExitCode {
    let outcome = if arguments.study { measure(arguments) } else { check(arguments) };
    outcome.unwrap_or_else(|reason| {
        complain(&reason);
        ExitCode::from(2)
    })
}

fn check(arguments: &Properties) -> Result<ExitCode, String> {
    let schema = arguments.schema.as_deref().map(schema_of).transpose()?;
    let recorded = recorded(arguments.compare_with.as_deref())?;
    let service = match (&arguments.url, &arguments.driver) {
        (Some(url), _) => Service::at(url, schema),
        (None, Some(driver)) => Service::driven(driver, schema),
        (None, None) => return Err("give the address of the service with --url or --driver".into()),
    };
    let mut service = match service {
        Ok(service) => service,
        Err(error) => {
            complain(&error.to_string());
            return Ok(ExitCode::from(3));
        }
    };
    let settings = CheckSettings {
        queries: arguments.queries,
        seed: arguments.seed,
        generator: generator(arguments),
        follows_relations: !arguments.paper_only,
        recorded,
        saved: std::fs::read_to_string(&arguments.state)
            .map_or_else(|_| vec![], |it| read_saved(&it)),
        ..CheckSettings::new(service.path().clone())
    };
    let outcome = service.check(&settings, &[]);
    keep(&arguments.state, &outcome)?;
    if let Some(path) = &arguments.statistics {
        let (queries, failures) = (outcome.queries, outcome.failures.len());
        let text = format!("seed,queries,failures\n{},{queries},{failures}\n", arguments.seed);
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    tell(&outcome);
    Ok(ExitCode::from(u8::from(!outcome.failures.is_empty())))
}

fn generator(arguments: &Properties) -> GeneratorSettings {
    let strategy = if arguments.directed { Strategy::CoverageDirected } else { Strategy::Paper };
    let values = match arguments.hostile {
        true => ArgumentFamily::Hostile,
        false => ArgumentFamily::Mixed { ids: arguments.ids.clone() },
    };
    let max_fields = usize::from(arguments.max_fields);
    GeneratorSettings { strategy, arguments: values, max_fields, ..GeneratorSettings::default() }
}

fn recorded(path: Option<&Path>) -> Result<Vec<RecordedQuery>, String> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let Reading { operations, .. } = read(path).map_err(|error| error.to_string())?;
    // Mutations change what later answers say, and are not sent.
    let queries =
        operations.into_iter().filter(|it| !it.document.trim_start().starts_with("mutation"));
    let recorded = queries.filter_map(|operation| {
        let answer = operation.answer?.body;
        let (document, variables) = (operation.document.to_string(), operation.variables);
        Some(RecordedQuery { document, variables, answer })
    });
    Ok(recorded.collect())
}

/// Failures are kept for the next run; where there are none, so is nothing.
fn keep(state: &Path, outcome: &Outcome) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("{} cannot be written: {error}", state.display());
    if outcome.failures.is_empty() && !state.exists() {
        return Ok(());
    }
    if let Some(folder) = state.parent() {
        std::fs::create_dir_all(folder).map_err(wrong)?;
    }
    std::fs::write(state, saved(&outcome.failures)).map_err(wrong)
}

fn tell(outcome: &Outcome) {
    let Outcome { failures, queries, covered, tuples } = outcome;
    say(&format!("{queries} queries, {covered} of {tuples} schema tuples asked for"));
    for failure in failures {
        say(&format!("\n{} (F{}): {}", failure.oracle, failure.code, failure.context));
        match failure.queries {
            0 => say("  still fails from an earlier run"),
            count => {
                say(&format!("  seen with query {count}, shrunk in {} replays", failure.replays))
            }
        }
        say(&format!("  original  {}", failure.original));
        say(&format!("  shrunk    {}", failure.shrunk));
    }
    say(&format!("\n{} properties broken", failures.len()));
}

fn measure(arguments: &Properties) -> Result<ExitCode, String> {
    let schema = schema_of(arguments.schema.as_deref().unwrap_or(Path::new("")))?;
    if let Some(folder) = arguments.plot.as_deref().and_then(Path::parent)
        && !folder.as_os_str().is_empty()
        && !folder.is_dir()
    {
        return Err(format!("--plot: {} is no folder that is there", folder.display()));
    }
    let mut study = study(&schema, generator(arguments), arguments.seed);
    let mut cells = Vec::new();
    for (row, queries) in published::QUERIES.into_iter().enumerate() {
        for max_fields in 1..=4 {
            let cell = study.coverage(queries, max_fields);
            let shown = published::TABLE_I[row][max_fields - 1];
            let beside = arguments.published.then_some(shown);
            let beside = beside.map_or_else(String::new, |(average, total)| {
                format!("   published {average:6.2} % and {total:6.2} %")
            });
            let (average, total) = (cell.average, cell.total);
            say(&format!(
                "{queries:5} queries, m = {max_fields}: {average:6.2} % on average, {total:6.2} % in 30 times{beside}"
            ));
            cells.push(cell);
        }
    }
    if let Some(path) = &arguments.plot {
        let svg = plot(&cells, arguments.published)?;
        std::fs::write(path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn schema_of(path: &Path) -> Result<Arc<Schema>, String> {
    let wrong = |error: String| {
        let path = path.display();
        format!(
            "the schema {path} cannot be read ({error}): name a file of SDL, or one with the answer to an \
             introspection"
        )
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Ok(Arc::new(Schema::from_text(&text).map_err(|error| wrong(error.to_string()))?))
}
