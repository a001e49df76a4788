//! The service under test: started through its driver, its schema read.

use std::net::IpAddr;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use wallace_engine::EvaluationError;
use wallace_problems::graphql::{
    GraphqlProblem, INTROSPECTION_QUERY, OperationFilter, OperationKind, OperationPattern,
    PatternError, Schema, Templates,
};
use wallace_problems::{AuthFile, Authenticator, Connect, Driven, HttpEvaluator, Transport, User};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, HttpAddress, HttpConnection, HttpSettings, ProblemInfo, SutInfo,
};

use crate::error::RunError;
use crate::settings::{GraphqlSettings, Settings, Target};

/// Largest response that is read: a test keeps its responses, and nobody reads longer ones.
const BODY_LIMIT: usize = 8 << 20;

/// A service that is ready to be tested.
pub(crate) struct TargetSystem {
    pub(crate) problem: Arc<GraphqlProblem>,
    pub(crate) evaluator: HttpEvaluator<GraphqlProblem>,
    /// Its name in the suite and the report.
    pub(crate) service: String,
    /// What its driver tells, where there is one.
    pub(crate) info: Option<SutInfo>,
    /// What was decided about the run and should be known.
    pub(crate) notes: Vec<String>,
}

impl TargetSystem {
    /// Starts the service, if that is asked for, and reads its schema.
    pub(crate) fn prepare(settings: &Settings) -> Result<Self, RunError> {
        let runtime = BlockingRuntime::new()
            .map_err(|error| RunError::Internal(format!("no runtime for connections: {error}")))?;
        match &settings.target {
            Target::Driver(driver) => Self::behind_driver(driver, settings, &runtime),
            Target::Graphql(url) => Self::black_box(url, settings, &runtime),
        }
    }

    fn behind_driver(
        driver: &str,
        settings: &Settings,
        runtime: &BlockingRuntime,
    ) -> Result<Self, RunError> {
        let mut driver = DriverClient::connect(driver, runtime)?;
        let info = driver.start_sut()?;
        let path = endpoint(&info)?;
        let mut connection = connect(&info.base_url, settings.call_timeout, runtime)?;
        let schema = schema(settings, &mut connection, &path)?;
        let problem = Arc::new(problem(settings, schema, path, true)?);
        driver.new_search()?;
        let connect = reconnect(settings.call_timeout, runtime.clone());
        let driven = Some(Driven { driver, connect });
        let evaluator = HttpEvaluator::new(Arc::clone(&problem), Box::new(connection), driven);
        let service = info.driver_name.clone();
        Ok(Self { problem, evaluator, service, info: Some(info), notes: Vec::new() })
    }

    fn black_box(
        url: &str,
        settings: &Settings,
        runtime: &BlockingRuntime,
    ) -> Result<Self, RunError> {
        let address: HttpAddress = url
            .parse()
            .map_err(|error| RunError::Settings(format!("the URL of the service: {error}")))?;
        let path = path_of(url, &address)?;
        let mut connection = connect(&address.to_string(), settings.call_timeout, runtime)?;
        let schema = schema(settings, &mut connection, &path)?;
        let has_mutations = settings.graphql.allow_mutations || is_loopback(address.host());
        let mut notes = Vec::new();
        if !has_mutations && schema.root(OperationKind::Mutation).is_some() {
            notes.push(format!(
                "mutations are not called, since {} is another machine: --allow-mutations",
                address.host()
            ));
        }
        let users = users(settings)?;
        let problem = problem(settings, schema, path, has_mutations)?;
        let checks = settings.graphql.checks;
        let problem = Arc::new(problem.black_box().with_checks(checks).with_users(users.len()));
        let mut evaluator = HttpEvaluator::new(Arc::clone(&problem), Box::new(connection), None)
            .with_reconnect(reconnect(settings.call_timeout, runtime.clone()), address.to_string());
        if !users.is_empty() {
            evaluator = evaluator.with_users(Authenticator::new(users, settings.search.seed));
        }
        Ok(Self { problem, evaluator, service: address.authority(), info: None, notes })
    }
}

