//! The report as one page that needs no network: what was found, explained and shown, and what was
//! covered.
//!
//! All of it is in the page as text, so that it can be read, searched and printed without scripts;
//! the script adds filters. Bodies are cut so that the page stays small; `run.json` has them whole.

mod chart;
mod coverage;
mod fault;
mod ledger;
mod own;
mod table;

use std::fmt::Write;

use super::xml::escaped;
use crate::record::RunRecord;

const STYLE: &str = include_str!("../../templates/report/report.css");
const SCRIPT: &str = include_str!("../../templates/report/report.js");

/// Bytes that bodies of calls may take in the page.
const BODIES: usize = 700_000;
/// Most and least of one body that is shown, in characters.
const LONGEST: usize = 4_000;
const SHORTEST: usize = 120;

/// A page of a run: what is written to, and how much of each body is shown.
struct Page<'a> {
    record: &'a RunRecord,
    text: String,
    shown: usize,
}

/// The page.
#[must_use]
pub fn html(record: &RunRecord) -> String {
    let tests = record.calls.iter().flatten().count();
    let others = record.faults.iter().flat_map(|fault| &fault.calls).count();
    let near = record.near_tests.iter().flat_map(|test| &test.calls).count();
    // Each call shows two bodies, and the request once more in its curl line.
    let calls = 3 * (tests + others + near).max(1);
    let shown = (BODIES / calls).clamp(SHORTEST, LONGEST);
    let mut page = Page { record, text: String::with_capacity(100_000), shown };
    page.head();
    page.summary();
    fault::section(&mut page);
    own::section(&mut page);
    chart::section(&mut page);
    table::operations(&mut page);
    ledger::section(&mut page);
    coverage::sources(&mut page);
    coverage::open_targets(&mut page);
    table::tests(&mut page);
    table::settings(&mut page);
    page.foot();
    page.text
}

impl Page<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes formatted text, which cannot fail.
    fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(arguments);
    }

    fn head(&mut self) {
        let service = escaped(&self.record.suite.service);
        self.write(format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{service}: report</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
             <a class=\"skip\" href=\"#content\">To the content</a>\n\
             <header>\n<h1>{service}</h1>\n"
        ));
        let provenance = &self.record.suite.provenance;
        self.write(format_args!(
            "<p>{} {}, seed {}, {}. {}.</p>\n</header>\n",
            escaped(&provenance.tool),
            escaped(&provenance.version),
            provenance.seed,
            escaped(&self.record.facts.creation_time),
            escaped(&self.record.reason),
        ));
        self.push(
            "<nav aria-label=\"Parts\"><a href=\"#faults\">Faults</a> <a href=\"#growth\">Growth</a> \
             <a href=\"#operations\">Operations</a> <a href=\"#calls\">Calls</a> \
             <a href=\"#sources\">Sources</a> \
             <a href=\"#open\">Open targets</a> <a href=\"#tests\">Tests</a> \
             <a href=\"#settings\">Settings</a></nav>\n\
             <div class=\"filter\" role=\"search\"><label for=\"search\">Search</label> \
             <input id=\"search\" type=\"search\" placeholder=\"operation, code, text (press /)\" \
             autocomplete=\"off\"> <label for=\"severity\">Severity</label> \
             <select id=\"severity\"><option value=\"\">all</option><option>high</option>\
             <option>medium</option><option>low</option></select> \
             <label><input id=\"new\" type=\"checkbox\"> new only</label> \
             <span id=\"matches\" role=\"status\"></span></div>\n\
             <main id=\"content\" tabindex=\"-1\">\n",
        );
    }

    /// The verdict, the numbers, and what limited the run.
    fn summary(&mut self) {
        let record = self.record;
        let new = record.new_faults().count();
        let known = record.faults.len() - new;
        let verdict = match (new, known) {
            (0, 0) => "No fault was found.".to_owned(),
            (0, known) => format!("No new fault was found; {known} are known."),
            (1, 0) => "1 fault was found.".to_owned(),
            (new, 0) => format!("{new} faults were found."),
            (new, known) => format!("{new} new faults were found, and {known} known ones."),
        };
        let class = if new > 0 { "bad" } else { "good" };
        self.write(format_args!(
            "<p class=\"verdict {class}\">{verdict}</p>\n<dl class=\"tiles\">\n"
        ));
        let totals = record.totals;
        self.tile("calls", &totals.calls.to_string(), &format!("in {:.1} s", totals.seconds));
        self.tile(
            "operations",
            &totals.answered.to_string(),
            &format!("of {} answered without errors", totals.operations),
        );
        self.tile(
            "targets",
            &totals.covered.to_string(),
            &format!("covered of {} reached", totals.reached),
        );
        for criterion in &record.facts.coverage {
            let of = criterion.total.filter(|total| *total > 0).map_or_else(String::new, |total| {
                format!("of {total} ({:.1} %)", criterion.covered as f64 * 100.0 / total as f64)
            });
            self.tile(&criterion.name, &criterion.covered.to_string(), &of);
        }
        self.tile("tests", &record.suite.tests.len().to_string(), "in the suite");
        self.push("</dl>\n");
        if !record.facts.warnings.is_empty() {
            self.push("<details class=\"notes\" open><summary>Notes</summary><ul>\n");
            for warning in &record.facts.warnings {
                self.write(format_args!("<li>{}</li>\n", escaped(&warning.message)));
            }
            self.push("</ul></details>\n");
        }
    }

    fn tile(&mut self, name: &str, value: &str, more: &str) {
        let (name, more) = (escaped(name), escaped(more));
        self.write(format_args!(
            "<div><dt>{name}</dt><dd>{value}<small>{more}</small></dd></div>\n"
        ));
    }

    fn foot(&mut self) {
        self.write(format_args!(
            "</main>\n<footer>Keys: / searches, Tab goes on, Enter opens and closes, Esc clears the \
             search.</footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
        ));
    }
}
