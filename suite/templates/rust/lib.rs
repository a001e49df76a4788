//! What the tests share: a client for the service under test, and checks that say what
//! was sent, what came back and what was expected instead.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::time::Duration;

use reqwest::header::{CONNECTION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

/// Where the service is expected unless `WALLACE_BASE_URL` names another place.
pub const DEFAULT_BASE_URL: &str = "http://localhost:8080";

/// Where the service takes GraphQL requests.
pub const GRAPHQL_PATH: &str = "/graphql";

/// How long a test waits for an answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How long a test waits for a driver.
const START: Duration = Duration::from_secs(300);

/// Longest request or answer that a failure message shows, in characters.
const SHOWN: usize = 4000;

/// Tests run one at a time, so that none sees the changes that another makes.
static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());

/// The service under test, for as long as one test runs.
#[derive(Debug)]
pub struct Service {
    base_url: String,
    client: Client,
    _turn: MutexGuard<'static, ()>,
}

/// Waits for this test's turn and gives the service, in its first state if it has a driver.
pub async fn connect() -> Service {
    let turn = ONE_AT_A_TIME.lock().await;
    let client = Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .timeout(TIMEOUT)
        .build()
        .expect("the client needs no set-up that can fail");
    let base_url = match std::env::var("WALLACE_DRIVER") {
        Ok(driver) if !driver.is_empty() => start(&client, &driver).await,
        _ => std::env::var("WALLACE_BASE_URL").unwrap_or_else(|_| DEFAULT_BASE_URL.to_owned()),
    };
    Service {
        base_url: base_url.trim_end_matches('/').to_owned(),
        client,
        _turn: turn,
    }
}

/// Has a driver start the service or bring its state back; gives the base URL.
async fn start(client: &Client, driver: &str) -> String {
    let is_port = driver.bytes().all(|byte| byte.is_ascii_digit());
    let place = if is_port {
        "http://localhost:"
    } else {
        "http://"
    };
    let place = if driver.contains("://") { "" } else { place };
    let api = format!("{place}{}/controller/api", driver.trim_end_matches('/'));
    let run = client
        .put(format!("{api}/runSUT"))
        .header(CONTENT_TYPE, "application/json")
        .body(r#"{"run":true,"resetState":true}"#);
    let info = client.get(format!("{api}/infoSUT"));
    let mut told = String::new();
    for request in [run, info] {
        let request = request.header(CONNECTION, "keep-alive").timeout(START);
        let answer = request.send().await.expect("the driver answers");
        let is_success = answer.status().is_success();
        told = answer.text().await.expect("the driver answers");
        assert!(is_success, "the driver cannot start the service: {told}");
    }
    let told: Value = serde_json::from_str(&told).expect("the driver answers with JSON");
    let base_url = told["data"]["baseUrlOfSUT"].as_str();
    base_url
        .expect("the driver tells where the service is")
        .to_owned()
}

impl Service {
    /// A GraphQL request; await it to send it.
    pub fn graphql(&self, document: impl AsRef<str>) -> Request<'_> {
        self.post(GRAPHQL_PATH).graphql(document)
    }

    /// A GET request.
    pub fn get(&self, path: &str) -> Request<'_> {
        self.request("GET", path)
    }

    /// A POST request.
    pub fn post(&self, path: &str) -> Request<'_> {
        self.request("POST", path)
    }

    /// A PUT request.
    pub fn put(&self, path: &str) -> Request<'_> {
        self.request("PUT", path)
    }

    /// A PATCH request.
    pub fn patch(&self, path: &str) -> Request<'_> {
        self.request("PATCH", path)
    }

    /// A DELETE request.
    pub fn delete(&self, path: &str) -> Request<'_> {
        self.request("DELETE", path)
    }

    /// A request of any method.
    pub fn request(&self, method: &str, path: &str) -> Request<'_> {
        Request {
            service: self,
            method: method.to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            media_type: None,
            body: Body::None,
            values: BTreeMap::new(),
        }
    }
}

/// A request that is sent when it is awaited.
#[derive(Debug)]
pub struct Request<'a> {
    service: &'a Service,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    media_type: Option<String>,
    body: Body,
    values: BTreeMap<String, String>,
}

