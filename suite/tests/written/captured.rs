//! A value that a later request takes from an answer is the one that was taken, and not the first
//! that looks the same.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use serde_json::json;
use wallace_engine::{
    Binding, BindingSource, Evaluator, Individual, Problem, SearchSettings, Solution, StopReason,
    Wanted, budget::Statistics, solution::SolutionTest,
};
use wallace_genes::{Gene, GenePath, PathStep};
use wallace_problems::rest::{
    Description, Location, ReadSettings, RestAction, RestProblem, RestSettings, Templates,
};
use wallace_problems::{
    AnswerPlace, CallFailure, HttpEvaluator, HttpRequest, HttpResponse, Transport,
};
use wallace_suite::{
    OutputFolder, Provenance, TestSuite, Verdict, Writer, lower, record::Surroundings,
    writer::RustWriter,
};

use crate::run::{cargo, serve_router};
use crate::runner::{Language, Written, is_slow_stage, scratch, text};

const DESCRIPTION: &str = r#"{
  "openapi": "3.0.0",
  "info": { "title": "things", "version": "1" },
  "paths": {
    "/things": { "post": { "responses": { "201": { "description": "made" } } } },
    "/things/{id}": { "get": {
      "parameters": [
        { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }
      ],
      "responses": { "200": { "description": "found" } }
    } }
  }
}"#;

/// Things with ids that begin somewhere, and a count of them that begins with 1.
#[derive(Clone)]
struct Things {
    first: u32,
    made: u32,
    telling: Telling,
}

/// How the id of what was made is told: in the body, in the header `location`, or in an address in the body.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Telling {
    Id,
    Location,
    Link,
}

impl Things {
    fn from(first: u32) -> Self {
        Self { first, made: 0, telling: Telling::Id }
    }

    fn answer(&mut self, method: &str, path: &str) -> (u16, String) {
        let id = path.strip_prefix("/things/").and_then(|id| id.parse::<u32>().ok());
        let known = self.first..self.first + self.made;
        match (method, id) {
            ("POST", None) => {
                self.made += 1;
                let id = self.first + self.made - 1;
                let body = match self.telling {
                    Telling::Id => json!({ "count": self.made, "id": id }),
                    Telling::Location => json!({ "count": self.made }),
                    Telling::Link => {
                        json!({ "count": self.made, "self": format!("/things/{id}") })
                    }
                };
                (201, body.to_string())
            }
            ("GET", Some(id)) if known.contains(&id) => (200, json!({ "id": id }).to_string()),
            _ => (404, json!({ "error": "no such thing" }).to_string()),
        }
    }
}

impl Transport for Things {
    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let (status, body) = self.answer(request.method.as_str(), request.path.path());
        let content_type = "application/json".to_owned();
        let is_told = status == 201 && self.telling == Telling::Location;
        let location = format!("http://h/v1/things/{}?x", self.first + self.made.max(1) - 1);
        let headers = is_told.then(|| ("location".into(), location.into()));
        let headers = headers.into_iter().collect();
        Ok(HttpResponse { status, content_type, headers, body, ..HttpResponse::default() })
    }
}

fn problem() -> RestProblem {
    let fetch = |_: &str| Err("nothing is fetched".to_owned());
    let location = Location::File("things.json".into());
    let description =
        Description::from_text(DESCRIPTION, location, &ReadSettings::default(), &fetch).unwrap();
    let templates = Arc::new(Templates::new(Arc::new(description)).unwrap());
    let settings = RestSettings { may_change: true, ..RestSettings::default() };
    RestProblem::new(templates, &settings, &SearchSettings::default()).unwrap()
}

fn suite() -> TestSuite {
    recorded(Telling::Id)
}

