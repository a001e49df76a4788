//! Coverage of source files, and the targets that are open.

use super::{Page, fault};
use wallace_engine::TargetKind;

use crate::record::{OpenTarget, TargetRecord};
use crate::report::source::{SourceFile, SourceLine, files};
use crate::report::xml::{cut, escaped};

/// Longest line of source that is shown.
const LONGEST_LINE: usize = 200;
/// Lines of source that the page shows at most, of all files: a page of large services stays small.
const MOST_LINES: usize = 6_000;
/// Most open targets that are listed.
const MOST_OPEN: usize = 1_000;

pub(super) fn sources(page: &mut Page<'_>) {
    let record = page.record;
    let files = files(record);
    page.push("<section id=\"sources\"><h2>Coverage by source file</h2>\n");
    if files.is_empty() {
        page.push("<p>Nothing is known of the service's code: no driver observed it.</p>\n");
    }
    let mut rest = MOST_LINES;
    for file in &files {
        let ((lines, all_lines), (sides, all_sides)) = (file.line_counts(), file.side_counts());
        let path = escaped(file.path);
        page.write(format_args!(
            "<details class=\"item\" data-text=\"{}\"><summary><code>{path}</code> \
             <progress max=\"{all_lines}\" value=\"{lines}\">{lines}</progress> {lines} of \
             {all_lines} lines, {sides} of {all_sides} branch sides</summary>\n",
            escaped(&file.path.to_lowercase()),
        ));
        lines_of(page, file, &mut rest);
        page.push("</details>\n");
    }
    page.push("</section>\n");
}

fn lines_of(page: &mut Page<'_>, file: &SourceFile<'_>, rest: &mut usize) {
    page.push("<pre class=\"source\" tabindex=\"0\">");
    match page.record.sources.get(file.path) {
        Some(source) if source.lines().count() <= *rest => {
            *rest -= source.lines().count();
            for (number, text) in (1..).zip(source.lines()) {
                line(page, number, file.lines.get(&number), &cut(text, LONGEST_LINE));
            }
        }
        _ => {
            for (number, known) in file.lines.iter().take(*rest) {
                line(page, *number, Some(known), "");
            }
            *rest = rest.saturating_sub(file.lines.len());
        }
    }
    page.push("</pre>\n");
}

fn line(page: &mut Page<'_>, number: u32, known: Option<&SourceLine<'_>>, text: &str) {
    let (class, mark, title) = match known {
        None => ("", " ", String::new()),
        Some(line) => {
            let (taken, all) = (line.covered_sides(), line.sides.len());
            let title = match all {
                0 => String::new(),
                _ => format!(" title=\"{taken} of {all} branch sides\""),
            };
            match (line.is_covered(), taken < all) {
                (false, _) => ("no", "✗", title),
                (true, true) => ("part", "◐", title),
                (true, false) => ("yes", "✓", title),
            }
        }
    };
    let text = escaped(text);
    page.write(format_args!(
        "<span class=\"{class}\"{title}><i>{number:>5}</i> {mark} {text}</span>\n"
    ));
}

pub(super) fn open_targets(page: &mut Page<'_>) {
    let record = page.record;
    let is_shown = |target: &&TargetRecord| {
        !target.is_covered() && target.open.is_some() && target.kind != TargetKind::Line
    };
    let open: Vec<&TargetRecord> = record.targets.iter().filter(is_shown).collect();
    page.write(format_args!(
        "<section id=\"open\"><h2>Open targets <small>{}</small></h2>\n",
        open.len()
    ));
    if open.is_empty() {
        page.push("<p>None is known.</p>\n");
    }
    for target in open.iter().take(MOST_OPEN) {
        if let Some(why) = &target.open {
            entry(page, target, why);
        }
    }
    if open.len() > MOST_OPEN {
        let more = open.len() - MOST_OPEN;
        page.write(format_args!("<p>{more} more are in report/targets.csv.</p>\n"));
    }
    page.push("</section>\n");
}

fn entry(page: &mut Page<'_>, target: &TargetRecord, open: &OpenTarget) {
    let record = page.record;
    let nearest = open.nearest.and_then(|nearest| record.near_tests.get(nearest));
    let reason = open.reason.as_str();
    let name = escaped(&target.name);
    page.write(format_args!(
        "<details class=\"item\" data-text=\"{} {reason}\"><summary><code>{name}</code> \
         <small>{reason}, best score {:.3}</small></summary><div class=\"body\">\n<p>{}</p>\n",
        escaped(&target.name.to_lowercase()),
        target.score,
        escaped(&open.reason.advice()),
    ));
    if let Some(operands) = &open.operands {
        page.write(format_args!(
            "<p>Last seen: <code>{}</code> {} <code>{}</code></p>\n",
            escaped(&cut(&operands.left, LONGEST_LINE)),
            escaped(&operands.relation),
            escaped(&cut(&operands.right, LONGEST_LINE)),
        ));
    }
    if let Some(guard) = &open.behind {
        page.write(format_args!("<p>Behind <code>{}</code></p>\n", escaped(guard)));
    }
    if let Some(test) = nearest {
        let tried = open.tried;
        let test_name = escaped(&test.name);
        page.write(format_args!(
            "<p>Nearest test: <a href=\"#{test_name}\"><code>{test_name}</code></a>; {tried} tests \
             were spent since.</p>\n"
        ));
    }
    page.push("</div></details>\n");
}

/// The tests that came nearest to open targets, and are not part of the suite.
pub(super) fn near_tests(page: &mut Page<'_>) {
    let record = page.record;
    for test in &record.near_tests {
        if record.suite.tests.iter().any(|known| known.name == test.name) {
            continue;
        }
        let name = escaped(&test.name);
        page.write(format_args!(
            "<details class=\"item\" id=\"{name}\" data-text=\"{name}\"><summary><code>{name}</code> \
             <small>near an open target, not in the suite</small></summary><div class=\"body\">\n"
        ));
        fault::calls(page, &test.calls);
        page.push("</div></details>\n");
    }
}
