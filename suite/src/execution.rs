//! A test run as it stands, without writing it in any language first.

use std::str::FromStr;

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};
use wallace_problems::{CallFailure, HttpRequest, HttpResponse, Transport};

use crate::check::Captured;
use crate::lower::repeat::{capture, json, recorded};
use crate::request::{Body, JsonBody, Request};
use crate::test_case::TestCase;
use crate::text::{CapturedForm, RequestText, TextPart};

/// What came of running a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every answer was as expected.
    Passed,
    /// An answer was not.
    Failed {
        /// Position of the step whose answer it was.
        step: usize,
        /// Where and how it differs from what is expected.
        differences: Vec<String>,
    },
    /// A request could not be made or was not answered.
    Broken {
        /// Position of the step.
        step: usize,
        /// Why, in a sentence.
        reason: String,
    },
}

impl TestCase {
    /// Sends the requests of the test one after the other, and looks at the answers until one is
    /// not as expected. `environment` gives the values of environment variables.
    pub fn run(
        &self,
        transport: &mut dyn Transport,
        environment: &dyn Fn(&str) -> Option<String>,
    ) -> Verdict {
        let mut captured = Captured::new();
        for (index, step) in self.steps.iter().enumerate() {
            let broken = |reason: String| Verdict::Broken { step: index, reason };
            let filling = Filling { captured: &captured, environment };
            let response = match filling.request(&step.request).map(|sent| transport.send(&sent)) {
                Ok(Ok(response)) => response,
                Ok(Err(CallFailure::Dropped)) if step.expects_no_answer() => continue,
                Ok(Err(failure)) => return broken(format!("no answer: {}", failure.as_str())),
                Err(reason) => return broken(reason),
            };
            let body = json(&response);
            let differences = differences(step, &response, body.as_ref(), &captured);
            if !differences.is_empty() {
                return Verdict::Failed { step: index, differences };
            }
            capture(step, (&response, body.as_ref()), &mut captured);
            if let Some(lost) = step.captures.iter().find(|it| !captured.contains_key(&it.variable))
            {
                return broken(format!("{}: expected a value, found nothing", lost.place));
            }
        }
        Verdict::Passed
    }
}

fn differences(
    step: &crate::Step,
    response: &HttpResponse,
    body: Option<&Value>,
    captured: &Captured,
) -> Vec<String> {
    let recorded = recorded(response, body);
    let all = step.expectations.iter();
    all.flat_map(|expected| expected.differences(&recorded, captured)).collect()
}

/// What the open places of requests are filled with.
struct Filling<'a> {
    captured: &'a Captured,
    environment: &'a dyn Fn(&str) -> Option<String>,
}

impl Filling<'_> {
    fn request(&self, request: &Request) -> Result<HttpRequest, String> {
        let (media_type, body) = self.body(&request.body)?;
        let mut headers = HeaderMap::new();
        for (name, value) in &request.headers {
            let name = HeaderName::from_bytes(name.as_bytes());
            let value = HeaderValue::from_bytes(self.text(value)?.as_bytes());
            let (Ok(name), Ok(value)) = (name, value) else {
                return Err("a header has a name or value that HTTP does not allow".to_owned());
            };
            headers.append(name, value);
        }
        let implied = media_type.and_then(|text| HeaderValue::from_str(&text).ok());
        if let Some(media_type) = implied {
            headers.entry(http::header::CONTENT_TYPE).or_insert(media_type);
        }
        let path = PathAndQuery::from_str(&self.text(&request.path)?);
        let method = Method::from_bytes(request.method.as_bytes());
        match (method, path) {
            (Ok(method), Ok(path)) => Ok(HttpRequest { method, path, headers, body: body.into() }),
            _ => Err("a method or path that HTTP does not allow".to_owned()),
        }
    }

    /// Content type and bytes of a body.
    fn body(&self, body: &Body) -> Result<(Option<String>, String), String> {
        let json_type = Some("application/json".to_owned());
        Ok(match body {
            Body::None => (None, String::new()),
            Body::GraphQl { document, variables, operation_name } => {
                let mut message = json!({ "query": self.text(document)? });
                if let Some(variables) = variables {
                    message["variables"] = self.json(variables);
                }
                if let Some(name) = operation_name {
                    message["operationName"] = json!(name);
                }
                (json_type, message.to_string())
            }
            Body::Json(value) => (json_type, self.json(value).to_string()),
            Body::Text { media_type, text } => (Some(media_type.clone()), self.text(text)?),
        })
    }

    fn json(&self, body: &JsonBody) -> Value {
        let mut value = body.value.clone();
        for (pointer, variable) in &body.captured {
            let filled = value.pointer_mut(pointer).zip(self.captured.get(variable));
            if let Some((part, captured)) = filled {
                part.clone_from(captured);
            }
        }
        value
    }

    fn text(&self, text: &RequestText) -> Result<String, String> {
        let parts = text.parts.iter().map(|part| match part {
            TextPart::Literal(text) => Ok(text.clone()),
            TextPart::Environment { variable } => (self.environment)(variable)
                .ok_or_else(|| format!("the environment variable {variable} is not set")),
            TextPart::Captured { variable, form } => self
                .captured
                .get(variable)
                .map(|value| form.write(value))
                .ok_or_else(|| format!("{variable} was not captured")),
        });
        parts.collect()
    }
}

