//! `wallace harvest`: tests and coverage from production operations.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use wallace::{
    Format, RunError,
    replay::{ReplayTarget, TestRunner, Verdict},
};
use wallace_harvest::{
    Harvest, HarvestSettings, Masking, Reading, RecordingProxy, RecordingSettings, drift, read,
    write,
};

use crate::console::{complain, say};
use crate::exit::{CommandError, code_or_error};
use crate::interrupt;
use crate::properties::schema_of;
use crate::replay::tell_reasons;

/// Arguments of the command.
#[derive(Debug, Args)]
pub(crate) struct HarvestArguments {
    /// Logs, archives, maps of persisted queries, or folders of documents
    #[arg(value_name = "SOURCE", required_unless_present = "listen")]
    sources: Vec<PathBuf>,
    /// Schema as SDL or introspection answer
    #[arg(long, value_name = "FILE", required_unless_present = "listen")]
    schema: Option<PathBuf>,
    /// Folder for tests and coverage
    #[arg(long, value_name = "DIR", default_value = "wallace-out/harvest")]
    out: PathBuf,
    /// Replace what an earlier run wrote to the folder
    #[arg(long)]
    force: bool,
    /// Where the tests look for the service
    #[arg(long, value_name = "URL", default_value = "http://localhost:8080")]
    base_url: String,
    /// Path of the endpoint
    #[arg(long, value_name = "PATH", default_value = "/graphql")]
    path: String,
    /// One test for each operation, those included that differ in values only
    #[arg(long)]
    keep_similar: bool,
    /// Languages of the tests, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "rust")]
    format: Vec<Format>,
    /// Expect recorded answers, where there are some
    #[arg(long)]
    compare_answers: bool,
    /// A new version of the schema: tell what it breaks, and for whom
    #[arg(long, value_name = "FILE")]
    drift: Option<PathBuf>,
    /// Leave e-mail addresses as they are
    #[arg(long)]
    keep_emails: bool,
    /// Replace no secrets at all
    #[arg(long)]
    no_masking: bool,
    /// Names, as a regular expression, whose values are secret besides the usual ones
    #[arg(long, value_name = "REGEX")]
    secret_names: Option<String>,
    /// Run the tests against the service of this driver, which brings its state back before each
    #[arg(long, value_name = "URL", conflicts_with = "url")]
    driver: Option<String>,
    /// Run the tests against a service that runs already
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Run tests that may change something although the service is on another machine
    #[arg(long)]
    allow_mutations: bool,
    /// Record what goes through this address to the service
    #[arg(long, value_name = "HOST:PORT", requires = "upstream")]
    listen: Option<SocketAddr>,
    /// The service, HOST:PORT
    #[arg(long, value_name = "HOST:PORT")]
    upstream: Option<String>,
    /// The file that is recorded to
    #[arg(long, value_name = "FILE", default_value = "harvest.ndjson")]
    record: PathBuf,
    /// Largest size of the recorded file, in MiB
    #[arg(long, value_name = "N", default_value_t = 256)]
    limit: u64,
}

pub(crate) fn run(arguments: &HarvestArguments) -> ExitCode {
    let outcome = match (arguments.listen, &arguments.upstream) {
        (Some(listen), Some(upstream)) => record(arguments, listen, upstream),
        _ => harvest(arguments),
    };
    code_or_error(outcome)
}

fn masking(arguments: &HarvestArguments) -> Result<Masking, CommandError> {
    if arguments.no_masking {
        return Ok(Masking::off());
    }
    let masking = Masking::default();
    let masking = if arguments.keep_emails { masking.without_emails() } else { masking };
    match &arguments.secret_names {
        Some(names) => masking.with_names(names).map_err(|error| {
            // The lines before draw the expression.
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            usage(&format!("--secret-names {names:?} is no regular expression: {reason}"))
        }),
        None => Ok(masking),
    }
}

