//! Faults that a single call shows.

use serde_json::Value;
use wallace_sut_driver::http::is_stream;

use super::{RestOracles, Step, fault, location, undocumented_verb};
use crate::echo::without_echo;
use crate::http::CallFailure;
use crate::oracle::Fault;
use crate::rest::action::Deviation;
use crate::rest::callback;
use crate::rest::deed::{Deed, said};
use crate::rest::description::Operation;
use crate::rest::schema::{Direction, SchemaId};
use crate::telling::{message_of, told};
use crate::trace::{frame, has_trace};
use crate::word::words;

/// Last parts of paths on which orchestrators ask whether a service runs.
const PROBES: [&str; 10] = [
    "health",
    "healthz",
    "healthcheck",
    "ready",
    "readyz",
    "readiness",
    "live",
    "livez",
    "liveness",
    "ping",
];

pub(super) fn judge(oracles: &RestOracles, step: &Step<'_>, found: &mut dyn FnMut(Fault)) {
    let is_late = step.exchange.outcome.response == Err(CallFailure::TimedOut);
    // A stream that goes on is never read to its end.
    if is_late && !may_stream(step.operation) {
        found(fault(909, ""));
    }
    if step.exchange.outcome.response == Err(CallFailure::Dropped) {
        found(fault(910, ""));
    }
    let Some(response) = step.response else { return };
    // 501 is a fault of its own (963).
    if (500..600).contains(&step.status) && step.status != 501 {
        let statement = step.exchange.outcome.last_statement.clone();
        found(fault(100, statement.or_else(|| failure(step)).unwrap_or_default()));
    }
    if step.status >= 400 && has_trace(&response.body) {
        found(fault(209, ""));
    }
    called(oracles, step, found);
    if super::injection::is_script(step) {
        found(fault(201, ""));
    }
    if step.is_elsewhere() {
        return;
    }
    if step.is_plain() || matches!(step.action.deviation.as_deref(), Some(Deviation::Violation(_)))
    {
        schema(oracles, step, found);
    }
    if step.is_success()
        && let Some(Deviation::Violation(violation)) = step.action.deviation.as_deref()
        && oracles.templates.is_broken(step.action.template, &step.action.gene, violation)
    {
        // Genes change after a rule was chosen: what counts is what was sent.
        let name = match violation.parameter {
            Some(index) => {
                step.operation.parameters.get(usize::from(index)).map_or("", |p| &p.name)
            }
            None => "body",
        };
        let (pointer, rule) = (&violation.pointer, violation.rule.keyword());
        found(fault(102, format!("{name}{pointer} {rule}")));
    }
    if step.is_success()
        && matches!(step.action.deviation.as_deref(), Some(Deviation::MediaType(_)))
    {
        found(fault(102, "media type"));
    }
    if step.is_plain()
        && step.is_success()
        && step.action.caller.is_none()
        && oracles.has_users
        && step.operation.needs_user()
        && !is_probe(&step.operation.path)
    {
        let code = if step.is_change() && !reads_by_name(&step.operation.path) { 208 } else { 207 };
        found(fault(code, ""));
    }
    location::judge(step, found);
    if undocumented_verb(step) == Some(step.verb) && step.verb != "OPTIONS" && step.is_success() {
        found(fault(210, step.verb));
    }
}

/// What tells one failure from another of the same operation where no driver tells the statement: the
/// innermost place of a trace, else what the answer says. Whoever is busy or away is so for all.
fn failure(step: &Step<'_>) -> Option<String> {
    let response = step.response.filter(|it| !(502..=504).contains(&it.status))?;
    frame(&response.body).or_else(|| {
        let filled = step.exchange.outcome.filled.iter().map(|it| &it.value);
        let sent = filled.chain([&step.action.gene]);
        message_of(&sent.fold(told(&response.body)?, |told, gene| without_echo(gene, &told)))
    })
}