#[derive(Debug)]
enum Body {
    None,
    GraphQl {
        document: String,
        variables: Option<Value>,
        operation: Option<String>,
    },
    Json(Value),
    Text(String),
}

impl<'a> Request<'a> {
    /// Adds a header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sends a GraphQL document. One that starts on a new line loses its indentation.
    pub fn graphql(mut self, document: impl AsRef<str>) -> Self {
        let document = without_indentation(document.as_ref());
        self.body = Body::GraphQl {
            document,
            variables: None,
            operation: None,
        };
        self.media_type = Some("application/json".to_owned());
        self
    }

    /// The values of the document's variables.
    pub fn variables(mut self, values: Value) -> Self {
        if let Body::GraphQl { variables, .. } = &mut self.body {
            *variables = Some(values);
        }
        self
    }

    /// Which operation of the document is meant.
    pub fn operation(mut self, name: &str) -> Self {
        if let Body::GraphQl { operation, .. } = &mut self.body {
            *operation = Some(name.to_owned());
        }
        self
    }

    /// Sends a JSON value.
    pub fn json(mut self, value: Value) -> Self {
        self.body = Body::Json(value);
        self.media_type = Some("application/json".to_owned());
        self
    }

    /// Sends a text.
    pub fn text(mut self, media_type: &str, text: impl AsRef<str>) -> Self {
        self.body = Body::Text(text.as_ref().to_owned());
        self.media_type = Some(media_type.to_owned());
        self
    }

    /// Puts a value in place of `{{name}}` in path, headers, document and text.
    pub fn with(mut self, name: &str, value: String) -> Self {
        self.values.insert(name.to_owned(), value);
        self
    }

    fn fill(&self, text: &str) -> String {
        let mut filled = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = rest.find("{{") {
            let after = &rest[open + 2..];
            let value = after
                .find("}}")
                .and_then(|close| Some((self.values.get(&after[..close])?, &after[close + 2..])));
            filled.push_str(&rest[..open]);
            match value {
                Some((value, tail)) => {
                    filled.push_str(value);
                    rest = tail;
                }
                // Two braces that stand for themselves.
                None => {
                    filled.push('{');
                    rest = &rest[open + 1..];
                }
            }
        }
        filled + rest
    }

    fn payload(&self) -> Option<String> {
        match &self.body {
            Body::None => None,
            Body::GraphQl {
                document,
                variables,
                operation,
            } => {
                let mut message = json!({ "query": self.fill(document) });
                if let Some(variables) = variables {
                    message["variables"] = variables.clone();
                }
                if let Some(operation) = operation {
                    message["operationName"] = json!(operation);
                }
                Some(message.to_string())
            }
            Body::Json(value) => Some(value.to_string()),
            Body::Text(text) => Some(self.fill(text)),
        }
    }

