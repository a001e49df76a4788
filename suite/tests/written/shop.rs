//! A small service, and the suite that somebody might write for it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use wallace_problems::AnswerPlace;
use wallace_suite::{
    Body, Capture, CapturedForm, Derivation, Expectation, Fault, JsonBody, Provenance,
    RecordedBody, RecordedResponse, Request, RequestText, Step, TestCase, TestKind, TestNamer,
    TestSuite, TextPart,
};

/// When the answers of the sample were recorded: 2026-03-01T12:00:00Z.
const RECORDED_AT: u64 = 1_772_366_400;

/// The test of a request whose connection ends without an answer.
pub(crate) const NOT_ANSWERED: &str = "not_answered";

/// The service: what it answers depends on nothing else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shop {
    /// The identity that the next author gets.
    pub(crate) next_author: u32,
    /// Whether a triangle of equal sides is taken for an isosceles one, no location is told, and all
    /// is answered.
    pub(crate) is_broken: bool,
}

/// An answer of the service.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) location: Option<String>,
    pub(crate) body: String,
}

impl Answer {
    fn new(status: u16, content_type: &'static str, body: String) -> Self {
        Self { status, content_type, location: None, body }
    }
}

impl Shop {
    /// What the service answers, if it does.
    pub(crate) fn answer(&self, method: &str, path: &str, body: &str) -> Option<Answer> {
        Some(match (method, path) {
            ("POST", "/dropped") if !self.is_broken => return None,
            ("POST", "/graphql") => {
                let request: Value = serde_json::from_str(body).unwrap_or_default();
                let json = self.graphql(request["query"].as_str().unwrap_or(""), &request);
                Answer::new(200, "application/json", json.to_string())
            }
            ("POST", "/echo" | "/large") => {
                let location = Some("/echo/1").filter(|_| path == "/echo" && !self.is_broken);
                let location = location.map(str::to_owned);
                Answer { location, ..Answer::new(201, "application/json", body.to_owned()) }
            }
            ("POST", "/orders") => {
                let id = self.next_author;
                let location = Some(format!("http://shop.test/v1/orders/a%20{id}/?old=1"));
                let body = json!({ "lines": format!("/v1/orders/a%20{id}/lines") }).to_string();
                Answer { location, ..Answer::new(201, "application/json", body) }
            }
            ("GET", _) if path == format!("/orders/a%20{}", self.next_author) => {
                Answer::new(200, "application/json", json!({ "state": "new" }).to_string())
            }
            ("DELETE", _) => Answer::new(204, "", String::new()),
            ("GET", "/health") => Answer::new(200, "text/plain", "all is \"well\"".to_owned()),
            ("GET", _) if path == format!("/authors/{}", self.next_author) => {
                let body = json!({ "id": self.next_author.to_string(), "name": "Ann" });
                Answer::new(200, "application/json", body.to_string())
            }
            ("POST", "/dropped") => Answer::new(200, "", String::new()),
            _ => Answer::new(404, "text/plain", "nothing".to_owned()),
        })
    }

    fn graphql(&self, query: &str, request: &Value) -> Value {
        let id = self.next_author.to_string();
        if query.contains("triangleClassification") {
            let kind = if self.is_broken { 2 } else { 3 };
            json!({ "data": { "triangleClassification": kind } })
        } else if query.contains("createAuthor") {
            json!({ "data": { "createAuthor": { "id": id, "name": "Ann" } } })
        } else if query.contains("author(") && request["variables"]["id"] == json!(id) {
            json!({ "data": { "author": { "id": id, "name": "Ann", "rating": 0.1 } } })
        } else if query.contains("pets") {
            let pet = |name: &str| json!({ "id": format!("{id}-{name}"), "name": name, "born": "1999-12-31" });
            let pets = ["Rex", "Tom", "Kim", "Lou", "Max"].map(pet);
            json!({ "data": { "pets": pets, "total": 5 } })
        } else if query.contains("remainder") {
            let error = json!({ "message": "a must be between -10000 and 10000", "path": ["remainder"],
                "locations": [{ "line": 2, "column": 3 }] });
            json!({ "data": { "remainder": null }, "errors": [error] })
        } else {
            json!({ "errors": [{ "message": format!("unknown \"field\" in {query}") }] })
        }
    }
}

/// A test in the making: steps whose expectations come from the service's answers.
struct Recorder {
    shop: Shop,
    steps: Vec<Step>,
    captured: BTreeMap<String, Value>,
}

impl Recorder {
    fn new() -> Self {
        let shop = Shop { next_author: 17, is_broken: false };
        Self { shop, steps: Vec::new(), captured: BTreeMap::new() }
    }

