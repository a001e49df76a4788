//! What is expected of which answer.

use serde_json::json;

use super::*;
use crate::request::JsonBody;

/// What is known in a test: the request, and nothing else unless it is set.
struct Known {
    request: Request,
    captured: BTreeMap<String, Value>,
    volatile: BTreeMap<String, Volatility>,
}

impl Known {
    fn graphql(document: &str) -> Self {
        Self {
            request: Request::graphql("/graphql", document),
            captured: BTreeMap::new(),
            volatile: BTreeMap::new(),
        }
    }

    fn http(path: &str) -> Self {
        let mut known = Self::graphql("");
        known.request.path = path.into();
        known.request.body = Body::None;
        known
    }

    fn expectations(&self, status: u16, body: RecordedBody<'_>) -> Vec<Expectation> {
        self.answered(&RecordedResponse { status, content_type: None, headers: &[], body })
    }

    fn answered(&self, response: &RecordedResponse<'_>) -> Vec<Expectation> {
        let derivation = Derivation {
            request: &self.request,
            captured: &self.captured,
            volatile: &self.volatile,
            recorded_at: Some(1_772_366_400),
        };
        derivation.expectations(response)
    }

    /// The shape expected at the root of a plain HTTP answer, or of `data`.
    fn shape(&self, body: &Value) -> Shape {
        let found = self.expectations(200, RecordedBody::Json(body));
        let mut shapes = found.into_iter().filter_map(|expectation| match expectation {
            Expectation::Json { shape, .. } => Some(shape),
            _ => None,
        });
        shapes.next_back().unwrap()
    }
}

fn object(fields: &[(&str, Shape)]) -> Shape {
    Shape::Object(fields.iter().map(|(key, shape)| ((*key).to_owned(), shape.clone())).collect())
}

fn exactly(value: Value) -> Shape {
    Shape::Exactly(value)
}

#[test]
fn a_graphql_result_without_errors() {
    let body = json!({ "data": { "f": 3 }, "extensions": { "took": 17 } });
    let found = Known::graphql("{ f }").expectations(200, RecordedBody::Json(&body));
    assert_eq!(
        found,
        [
            Expectation::Status(200),
            Expectation::Absent("/errors".to_owned()),
            Expectation::Json {
                pointer: "/data".to_owned(),
                shape: object(&[("f", exactly(json!(3)))])
            },
        ]
    );
}

#[test]
fn errors_keep_path_code_and_stable_messages() {
    let body = json!({
        "errors": [
            { "message": "a is too large", "path": ["f"], "locations": [{ "line": 1, "column": 3 }] },
            { "message": "took 12 ms", "path": ["g", 0], "extensions": { "code": "SLOW", "at": 1 } },
            { "message": "line one\nline two" },
        ],
        "data": null,
    });
    let found = Known::graphql("{ f g }").expectations(200, RecordedBody::Json(&body));
    let error = |path: Option<Value>, message: Option<&str>, code: Option<&str>| ExpectedError {
        path,
        message: message.map(str::to_owned),
        code: code.map(str::to_owned),
    };
    assert_eq!(
        found[1..],
        [
            Expectation::Errors(vec![
                error(Some(json!(["f"])), Some("a is too large"), None),
                error(Some(json!(["g", 0])), None, Some("SLOW")),
                error(None, None, None),
            ]),
            Expectation::json_equals("/data", &Value::Null),
        ]
    );
}

#[test]
fn a_request_error_has_no_data() {
    let body = json!({ "errors": [{ "message": "unknown field" }] });
    let found = Known::graphql("{ x }").expectations(400, RecordedBody::Json(&body));
    assert_eq!(found[0], Expectation::Status(400));
    assert_eq!(found[2], Expectation::Absent("/data".to_owned()));
}