    fn header_map(&self) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in &self.headers {
            let header = HeaderName::from_bytes(name.as_bytes());
            let text = HeaderValue::from_bytes(self.fill(value).as_bytes());
            let (Ok(header), Ok(text)) = (header, text) else {
                panic!("the header {name:?} has a name or value that HTTP does not allow");
            };
            map.append(header, text);
        }
        let implied = self.media_type.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(media_type)) = implied {
            map.entry(CONTENT_TYPE).or_insert(media_type);
        }
        map
    }

    /// What was sent, for people.
    fn description(&self, path: &str) -> String {
        let mut text = format!("{} {path}", self.method);
        match &self.body {
            Body::None => {}
            Body::GraphQl {
                document,
                variables,
                ..
            } => {
                text += &format!("\n{}", self.fill(document));
                if let Some(variables) = variables {
                    text += &format!("\nvariables: {variables}");
                }
            }
            Body::Json(value) => text += &format!("\n{value}"),
            Body::Text(body) => text += &format!("\n{}", self.fill(body)),
        }
        text
    }

    async fn send(self) -> Response {
        match self.exchange().await {
            Ok(response) => response,
            Err(failure) => panic!("{}", failure.complaint),
        }
    }

    /// The connection ends without an answer, and the service still listens.
    pub async fn expect_no_answer(self) {
        match self.exchange().await {
            Ok(response) => response.fail(&format!(
                "answer: expected none, found status {}",
                response.status
            )),
            Err(failure) => assert!(failure.is_drop, "{}", failure.complaint),
        }
    }

    async fn exchange(self) -> Result<Response, NoAnswer> {
        let path = self.fill(&self.path);
        let url = if path.starts_with('/') {
            format!("{}{path}", self.service.base_url)
        } else {
            elsewhere(&path)
        };
        let method = Method::from_bytes(self.method.as_bytes()).expect("a method of HTTP");
        let mut request = self
            .service
            .client
            .request(method, &url)
            .headers(self.header_map());
        if let Some(payload) = self.payload() {
            request = request.body(payload);
        }
        let sent = self.description(&path);
        let answer = match request.send().await {
            Ok(answer) => answer,
            Err(error) => return Err(NoAnswer::new(&url, &sent, &error)),
        };
        let status = answer.status().as_u16();
        let media_type = media_type(answer.headers());
        let headers = answer.headers().clone();
        let text = match answer.text().await {
            Ok(text) => text,
            Err(error) => return Err(NoAnswer::new(&url, &sent, &error)),
        };
        let json = serde_json::from_str(&text).ok();
        Ok(Response {
            sent,
            status,
            media_type,
            headers,
            text,
            json,
        })
    }
}

impl<'a> IntoFuture for Request<'a> {
    type Output = Response;
    type IntoFuture = Pin<Box<dyn Future<Output = Response> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

/// Why nothing came back.
struct NoAnswer {
    complaint: String,
    /// Whether a service that listens ended the connection.
    is_drop: bool,
}

impl NoAnswer {
    fn new(url: &str, sent: &str, error: &reqwest::Error) -> Self {
        let reason = std::error::Error::source(error).map(|source| format!(": {source}"));
        let complaint = format!(
            "no answer from {url} ({error}{})\n\
             Is the service running? Set WALLACE_BASE_URL if it is somewhere else.\n\n\
             request: {}",
            reason.unwrap_or_default(),
            shortened(sent),
        );
        let is_drop = !(error.is_connect() || error.is_timeout() || error.is_builder());
        Self { complaint, is_drop }
    }
}

fn media_type(headers: &HeaderMap) -> String {
    let value = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or("");
    value
        .split(';')
        .next()
        .unwrap_or("")
        .trim()
        .to_ascii_lowercase()
}

/// What the service answered.
#[derive(Debug)]
pub struct Response {
    sent: String,
    status: u16,
    media_type: String,
    headers: HeaderMap,
    text: String,
    json: Option<Value>,
}

impl Response {
    /// The status is this one.
    #[track_caller]
    pub fn expect_status(&self, expected: u16) {
        if self.status != expected {
            self.fail(&format!(
                "status: expected {expected}, found {}",
                self.status
            ));
        }
    }

    /// The media type is this one; parameters such as the character set are not looked at.
    #[track_caller]
    pub fn expect_media_type(&self, expected: &str) {
        if self.media_type != expected {
            self.fail(&format!(
                "media type: expected {expected}, found {:?}",
                self.media_type
            ));
        }
    }

    /// There is a header of this name, and something in it.
    #[track_caller]
    pub fn expect_header(&self, name: &str) {
        if self.headers.get(name).is_none_or(HeaderValue::is_empty) {
            self.fail(&format!("header {name}: expected some, found none"));
        }
    }

    /// The JSON value at the pointer is this one.
    #[track_caller]
    pub fn expect_json(&self, pointer: &str, expected: Value) {
        let mut differences = Vec::new();
        compare(&expected, &self.value(pointer), pointer, &mut differences);
        if !differences.is_empty() {
            self.fail(&differences.join("\n"));
        }
    }

    /// The answer has these errors, in any order. Only what is written is compared.
    #[track_caller]
    pub fn expect_errors(&self, expected: Value) {
        let found = self.value("/errors");
        let mut left = found.as_array().cloned().unwrap_or_default();
        let expected = expected.as_array().cloned().unwrap_or_default();
        let (wanted, got) = (expected.len(), left.len());
        if wanted != got {
            self.fail(&format!("/errors: expected {wanted} errors, found {got}"));
        }
        for error in expected {
            match left.iter().position(|actual| includes(actual, &error)) {
                Some(place) => drop(left.remove(place)),
                None => self.fail(&format!("/errors: expected {error}, found {found}")),
            }
        }
    }

