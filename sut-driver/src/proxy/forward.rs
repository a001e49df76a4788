//! Passing on one exchange, and what is learnt from it.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, Request, StatusCode, Uri};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use super::tally::{Names, Tally};
use crate::http::HttpAddress;
use crate::wire::BASE_PATH;
use crate::wire::answer::Wrapper;
use crate::wire::lenient::Claim;
use crate::wire::results::TestResultsAnswer;

/// Most bytes of a message in either direction.
const BODY_LIMIT: usize = 64 << 20;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What all exchanges share.
pub(super) struct Shared {
    driver: HttpAddress,
    client: Client<HttpConnector, Full<Bytes>>,
    tally: Arc<Mutex<Tally>>,
    /// Held for a whole exchange: a driver belongs to one test at a time.
    names: tokio::sync::Mutex<Names>,
}

/// A response of the driver, complete.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

pub(super) fn router(shared: Shared) -> Router {
    Router::new().fallback(exchange).with_state(Arc::new(shared))
}

async fn exchange(State(shared): State<Arc<Shared>>, request: Request<Body>) -> Response {
    let (parts, body) = request.into_parts();
    let mut names = shared.names.lock().await;
    match shared.pass_on(&parts, body, &mut names).await {
        Ok(answer) => answer.into_response(),
        Err(error) => {
            let reason = format!("the counting proxy cannot reach {}: {error}", shared.driver);
            (StatusCode::BAD_GATEWAY, reason).into_response()
        }
    }
}

impl Shared {
    pub(super) fn new(driver: HttpAddress, tally: Arc<Mutex<Tally>>) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Self { driver, client, tally, names: tokio::sync::Mutex::default() }
    }

    async fn pass_on(
        &self,
        parts: &Parts,
        body: Body,
        names: &mut Names,
    ) -> Result<Answer, Failure> {
        let body = to_bytes(body, BODY_LIMIT).await?;
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let answer =
            self.send(parts.method.clone(), path, parts.headers.clone(), body.clone()).await?;
        if answer.status.is_success() {
            let endpoint = parts.uri.path().rsplit('/').next().unwrap_or_default();
            match (&parts.method, endpoint) {
                (&Method::PUT, "newAction") => self.counted(|tally| tally.calls += 1),
                (&Method::PUT, "runSUT") if is_stop(&body) => names.clear(),
                (&Method::GET, "testResults") => self.count_test(&answer, names).await?,
                _ => {}
            }
        }
        Ok(answer)
    }

    /// Counts what the test that just ended covers, whatever the tool asked for.
    async fn count_test(&self, seen: &Answer, names: &mut Names) -> Result<(), Failure> {
        if let Ok(Wrapper { data: Some(answer), .. }) = read(&seen.body) {
            names.learn(&answer);
        }
        let complete = self.results("ids=&fullyCovered=true").await?;
        let (covered, unknown) = match read(&complete.body) {
            Ok(Wrapper { data: Some(answer), .. }) => names.covered(&answer),
            _ => return Ok(()),
        };
        let covered = if unknown.is_empty() {
            covered
        } else {
            let named = self.results("ids=&fullyCovered=true&descriptiveIds=true").await?;
            match read(&named.body) {
                Ok(Wrapper { data: Some(answer), .. }) => {
                    names.learn(&answer);
                    names.covered(&answer).0
                }
                _ => covered,
            }
        };
        self.counted(|tally| tally.add_test(covered));
        Ok(())
    }

    fn counted(&self, change: impl FnOnce(&mut Tally)) {
        change(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }

    async fn results(&self, query: &str) -> Result<Answer, Failure> {
        let path = format!("{}{BASE_PATH}/testResults?{query}", self.driver.path());
        let mut headers = HeaderMap::new();
        headers.insert("accept", HeaderValue::from_static("application/json"));
        self.send(Method::GET, &path, headers, Bytes::new()).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        mut headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, Failure> {
        let uri: Uri = format!("{}{path}", self.driver).parse()?;
        // Those of this hop; the length is that of the body sent.
        for header in [HOST, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING] {
            headers.remove(header);
        }
        // Drivers refuse requests without it.
        headers.insert(CONNECTION, HeaderValue::from_static("keep-alive"));
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;
        let (parts, body) = self.client.request(request).await?.into_parts();
        let body = Limited::new(body, BODY_LIMIT).collect().await?.to_bytes();
        Ok(Answer { status: parts.status, headers: parts.headers, body })
    }
}

impl IntoResponse for Answer {
    fn into_response(mut self) -> Response {
        for header in [CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING] {
            self.headers.remove(header);
        }
        (self.status, self.headers, self.body).into_response()
    }
}

fn read(body: &[u8]) -> serde_json::Result<Wrapper<'_, TestResultsAnswer<'_>>> {
    serde_json::from_slice(body)
}

/// Whether the request stops the system.
fn is_stop(body: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Run {
        run: Option<Claim>,
    }
    serde_json::from_slice(body).is_ok_and(|request: Run| request.run == Some(Claim(false)))
}
