//! One exchange of the protocol: request out, answer in, everything else a typed error.

use std::time::{Duration, Instant};

use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONNECTION, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::http::uri::{InvalidUri, PathAndQuery};
use hyper::{Method, StatusCode};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{DriverError, DriverOptions};
use crate::http::{HttpAddress, HttpConnection, HttpError, HttpResponse, HttpSettings};
use crate::runtime::BlockingRuntime;
use crate::wire::BASE_PATH;
use crate::wire::answer::Wrapper;
use crate::wire::store::MongoResultsDto;

/// The endpoints in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    ControllerInfo,
    RunSut,
    InfoSut,
    NewSearch,
    NewAction,
    TestResults,
    DatabaseCommand,
    MongoInsertion,
    RedisInsertion,
    /// Besides the protocol.
    PlacedTargets,
    /// Besides the protocol.
    Operands,
}

impl Call {
    /// Name of the endpoint, which is also its path below the base.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ControllerInfo => "controllerInfo",
            Self::RunSut => "runSUT",
            Self::InfoSut => "infoSUT",
            Self::NewSearch => "newSearch",
            Self::NewAction => "newAction",
            Self::TestResults => "testResults",
            Self::DatabaseCommand => "databaseCommand",
            Self::MongoInsertion => "mongoInsertion",
            Self::RedisInsertion => "redisInsertion",
            Self::PlacedTargets => "wallace/targets",
            Self::Operands => "wallace/operands",
        }
    }

    fn method(self) -> Method {
        match self {
            Self::ControllerInfo
            | Self::InfoSut
            | Self::TestResults
            | Self::PlacedTargets
            | Self::Operands => Method::GET,
            Self::RunSut | Self::NewAction => Method::PUT,
            Self::NewSearch
            | Self::DatabaseCommand
            | Self::MongoInsertion
            | Self::RedisInsertion => Method::POST,
        }
    }

    /// Whether status 500 with this message means that the system does not run.
    fn loses_sut(self, message: &str) -> bool {
        match self {
            Self::NewAction | Self::TestResults => true,
            Self::InfoSut => message.contains("Failed to extract units info"),
            Self::ControllerInfo
            | Self::RunSut
            | Self::NewSearch
            | Self::DatabaseCommand
            | Self::MongoInsertion
            | Self::RedisInsertion
            | Self::PlacedTargets
            | Self::Operands => false,
        }
    }
}

/// The fixed paths of the calls, parsed once.
#[derive(Debug)]
pub(super) struct Paths {
    pub(super) controller_info: PathAndQuery,
    pub(super) run_sut: PathAndQuery,
    pub(super) info_sut: PathAndQuery,
    pub(super) new_search: PathAndQuery,
    pub(super) new_action: PathAndQuery,
    pub(super) database_command: PathAndQuery,
}

/// The connection to a driver, with everything that requests have in common.
#[derive(Debug)]
pub(super) struct Channel {
    connection: HttpConnection,
    headers: HeaderMap,
    start_timeout: Duration,
    exchange_timeout: Duration,
    reconnections: u64,
    /// When the request was sent that is on its way and whose answer nobody has read.
    begun: Option<Instant>,
}

impl Channel {
    pub(super) fn open(
        address: &str,
        runtime: &BlockingRuntime,
        options: &DriverOptions,
    ) -> Result<Self, DriverError> {
        let address = parse_address(address)?;
        let url = address.to_string();
        let settings = HttpSettings {
            connect_timeout: options.connect_timeout,
            read_timeout: options.exchange_timeout,
            body_limit: options.body_limit,
        };
        let connection = HttpConnection::connect(address, settings, runtime)
            .map_err(|error| DriverError::from_http(error, Call::ControllerInfo, url))?;
        Ok(Self {
            connection,
            headers: headers(),
            start_timeout: options.start_timeout,
            exchange_timeout: options.exchange_timeout,
            reconnections: 0,
            begun: None,
        })
    }

    /// How often a broken connection was opened again during an exchange.
    pub(super) fn reconnections(&self) -> u64 {
        self.reconnections
    }

    pub(super) fn address(&self) -> &HttpAddress {
        self.connection.address()
    }

    /// Where the driver listens.
    pub(super) fn url(&self) -> String {
        self.connection.address().to_string()
    }

