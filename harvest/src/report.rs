//! Coverage as a page for people.

use std::fmt::Write;

use crate::coverage::{CoverageReport, CoveredTuple};
use crate::harvest::Harvest;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;\
    padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem;text-align:\
    left;border-bottom:1px solid #ddd;vertical-align:top}.no{color:#a33}summary{cursor:pointer}\
    small{color:#555}";

/// One HTML page without scripts or anything from elsewhere: the figures, every type with its
/// fields, which tests cover them, what production never touches, and what was rejected.
#[must_use]
pub fn page(harvest: &Harvest, report: &CoverageReport) -> String {
    let mut text = String::with_capacity(report.total() * 200);
    let mut push = |part: &str| text.push_str(part);
    push("<!doctype html><meta charset=\"utf-8\"><title>Schema coverage of production</title>");
    push(&format!("<style>{STYLE}</style><h1>Schema coverage of production</h1>"));
    push(&format!(
        "<p>{} operations read, {} tests, {} rejected. <b>{} of {} tuples covered ({:.1} %).</b></p>",
        harvest.read(),
        harvest.operations().len(),
        harvest.rejected().len(),
        report.covered(),
        report.total(),
        report.percent()
    ));
    push("<h2>Types</h2>");
    let mut rows = report.rows().peekable();
    while let Some(&(owner, ..)) = rows.peek() {
        let mut fields = Vec::new();
        while let Some((_, field, used)) = rows.next_if(|(name, ..)| *name == owner) {
            fields.push((field, used));
        }
        push(&type_section(owner, &fields));
    }
    push("<h2>Rejected</h2><ul>");
    for rejected in harvest.rejected() {
        push(&format!("<li>{}</li>", escaped(&rejected.to_string())));
    }
    push("</ul>");
    text
}

fn type_section(owner: &str, fields: &[(&str, &CoveredTuple)]) -> String {
    let covered = fields.iter().filter(|(_, used)| used.test_count > 0).count();
    let mut text = String::new();
    let class = if covered == 0 { " class=\"no\"" } else { "" };
    write!(
        text,
        "<details><summary{class}>{} <small>{covered} of {}</small></summary><table>",
        escaped(owner),
        fields.len()
    )
    .expect("a String takes any text");
    for (field, used) in fields {
        let tests = match used.test_count {
            0 => "<span class=\"no\">never asked for</span>".to_owned(),
            count => format!("{count}: {}", escaped(&used.tests.join(", "))),
        };
        let (field, times) = (escaped(field), used.times);
        write!(text, "<tr><td>{field}<td>{times}<td><small>{tests}</small>")
            .expect("a String takes any text");
    }
    text + "</table></details>"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
