//! `wallace harvest`: tests and coverage from production operations.

use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use wallace::{
    RunError,
    replay::{ReplayTarget, TestRunner, Verdict},
};
use wallace_harvest::{
    Harvest, HarvestSettings, Masking, Reading, RecordingProxy, RecordingSettings, drift, read,
    write,
};

use crate::argument::HarvestArguments;
use crate::console::{complain, say};
use crate::exit::{CommandError, code_or_error};
use crate::interrupt;
use crate::properties::schema_of;
use crate::replay::tell_reasons;

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