#[test]
fn malformed_errors_are_expected_as_they_are() {
    for errors in [json!([]), json!("broken"), json!(["text"])] {
        let body = json!({ "errors": errors, "data": null });
        let found = Known::graphql("{ f }").expectations(200, RecordedBody::Json(&body));
        assert_eq!(found[1], Expectation::json_equals("/errors", &errors));
    }
}

#[test]
fn an_answer_to_graphql_that_is_not_graphql_is_taken_whole() {
    let body = json!({ "detail": "gone" });
    let found = Known::graphql("{ f }").expectations(502, RecordedBody::Json(&body));
    assert_eq!(found, [Expectation::Status(502), Expectation::json_equals("", &body)]);
}

#[test]
fn media_types_lose_their_parameters() {
    let known = Known::http("/");
    let expected = |content_type| {
        let body = RecordedBody::Unreadable;
        known.answered(&RecordedResponse { status: 200, content_type, headers: &[], body })
    };
    assert_eq!(
        expected(Some("Application/JSON; charset=utf-8"))[1..],
        [Expectation::MediaType("application/json".to_owned())]
    );
    assert!(expected(Some(" ; x")).len() == 1 && expected(None).len() == 1);
}

#[test]
fn a_location_is_expected_where_one_was_told() {
    let known = Known::http("/");
    let expected = |name: &str, value: &str| {
        let headers = [(name.into(), value.into())];
        let body = RecordedBody::Unreadable;
        let response =
            RecordedResponse { status: 201, content_type: None, headers: &headers, body };
        known.answered(&response)[1..].to_vec()
    };
    assert_eq!(expected("location", "/a/1"), [Expectation::Header("location".to_owned())]);
    assert_eq!(expected("location", ""), []);
    assert_eq!(expected("x-request-id", "7"), []);
}

#[test]
fn bodies_that_are_not_json() {
    let known = Known::http("/");
    let too_long = "x".repeat(LONGEST_TEXT + 1);
    let body_of = |body| known.expectations(200, body)[1..].to_vec();
    assert_eq!(body_of(RecordedBody::Empty), [Expectation::EmptyBody]);
    assert_eq!(body_of(RecordedBody::Text("pong\n")), [Expectation::Text("pong\n".to_owned())]);
    assert_eq!(body_of(RecordedBody::Text("<html>\n</html>")), []);
    assert_eq!(body_of(RecordedBody::Text("up since 11:00:00.123")), []);
    assert_eq!(body_of(RecordedBody::Text(&too_long)), []);
    assert_eq!(body_of(RecordedBody::Unreadable), []);
}

#[test]
fn stable_scalars_are_exact_and_volatile_ones_are_kinds() {
    let body = json!({
        "id": 17, "name": "Ann", "ratio": 0.1, "ok": false, "none": null,
        "key": "6f1c2a9e-3b5d-4a7f-8c21-0d9e8b7a6c5f", "long": "x".repeat(501),
    });
    assert_eq!(
        Known::http("/").shape(&body),
        object(&[
            ("id", Shape::Kind(JsonKind::Number)),
            ("name", exactly(json!("Ann"))),
            ("ratio", exactly(json!(0.1))),
            ("ok", exactly(json!(false))),
            ("none", exactly(Value::Null)),
            ("key", Shape::Kind(JsonKind::String)),
            ("long", Shape::Kind(JsonKind::String)),
        ])
    );
}

#[test]
fn lists_have_a_size_and_checked_first_elements() {
    let short = Known::http("/").shape(&json!([1, 2]));
    assert_eq!(short, Shape::from(&json!([1, 2])));
    let long = Known::http("/").shape(&json!([1, 2, 3, 4, 5]));
    let first = [1, 2, 3].map(|element| exactly(json!(element))).to_vec();
    assert_eq!(long, Shape::List { length: 5, first });
    let identities = Known::http("/").shape(&json!({ "ids": ["17"] }));
    let first = vec![Shape::Kind(JsonKind::String)];
    assert_eq!(identities, object(&[("ids", Shape::List { length: 1, first })]));
}

