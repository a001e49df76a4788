//! Runs on REST services.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use wallace_engine::{
    Budget, Clock, EvaluationError, Evaluator, Search, SearchEvent, Solution, StopSignal,
};
use wallace_problems::rest::{
    Description, Location, OperationFilter, OracleSettings, ReadSettings, RestAction, RestProblem,
    RestSettings, Templates,
};
use wallace_problems::{
    AuthFile, Authenticator, Driven, HttpEvaluator, LimitedTransport, MutationGuard, RateLimit,
    RetryPolicy, Transport, User,
};
use wallace_suite::{
    Criterion, OutputFolder, Provenance, Report, RunFacts, RustWriter, SuiteFile, TestSuite,
    Warning, Writer, lower_rest, rfc3339,
};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, HttpAddress, HttpConnection, HttpSettings, ProblemInfo, SutInfo,
};

use crate::clock::SystemClock;
use crate::coverage::Coverage;
use crate::error::RunError;
use crate::progress::Progress;
use crate::settings::Settings;
use crate::summary::Summary;

/// Largest response that is read: a test keeps its responses, and nobody reads longer ones.
const BODY_LIMIT: usize = 1 << 20;
/// Deepest objects in bodies: descriptions nest more deeply than inputs of GraphQL.
const BODY_DEPTH: u32 = 8;

/// A REST service that is ready to be tested.
struct System {
    problem: Arc<RestProblem>,
    evaluator: HttpEvaluator<RestProblem>,
    users: Vec<User>,
    service: String,
    info: Option<SutInfo>,
    warnings: Vec<String>,
}

