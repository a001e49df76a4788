//! The service under test: started through its driver, its schema read.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use wallace_engine::EvaluationError;
use wallace_problems::graphql::{GraphqlProblem, INTROSPECTION_QUERY, Schema, Templates};
use wallace_problems::{Connect, Driven, HttpEvaluator, Transport};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, HttpAddress, HttpConnection, HttpSettings, ProblemInfo, SutInfo,
};

use crate::error::RunError;
use crate::settings::Settings;

/// A service that is ready to be tested.
pub(crate) struct TargetSystem {
    pub(crate) problem: Arc<GraphqlProblem>,
    pub(crate) evaluator: HttpEvaluator<GraphqlProblem>,
    pub(crate) info: SutInfo,
}

impl TargetSystem {
    /// Starts the service and reads its schema.
    pub(crate) fn prepare(settings: &Settings) -> Result<Self, RunError> {
        let runtime = BlockingRuntime::new()
            .map_err(|error| RunError::Internal(format!("no runtime for connections: {error}")))?;
        let mut driver = DriverClient::connect(&settings.driver, &runtime)?;
        let info = driver.start_sut()?;
        let path = endpoint(&info)?;
        let mut connection = connect(&info.base_url, settings.call_timeout, &runtime)?;
        let schema = introspect(&mut connection, &path)?;
        let templates = Arc::new(Templates::new(Arc::new(schema))?);
        let problem = Arc::new(GraphqlProblem::new(templates, path, &settings.search)?);
        driver.new_search()?;
        let driven = Driven { driver, connect: reconnect(settings.call_timeout, runtime) };
        let evaluator =
            HttpEvaluator::new(Arc::clone(&problem), Box::new(connection), Some(driven));
        Ok(Self { problem, evaluator, info })
    }
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
        RunError::Settings(format!("the driver tells the base URL {base_url:?}: {error}"))
    })?;
    let settings = HttpSettings { read_timeout, ..HttpSettings::default() };
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