/// 101: a success is none of those documented, or the body does not follow the schema of its status.
fn schema(oracles: &RestOracles, step: &Step<'_>, found: &mut dyn FnMut(Fault)) {
    let Some(response) = step.response else { return };
    let Some(documented) = step.operation.response(step.status) else {
        // A description that lists some successes means all of them; of refusals few list all.
        if step.is_success() && step.operation.has_documented_success() {
            found(fault(101, format!("{} is not listed", step.status)));
        }
        return;
    };
    let media_type = response.media_type();
    let is_documented = |known: &str| {
        known == media_type
            || known == "*/*"
            || known.strip_suffix('*').is_some_and(|start| media_type.starts_with(start))
    };
    let contents = &documented.contents;
    if contents.is_empty() || step.verb == "HEAD" {
        return;
    }
    let content = contents.iter().find(|content| {
        is_documented(content.media_type.split(';').next().unwrap_or_default().trim())
    });
    let Some(content) = content else {
        if !response.body.is_empty() {
            let status = step.status;
            found(fault(101, format!("{status} {media_type} is not documented")));
        }
        return;
    };
    // Schemas of streams are meant of each record, or of none.
    let is_stream = documented.is_stream || is_stream(&media_type);
    let schemas = &oracles.templates.description().schemas;
    // A file may hold anything, also what reads as an object.
    let is_file = |id: &SchemaId| schemas.get(*id).format.as_deref() == Some("binary");
    let schema = content.schema.filter(|id| !is_stream && !is_file(id));
    let Some(schema) = schema else { return };
    let mismatches = |body: &Value| schemas.mismatches(schema, body, Direction::Received);
    // What is no JSON is a text, although it may look like a number.
    let is_json = media_type.contains("json");
    let as_text = Value::String(response.body.clone());
    if !is_json && mismatches(&as_text).is_empty() {
        return;
    }
    let Some(body) = &step.body else {
        if is_json && !response.body.trim().is_empty() {
            found(fault(101, format!("{} is no JSON", step.status)));
        }
        return;
    };
    for mismatch in mismatches(body) {
        let (status, place, keyword) = (step.status, mismatch.place, mismatch.keyword);
        found(fault(101, format!("{status} {place} {keyword}")));
    }
}

/// Whether the description lets an operation answer with a stream.
fn may_stream(operation: &Operation) -> bool {
    operation.responses.iter().any(|response| {
        let mut contents = response.contents.iter();
        response.is_stream || contents.any(|content| is_stream(&content.media_type))
    })
}

/// Whether the last part of a path says that a call only reads: where all calls are sent with one verb,
/// nothing else does.
fn reads_by_name(path: &str) -> bool {
    let reads =
        ["list", "get", "find", "search", "query", "read", "count", "status", "range", "lookup"];
    let last = words(path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default());
    let mut ends = last.first().into_iter().chain(last.last());
    ends.any(|word| reads.contains(&word.as_str())) || matches!(said(path), Some((Deed::List, _)))
}

/// Whether a path is asked by what watches over services, which has no credentials: descriptions that
/// ask for them everywhere mean the others.
fn is_probe(path: &str) -> bool {
    let last = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    PROBES.contains(&&*last.to_ascii_lowercase())
}