/// A thing is made and read; recorded where count and id of the first thing are both 1.
fn recorded(telling: Telling) -> TestSuite {
    let problem = Arc::new(problem());
    let call = |name: &str, genes: Vec<Gene>| {
        RestAction::new(problem.template_named(name).unwrap(), Gene::Tuple(genes))
    };
    let mut test = Individual::new([
        call("POST:/things", Vec::new()),
        call("GET:/things/{id}", vec![Gene::text("0")]),
    ]);
    let [made, read] = [0, 1].map(|place: usize| test.actions()[place].0);
    let path = GenePath(vec![PathStep::Field(0)]);
    assert!(test.bind(Binding {
        source: BindingSource::Created { action: made },
        action: read,
        path
    }));
    let run = |first| {
        let transport = Box::new(Things { telling, ..Things::from(first) });
        let mut evaluator = HttpEvaluator::new(Arc::clone(&problem), transport, None);
        evaluator.evaluate(&test, &Wanted::Everything).unwrap().outcomes
    };
    let (recorded, repeated) = (run(1), run(4_711));
    let solution = Solution {
        tests: vec![SolutionTest::observed(test.clone(), recorded, 2, vec![repeated])],
        targets: Vec::new(),
        nearest: Vec::new(),
        statistics: Statistics::default(),
        minimising_calls: 0,
        repeat_calls: 0,
        reason: StopReason::BudgetUsed,
    };
    let tests: Vec<_> =
        lower(&*problem, &[], &solution, Surroundings::default()).into_iter().flatten().collect();
    assert_eq!(tests.len(), 1);
    TestSuite {
        provenance: Provenance { tool: "Wallace".to_owned(), version: "0".to_owned(), seed: 1 },
        service: "things".to_owned(),
        default_base_url: "http://127.0.0.1:8080".to_owned(),
        start_command: None,
        tests,
    }
}

#[test]
fn what_was_taken_is_captured() {
    let suite = suite();
    let captures = &suite.tests[0].steps[0].captures;
    assert_eq!(captures.len(), 1);
    let place = AnswerPlace::Body("/id".to_owned());
    assert_eq!((captures[0].variable.as_str(), &captures[0].place), ("id", &place));
    let verdict = suite.tests[0].run(&mut Things::from(90), &|_| None);
    assert_eq!(verdict, Verdict::Passed);
}

#[test]
fn what_only_an_address_tells_is_captured() {
    for (telling, address, from_end) in
        [(Telling::Location, None, 1), (Telling::Link, Some("/self".to_owned()), 1)]
    {
        let suite = recorded(telling);
        let captures = &suite.tests[0].steps[0].captures;
        let place = AnswerPlace::Segment { address, from_end };
        assert_eq!((captures[0].variable.as_str(), &captures[0].place), ("id", &place));
        let mut things = Things { telling, ..Things::from(90) };
        assert_eq!(suite.tests[0].run(&mut things, &|_| None), Verdict::Passed);
    }
}

async fn answer(
    State(things): State<Arc<Mutex<Things>>>,
    method: Method,
    uri: Uri,
) -> (StatusCode, [(&'static str, &'static str); 1], String) {
    let (status, body) = things.lock().unwrap().answer(method.as_str(), uri.path());
    (StatusCode::from_u16(status).unwrap(), [("content-type", "application/json")], body)
}

#[test]
fn the_suite_passes_where_ids_are_others() {
    if !is_slow_stage() {
        return;
    }
    let suite = suite();
    // Each runner finds the service as it was: the count begins anew.
    let serve = || {
        let things = Arc::new(Mutex::new(Things::from(500)));
        serve_router(Router::new().fallback(answer).with_state(things))
    };
    let folder = scratch().join("things");
    OutputFolder::prepare(&folder, true).unwrap().write(&RustWriter.write(&suite)).unwrap();
    let output = cargo(&folder, &serve(), &["test"]);
    assert!(output.status.success(), "{}", text(&output));
    if Language::Pytest.is_there() {
        let written = Written::new(Language::Pytest, "things", &suite);
        let (results, told) = written.run(("WALLACE_BASE_URL", &serve()), 1);
        assert!(results.len() == 1 && results.values().all(|passed| *passed), "{told}");
    }
}
