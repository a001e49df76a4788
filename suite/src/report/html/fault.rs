//! Faults, grouped by code, each with the calls that show it.

use std::collections::BTreeMap;

use super::Page;
use crate::record::{CallRecord, FaultRecord};
use crate::report::xml::{cut, escaped};
use crate::report::{fault_code, severity};

/// Characters of a curl line that are shown: longer ones are no help to paste.
const LONGEST_LINE: usize = 8_000;

pub(super) fn section(page: &mut Page<'_>) {
    page.push("<section id=\"faults\"><h2>Faults</h2>\n");
    let record = page.record;
    let mut groups: BTreeMap<u16, Vec<&FaultRecord>> = BTreeMap::new();
    for fault in &record.faults {
        groups.entry(fault.fault.code).or_default().push(fault);
    }
    if groups.is_empty() {
        page.push("<p>None. See the notes above and the open targets below for what the run did not reach.</p>\n");
    }
    let mut groups: Vec<(u16, Vec<&FaultRecord>)> = groups.into_iter().collect();
    groups.sort_by_key(|(code, _)| (std::cmp::Reverse(severity(*code)), *code));
    for (code, faults) in groups {
        group(page, code, &faults);
    }
    page.push("</section>\n");
}

fn group(page: &mut Page<'_>, code: u16, faults: &[&FaultRecord]) {
    let level = severity(code).as_str();
    let title = fault_code(code).map_or("A rule of your own", |known| known.title);
    page.write(format_args!(
        "<div class=\"group\"><h3 id=\"F{code}\"><span class=\"{level}\">{level}</span> F{code} \
         {} <small>{}</small></h3>\n",
        escaped(title),
        faults.len()
    ));
    if let Some(known) = fault_code(code) {
        let (meaning, importance) = (escaped(known.meaning), escaped(known.importance));
        let advice = escaped(known.advice);
        page.write(format_args!("<p>{meaning} {importance} <strong>{advice}</strong></p>\n"));
    }
    for fault in faults {
        entry(page, fault, level);
    }
    page.push("</div>\n");
}

fn entry(page: &mut Page<'_>, fault: &FaultRecord, level: &str) {
    let record = page.record;
    let (id, (code, operation, context)) = (fault.id(), fault.key());
    let state = if fault.known.is_some() { "known" } else { "new" };
    let test = fault.tests.first().and_then(|test| record.written(*test));
    let name = test.map_or_else(String::new, |(_, written)| written.name.clone());
    let text = format!("F{code} {id} {operation} {context} {name} {level} {state}").to_lowercase();
    page.write(format_args!(
        "<details class=\"item fault\" id=\"{id}\" data-severity=\"{level}\" data-state=\"{state}\" \
         data-text=\"{}\"><summary><code>{}</code> {}{}</summary>\n<div class=\"body\">\n",
        escaped(&text),
        escaped(operation),
        escaped(context),
        if fault.known.is_some() { " <small>known</small>" } else { "" },
    ));
    if let Some(reason) = &fault.known {
        page.write(format_args!("<p>Known: {}</p>\n", escaped(reason)));
    }
    for sentence in &fault.fault.explanation {
        if fault_code(code).is_none_or(|known| known.meaning != sentence) {
            page.write(format_args!("<p>{}</p>\n", escaped(sentence)));
        }
    }
    let elsewhere = fault.elsewhere();
    if !elsewhere.is_empty() {
        page.write(format_args!("<p>{}</p>\n", escaped(&elsewhere)));
    }
    if let Some((file, written)) = test {
        let (path, line) = (escaped(&file.path), written.start_line);
        page.write(format_args!(
            "<p>Test <code>{}</code> in <code>{path}:{line}</code></p>\n",
            escaped(&written.name)
        ));
    }
    if let Some((seen, runs)) = fault.repeated {
        page.write(format_args!("<p>Came in {seen} of {runs} runs of the test.</p>\n"));
    }
    calls(page, record.evidence(fault));
    page.write(format_args!(
        "<p>Again: <code>wallace replay --fault {id}</code></p>\n</div></details>\n"
    ));
}

/// Calls in order: request, answer, and the line that sends it again.
pub(super) fn calls(page: &mut Page<'_>, calls: &[CallRecord]) {
    for (number, call) in (1..).zip(calls) {
        let user = call.user.as_ref().map_or_else(String::new, |user| format!(" as {user}"));
        page.write(format_args!(
            "<h4>{number}. {} {}{}</h4>\n",
            escaped(&call.method),
            escaped(&cut(&call.path, page.shown)),
            escaped(&user)
        ));
        if !call.body.is_empty() {
            let body = cut(&readable(call), page.shown);
            page.write(format_args!("<pre tabindex=\"0\">{}</pre>\n", escaped(&body)));
        }
        match (&call.answer, &call.failure) {
            (Some(answer), _) => {
                let (status, body) = (answer.status, cut(&answer.body, page.shown));
                let kind = escaped(&answer.content_type);
                page.write(format_args!(
                    "<p>Answer {status} <small>{kind}</small></p>\n<pre tabindex=\"0\">{}</pre>\n",
                    escaped(&body)
                ));
            }
            (None, failure) => {
                let why = escaped(failure.as_deref().unwrap_or("unknown"));
                page.write(format_args!("<p>No answer: {why}</p>\n"));
            }
        }
        curl(page, call);
    }
}

fn curl(page: &mut Page<'_>, call: &CallRecord) {
    let line = call.curl(&page.record.suite.default_base_url);
    // A line that is cut cannot be pasted.
    if line.len() > LONGEST_LINE.min(2 * page.shown.max(500)) {
        page.push("<p><small>The request is too long to be shown as a curl line; run.json has it.</small></p>\n");
        return;
    }
    page.write(format_args!(
        "<div class=\"curl\"><pre tabindex=\"0\">{}</pre><button type=\"button\" \
         class=\"copy\">Copy</button></div>\n",
        escaped(&line)
    ));
}

/// The document of a GraphQL request on its own lines; other bodies as they are.
fn readable(call: &CallRecord) -> String {
    let body: Option<serde_json::Value> = serde_json::from_str(&call.body).ok();
    let document = body.as_ref().and_then(|body| body.get("query")?.as_str());
    let Some(document) = document else { return call.body.clone() };
    match body.as_ref().and_then(|body| body.get("variables")) {
        None | Some(serde_json::Value::Null) => document.to_owned(),
        Some(variables) => format!("{document}\n{variables}"),
    }
}
