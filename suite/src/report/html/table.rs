//! Operations, tests and settings.

use std::collections::BTreeMap;

use super::{Page, coverage, fault};
use crate::report::OperationFacts;
use crate::report::xml::escaped;
use crate::test_case::TestKind;

pub(super) fn operations(page: &mut Page<'_>) {
    let record = page.record;
    let mut rows: BTreeMap<&str, (OperationFacts, usize, usize)> = BTreeMap::new();
    for facts in &record.facts.operations {
        rows.entry(&facts.operation_id).or_default().0 = facts.clone();
    }
    for test in &record.suite.tests {
        if let Some(step) = test.steps.last() {
            rows.entry(&step.operation).or_default().1 += 1;
        }
    }
    for found in &record.faults {
        rows.entry(&found.fault.operation).or_default().2 += 1;
    }
    page.push(
        "<section id=\"operations\"><h2>Coverage by operation</h2>\n<div class=\"wide\" \
         tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">operation</th>\
         <th scope=\"col\">calls</th><th scope=\"col\">fine</th><th scope=\"col\">errors</th>\
         <th scope=\"col\">both</th><th scope=\"col\">tests</th><th scope=\"col\">faults</th></tr>\
         </thead>\n<tbody>\n",
    );
    for (operation, (facts, tests, faults)) in rows {
        let never = facts.calls > 0 && facts.data + facts.data_and_errors == 0;
        let class = if never || facts.calls == 0 { " no" } else { "" };
        let OperationFacts { calls, data, errors, data_and_errors, .. } = facts;
        page.write(format_args!(
            "<tr class=\"item{class}\" data-text=\"{}\"><th scope=\"row\"><code>{}</code></th>\
             <td>{calls}</td><td>{data}</td><td>{errors}</td><td>{data_and_errors}</td>\
             <td>{tests}</td><td>{faults}</td></tr>\n",
            escaped(&operation.to_lowercase()),
            escaped(operation),
        ));
    }
    page.push("</tbody></table></div>\n</section>\n");
}

pub(super) fn tests(page: &mut Page<'_>) {
    let record = page.record;
    page.write(format_args!(
        "<section id=\"tests\"><h2>Tests <small>{}</small></h2>\n",
        record.suite.tests.len()
    ));
    for (index, test) in record.suite.tests.iter().enumerate() {
        let kind = match test.kind {
            TestKind::Fault => "shows faults",
            TestKind::Regression => "regression",
        };
        let place = record.written(index).map_or_else(String::new, |(file, written)| {
            format!("{}:{}", file.path, written.start_line)
        });
        let operations: Vec<&str> = test.steps.iter().map(|step| step.operation.as_str()).collect();
        let text = format!("{} {kind} {place} {}", test.name, operations.join(" "));
        let name = escaped(&test.name);
        page.write(format_args!(
            "<details class=\"item\" id=\"{name}\" data-text=\"{}\"><summary><code>{name}</code> \
             <small>{kind}, {}</small></summary><div class=\"body\">\n",
            escaped(&text.to_lowercase()),
            escaped(&place),
        ));
        for sentence in &test.purpose {
            page.write(format_args!("<p>{}</p>\n", escaped(sentence)));
        }
        // Tests of faults show their calls with the fault.
        if test.kind == TestKind::Regression {
            fault::calls(page, record.calls.get(index).map_or(&[], Vec::as_slice));
        } else {
            for found in record.faults.iter().filter(|found| found.tests.contains(&index)) {
                let id = found.id();
                page.write(format_args!("<p><a href=\"#{id}\">{id}</a></p>\n"));
            }
        }
        page.push("</div></details>\n");
    }
    coverage::near_tests(page);
    page.push("</section>\n");
}

pub(super) fn settings(page: &mut Page<'_>) {
    let record = page.record;
    page.push("<section id=\"settings\"><h2>Settings</h2>\n<dl class=\"settings\">\n");
    for (name, value) in &record.settings {
        let (name, value) = (escaped(name), escaped(value));
        page.write(format_args!("<dt>{name}</dt><dd>{value}</dd>\n"));
    }
    page.push("</dl>\n</section>\n");
}