    /// The answer has a value at the pointer; it may be null.
    #[track_caller]
    pub fn expect_present(&self, pointer: &str) {
        self.value(pointer);
    }

    /// The answer has no value at the pointer.
    #[track_caller]
    pub fn expect_absent(&self, pointer: &str) {
        if let Some(found) = self.json.as_ref().and_then(|json| json.pointer(pointer)) {
            self.fail(&format!(
                "{}: expected nothing, found {found}",
                place(pointer)
            ));
        }
    }

    /// The body is this text.
    #[track_caller]
    pub fn expect_text(&self, expected: &str) {
        if self.text != expected {
            self.fail(&format!(
                "body: expected {expected:?}, found {:?}",
                self.text
            ));
        }
    }

    /// The body is empty.
    #[track_caller]
    pub fn expect_empty_body(&self) {
        if !self.text.is_empty() {
            self.fail("body: expected none");
        }
    }

    /// The JSON value at the pointer, for use in a later request.
    #[track_caller]
    pub fn value(&self, pointer: &str) -> Value {
        let Some(json) = &self.json else {
            self.fail("body: expected JSON")
        };
        match json.pointer(pointer) {
            Some(value) => value.clone(),
            None => self.fail(&format!(
                "{}: expected a value, found nothing",
                place(pointer)
            )),
        }
    }

    /// The value of a header, for use in a later request.
    #[track_caller]
    pub fn header(&self, name: &str) -> Value {
        self.expect_header(name);
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        Value::from(value.unwrap_or_default())
    }

    /// A part of the path of the address at the pointer, counted from the last, which is 1.
    #[track_caller]
    pub fn part_of_address(&self, pointer: &str, from_end: usize) -> Value {
        let address = self.value(pointer);
        self.part(address.as_str().unwrap_or_default(), from_end)
    }

    /// A part of the path that the header `location` leads to.
    #[track_caller]
    pub fn part_of_location(&self, from_end: usize) -> Value {
        let location = self.header("location");
        self.part(location.as_str().unwrap_or_default(), from_end)
    }

    #[track_caller]
    fn part(&self, address: &str, from_end: usize) -> Value {
        let path = match address.split_once("://") {
            Some((_, rest)) => rest.find('/').map_or("", |start| &rest[start..]),
            None => address,
        };
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        match parts.nth_back(from_end - 1) {
            Some(part) => Value::String(decoded(part)),
            None => self.fail(&format!(
                "address {address}: expected {from_end} parts or more"
            )),
        }
    }

    #[track_caller]
    fn fail(&self, complaint: &str) -> ! {
        panic!("{complaint}\n\n{self}");
    }
}

/// A part of a path without its percent encoding.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let [first, others @ ..] = rest {
        let code = others.get(..2).filter(|_| *first == b'%');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &others[2..];
            }
            None => {
                bytes.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Display for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sent, text) = (shortened(&self.sent), shortened(&self.text));
        write!(
            formatter,
            "request: {sent}\n\nanswer: {} {}\n{text}\n",
            self.status, self.media_type
        )
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} ... ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

/// Key of the objects that stand for more than one value.
const MATCHER: &str = "$matcher";

/// Any value, null too.
pub fn anything() -> Value {
    json!({ MATCHER: "value" })
}

/// Any string.
pub fn any_string() -> Value {
    json!({ MATCHER: "string" })
}

/// Any number.
pub fn any_number() -> Value {
    json!({ MATCHER: "number" })
}

/// Any number without fraction.
pub fn any_integer() -> Value {
    json!({ MATCHER: "integer" })
}

/// True or false.
pub fn any_boolean() -> Value {
    json!({ MATCHER: "boolean" })
}

/// Any list.
pub fn any_list() -> Value {
    json!({ MATCHER: "list" })
}

/// Any object.
pub fn any_object() -> Value {
    json!({ MATCHER: "object" })
}

