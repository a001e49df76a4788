//! Targets that calls earn, besides those of the driver (docs/reference/rest.md#targets).
//!
//! | target | score |
//! |---|---|
//! | `rest:ok:<op>` | 1 for 2xx, graded by how far validation went otherwise |
//! | `rest:error:<op>` | 1 for 5xx, 0.5 for 2xx, 0.1 for 4xx |
//! | `http:<status>:<op>`, `http:<class>xx:<op>` | 1 |
//! | `http:<failure>:<op>` | 1 where there is no response |
//! | `rest:in:<op>:<parameter>:on`, `:off`, `=<value>` | 1 when answered with success, else 0.5 |
//! | `rest:out:<op>:<status>:<pointer>:null`, `:set`, `:empty`, `:one`, `:many` | 1 |
//!
//! Those of the parts of requests and responses are for services without a driver.
//!
//! `<op>` is verb and path with a blank between them, since a colon separates the parts.

use std::collections::BTreeSet;

use serde_json::Value;
use wallace_engine::{Score, TargetName};

use super::action::RestAction;
use super::description::Operation;
use super::template::Templates;
use crate::http::{HttpOutcome, is_success};
use crate::target::{answer, success};

/// Most targets of one call about the parts of its response.
const MOST_PARTS: usize = 60;

/// The names of one operation's targets, made once.
#[derive(Debug)]
pub(crate) struct OperationTargets {
    operation: String,
    ok: TargetName,
    error: TargetName,
}

impl OperationTargets {
    pub(crate) fn new(operation: &Operation) -> Self {
        let operation = operation.id.replacen(':', " ", 1);
        Self {
            ok: success(format!("rest:ok:{operation}")),
            error: answer(format!("rest:error:{operation}")),
            operation,
        }
    }

    pub(crate) fn reach(
        &self,
        templates: &Templates,
        action: &RestAction,
        outcome: &HttpOutcome,
        is_white_box: bool,
        reach: &mut dyn FnMut(TargetName, Score),
    ) {
        let operation = &self.operation;
        let response = match &outcome.response {
            Ok(response) => response,
            Err(failure) => {
                let failure = failure.as_str();
                return reach(answer(format!("http:{failure}:{operation}")), Score::COVERED);
            }
        };
        let status = response.status;
        reach(answer(format!("http:{status}:{operation}")), Score::COVERED);
        reach(answer(format!("http:{}xx:{operation}", status / 100)), Score::COVERED);
        if action.deviation.is_some() {
            return;
        }
        // The further a call comes, the nearer it is to success.
        let ok = match status {
            200..300 => 1.0,
            401 => 0.1,
            404 => 0.2,
            400..500 => 0.3,
            500..600 => 0.5,
            _ => 0.05,
        };
        reach(self.ok.clone(), Score::new(ok));
        let error = match status {
            500..600 => 1.0,
            200..300 => 0.5,
            _ => 0.1,
        };
        reach(self.error.clone(), Score::new(error));
        if is_white_box {
            // The code tells better which values matter.
            return;
        }
        self.reach_inputs(templates, action, status, reach);
        let body: Option<Value> = serde_json::from_str(&response.body).ok();
        if let Some(body) = body {
            let mut parts = BTreeSet::new();
            collect_parts(&body, &mut String::new(), &mut parts, 0);
            for part in parts.iter().take(MOST_PARTS) {
                let class = status / 100;
                reach(answer(format!("rest:out:{operation}:{class}xx:{part}")), Score::COVERED);
            }
        }
    }

    fn reach_inputs(
        &self,
        templates: &Templates,
        action: &RestAction,
        status: u16,
        reach: &mut dyn FnMut(TargetName, Score),
    ) {
        let score = Score::new(if is_success(status) { 1.0 } else { 0.5 });
        let parameters = &templates.operation(action.template).parameters;
        let values = templates.values(action.template, &action.gene);
        for (parameter, value) in parameters.iter().zip(&values.parameters) {
            let (operation, name) = (&self.operation, &parameter.name);
            let state = match value {
                None => "off".to_owned(),
                Some(Value::Bool(value)) => format!("={value}"),
                Some(Value::String(text))
                    if templates.description().schemas.get(parameter.schema).values.is_some() =>
                {
                    format!("={text}")
                }
                Some(_) => "on".to_owned(),
            };
            reach(answer(format!("rest:in:{operation}:{name}:{state}")), score);
        }
        if let Some((_, Value::Object(members))) = &values.body {
            for name in members.keys().take(MOST_PARTS) {
                reach(answer(format!("rest:in:{}:body/{name}:on", self.operation)), score);
            }
        }
    }
}

/// What the parts of a response are: null or not, lists of none, one or more elements.
fn collect_parts(value: &Value, pointer: &mut String, parts: &mut BTreeSet<String>, depth: usize) {
    if depth > 4 || parts.len() >= MOST_PARTS {
        return;
    }
    let state = match value {
        Value::Null => "null",
        Value::Array(elements) => match elements.len() {
            0 => "empty",
            1 => "one",
            _ => "many",
        },
        _ => "set",
    };
    parts.insert(format!("{pointer}:{state}"));
    let length = pointer.len();
    match value {
        Value::Object(members) => {
            for (name, part) in members {
                pointer.push('/');
                pointer.push_str(name);
                collect_parts(part, pointer, parts, depth + 1);
                pointer.truncate(length);
            }
        }
        Value::Array(elements) => {
            pointer.push_str("/*");
            elements.iter().take(5).for_each(|part| collect_parts(part, pointer, parts, depth + 1));
            pointer.truncate(length);
        }
        _ => {}
    }
}
