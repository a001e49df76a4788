//! Verdicts: the faults that a single GraphQL answer shows (docs/reference/graphql.md#errors).
//!
//! Everything here is judged from one call and its answer. What only several calls show together
//! is judged by checks.

mod cause;
mod database;
mod error;
mod leak;
mod position;
mod shape;

use crate::http::{CallFailure, HttpOutcome, HttpResponse, is_success};
use crate::oracle::Fault;

use super::action::{Form, GraphqlAction};
use super::answer::Answer;
use super::document::Selection;
use super::response::ResponseData;
use super::schema::Schema;

pub(crate) use cause::is_bad_value;
pub(crate) use leak::without_traces;

/// A call to be judged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) action: &'a GraphqlAction,
    /// What it selects.
    pub(crate) selections: &'a [Selection],
    pub(crate) outcome: &'a HttpOutcome,
    /// Whether a value of a custom scalar was guessed, which the service may rightly refuse.
    pub(crate) has_guess: bool,
    /// Whether the caller may be told of another schema than the one that is known.
    pub(crate) has_other_schema: bool,
    /// Whether it only reads.
    pub(crate) is_query: bool,
    /// Whether it asks for a stream.
    pub(crate) is_stream: bool,
}

fn fault(code: u16, context: impl Into<String>) -> Fault {
    Fault { code, context: context.into() }
}

/// The faults of a call, each once.
pub(crate) fn judge(case: &Case<'_>, answer: Option<&Answer>) -> Vec<Fault> {
    let mut faults = Vec::new();
    match (&case.outcome.response, answer) {
        (Err(CallFailure::TimedOut), _) => faults.push(fault(989, "no answer in time")),
        (Err(CallFailure::Dropped), _) => faults.push(fault(910, "")),
        (Err(_), _) | (_, None) => {}
        (Ok(_), Some(answer)) if answer.is_silent() => {}
        (Ok(response), Some(answer)) => {
            protocol(case, response, answer, &mut faults);
            error::judge(case, response, answer, &mut faults);
            if case.action.form.has_shape() {
                shape::judge(case, answer, &mut faults);
            }
            for event in answer.events.iter().flatten().map(Answer::of_event) {
                error::judge(case, response, &event, &mut faults);
                shape::judge(case, &event, &mut faults);
            }
        }
    }
    faults.sort();
    faults.dedup();
    faults
}

/// Whether HTTP status, media type and body agree, and the top level keeps to its rules.
fn protocol(case: &Case<'_>, response: &HttpResponse, answer: &Answer, faults: &mut Vec<Fault>) {
    let status = response.status;
    let media_type = response.media_type();
    // A server error is a fault of its own; limits are answered by whoever stands in front.
    // A list of answers is what a batch gets.
    if answer.body.as_ref().is_some_and(serde_json::Value::is_array)
        && !case.action.form.has_shape()
    {
        return;
    }
    if status >= 500 || [401, 403, 404, 405, 406, 408, 413, 414, 415, 429, 431].contains(&status) {
        return;
    }
    if status >= 400 && case.action.form.is_extension() {
        return;
    }
    let Ok(top) = &answer.response else {
        if answer.body.is_none() {
            // Bodies that are no JSON are taken where a service knows them; others get its page.
            if !matches!(case.action.form, Form::FormEncoded | Form::PlainText) {
                faults.push(fault(983, format!("the body is not JSON: {}", shown(&media_type))));
            }
        } else if is_success(status) {
            faults.push(fault(974, "neither data nor errors"));
        }
        return;
    };
    if !media_type.contains("json") {
        faults.push(fault(983, format!("JSON sent as {}", shown(&media_type))));
    }
    let has_success = is_success(status);
    let is_new = media_type == "application/graphql-response+json";
    match top.data {
        ResponseData::Present if !has_success => {
            faults.push(fault(982, format!("data with status {status}")));
        }
        ResponseData::Absent if has_success && is_new => {
            faults.push(fault(982, format!("no data with status {status}")));
        }
        ResponseData::Null if top.errors.is_empty() => {
            faults.push(fault(975, "data is null without errors"));
        }
        _ => {}
    }
    if top.has_malformed_errors {
        faults.push(fault(976, "errors is no filled list"));
    }
}

fn shown(media_type: &str) -> &str {
    if media_type.is_empty() { "no media type" } else { media_type }
}

#[cfg(test)]
mod tests {
    use wallace_genes::{GeneSettings, simplest};

    use super::*;
    use crate::graphql::template::Templates;

    #[test]
    fn a_page_is_an_answer_to_what_is_no_json() {
        let schema = Schema::from_sdl("type Query { a: Int }").unwrap();
        let templates = Templates::new(schema.into()).unwrap();
        let operation = &templates.operations()[0];
        let response =
            HttpResponse { status: 200, body: "<html></html>".into(), ..HttpResponse::default() };
        let outcome = HttpOutcome::new(Ok(response));
        let judged = |form: Form| {
            let gene = simplest(&operation.spec, &GeneSettings::default());
            let action = GraphqlAction::new(operation.id, gene).written(form);
            let case = Case {
                schema: templates.schema(),
                action: &action,
                selections: &[templates.called_field(operation, &action.gene)],
                outcome: &outcome,
                has_guess: false,
                has_other_schema: false,
                is_query: true,
                is_stream: false,
            };
            judge(&case, Answer::of(&outcome, form, None).as_ref())
        };
        for form in [Form::FormEncoded, Form::PlainText] {
            assert_eq!(judged(form), []);
        }
        assert_eq!(judged(Form::Get), [fault(983, "the body is not JSON: no media type")]);
    }
}