    /// Sends a request as `sent`, and adds it as a step.
    fn step(mut self, operation: &str, request: Request, path: &str, sent: &Value) -> Self {
        let answer = self.shop.answer(&request.method, path, &sent.to_string());
        let Some(answer) = answer else {
            let (operation, captures) = (operation.to_owned(), Vec::new());
            let expectations = vec![Expectation::NoAnswer];
            self.steps.push(Step { operation, request, captures, expectations });
            return self;
        };
        let json: Option<Value> = serde_json::from_str(&answer.body).ok();
        let body = match &json {
            Some(json) => RecordedBody::Json(json),
            None if answer.body.is_empty() => RecordedBody::Empty,
            None => RecordedBody::Text(&answer.body),
        };
        let content_type = Some(answer.content_type);
        let derivation = Derivation {
            request: &request,
            captured: &self.captured,
            volatile: &BTreeMap::new(),
            recorded_at: Some(RECORDED_AT),
        };
        let location = answer.location.map(|value| ("location".into(), value.into()));
        let headers = location.as_slice();
        let response = RecordedResponse { status: answer.status, content_type, headers, body };
        let expectations = derivation.expectations(&response);
        let operation = operation.to_owned();
        self.steps.push(Step { operation, request, captures: Vec::new(), expectations });
        self
    }

    fn graphql(self, operation: &str, document: &str) -> Self {
        let sent = json!({ "query": document });
        self.step(operation, Request::graphql("/graphql", document), "/graphql", &sent)
    }

    /// Expects no more of the last answer than its status.
    fn with_status_alone(mut self) -> Self {
        let is_status = |it: &Expectation| matches!(it, Expectation::Status(_));
        self.steps.last_mut().unwrap().expectations.retain(is_status);
        self
    }

    /// Keeps a value of the last answer.
    fn capture(self, variable: &str, pointer: &str, value: Value) -> Self {
        self.capture_at(variable, AnswerPlace::Body(pointer.to_owned()), value)
    }

    fn capture_at(mut self, variable: &str, place: AnswerPlace, value: Value) -> Self {
        let capture = Capture { variable: variable.to_owned(), place };
        self.steps.last_mut().unwrap().captures.push(capture);
        self.captured.insert(variable.to_owned(), value);
        self
    }

    fn test(self, namer: &mut TestNamer, purpose: &str, faults: Vec<Fault>) -> TestCase {
        let kind = if faults.is_empty() { TestKind::Regression } else { TestKind::Fault };
        let name = namer.name(&self.steps, &faults);
        TestCase { name, purpose: vec![purpose.to_owned()], kind, faults, steps: self.steps }
    }
}

/// The suite of the service.
pub(crate) fn suite() -> TestSuite {
    let mut namer = TestNamer::default();
    let mut tests = regression_tests(&mut namer);
    tests.push(fault_test(&mut namer));
    TestSuite {
        provenance: Provenance {
            tool: "Wallace".to_owned(),
            version: "0.1.0".to_owned(),
            seed: 42,
        },
        service: "book-shop".to_owned(),
        default_base_url: "http://127.0.0.1:8080".to_owned(),
        start_command: Some("book-shop --port 8080".to_owned()),
        tests,
    }
}

fn regression_tests(namer: &mut TestNamer) -> Vec<TestCase> {
    let triangle = "{\n  triangleClassification(a: 1, b: 1, c: 1)\n}";
    let pets = "{\n  pets {\n    id\n    name\n    born\n  }\n  total\n}";
    let hostile = "{\n  x(text: \"a\\\"#b {{id}} \u{202e}\")\n}";
    let mut health = Request::graphql("/health", "");
    health.method = "GET".to_owned();
    health.body = Body::None;
    vec![
        Recorder::new().graphql("Query.triangleClassification", triangle).test(
            namer,
            "Covers 12 targets.",
            Vec::new(),
        ),
        create_then_read().test(namer, "Covers 4 targets.", Vec::new()),
        create_then_delete().test(namer, "Covers 3 targets.", Vec::new()),
        Recorder::new().graphql("Query.pets", pets).test(namer, "Covers 2 targets.", Vec::new()),
        echo().test(namer, "Covers 1 target.", Vec::new()),
        Recorder::new().step("GET:/health", health, "/health", &Value::Null).test(
            namer,
            "Covers 1 target.",
            Vec::new(),
        ),
        Recorder::new().graphql("Query.x", hostile).test(
            namer,
            "Covers\n\"1\" target.",
            Vec::new(),
        ),
    ]
}

fn create() -> Recorder {
    Recorder::new()
        .graphql(
            "Mutation.createAuthor",
            "mutation {\n  createAuthor(name: \"Ann\") {\n    id\n    name\n  }\n}",
        )
        .capture("author_id", "/data/createAuthor/id", json!("17"))
}

fn create_then_read() -> Recorder {
    let document = "query ($id: ID!) {\n  author(id: $id) {\n    id\n    name\n    rating\n  }\n}";
    let mut request = Request::graphql("/graphql", document);
    let captured = BTreeMap::from([("/id".to_owned(), "author_id".to_owned())]);
    let values = json!({ "id": "17" });
    if let Body::GraphQl { variables, .. } = &mut request.body {
        *variables = Some(JsonBody { value: values.clone(), captured });
    }
    let sent = json!({ "query": document, "variables": values });
    create().step("Query.author", request, "/graphql", &sent)
}