/// A list of so many elements, the first of which are given.
pub fn list_starting_with(length: usize, first: Value) -> Value {
    json!({ MATCHER: "list", "length": length, "first": first })
}

/// Any value but null.
pub fn non_null() -> Value {
    json!({ MATCHER: "non-null value" })
}

/// Null, or this.
pub fn nullable(value: Value) -> Value {
    json!({ MATCHER: "nullable value", "of": value })
}

/// A list whose elements are all like this one.
pub fn each(element: Value) -> Value {
    json!({ MATCHER: "list", "each": element })
}

/// One of these texts.
pub fn one_of(texts: Value) -> Value {
    json!({ MATCHER: "string", "of": texts })
}

/// An object with these keys, and perhaps others.
pub fn including(fields: Value) -> Value {
    json!({ MATCHER: "object", "fields": fields })
}

/// An object that names its type under `key` and looks as `types` says of that type.
pub fn by_type(key: &str, types: Value) -> Value {
    json!({ MATCHER: "object", "key": key, "types": types })
}

/// Writes down how `actual` differs from `expected`, one line per place.
pub fn compare(expected: &Value, actual: &Value, pointer: &str, differences: &mut Vec<String>) {
    match (expected, actual) {
        (Value::Object(matcher), _) if matcher.contains_key(MATCHER) => {
            compare_matcher(expected, actual, pointer, differences);
        }
        (Value::Object(wanted), Value::Object(found)) => {
            for (key, value) in wanted {
                match found.get(key) {
                    Some(other) => compare(value, other, &child(pointer, key), differences),
                    None => differences.push(format!("{}: missing", child(pointer, key))),
                }
            }
            for (key, value) in found.iter().filter(|(key, _)| !wanted.contains_key(*key)) {
                differences.push(format!(
                    "{}: not expected, found {value}",
                    child(pointer, key)
                ));
            }
        }
        (Value::Array(wanted), Value::Array(found)) => {
            compare_length(wanted.len(), found.len(), pointer, differences);
            compare_elements(wanted, found, pointer, differences);
        }
        _ if expected == actual => {}
        _ => differences.push(format!(
            "{}: expected {expected}, found {actual}",
            place(pointer)
        )),
    }
}

fn compare_matcher(matcher: &Value, actual: &Value, pointer: &str, differences: &mut Vec<String>) {
    let kind = matcher[MATCHER].as_str().unwrap_or("value");
    if !is_of_kind(kind, actual) {
        differences.push(format!(
            "{}: expected any {kind}, found {actual}",
            place(pointer)
        ));
        return;
    }
    match (kind, actual) {
        ("nullable value", Value::Null) => {}
        ("nullable value", _) => compare(&matcher["of"], actual, pointer, differences),
        ("string", _) => compare_text(&matcher["of"], actual, pointer, differences),
        ("list", Value::Array(found)) => compare_list(matcher, found, pointer, differences),
        ("object", Value::Object(_)) => compare_object(matcher, actual, pointer, differences),
        _ => {}
    }
}

fn is_of_kind(kind: &str, actual: &Value) -> bool {
    match kind {
        "value" | "nullable value" => true,
        "non-null value" => !actual.is_null(),
        "integer" => actual.is_i64() || actual.as_f64().is_some_and(|it| it.fract() == 0.0),
        _ => kind == kind_of(actual),
    }
}

fn compare_text(texts: &Value, actual: &Value, pointer: &str, differences: &mut Vec<String>) {
    if let Some(texts) = texts.as_array().filter(|texts| !texts.contains(actual)) {
        let texts: Vec<String> = texts.iter().map(Value::to_string).collect();
        differences.push(format!(
            "{}: expected {}, found {actual}",
            place(pointer),
            texts.join(" or ")
        ));
    }
}

fn compare_list(matcher: &Value, found: &[Value], pointer: &str, differences: &mut Vec<String>) {
    if let Some(each) = matcher.get("each") {
        for (index, element) in found.iter().enumerate() {
            compare(
                each,
                element,
                &child(pointer, &index.to_string()),
                differences,
            );
        }
    } else if let Some(length) = matcher["length"].as_u64() {
        let first = matcher["first"].as_array().cloned().unwrap_or_default();
        compare_length(
            usize::try_from(length).unwrap_or(0),
            found.len(),
            pointer,
            differences,
        );
        compare_elements(&first, found, pointer, differences);
    }
}