    /// The path of a call that has the query `query`.
    pub(super) fn path(&self, call: Call, query: &str) -> Result<PathAndQuery, DriverError> {
        let base = self.connection.address().path();
        let text = format!("{base}/{}{query}", call.name());
        text.try_into().map_err(|error: InvalidUri| DriverError::Malformed {
            call: call.name(),
            reason: format!("its path is no path: {error}"),
        })
    }

    /// The paths that do not change. `categories` is encoded.
    pub(super) fn paths(&self, categories: &str) -> Result<Paths, DriverError> {
        let query = format!("?methodReplacementCategories={categories}");
        Ok(Paths {
            controller_info: self.path(Call::ControllerInfo, &query)?,
            run_sut: self.path(Call::RunSut, "")?,
            info_sut: self.path(Call::InfoSut, "")?,
            new_search: self.path(Call::NewSearch, "")?,
            new_action: self.path(Call::NewAction, "")?,
            database_command: self.path(Call::DatabaseCommand, "")?,
        })
    }

    /// Sends a request and returns the body of a successful answer.
    ///
    /// All calls can be repeated without harm, so a broken connection is tried twice. The answer to
    /// a request that was begun is thrown away.
    pub(super) fn send(
        &mut self,
        call: Call,
        path: &PathAndQuery,
        body: &Bytes,
    ) -> Result<Bytes, DriverError> {
        if self.begun.take().is_some()
            && let Err(error) = self.connection.finish()
        {
            tracing::debug!("what was begun did not end well: {error}");
        }
        self.wait_for(call);
        let headers = self.headers.clone();
        let sent = self.connection.send(call.method(), path.clone(), headers, body.clone());
        self.answered(sent, call, path, body)
    }

    /// Sends a request whose answer [`finish`](Self::finish) reads. It is not told where that
    /// cannot be done: the call is made then when it is finished.
    pub(super) fn begin(&mut self, call: Call, path: &PathAndQuery, body: &Bytes) {
        let (now, headers) = (Instant::now(), self.headers.clone());
        let begun = self.connection.begin(call.method(), path.clone(), headers, body.clone());
        self.begun = begun.is_ok().then_some(now);
    }

    /// When the call was begun that was not ended.
    pub(super) fn begun(&self) -> Option<Instant> {
        self.begun
    }

    /// Ends the call that was begun; makes it where none was.
    pub(super) fn finish(
        &mut self,
        call: Call,
        path: &PathAndQuery,
        body: &Bytes,
    ) -> Result<Bytes, DriverError> {
        if self.begun.take().is_none() {
            return self.send(call, path, body);
        }
        self.wait_for(call);
        let sent = self.connection.finish();
        self.answered(sent, call, path, body)
    }

    fn wait_for(&mut self, call: Call) {
        self.connection.set_read_timeout(match call {
            Call::RunSut => self.start_timeout,
            _ => self.exchange_timeout,
        });
    }

    fn answered(
        &mut self,
        mut sent: Result<HttpResponse, HttpError>,
        call: Call,
        path: &PathAndQuery,
        body: &Bytes,
    ) -> Result<Bytes, DriverError> {
        if matches!(sent, Err(HttpError::Closed { .. })) {
            tracing::debug!(call = call.name(), "connection broken: sending once more");
            let headers = self.headers.clone();
            sent = self.connection.send(call.method(), path.clone(), headers, body.clone());
            self.reconnections += 1;
        }
        let response = sent.map_err(|error| DriverError::from_http(error, call, self.url()))?;
        accepted(call, response)
    }
}

/// Renders a request body.
pub(super) fn render<T: Serialize>(body: &T) -> Bytes {
    let rendered = serde_json::to_vec(body);
    Bytes::from(rendered.expect("request bodies hold only texts, booleans and integers"))
}

/// Reads the payload of a successful answer.
pub(super) fn read<'a, T: Deserialize<'a>>(call: Call, body: &'a [u8]) -> Result<T, DriverError> {
    let malformed = |reason: String| DriverError::Malformed { call: call.name(), reason };
    let wrapper: Wrapper<'a, T> =
        serde_json::from_slice(body).map_err(|error| malformed(error.to_string()))?;
    match wrapper {
        Wrapper { error: Some(error), .. } => Err(DriverError::Rejected {
            call: call.name(),
            status: StatusCode::OK.as_u16(),
            message: one_line(&error),
        }),
        Wrapper { data: Some(data), .. } => Ok(data),
        Wrapper { data: None, .. } => Err(malformed("it has no data".to_owned())),
    }
}

