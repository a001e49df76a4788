//! What a run leaves behind: the suite, the report, and the summary.

use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use wallace_engine::{Problem, Solution, StopReason, TargetKind};
use wallace_problems::graphql::{CoverageTotal, SchemaCoverage};
use wallace_suite::{
    OutputFolder, Provenance, SuiteFile, TestCase, TestSuite, lower,
    record::{Phase, Surroundings},
    report::{
        Criterion, Report, RunFacts, Warning, counted, report_files, severity, statistics_csv,
    },
    rfc3339,
};

use wallace_sut_driver::Units;

use crate::advice;
use crate::checkpoint::replace;
use crate::coverage::Coverage;
use crate::error::RunError;
use crate::leave_out::{leave_out_again, leave_out_ending, leave_out_made, leave_out_secret};
use crate::outcome::Outcome;
use crate::record::{self, Recording};
use crate::service_family::ServiceFamily;
use crate::settings::Settings;
use crate::summary::Summary;
use crate::target_system::TargetSystem;

/// Where suites look for the service unless they are told otherwise. Not where it ran: drivers
/// take a free port at each start, and equal runs write equal suites.
const DEFAULT_BASE_URL: &str = "http://localhost:8080";

/// Writes all files at once, and sums up.
pub(crate) fn write<P: ServiceFamily>(
    settings: &Settings,
    output: &OutputFolder,
    system: &TargetSystem<P>,
    outcome: &Outcome<P>,
) -> Result<Summary, RunError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut lowered = lowered(system, outcome, now);
    let left_out = leave_out_made(system, outcome, &mut lowered);
    let mut suite = TestSuite {
        provenance: Provenance {
            tool: "Wallace".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: settings.search.seed,
        },
        service: system.service.clone(),
        default_base_url: match &system.info {
            Some(_) => DEFAULT_BASE_URL.to_owned(),
            None => system.base_url.clone(),
        },
        start_command: settings.start_command.clone(),
        tests: Vec::new(),
    };
    let hidden = leave_out_secret(system, &mut lowered);
    let ending = leave_out_ending(system, outcome, &mut lowered);
    let again = leave_out_again(system, outcome, &mut lowered);
    let places = record::places(&lowered);
    suite.tests = lowered.into_iter().flatten().collect();
    let mut summary = summary(settings, system, outcome, &suite);
    summary.warnings.extend(outcome.notes.iter().cloned());
    if left_out > 0 {
        summary.warnings.push(format!(
            "not written, since a service that no other test used would answer otherwise: {}",
            counted(left_out, "test")
        ));
    }
    if hidden > 0 {
        summary.warnings.push(format!(
            "not written, for sending what only the users should know: {}",
            counted(hidden, "test")
        ));
    }
    if ending > 0 {
        summary.warnings.push(format!(
            "not written, for taking away what the users log in with, or what nothing makes again: {}",
            counted(ending, "test")
        ));
    }
    if again > 0 {
        summary.warnings.push(format!(
            "not written, for showing what three others show already: {}",
            counted(again, "test")
        ));
    }
    let facts = facts(&summary, system, outcome, now);
    let mut files: Vec<SuiteFile> = Vec::new();
    let mut report = None;
    let written: Vec<Vec<SuiteFile>> =
        settings.formats.par_iter().map(|format| format.write(&suite)).collect();
    for written in written {
        // The same tests in every format: the report points to those of the first.
        report.get_or_insert_with(|| report_of(&suite, &written, &facts));
        files.extend(written);
    }
    let report = report.unwrap_or_else(|| report_of(&suite, &[], &facts));
    let record = Recording { settings, system, outcome, places: &places };
    let mut record = record.record(suite, facts, &summary);
    record.set_files(&files);
    summary.advice = advice::advice(&record, !system.users.is_empty());
    for secrets in system.secrets() {
        for message in &mut summary.advice {
            *message = secrets.redact(message);
        }
    }
    let more = summary.advice.iter().map(|message| Warning {
        message: message.clone(),
        category: "advice".to_owned(),
        display_priority: 2,
    });
    record.facts.warnings.extend(more);
    if let Some(baseline) = &outcome.baseline {
        let creation_time = rfc3339(now);
        let missing = baseline.mark(&mut record.faults, &creation_time).len();
        if missing > 0 {
            summary.warnings.push(format!(
                "{missing} known faults did not come: if they are mended, update the baseline"
            ));
        }
    }
    summary.faults = record.faults.len();
    summary.new_faults = record.new_faults().count();
    summary.worst = record.new_faults().map(|fault| severity(fault.fault.code)).max();
    files.push(SuiteFile::new("report.json", report));
    files.extend(report_files(&record));
    if let Some(schema) = &outcome.schema {
        files.push(SuiteFile::new("schema-coverage.json", schema.to_json()));
    }
    redact(system, &mut files);
    output.write(&files)?;
    if let Some(path) = &settings.statistics {
        // The results are written; what is missing besides is told.
        if let Err(error) = replace(path, statistics_csv(&record).as_bytes()) {
            summary.warnings.push(format!("{} was not written: {error}", path.display()));
        }
    }
    Ok(summary)
}