#[test]
fn what_repetition_showed_goes_before_every_rule() {
    let mut known = Known::graphql("{ f }");
    let body = json!({ "data": { "a": 1, "b": null, "c": [1], "d": { "e": 1, "f/g": "x" } } });
    for (pointer, volatility) in [
        ("/data/a", Volatility::Value),
        ("/data/b", Volatility::Kind),
        ("/data/c", Volatility::Value),
        ("/data/d/f~1g", Volatility::Value),
    ] {
        known.volatile.insert(pointer.to_owned(), volatility);
    }
    let inner = object(&[("e", exactly(json!(1))), ("f/g", Shape::Kind(JsonKind::String))]);
    assert_eq!(
        known.shape(&body),
        object(&[
            ("a", Shape::Kind(JsonKind::Number)),
            ("b", Shape::Anything),
            ("c", Shape::Kind(JsonKind::List)),
            ("d", inner),
        ])
    );
}

#[test]
fn members_that_are_not_always_there_are_not_expected_and_not_refused() {
    let mut known = Known::graphql("{ f }");
    known.volatile.insert("/data/d/list".to_owned(), Volatility::Absence);
    for inner in [json!({ "e": 1, "list": [1] }), json!({ "e": 1 })] {
        let body = json!({ "data": { "d": inner, "f": { "e": 1 } } });
        let members = BTreeMap::from([("e".to_owned(), exactly(json!(1)))]);
        let strict = object(&[("e", exactly(json!(1)))]);
        let wanted = object(&[("d", Shape::Including(members)), ("f", strict)]);
        assert_eq!(known.shape(&body), wanted);
    }
}

#[test]
fn errors_that_come_and_go_are_only_present() {
    let mut known = Known::graphql("{ f }");
    let body = json!({ "errors": [{ "message": "a", "path": ["f"] }], "data": null });
    known.volatile.insert("/errors/0/message".to_owned(), Volatility::Value);
    let errors = |known: &Known| known.expectations(200, RecordedBody::Json(&body))[1].clone();
    let path = Some(json!(["f"]));
    let only_path = ExpectedError { path, ..ExpectedError::default() };
    assert_eq!(errors(&known), Expectation::Errors(vec![only_path]));
    known.volatile.insert("/errors/1".to_owned(), Volatility::Kind);
    assert_eq!(errors(&known), Expectation::Present("/errors".to_owned()));
}

#[test]
fn captured_identities_are_expected_by_name() {
    let mut known = Known::graphql("query ($id: ID!) { author(id: $id) { id name } }");
    known.captured.insert("author_id".to_owned(), json!("17"));
    let variables = JsonBody {
        value: json!({ "id": "17" }),
        captured: BTreeMap::from([("/id".to_owned(), "author_id".to_owned())]),
    };
    if let Body::GraphQl { variables: place, .. } = &mut known.request.body {
        *place = Some(variables);
    }
    let author = json!({ "data": { "author": { "id": "17", "name": "author 17" } } });
    let expected = object(&[
        ("id", Shape::Captured("author_id".to_owned())),
        ("name", Shape::Kind(JsonKind::String)),
    ]);
    assert_eq!(known.shape(&author), object(&[("author", expected)]));
}

#[test]
fn large_and_deep_answers_are_cut_to_kinds() {
    let wide = json!((0..400).map(|key| (format!("k{key:03}"), key)).collect::<BTreeMap<_, _>>());
    let Shape::Object(fields) = Known::http("/").shape(&wide) else { panic!("an object") };
    let exact = fields.values().filter(|shape| matches!(shape, Shape::Exactly(_))).count();
    assert_eq!((fields.len(), exact), (400, VALUES_CHECKED - 1));
    let mut deep = json!(1);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let mut shape = Known::http("/").shape(&deep);
    for _ in 0..DEPTH_CHECKED {
        let Shape::List { first, .. } = shape else { panic!("a list") };
        shape = first[0].clone();
    }
    assert_eq!(shape, Shape::Kind(JsonKind::List));
}