/// What a body looks like, for people.
pub(super) fn describe(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(EXCERPT_BYTES)]);
    let text = text.trim_start();
    if text.is_empty() {
        "an empty body".to_owned()
    } else if text.starts_with('<') {
        "HTML".to_owned()
    } else if text.starts_with(['{', '[']) {
        "other JSON".to_owned()
    } else {
        "other text".to_owned()
    }
}

/// The body of a 2xx answer, or of one that tells which documents were refused; the reason of any
/// other.
fn accepted(call: Call, response: HttpResponse) -> Result<Bytes, DriverError> {
    let tells = || {
        let wrapper: Result<Wrapper<'_, MongoResultsDto>, _> =
            serde_json::from_slice(&response.body);
        wrapper.is_ok_and(|wrapper| wrapper.data.is_some())
    };
    if response.status.is_success() || call == Call::MongoInsertion && tells() {
        return Ok(response.body);
    }
    let message = reason(&response.body);
    let call_name = call.name();
    if response.status == StatusCode::INTERNAL_SERVER_ERROR && call.loses_sut(&message) {
        return Err(DriverError::SutLost { call: call_name, message });
    }
    Err(DriverError::Rejected { call: call_name, status: response.status.as_u16(), message })
}

/// The reason that an error answer gives: wrapped, made by the container, or plain text.
fn reason(body: &[u8]) -> String {
    if let Ok(wrapper) = serde_json::from_slice::<Wrapper<'_, IgnoredAny>>(body)
        && let Some(text) = wrapper.error.or(wrapper.message)
    {
        return one_line(&text);
    }
    match std::str::from_utf8(&body[..body.len().min(EXCERPT_BYTES)]) {
        Ok(text) if text.trim().is_empty() => "no reason given".to_owned(),
        Ok(text) if !text.trim_start().starts_with('<') => one_line(text),
        _ => describe(body),
    }
}

const EXCERPT_BYTES: usize = 2_000;

/// The first 200 characters, on one line.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(200).collect()
}

fn headers() -> HeaderMap {
    let json = HeaderValue::from_static("application/json");
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(ACCEPT, json.clone());
    headers.insert(CONTENT_TYPE, json);
    // Drivers refuse infoSUT without it.
    headers.insert(CONNECTION, HeaderValue::from_static("keep-alive"));
    headers
}

/// The address of a driver; a bare port is one on this machine.
fn parse_address(text: &str) -> Result<HttpAddress, DriverError> {
    let text = text.trim();
    let is_port = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let address: HttpAddress =
        if is_port { format!("localhost:{text}").parse()? } else { text.parse()? };
    Ok(if address.path().is_empty() { address.with_path(BASE_PATH) } else { address })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses_default_to_the_base_path() {
        for text in ["40100", "localhost:40100", "http://localhost:40100/controller/api/"] {
            let address = parse_address(text).unwrap();
            assert_eq!(address.to_string(), "http://localhost:40100", "{text}");
            assert_eq!(address.path(), BASE_PATH, "{text}");
        }
        assert!(parse_address("").is_err());
        let error = parse_address("99999").unwrap_err().to_string();
        assert!(error.contains("65535"), "no host has such a name: {error}");
    }

    #[test]
    fn the_reason_of_an_error_is_found_in_every_shape() {
        assert_eq!(reason(br#"{"data":null,"error":"No\nSUT"}"#), "No SUT");
        let container = br#"{"servlet":"x","message":"Request failed.","status":"500"}"#;
        assert_eq!(reason(container), "Request failed.");
        assert_eq!(reason(b"Unrecognized field"), "Unrecognized field");
        assert_eq!(reason(b"<html></html>"), "HTML");
        assert_eq!(reason(b""), "no reason given");
        assert_eq!(reason(&[0xff, 0xfe]), "other text");
        assert_eq!(reason("x".repeat(9_000).as_bytes()).len(), 200);
    }
}