/// The tests of the solution as they are written.
fn lowered<P: ServiceFamily>(
    system: &TargetSystem<P>,
    outcome: &Outcome<P>,
    now: u64,
) -> Vec<Option<TestCase>> {
    let is_kept = system.info.is_none();
    let leaves = is_kept && outcome.made.has_changed();
    let places = 0..outcome.solution.tests.len();
    let is_alone = |place| outcome.holds(place) == Some(true);
    let is_shared: Vec<bool> = places.map(|place| leaves && !is_alone(place)).collect();
    let habits = is_kept.then_some(&outcome.habits);
    let surroundings = Surroundings { recorded_at: Some(now), habits, is_shared: &is_shared };
    lower(&*system.problem, &system.users, &outcome.solution, surroundings)
}

fn report_of(suite: &TestSuite, files: &[SuiteFile], run: &RunFacts) -> String {
    Report { suite, files, run }.to_json()
}

/// Takes out of the files what only the users should know.
fn redact<P: ServiceFamily>(system: &TargetSystem<P>, files: &mut [SuiteFile]) {
    for secrets in system.secrets() {
        for file in &mut *files {
            file.content = secrets.redact(&file.content);
        }
    }
}

fn summary<P: ServiceFamily>(
    settings: &Settings,
    system: &TargetSystem<P>,
    outcome: &Outcome<P>,
    suite: &TestSuite,
) -> Summary {
    let (solution, elapsed) = (&outcome.solution, outcome.elapsed);
    let info = system.info.as_ref();
    let units = |count: fn(&Units) -> usize| info.map_or(0, |info| count(&info.units));
    let of = |kind, total| Coverage::of(kind, total, solution, info);
    let covered = |kind| solution.covered_of(kind).count();
    let calls = solution.statistics.calls;
    Summary {
        service: system.service.clone(),
        is_white_box: info.is_some(),
        reason: solution.reason.clone(),
        seed: settings.search.seed,
        calls,
        calls_after: outcome.ledger.calls_of(Phase::After),
        ledger: outcome.ledger.rows(&system.problem.operations()),
        elapsed,
        calls_per_second: calls as f64 / elapsed.as_secs_f64().max(1e-9),
        lines: of(TargetKind::Line, units(|units| units.lines)),
        branches: of(TargetKind::Branch, units(|units| units.branches)),
        covered: solution.covered(),
        reached: solution.targets.len(),
        targets: solution.targets.clone(),
        operations: system.problem.callable(),
        answered: outcome.operations.iter().filter(|it| it.data + it.data_and_errors > 0).count(),
        faults: covered(TargetKind::Fault),
        new_faults: covered(TargetKind::Fault),
        worst: None,
        advice: Vec::new(),
        tests: suite.tests.len(),
        differences: Vec::new(),
        warnings: warnings(system, solution),
        suite: settings.out.clone(),
        report: settings.out.join("report.json"),
    }
}

/// What limited the run.
fn warnings<P: ServiceFamily>(
    system: &TargetSystem<P>,
    solution: &Solution<<P as Problem>::Action>,
) -> Vec<String> {
    let mut warnings = system.notes.clone();
    warnings.extend(system.problem.left_out());
    let left_out = system.problem.operations().len() - system.problem.callable();
    if left_out > 0 {
        warnings.push(format!(
            "not tested: {}, left out by filters or too deeply nested arguments",
            counted(left_out, "operation")
        ));
    }
    if solution.statistics.failures > 0 {
        let failures = counted(solution.statistics.failures as usize, "test");
        warnings.push(format!("could not be run: {failures}, see the log (WALLACE_LOG=warn)"));
    }
    if let StopReason::Unreachable(_) | StopReason::Broken(_) = &solution.reason {
        warnings.push(solution.reason.to_string());
    }
    warnings
}

fn facts<P: ServiceFamily>(
    summary: &Summary,
    system: &TargetSystem<P>,
    outcome: &Outcome<P>,
    now: u64,
) -> RunFacts {
    let criterion = |name: &str, coverage: Coverage| Criterion {
        name: name.to_owned(),
        covered: coverage.covered as u64,
        total: Some(coverage.total as u64),
    };
    let warning = |message: &String| Warning {
        message: message.clone(),
        category: "run".to_owned(),
        display_priority: 1,
    };
    let mut coverage = Vec::new();
    if summary.is_white_box {
        coverage.extend([("lines", summary.lines), ("branches", summary.branches)]);
    }
    coverage.extend(summary.own_coverage().map(|own| ("own targets", own)));
    let (endpoints, graphql_operations) = system.problem.endpoints(outcome.operations.clone());
    RunFacts {
        creation_time: rfc3339(now),
        execution_seconds: summary.elapsed.as_secs(),
        evaluated_calls: outcome.ledger.calls_of(Phase::Search)
            + outcome.ledger.calls_of(Phase::After),
        endpoints,
        graphql_operations,
        operations: outcome.operations.clone(),
        graphql_coverage: outcome.schema.iter().flat_map(schema_criteria).collect(),
        coverage: coverage.into_iter().map(|(name, coverage)| criterion(name, coverage)).collect(),
        warnings: summary.warnings.iter().map(warning).collect(),
        ..RunFacts::default()
    }
}

fn schema_criteria(schema: &SchemaCoverage) -> Vec<Criterion> {
    let criterion = |total: CoverageTotal| Criterion {
        name: total.name,
        covered: total.covered,
        total: Some(total.total),
    };
    schema.totals().into_iter().map(criterion).collect()
}
