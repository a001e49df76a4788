//! Where the calls went: a table by cause, and the operations that most went to.

use std::cmp::Reverse;

use super::Page;
use crate::record::{LedgerRow, LedgerSum};
use crate::report::xml::escaped;

/// Most pairs of cause and operation that are listed.
const PAIRS: usize = 25;

pub(super) fn section(page: &mut Page<'_>) {
    let rows = &page.record.ledger;
    if rows.is_empty() {
        return;
    }
    let all: u64 = rows.iter().map(|row| row.calls).sum();
    page.push("<section id=\"calls\"><h2>Where the calls went</h2>\n");
    head(page, "<th scope=\"col\">cause</th>");
    for ((_, cause), sum) in LedgerRow::sums(rows, |row| (row.phase, row.cause.clone())) {
        page.write(format_args!("<tr><th scope=\"row\">{}</th>", escaped(&cause)));
        cells(page, sum, all);
    }
    page.push("</tbody></table></div>\n");
    let pairs = LedgerRow::sums(rows, |row| (row.operation.clone(), row.cause.clone()));
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_by_key(|(_, sum)| Reverse(sum.calls));
    if pairs.len() > PAIRS {
        page.write(format_args!(
            "<p>The {PAIRS} of {} that most calls went to; <code>report/statistics.csv</code> has \
             all.</p>\n",
            pairs.len()
        ));
    }
    head(page, "<th scope=\"col\">operation</th><th scope=\"col\">cause</th>");
    for ((operation, cause), sum) in pairs.into_iter().take(PAIRS) {
        page.write(format_args!(
            "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td>",
            escaped(&operation),
            escaped(&cause)
        ));
        cells(page, sum, all);
    }
    page.push("</tbody></table></div>\n</section>\n");
}

fn head(page: &mut Page<'_>, first: &str) {
    page.write(format_args!(
        "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>{first}<th scope=\"col\">calls</th>\
         <th scope=\"col\">share</th><th scope=\"col\">covered first</th>\
         <th scope=\"col\">came nearer</th><th scope=\"col\">seconds</th></tr></thead>\n<tbody>\n"
    ));
}

fn cells(page: &mut Page<'_>, sum: LedgerSum, all: u64) {
    let LedgerSum { calls, covered, improved, seconds } = sum;
    let share = calls as f64 * 100.0 / all.max(1) as f64;
    page.write(format_args!(
        "<td>{calls}</td><td>{share:.1} %</td><td>{covered}</td><td>{improved}</td>\
         <td>{seconds:.1}</td></tr>\n"
    ));
}
