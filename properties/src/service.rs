//! Reaching the service that is checked.

use std::sync::Arc;

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, Uri};
use wallace_problems::Transport;
use wallace_problems::graphql::{INTROSPECTION_QUERY, Schema, SchemaError};
use wallace_problems::{CallFailure, HttpRequest};
use wallace_sut_driver::{
    BlockingRuntime, DriverClient, DriverError, ProblemInfo,
    http::{HttpConnection, HttpError, HttpSettings},
};

use crate::check::Check;
use crate::failure::Outcome;
use crate::settings::{CheckSettings, UserOracle};
use crate::white_box::WhiteBox;

/// Why a service cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The address is none.
    #[error(
        "{address:?} is no address of a GraphQL endpoint, such as http://localhost:8080/graphql"
    )]
    Address {
        /// The address.
        address: String,
    },
    /// The service cannot be reached.
    #[error(transparent)]
    Unreachable(#[from] HttpError),
    /// It did not answer the question for its schema.
    #[error("the service does not tell its schema ({}); give it with --schema FILE", .0.as_str())]
    NoAnswer(CallFailure),
    /// The driver cannot be used.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The driver describes another kind of service.
    #[error("the driver's service does not speak GraphQL")]
    NoGraphql,
    /// The schema cannot be used.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The system gives no sockets.
    #[error("no connections can be made: {0}")]
    System(#[from] std::io::Error),
}

/// A service that can be checked.
#[derive(Debug)]
pub struct Service {
    schema: Arc<Schema>,
    path: PathAndQuery,
    connection: HttpConnection,
    white_box: Option<WhiteBox>,
}

impl Service {
    /// The service at the address of its endpoint, with its own schema unless one is given.
    ///
    /// # Errors
    /// When it cannot be reached, or has no usable schema.
    pub fn at(address: &str, schema: Option<Arc<Schema>>) -> Result<Self, ServiceError> {
        let wrong = || ServiceError::Address { address: address.to_owned() };
        let uri: Uri = address.parse().map_err(|_| wrong())?;
        let authority = uri.authority().ok_or_else(wrong)?;
        let path = uri.path_and_query().cloned().filter(|path| path.as_str() != "/");
        let path = path.unwrap_or_else(|| PathAndQuery::from_static("/graphql"));
        let scheme = uri.scheme_str().unwrap_or("http");
        let runtime = BlockingRuntime::new()?;
        Self::open(&format!("{scheme}://{authority}"), path, schema, None, &runtime)
    }

    /// The service behind a driver, which is started.
    ///
    /// # Errors
    /// When driver or service cannot be reached, or there is no usable schema.
    pub fn driven(address: &str, schema: Option<Arc<Schema>>) -> Result<Self, ServiceError> {
        let runtime = BlockingRuntime::new()?;
        let mut driver = DriverClient::connect(address, &runtime)?;
        let info = driver.start_sut()?;
        let ProblemInfo::GraphQl { endpoint } = &info.problem else {
            return Err(ServiceError::NoGraphql);
        };
        let wrong = || ServiceError::Address { address: endpoint.clone() };
        let path = endpoint.parse().map_err(|_| wrong())?;
        driver.new_search()?;
        Self::open(&info.base_url, path, schema, Some(WhiteBox::new(driver)), &runtime)
    }

    fn open(
        base_url: &str,
        path: PathAndQuery,
        schema: Option<Arc<Schema>>,
        white_box: Option<WhiteBox>,
        runtime: &BlockingRuntime,
    ) -> Result<Self, ServiceError> {
        let wrong = |_| ServiceError::Address { address: base_url.to_owned() };
        let address = base_url.parse().map_err(wrong)?;
        let mut connection = HttpConnection::connect(address, HttpSettings::default(), runtime)?;
        let schema = match schema {
            Some(schema) => schema,
            None => Arc::new(introspect(&mut connection, &path)?),
        };
        Ok(Self { schema, path, connection, white_box })
    }

    /// The schema.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Path of the endpoint, for [`CheckSettings::new`].
    #[must_use]
    pub fn path(&self) -> &PathAndQuery {
        &self.path
    }

    /// Checks the service, looking inside where it has a driver.
    pub fn check(&mut self, settings: &CheckSettings, oracles: &[UserOracle]) -> Outcome {
        let check = Check::new(&self.schema, settings, &mut self.connection, oracles);
        check.run(self.white_box.as_mut())
    }
}

fn introspect(
    connection: &mut HttpConnection,
    path: &PathAndQuery,
) -> Result<Schema, ServiceError> {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    let body = serde_json::json!({ "query": INTROSPECTION_QUERY }).to_string().into();
    let request = HttpRequest { method: Method::POST, path: path.clone(), headers, body };
    let answer = Transport::send(connection, &request).map_err(ServiceError::NoAnswer)?;
    Ok(Schema::from_introspection(answer.body.as_bytes())?)
}