fn create_then_delete() -> Recorder {
    let segment =
        TextPart::Captured { variable: "author_id".to_owned(), form: CapturedForm::PathSegment };
    let path = RequestText { parts: vec![TextPart::Literal("/authors/".to_owned()), segment] };
    let token = TextPart::Environment { variable: "PATH".to_owned() };
    let header = RequestText { parts: vec![TextPart::Literal("Bearer ".to_owned()), token] };
    let request = |method: &str| Request {
        method: method.to_owned(),
        path: path.clone(),
        headers: vec![("authorization".to_owned(), header.clone())],
        body: Body::None,
    };
    create().step("GET:/authors/{id}", request("GET"), "/authors/17", &Value::Null).step(
        "DELETE:/authors/{id}",
        request("DELETE"),
        "/authors/17",
        &Value::Null,
    )
}

fn echo() -> Recorder {
    let sent = json!({
        "text": "a \"quoted\" text", "large": 3_000_000_000_u64, "pi": std::f64::consts::PI,
        "none": null, "list": [1, [2.5], {}], "nested": { "deep": { "deeper": true } },
    });
    let request = Request {
        method: "POST".to_owned(),
        path: "/echo".into(),
        headers: vec![("x-trace".to_owned(), "on".into())],
        body: Body::Json(JsonBody::from(sent.clone())),
    };
    Recorder::new().step("POST:/echo", request, "/echo", &sent)
}

/// The suite with tests that are too long to be looked at in a golden file: many fields,
/// many values, a captured value inside of a document.
pub(crate) fn suite_with_large_tests() -> TestSuite {
    let mut suite = suite();
    let mut namer = TestNamer::default();
    let wide: BTreeMap<String, usize> = (0..80).map(|key| (format!("key{key}"), key)).collect();
    let nested = json!({ "wide": wide, "list": vec![wide; 2] });
    let long: Vec<usize> = (0..1_000).collect();
    for (name, body) in [("large_nested", nested), ("large_list", json!(long))] {
        let request = Request {
            method: "POST".to_owned(),
            path: "/large".into(),
            headers: Vec::new(),
            body: Body::Json(JsonBody::from(body.clone())),
        };
        let recorder = Recorder::new().step("POST:/large", request, "/large", &body);
        let test = recorder.test(&mut namer, "Large.", Vec::new());
        suite.tests.push(TestCase { name: name.to_owned(), ..test });
    }
    let test = create_then_echo().test(&mut namer, "Inline.", Vec::new());
    suite.tests.push(TestCase { name: "large_inline".to_owned(), ..test });
    let lines = Some("/lines".to_owned());
    for (name, address, from_end) in [("location", None, 1), ("address", lines, 2)] {
        let place = AnswerPlace::Segment { address, from_end };
        let test = order_then_read(place).test(&mut namer, "An address.", Vec::new());
        suite.tests.push(TestCase { name: format!("order_by_{name}"), ..test });
    }
    let sent = json!({ "id": 1 });
    let request = Request {
        method: "POST".to_owned(),
        path: "/dropped".into(),
        headers: Vec::new(),
        body: Body::Json(JsonBody::from(sent.clone())),
    };
    let test = create().step("POST:/dropped", request, "/dropped", &sent);
    let test = test.test(&mut namer, "A panic.", Vec::new());
    suite.tests.push(TestCase { name: NOT_ANSWERED.to_owned(), ..test });
    suite
}

/// An order whose id only an address tells.
fn order_then_read(place: AnswerPlace) -> Recorder {
    let segment =
        TextPart::Captured { variable: "order_id".to_owned(), form: CapturedForm::PathSegment };
    let path = RequestText { parts: vec![TextPart::Literal("/orders/".to_owned()), segment] };
    let request = |method: &str, path: RequestText| Request {
        method: method.to_owned(),
        path,
        headers: Vec::new(),
        body: Body::None,
    };
    Recorder::new()
        .step("POST:/orders", request("POST", "/orders".into()), "/orders", &Value::Null)
        .with_status_alone()
        .capture_at("order_id", place, json!("a 17"))
        .step("GET:/orders/{id}", request("GET", path), "/orders/a%2017", &Value::Null)
}

/// A captured value as JSON in the middle of a text that comes back.
fn create_then_echo() -> Recorder {
    let captured =
        TextPart::Captured { variable: "author_id".to_owned(), form: CapturedForm::Json };
    let literal = |text: &str| TextPart::Literal(text.to_owned());
    let parts = vec![literal("{\"authorId\": "), captured, literal(", \"{{author_id}}\": 1}")];
    let request = Request {
        method: "POST".to_owned(),
        path: "/large".into(),
        headers: Vec::new(),
        body: Body::Text { media_type: "text/plain".to_owned(), text: RequestText { parts } },
    };
    let sent = json!({ "authorId": "17", "{{author_id}}": 1 });
    create().step("POST:/large", request, "/large", &sent)
}

fn fault_test(namer: &mut TestNamer) -> TestCase {
    let fault = Fault {
        code: 970,
        operation: "Query.remainder".to_owned(),
        context: "range".to_owned(),
        explanation: vec!["An argument in range is called out of range.".to_owned()],
    };
    Recorder::new().graphql("Query.remainder", "{\n  remainder(a: 10000, b: 1)\n}").test(
        namer,
        "Shows 1 fault.",
        vec![fault],
    )
}