/// 202: the service called the address that the request told.
fn called(oracles: &RestOracles, step: &Step<'_>, found: &mut dyn FnMut(Fault)) {
    let (Some(listener), Some(path)) = (&oracles.callback, callback::path_of(step.action)) else {
        return;
    };
    if listener.take(&path) {
        let name = match step.action.deviation.as_deref() {
            Some(Deviation::Callback { parameter: Some(index), pointer }) => {
                let parameter = step.operation.parameters.get(usize::from(*index));
                format!("{}{pointer}", parameter.map_or("", |parameter| &parameter.name))
            }
            Some(Deviation::Callback { pointer, .. }) => format!("body{pointer}"),
            _ => String::new(),
        };
        found(fault(202, name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wallace_genes::Gene;

    use crate::rest::problem::support::{Answered, answered, contexts, has_fault, problem};

    #[test]
    fn failures_of_one_operation_are_told_apart_by_what_they_say() {
        let problem = problem("{/a: {get: {responses: {'200': {description: d}}}}}", 0);
        let told = |status: u16, body: &str| {
            let mut call = answered(&problem, ("GET:/a", "/a", ""), (status, body));
            call.action.gene = Gene::text("Ann");
            contexts(&problem, 100, &[call])
        };
        assert_eq!(told(500, r#"{"error":"division by zero"}"#), ["division by zero"]);
        assert_eq!(told(500, r#"{"detail":"no column 'a' for Ann"}"#), ["no column * for *"]);
        let trace = "Traceback (most recent call last):\n  File \"a.py\", line 3, in go\nX";
        assert_eq!(told(500, trace), ["File a.py, line *, in go"]);
        // What says nothing is one failure, and who is away is so for all.
        let silent = [(500, r#"{"error":"Internal Server Error"}"#), (503, "the pool is empty")];
        assert!(silent.iter().all(|(status, body)| told(*status, body) == [""]));
    }

    #[test]
    fn a_stream_is_no_document_and_has_no_end() {
        let problem = problem(
            "{/watch: {get: {responses: {'200': {description: d, content: {application/x-ndjson: \
               {schema: {type: object, required: [a]}}}}}}}, \
              /follow: {get: {responses: {'200': {description: 'A successful response.(streaming \
               responses)', content: {application/json: {schema: {type: object, required: [a]}}}}}}}, \
              /read: {get: {responses: {'200': {description: d, content: {application/json: \
               {schema: {type: object}}}}}}}}",
            0,
        );
        let records = "{\"b\":1}\n{\"b\":2}\n";
        let get = |path: &str, media_type: &str| {
            let operation = format!("GET:{path}");
            answered(&problem, (&operation, path, ""), (200, records)).of_type(media_type)
        };
        let watch = || get("/watch", "application/x-ndjson; charset=utf-8");
        let read = || get("/read", "application/json");
        assert!(!has_fault(&problem, 101, &[watch()]) && has_fault(&problem, 101, &[read()]));
        let has_end = |failure| has_fault(&problem, 910, &[read().failed(failure)]);
        assert!(has_end(CallFailure::Dropped) && !has_end(CallFailure::Closed));
        let has_late =
            |call: Answered| has_fault(&problem, 909, &[call.failed(CallFailure::TimedOut)]);
        assert!(!has_late(watch()) && has_late(read()));
        // Gateways to gRPC send streams as JSON.
        let follow = || {
            let call = ("GET:/follow", "/follow", "");
            answered(&problem, call, (200, "{\"b\":1}")).of_type("application/json")
        };
        assert!(!has_late(follow()) && !has_fault(&problem, 101, &[follow()]));
    }

    #[test]
    fn a_file_may_hold_an_object() {
        let of = |schema: &str| {
            let content = format!("application/*: {{schema: {schema}}}");
            let responses = format!("{{'200': {{description: d, content: {{{content}}}}}}}");
            let problem = problem(&format!("{{/file: {{get: {{responses: {responses}}}}}}}"), 0);
            let call = answered(&problem, ("GET:/file", "/file", ""), (200, "[1]"));
            has_fault(&problem, 101, &[call.of_type("application/json")])
        };
        assert!(of("{type: string}") && !of("{type: string, format: binary}"));
    }

    #[test]
    fn a_success_that_is_not_listed_is_told_where_others_are() {
        let problem = problem(
            "{/a: {post: {responses: {'200': {description: d}, '400': {description: d}}}}, \
              /b: {post: {responses: {'400': {description: d}}}}, \
              /c: {post: {responses: {'2XX': {description: d}}}}, \
              /d: {post: {responses: {'200': {description: d}, default: {description: d}}}}}",
            0,
        );
        let has = |path: &str, status: u16| {
            let operation = format!("POST:{path}");
            has_fault(&problem, 101, &[answered(&problem, (&operation, path, ""), (status, ""))])
        };
        assert!(has("/a", 201) && !has("/a", 200) && !has("/a", 404));
        assert!(!has("/b", 201) && !has("/c", 201) && !has("/d", 201));
    }

    #[test]
    fn what_was_told_to_close_is_closed() {
        let problem = problem("{/mode: {put: {}}, /a: {post: {}}}", 0);
        let closed = |switch: &str, status: u16| {
            let calls = [
                answered(&problem, ("PUT:/mode", "/mode", switch), (200, "")),
                answered(&problem, ("POST:/a", "/a", ""), (status, "read-only")),
            ];
            !has_fault(&problem, 100, &calls)
        };
        assert!(closed(r#"{"on":true}"#, 503));
        assert!(!closed(r#"{"name":"x"}"#, 503) && !closed(r#"{"on":true}"#, 500));
    }

    #[test]
    fn a_call_that_reads_by_its_name_changes_nothing() {
        assert!(
            ["/v3/lease/leases", "/items/getAll", "/v1/search/"].map(reads_by_name) == [true; 3]
        );
        assert!(["/v3/auth/user/add", "/readers", "/{id}"].map(reads_by_name) == [false; 3]);
        assert!(["/health", "/internal/Readyz/"].map(is_probe) == [true; 2]);
        assert!(["/health/records", "/{ping}"].map(is_probe) == [false; 2]);
    }
}
