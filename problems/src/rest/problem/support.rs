//! What unit tests of several modules share: a small service, and calls of it as they were answered.

use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use wallace_engine::{ActionId, SearchSettings};
use wallace_genes::{Gene, TemplateId};

use super::{RestProblem, RestSettings};
use crate::evaluator::Exchange;
use crate::http::{CallFailure, HttpOutcome, HttpRequest, HttpResponse};
use crate::rest::action::RestAction;
use crate::rest::description::{Description, Location, ReadSettings};
use crate::rest::template::Templates;

/// A service without a driver that has these paths, as YAML in flow style.
pub(in crate::rest) fn problem(paths: &str, users: u16) -> RestProblem {
    described("{title: t, version: '1'}", paths, users)
}

/// The same with this `info`.
pub(in crate::rest) fn described(info: &str, paths: &str, users: u16) -> RestProblem {
    let text = format!("openapi: 3.1.0\ninfo: {info}\npaths: {paths}\n");
    let (location, settings) = (Location::Text("test".to_owned()), ReadSettings::default());
    let read = Description::from_text(&text, location, &settings, &|_| Err(String::new()));
    let templates = Arc::new(Templates::new(Arc::new(read.unwrap())).unwrap());
    let settings = RestSettings { may_change: true, users, ..RestSettings::default() };
    RestProblem::new(templates, &settings, &SearchSettings::default()).unwrap()
}

/// The operation of this verb and path.
pub(in crate::rest) fn named(problem: &RestProblem, name: &str) -> TemplateId {
    let mut all = problem.templates().operations().iter().map(|template| template.id);
    all.find(|id| &*problem.operations.get(*id).id == name).unwrap()
}

/// A call as it was sent and answered.
pub(in crate::rest) struct Answered {
    pub(in crate::rest) action: RestAction,
    request: HttpRequest,
    outcome: HttpOutcome,
}

impl Answered {
    /// The same with an answer of another media type.
    pub(in crate::rest) fn of_type(mut self, media_type: &str) -> Self {
        if let Ok(response) = &mut self.outcome.response {
            response.content_type = media_type.to_owned();
        }
        self
    }

    /// The same with an answer that gives a location, and the status that was read there.
    pub(in crate::rest) fn located(mut self, location: &str, status: Option<u16>) -> Self {
        if let Ok(response) = &mut self.outcome.response {
            response.headers.push(("location".into(), location.into()));
        }
        self.outcome.located = status;
        self
    }

    /// The call that reads what its answer says was made.
    pub(in crate::rest) fn read_located(&self, problem: &RestProblem) -> Option<HttpRequest> {
        let response = self.outcome.response.as_ref().ok()?;
        problem.oracles.read_located(&self.action, &self.request, response)
    }

    /// The same without an answer.
    pub(in crate::rest) fn failed(mut self, failure: CallFailure) -> Self {
        self.outcome.response = Err(failure);
        self
    }
}

/// A call of an operation by the first user at a path, with a body where that is not empty.
pub(in crate::rest) fn answered(
    problem: &RestProblem,
    (operation, path, body): (&str, &str, &str),
    (status, answer): (u16, &str),
) -> Answered {
    let id = named(problem, operation);
    let response = HttpResponse {
        status,
        content_type: "application/json".to_owned(),
        body: answer.to_owned(),
        ..HttpResponse::default()
    };
    Answered {
        action: RestAction { caller: Some(0), ..RestAction::new(id, Gene::Constant) },
        request: HttpRequest {
            method: problem.operations.get(id).method.clone(),
            path: path.parse().unwrap(),
            headers: HeaderMap::new(),
            body: body.to_owned().into(),
        },
        outcome: HttpOutcome::new(Ok(response)),
    }
}

/// Whether these calls in a row show a fault of this code.
pub(in crate::rest) fn has_fault(problem: &RestProblem, code: u16, calls: &[Answered]) -> bool {
    !contexts(problem, code, calls).is_empty()
}

/// What tells the faults of this code apart that these calls in a row show.
pub(in crate::rest) fn contexts(
    problem: &RestProblem,
    code: u16,
    calls: &[Answered],
) -> Vec<String> {
    let exchanges = (0..).zip(calls).map(|(place, call)| Exchange {
        id: ActionId(place),
        action: &call.action,
        request: &call.request,
        outcome: &call.outcome,
        elapsed: Duration::ZERO,
    });
    let test: Vec<Exchange<'_, RestAction>> = exchanges.collect();
    let found = problem.oracles.judge(&test).into_iter().filter(|(_, it)| it.code == code);
    found.map(|(_, fault)| fault.context).collect()
}