/// Runs the search when the settings, or the driver, are about a REST service; `None` when they
/// are about another.
pub(crate) fn run(
    settings: &Settings,
    stop: &StopSignal,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Option<Summary>, RunError> {
    let runtime = BlockingRuntime::new()
        .map_err(|error| RunError::Internal(format!("no runtime for connections: {error}")))?;
    let mut settings = settings.clone();
    let depth = &mut settings.search.genes.input_depth;
    *depth = (*depth).max(BODY_DEPTH);
    let driven = match settings.driver.as_str() {
        "" if settings.rest.description.is_none() => return Ok(None),
        "" => {
            // Nobody tells how texts are used.
            settings.search.is_tainting = false;
            None
        }
        address => {
            let mut driver = DriverClient::connect(address, &runtime)?;
            let info = driver.start_sut()?;
            if !matches!(info.problem, ProblemInfo::Rest { .. }) {
                return Ok(None);
            }
            Some((driver, info))
        }
    };
    let output = OutputFolder::prepare(&settings.out, settings.force)?;
    let mut system = System::prepare(&settings, driven, &runtime)?;
    let (solution, elapsed) = search(&settings, stop, &mut system, observe);
    if let Some(info) = system.evaluator.driver().and_then(|driver| driver.info().ok()) {
        system.info = Some(info);
    }
    write(&settings, &output, &system, &solution, elapsed).map(Some)
}

impl System {
    fn prepare(
        settings: &Settings,
        driven: Option<(DriverClient, SutInfo)>,
        runtime: &BlockingRuntime,
    ) -> Result<Self, RunError> {
        let options = &settings.rest;
        let info = driven.as_ref().map(|(_, info)| info.clone());
        let mut description = read_description(settings, info.as_ref(), runtime)?;
        let filter = OperationFilter::new(&options.include, &options.exclude)
            .map_err(|error| RunError::Settings(error.to_string()))?;
        description.retain(&filter).map_err(|error| RunError::Settings(error.to_string()))?;
        let mut warnings: Vec<String> =
            description.diagnostics.iter().take(50).map(ToString::to_string).collect();
        let base_url = base_url(settings, info.as_ref(), &description)?;
        let address = address_of(&base_url)?;
        let users = users(settings, info.as_ref(), &mut warnings)?;
        let guard = MutationGuard::new(&address, options.allow_mutations || driven.is_some());
        if !guard.permits_mutation() {
            warnings.push(format!(
                "operations that may change something are not called, since {} is another machine: \
                 --allow-mutations",
                address.host()
            ));
        }
        let templates = Arc::new(Templates::new(Arc::new(description))?);
        warnings.extend(templates.skipped().iter().map(|skipped| format!("not tested: {skipped}")));
        let given = options.base_url.as_ref().map(|_| address.path().to_owned());
        let rest = RestSettings {
            base_path: given.filter(|path| !path.is_empty()),
            users: users.len() as u16,
            may_change: guard.permits_mutation(),
            oracles: OracleSettings {
                off: options.oracles_off.iter().copied().collect::<BTreeSet<u16>>(),
                security: options.security,
            },
        };
        let problem = Arc::new(RestProblem::new(templates, &rest, &settings.search)?);
        let mut transport = connect(&base_url, settings, runtime)?;
        let mut authenticator = Authenticator::new(users.clone(), settings.search.seed);
        warnings.extend(authenticator.check(&mut *transport).iter().map(ToString::to_string));
        let service = info.as_ref().map_or_else(|| address.to_string(), |i| i.driver_name.clone());
        let driven = driven.map(|(mut driver, _)| {
            driver.new_search()?;
            let (settings, runtime) = (settings.clone(), runtime.clone());
            let connect = Box::new(move |base_url: &str| {
                connect(base_url, &settings, &runtime)
                    .map_err(|error| EvaluationError::Unreachable(error.to_string()))
            });
            Ok::<_, RunError>(Driven { driver, connect })
        });
        let evaluator = HttpEvaluator::new(Arc::clone(&problem), transport, driven.transpose()?)
            .with_users(authenticator);
        Ok(Self { problem, evaluator, users, service, info, warnings })
    }
}

/// Reads the description of the settings, or the one that the driver names.
fn read_description(
    settings: &Settings,
    info: Option<&SutInfo>,
    runtime: &BlockingRuntime,
) -> Result<Description, RunError> {
    let named = match info.map(|info| &info.problem) {
        Some(ProblemInfo::Rest { open_api_url }) => Some(open_api_url.clone()),
        _ => None,
    };
    let Some(place) = settings.rest.description.clone().or(named) else {
        return Err(RunError::Settings("there is no description of the service".to_owned()));
    };
    let read = ReadSettings {
        external_references: settings.rest.external_references,
        ..ReadSettings::default()
    };
    if !place.contains("://") {
        return Ok(Description::from_file(place, &read)?);
    }
    let fetch = |url: &str| fetch(url, settings.call_timeout, runtime);
    let text = fetch(&place)
        .map_err(|error| RunError::Settings(format!("{place} cannot be read: {error}")))?;
    Ok(Description::from_text(&text, Location::Url(place), &read, &fetch)?)
}

/// Reads a document from its URL. Redirects are not followed: they could lead anywhere.
fn fetch(url: &str, timeout: Duration, runtime: &BlockingRuntime) -> Result<String, String> {
    let address: HttpAddress = url.parse().map_err(|error| format!("{error}"))?;
    let settings = HttpSettings { read_timeout: timeout, ..HttpSettings::default() };
    let mut connection =
        HttpConnection::connect(address, settings, runtime).map_err(|error| error.to_string())?;
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find('/').map_or("/", |start| &rest[start..]);
    let path = PathAndQuery::from_str(path).map_err(|error| error.to_string())?;
    let mut headers = HeaderMap::new();
    headers.insert(
        "accept",
        HeaderValue::from_static("application/json, application/yaml, */*;q=0.5"),
    );
    let response = connection
        .send(Method::GET, path, headers, Vec::new().into())
        .map_err(|error| error.to_string())?;
    if response.status.as_u16() != 200 {
        return Err(format!("status {}", response.status.as_u16()));
    }
    String::from_utf8(response.body.into()).map_err(|_| "it is no UTF-8 text".to_owned())
}

/// Where the service is: as given, as the driver tells, or beside its description.
fn base_url(
    settings: &Settings,
    info: Option<&SutInfo>,
    description: &Description,
) -> Result<String, RunError> {
    let beside = settings.rest.description.clone().filter(|place| place.contains("://"));
    let host = beside.and_then(|url| {
        let (scheme, rest) = url.split_once("://")?;
        Some(format!("{scheme}://{}", rest.split('/').next()?))
    });
    let given = settings.rest.base_url.clone();
    given.or_else(|| info.map(|info| info.base_url.clone())).or(host).ok_or_else(|| {
        let title = &description.title;
        RunError::Settings(format!("nothing tells where {title:?} is: give --base-url"))
    })
}

fn address_of(base_url: &str) -> Result<HttpAddress, RunError> {
    base_url
        .parse()
        .map_err(|error| RunError::Settings(format!("the base URL {base_url:?}: {error}")))
}

fn connect(
    base_url: &str,
    settings: &Settings,
    runtime: &BlockingRuntime,
) -> Result<Box<dyn Transport>, RunError> {
    let limits = HttpSettings {
        read_timeout: settings.call_timeout,
        body_limit: BODY_LIMIT,
        ..HttpSettings::default()
    };
    let connection = HttpConnection::connect(address_of(base_url)?, limits, runtime)?;
    let rate = settings.rest.rate.map(RateLimit::per_second);
    let policy =
        if settings.driver.is_empty() { RetryPolicy::default() } else { RetryPolicy::none() };
    Ok(Box::new(LimitedTransport::new(Box::new(connection), rate, policy)))
}

/// The users of the authentication file, or those that the driver tells.
fn users(
    settings: &Settings,
    info: Option<&SutInfo>,
    warnings: &mut Vec<String>,
) -> Result<Vec<User>, RunError> {
    if let Some(file) = &settings.rest.auth {
        let unreadable = |error: String| {
            RunError::Settings(format!("the authentication file {}: {error}", file.display()))
        };
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
        let read = AuthFile::parse(&text, &|name| std::env::var(name).ok())
            .map_err(|error| unreadable(error.to_string()))?;
        warnings.extend(read.warnings);
        return Ok(read.users);
    }
    let told = info.map_or(&[] as &[_], |info| &info.authentication);
    let (with_login, plain): (Vec<_>, Vec<_>) = told.iter().partition(|user| user.needs_login);
    warnings.extend(with_login.iter().map(|user| {
        format!("the driver's user {:?} needs a login: give it in a file with --auth", user.name)
    }));
    Ok(plain.iter().map(|user| User::with_headers(&user.name, user.headers.clone())).collect())
}

fn search(
    settings: &Settings,
    stop: &StopSignal,
    system: &mut System,
    observe: &mut dyn FnMut(&Progress),
) -> (Solution<RestAction>, Duration) {
    let clock = Arc::new(SystemClock::start_after(Duration::ZERO));
    let budget = Budget {
        calls: settings.calls,
        evaluations: None,
        time: settings.time.map(|time| (time, Arc::clone(&clock) as Arc<dyn Clock>)),
        stop: stop.clone(),
    };
    let mut faults = 0;
    let mut ended = Duration::ZERO;
    let mut observer = |event: &SearchEvent<'_, RestAction>| match event {
        SearchEvent::Evaluated { added, archive, statistics, used, .. } => {
            let is_fault = |target: &&wallace_engine::TargetId| {
                archive.name(**target).is_some_and(|name| name.as_str().starts_with("fault:"))
            };
            faults += added.covered.iter().filter(is_fault).count();
            let elapsed = clock.elapsed();
            observe(&Progress {
                used: *used,
                calls: statistics.calls,
                calls_per_second: statistics.calls as f64 / elapsed.as_secs_f64().max(1e-9),
                covered: archive.covered(),
                reached: archive.reached(),
                faults,
                elapsed,
            });
        }
        SearchEvent::Failed { evaluation, reason } => {
            tracing::warn!("test {evaluation} could not be run: {reason}");
        }
        SearchEvent::Suspicious { suspicion } => tracing::warn!("{suspicion}"),
        SearchEvent::Ended { .. } => ended = clock.elapsed(),
        _ => {}
    };
    let problem = Arc::clone(&system.problem);
    let mut search = Search::new(&*problem, settings.search.clone(), budget);
    search.observe(&mut observer);
    let evaluator: &mut dyn Evaluator<RestAction> = &mut system.evaluator;
    let solution = search.run(evaluator);
    (solution, ended)
}