fn compare_object(matcher: &Value, actual: &Value, pointer: &str, differences: &mut Vec<String>) {
    if let Some(types) = matcher.get("types") {
        let name = &actual[matcher["key"].as_str().unwrap_or_default()];
        match name.as_str().and_then(|name| types.get(name)) {
            Some(shape) => compare(shape, actual, pointer, differences),
            None => differences.push(format!(
                "{}: expected a type of the schema, found {name}",
                place(pointer)
            )),
        }
    }
    let fields = matcher.get("fields").and_then(Value::as_object);
    for (key, value) in fields.into_iter().flatten() {
        match actual.get(key) {
            Some(other) => compare(value, other, &child(pointer, key), differences),
            None => differences.push(format!("{}: missing", child(pointer, key))),
        }
    }
}

fn compare_length(wanted: usize, found: usize, pointer: &str, differences: &mut Vec<String>) {
    if wanted != found {
        differences.push(format!(
            "{}: expected {wanted} elements, found {found}",
            place(pointer)
        ));
    }
}

fn compare_elements(
    wanted: &[Value],
    found: &[Value],
    pointer: &str,
    differences: &mut Vec<String>,
) {
    for (index, (value, other)) in wanted.iter().zip(found).enumerate() {
        compare(
            value,
            other,
            &child(pointer, &index.to_string()),
            differences,
        );
    }
}

/// Whether the value has everything that is wanted; an object may have more keys.
fn includes(actual: &Value, wanted: &Value) -> bool {
    match (actual, wanted) {
        (Value::Object(found), Value::Object(keys)) => keys
            .iter()
            .all(|(key, value)| found.get(key).is_some_and(|other| includes(other, value))),
        _ => actual == wanted,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "body" } else { pointer }
}

fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A text that is too long to stand in a test, from a file beside the tests.
#[track_caller]
pub fn text_file(name: &str) -> String {
    let path = format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A value that is too long to stand in a test, from a file beside the tests.
#[track_caller]
pub fn json_file(name: &str) -> Value {
    serde_json::from_str(&text_file(name)).expect("the file was written as JSON")
}

/// A value as JSON, which is also how GraphQL writes numbers, texts and booleans.
pub fn json_text(value: &Value) -> String {
    value.to_string()
}

/// A value as plain text: strings without quotes.
pub fn plain_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A value as one segment of a path, percent-encoded.
pub fn path_segment(value: &Value) -> String {
    let mut segment = String::new();
    for byte in plain_text(value).bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            segment.push(char::from(byte));
        } else {
            segment += &format!("%{byte:02X}");
        }
    }
    segment
}

/// The URL of what is not asked of the service: the driver is named by URL, host or port.
fn elsewhere(path: &str) -> String {
    let host = path.split('/').next().unwrap_or_default();
    let is_port = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_digit());
    match (path.contains("://"), is_port) {
        (true, _) => path.to_owned(),
        (false, true) => format!("http://localhost:{path}"),
        (false, false) => format!("http://{path}"),
    }
}

/// A value that is not written down in the tests, such as a token.
#[track_caller]
pub fn environment(name: &str) -> String {
    match std::env::var(name) {
        Ok(value) => value,
        Err(_) => panic!("the environment variable {name} is not set; these tests need it"),
    }
}

/// The text without the line break at its start, the common indentation of its lines, and
/// the line that closes it; unchanged if it does not start with a line break.
fn without_indentation(text: &str) -> String {
    let Some(block) = text.strip_prefix('\n') else {
        return text.to_owned();
    };
    let block = match block.rsplit_once('\n') {
        Some((lines, closing)) if closing.trim().is_empty() => lines,
        _ => block,
    };
    let indentation = block
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches(' ').len())
        .min()
        .unwrap_or(0);
    let lines: Vec<&str> = block
        .split('\n')
        .map(|line| line.get(indentation..).unwrap_or(""))
        .collect();
    lines.join("\n")
}