fn record(
    arguments: &HarvestArguments,
    listen: SocketAddr,
    upstream: &str,
) -> Result<u8, CommandError> {
    let settings = RecordingSettings {
        listen,
        limit: arguments.limit << 20,
        masking: masking(arguments)?,
        ..RecordingSettings::new(upstream, &arguments.record)
    };
    let proxy = RecordingProxy::start(settings)
        .map_err(|error| usage(&format!("{error}: see --listen, --upstream and --record")))?;
    say(&format!("recording on {}; Ctrl-C ends", proxy.address()));
    let signal = interrupt::signal();
    while !signal.is_set() {
        std::thread::sleep(Duration::from_millis(100));
    }
    let statistics = proxy.statistics();
    say(&format!(
        "{} operations: {} kept in {}, {} repeated, {} dropped",
        statistics.operations,
        statistics.stored,
        arguments.record.display(),
        statistics.repeated,
        statistics.dropped
    ));
    Ok(0)
}

fn harvest(arguments: &HarvestArguments) -> Result<u8, CommandError> {
    let schema =
        arguments.schema.as_deref().ok_or_else(|| usage(&"give the schema with --schema FILE"))?;
    let schema = schema_of(schema).map_err(CommandError::Usage)?;
    let mut reading = Reading::default();
    for source in &arguments.sources {
        reading.extend(read(source).map_err(|error| usage(&error))?);
    }
    let mut settings = HarvestSettings {
        merges_similar: !arguments.keep_similar,
        compares_answers: arguments.compare_answers,
        path: arguments.path.clone(),
        masking: masking(arguments)?,
    };
    let harvest = Harvest::new(Arc::clone(&schema), reading, &mut settings);
    for rejected in harvest.rejected() {
        complain(&rejected.to_string());
    }
    if harvest.operations().is_empty() {
        return Err(usage(
            &"no operation can be used, so nothing is written: is the schema that of the service they were \
              sent to?",
        ));
    }
    let breaks = match &arguments.drift {
        Some(path) => told_drift(&harvest, path).map_err(CommandError::Usage)?,
        None => 0,
    };
    write(&harvest, &arguments.base_url, &arguments.format, &arguments.out, arguments.force)
        .map_err(RunError::from)?;
    tell(&harvest, &arguments.out);
    let failed = match (&arguments.driver, &arguments.url) {
        (Some(driver), _) => failed(&harvest, &ReplayTarget::Driver(driver.clone()), arguments)?,
        (None, Some(url)) => failed(&harvest, &ReplayTarget::Url(url.clone()), arguments)?,
        (None, None) => 0,
    };
    Ok(u8::from(breaks + failed > 0))
}

fn usage(reason: &dyn std::fmt::Display) -> CommandError {
    CommandError::Usage(reason.to_string())
}

fn tell(harvest: &Harvest, out: &Path) {
    let report = harvest.coverage();
    say(&format!(
        "{} operations read, {} rejected, {} tests\n{} of {} schema tuples covered ({:.1} %)\n{}",
        harvest.read(),
        harvest.rejected().len(),
        harvest.operations().len(),
        report.covered(),
        report.total(),
        report.percent(),
        out.display()
    ));
}

/// Runs the tests in their order, which has what creates something before what uses it, and counts
/// those that do not pass.
fn failed(
    harvest: &Harvest,
    target: &ReplayTarget,
    arguments: &HarvestArguments,
) -> Result<usize, CommandError> {
    let mut runner = TestRunner::connect(target, arguments.allow_mutations)?;
    let tests = harvest.tests();
    let mut failed = 0;
    for test in &tests {
        let verdict = runner.run(test)?;
        if verdict != Verdict::Passed {
            failed += 1;
            say(&format!("FAILED   {}", test.name));
            tell_reasons(&verdict);
        }
    }
    say(&format!("{} tests run: {} pass, {failed} fail", tests.len(), tests.len() - failed));
    Ok(failed)
}

fn told_drift(harvest: &Harvest, path: &Path) -> Result<usize, String> {
    let breaks = drift(harvest, &*schema_of(path)?);
    for it in &breaks {
        say(&it.to_string());
    }
    say(&format!("the new schema changes {} things that production uses", breaks.len()));
    Ok(breaks.len())
}