/// The users of the authentication file.
fn users(settings: &Settings) -> Result<Vec<User>, RunError> {
    let Some(path) = &settings.graphql.auth else { return Ok(Vec::new()) };
    let wrong = |reason: &dyn std::fmt::Display| {
        RunError::Settings(format!("the users in {}: {reason}", path.display()))
    };
    let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let file =
        AuthFile::parse(&text, &|name| std::env::var(name).ok()).map_err(|error| wrong(&error))?;
    Ok(file.users)
}

/// The problem that the settings and the schema make.
fn problem(
    settings: &Settings,
    schema: Schema,
    path: PathAndQuery,
    has_mutations: bool,
) -> Result<GraphqlProblem, RunError> {
    let patterns = |texts: &[String]| -> Result<Vec<OperationPattern>, RunError> {
        let parsed = texts.iter().map(|text| text.parse());
        parsed
            .collect::<Result<_, _>>()
            .map_err(|error: PatternError| RunError::Settings(error.to_string()))
    };
    let GraphqlSettings { include, exclude, .. } = &settings.graphql;
    let (include, exclude) = (patterns(include)?, patterns(exclude)?);
    let filter = OperationFilter { include, exclude, has_mutations };
    let templates = Arc::new(Templates::new(Arc::new(schema))?);
    let problem = GraphqlProblem::new(templates, path, &settings.search)?.with_filter(&filter)?;
    Ok(problem.with_scalars(settings.graphql.scalars.clone()))
}

/// Path and query of a URL; `/graphql` where it names only a host.
fn path_of(url: &str, address: &HttpAddress) -> Result<PathAndQuery, RunError> {
    let query = url.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
    let path = if address.path().is_empty() { "/graphql" } else { address.path() };
    PathAndQuery::from_str(&format!("{path}{query}"))
        .map_err(|error| RunError::Settings(format!("the path of {url:?} cannot be sent: {error}")))
}

/// Whether the host is this machine.
fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The schema of the file that is given, or else as the service tells it.
fn schema(
    settings: &Settings,
    connection: &mut HttpConnection,
    path: &PathAndQuery,
) -> Result<Schema, RunError> {
    let Some(file) = &settings.graphql.schema else { return introspect(connection, path) };
    let text = std::fs::read_to_string(file).map_err(|error| {
        RunError::Settings(format!("the schema {} cannot be read: {error}", file.display()))
    })?;
    Ok(Schema::from_text(&text)?)
}

fn endpoint(info: &SutInfo) -> Result<PathAndQuery, RunError> {
    let endpoint = match &info.problem {
        ProblemInfo::GraphQl { endpoint } => endpoint,
        ProblemInfo::Rest { .. } => {
            let reason = "the driver describes a REST service, which is not supported yet: \
                          use the driver of a GraphQL service";
            return Err(RunError::Settings(reason.to_owned()));
        }
    };
    PathAndQuery::from_str(endpoint).map_err(|error| {
        let reason =
            format!("the driver tells the endpoint {endpoint:?}, which is no path ({error})");
        RunError::Settings(reason)
    })
}

fn connect(
    base_url: &str,
    read_timeout: Duration,
    runtime: &BlockingRuntime,
) -> Result<HttpConnection, RunError> {
    let address: HttpAddress = base_url.parse().map_err(|error| {
        RunError::Settings(format!("the base URL of the service, {base_url:?}: {error}"))
    })?;
    let settings = HttpSettings { read_timeout, body_limit: BODY_LIMIT, ..HttpSettings::default() };
    Ok(HttpConnection::connect(address, settings, runtime)?)
}

fn reconnect(read_timeout: Duration, runtime: BlockingRuntime) -> Connect {
    Box::new(move |base_url| {
        let connection = connect(base_url, read_timeout, &runtime)
            .map_err(|error| EvaluationError::Unreachable(error.to_string()))?;
        Ok(Box::new(connection) as Box<dyn Transport>)
    })
}

fn introspect(connection: &mut HttpConnection, path: &PathAndQuery) -> Result<Schema, RunError> {
    let body = serde_json::json!({ "query": INTROSPECTION_QUERY }).to_string();
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("accept", HeaderValue::from_static("application/json"));
    let response = connection.send(Method::POST, path.clone(), headers, body.into())?;
    Ok(Schema::from_introspection(&response.body)?)
}
