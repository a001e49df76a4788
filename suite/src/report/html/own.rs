//! Targets of the user's own.

use wallace_engine::TargetKind;

use super::Page;
use crate::report::xml::escaped;

/// What was looked for, how near the run came, and the test that shows it; nothing where nobody looked
/// for anything.
pub(super) fn section(page: &mut Page<'_>) {
    let record = page.record;
    let own = || record.targets.iter().filter(|target| target.kind == TargetKind::Own);
    if own().next().is_none() {
        return;
    }
    page.push(
        "<section id=\"own\"><h2>Own targets</h2>\n<div class=\"wide\" tabindex=\"0\"><table>\n\
         <thead><tr><th scope=\"col\">target</th><th scope=\"col\">best score</th>\
         <th scope=\"col\">test</th></tr></thead>\n<tbody>\n",
    );
    for target in own() {
        let class = if target.is_covered() { "" } else { " no" };
        let test = target.test.and_then(|test| record.suite.tests.get(test));
        let test = test.map_or_else(String::new, |test| {
            let name = escaped(&test.name);
            format!("<a href=\"#{name}\"><code>{name}</code></a>")
        });
        page.write(format_args!(
            "<tr class=\"item{class}\" data-text=\"{}\"><th scope=\"row\"><code>{}</code></th>\
             <td>{:.3}</td><td>{test}</td></tr>\n",
            escaped(&target.name.to_lowercase()),
            escaped(&target.name),
            target.score,
        ));
    }
    page.push("</tbody></table></div>\n</section>\n");
}