/// Writes all files at once, and sums up.
fn write(
    settings: &Settings,
    output: &OutputFolder,
    system: &System,
    solution: &Solution<RestAction>,
    elapsed: Duration,
) -> Result<Summary, RunError> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let suite = TestSuite {
        provenance: Provenance {
            tool: "Wallace".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: settings.search.seed,
        },
        service: system.service.clone(),
        default_base_url: "http://localhost:8080".to_owned(),
        start_command: None,
        tests: lower_rest(&system.problem, &system.users, solution, Some(now)),
    };
    let summary = summary(settings, system, solution, suite.tests.len(), elapsed);
    let mut files = RustWriter.write(&suite);
    let facts = facts(&summary, system, solution, now);
    let report = Report { suite: &suite, files: &files, run: &facts }.to_json();
    files.push(SuiteFile::new("report.json", report));
    if let Some(users) = system.evaluator.users() {
        for file in &mut files {
            file.content = users.secrets().redact(&file.content);
        }
    }
    output.write(&files)?;
    Ok(summary)
}

fn summary(
    settings: &Settings,
    system: &System,
    solution: &Solution<RestAction>,
    tests: usize,
    elapsed: Duration,
) -> Summary {
    let of = |prefix: &str, total: fn(&SutInfo) -> usize| match &system.info {
        Some(info) => Coverage::of(prefix, total(info), solution, info),
        None => Coverage::default(),
    };
    let covered = |prefix: &str| {
        let targets = solution.targets.iter();
        targets
            .filter(|target| target.score.is_covered() && target.name.as_str().starts_with(prefix))
            .count()
    };
    let mut warnings = system.warnings.clone();
    if solution.statistics.failures > 0 {
        let failures = solution.statistics.failures;
        warnings.push(format!("{failures} tests could not be run: see the log (WALLACE_LOG=warn)"));
    }
    let calls = solution.statistics.calls;
    Summary {
        service: system.service.clone(),
        reason: solution.reason.clone(),
        seed: settings.search.seed,
        calls,
        elapsed,
        calls_per_second: calls as f64 / elapsed.as_secs_f64().max(1e-9),
        lines: of("Line", |info| info.units.lines),
        branches: of("Branch", |info| info.units.branches),
        covered: solution.covered(),
        reached: solution.targets.len(),
        operations: system.problem.callable().len(),
        answered: covered("rest:ok:"),
        faults: covered("fault:"),
        tests,
        warnings,
        suite: settings.out.clone(),
        report: settings.out.join("report.json"),
    }
}

fn facts(
    summary: &Summary,
    system: &System,
    solution: &Solution<RestAction>,
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
    let templates = system.problem.templates();
    let endpoints =
        system.problem.callable().iter().map(|id| templates.operation(*id).id.to_string());
    RunFacts {
        creation_time: rfc3339(now),
        execution_seconds: summary.elapsed.as_secs(),
        evaluated_calls: solution.statistics.calls
            + solution.minimising_calls
            + solution.repeat_calls,
        endpoints: endpoints.collect(),
        coverage: vec![criterion("lines", summary.lines), criterion("branches", summary.branches)],
        warnings: summary.warnings.iter().map(warning).collect(),
        ..RunFacts::default()
    }
}