impl CapturedForm {
    /// A value in this form.
    fn write(self, value: &Value) -> String {
        let plain = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match self {
            Self::Json => value.to_string(),
            Self::Plain => plain(),
            Self::PathSegment => percent_encoded(&plain()),
        }
    }
}

/// What is encoded in a segment of a path.
pub(crate) const RESERVED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as one segment of a path (RFC 3986, unreserved characters stay).
pub(crate) fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use wallace_problems::AnswerPlace;

    use super::*;
    use crate::expectation::Expectation;
    use crate::test_case::{Capture, Step, TestKind};

    /// Answers with what was sent.
    struct Echo(Vec<String>);

    impl Transport for Echo {
        fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
            let sent = String::from_utf8_lossy(&request.body).into_owned();
            let header = |name: &str| {
                request.headers.get(name).map(|value| value.to_str().unwrap().to_owned())
            };
            self.0.push(format!("{} {} {:?} {sent}", request.method, request.path, header("auth")));
            let content_type = header("content-type").unwrap_or_default();
            let body = if sent.is_empty() { "{\"id\":\"a/b\"}".to_owned() } else { sent };
            Ok(HttpResponse { status: 200, content_type, body, ..HttpResponse::default() })
        }
    }

    fn literal(text: &str) -> TextPart {
        TextPart::Literal(text.to_owned())
    }

    fn test() -> TestCase {
        let captured = |form| TextPart::Captured { variable: "id".to_owned(), form };
        let secret =
            RequestText { parts: vec![TextPart::Environment { variable: "TOKEN".to_owned() }] };
        let first = Step {
            operation: "GET:/x".to_owned(),
            request: Request {
                method: "GET".to_owned(),
                path: "/x".into(),
                headers: vec![("auth".to_owned(), secret)],
                body: Body::None,
            },
            captures: vec![Capture {
                variable: "id".to_owned(),
                place: AnswerPlace::Body("/id".to_owned()),
            }],
            expectations: vec![Expectation::Status(200)],
        };
        let body = JsonBody {
            value: json!({ "a": [1, 2] }),
            captured: BTreeMap::from([("/a/1".to_owned(), "id".to_owned())]),
        };
        let second = Step {
            operation: "POST:/x/{id}".to_owned(),
            request: Request {
                method: "POST".to_owned(),
                path: RequestText {
                    parts: vec![literal("/x/"), captured(CapturedForm::PathSegment)],
                },
                headers: Vec::new(),
                body: Body::Json(body),
            },
            captures: Vec::new(),
            expectations: vec![Expectation::json_equals("/a", &json!([1, "a/b"]))],
        };
        let (name, purpose, faults) = (String::new(), Vec::new(), Vec::new());
        TestCase { name, purpose, kind: TestKind::Regression, faults, steps: vec![first, second] }
    }

    #[test]
    fn values_go_from_step_to_step() {
        let mut echo = Echo(Vec::new());
        let verdict = test().run(&mut echo, &|name| Some(format!("value of {name}")));
        assert_eq!(verdict, Verdict::Passed);
        assert_eq!(
            echo.0,
            ["GET /x Some(\"value of TOKEN\") ", "POST /x/a%2Fb None {\"a\":[1,\"a/b\"]}",]
        );
    }

    #[test]
    fn that_nothing_comes_back_can_be_expected() {
        struct Ends(CallFailure);
        impl Transport for Ends {
            fn send(&mut self, _: &HttpRequest) -> Result<HttpResponse, CallFailure> {
                Err(self.0)
            }
        }
        let mut test = test();
        test.steps.truncate(1);
        test.steps[0].expectations = vec![Expectation::NoAnswer];
        test.steps[0].captures.clear();
        let run = |transport: &mut dyn Transport| test.run(transport, &|_| Some(String::new()));
        assert_eq!(run(&mut Ends(CallFailure::Dropped)), Verdict::Passed);
        let differences = vec!["answer: expected none, found 200".to_owned()];
        assert_eq!(run(&mut Echo(Vec::new())), Verdict::Failed { step: 0, differences });
        for gone in [CallFailure::Refused, CallFailure::TimedOut] {
            assert!(matches!(run(&mut Ends(gone)), Verdict::Broken { step: 0, .. }), "{gone:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        let mut wrong = test();
        wrong.steps[1].expectations = vec![Expectation::Status(201)];
        let failed = wrong.run(&mut Echo(Vec::new()), &|_| Some(String::new()));
        let differences = vec!["status: expected 201, found 200".to_owned()];
        assert_eq!(failed, Verdict::Failed { step: 1, differences });
        let broken = test().run(&mut Echo(Vec::new()), &|_| None);
        assert!(matches!(broken, Verdict::Broken { step: 0, .. }), "{broken:?}");
        let mut lost = test();
        lost.steps[0].captures[0].place = AnswerPlace::Body("/gone".to_owned());
        let broken = lost.run(&mut Echo(Vec::new()), &|_| Some(String::new()));
        assert!(matches!(broken, Verdict::Broken { step: 0, .. }), "{broken:?}");
    }
}
