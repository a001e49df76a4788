//! The report as one page that needs no other file.

use std::fmt::Write;
use std::path::Path;

use crate::definition::Definition;
use crate::error::CampaignError;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border-bottom:1px solid #8884;padding:.2rem .6rem;\
text-align:left;white-space:nowrap}th{border-bottom:2px solid #888}code{font-size:.85em;overflow-wrap:anywhere}\
svg{max-width:100%;height:auto;background:#fff}@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}}";

/// The Markdown report as HTML, its figures inside.
pub(super) fn html(
    definition: &Definition,
    markdown: &str,
    out: &Path,
    figures: &[String],
) -> Result<String, CampaignError> {
    let mut body = String::new();
    let options = pulldown_cmark::Options::ENABLE_TABLES;
    let text = markdown.split("\n## Figures\n").next().unwrap_or_default();
    pulldown_cmark::html::push_html(&mut body, pulldown_cmark::Parser::new_ext(text, options));
    let figures: Vec<&String> = figures.iter().filter(|name| name.ends_with(".svg")).collect();
    if !figures.is_empty() {
        body.push_str("<h2>Figures</h2>\n");
    }
    for figure in figures {
        let path = out.join(figure);
        let svg = std::fs::read_to_string(&path).map_err(CampaignError::file(&path))?;
        let _ = writeln!(body, "<figure>{svg}</figure>");
    }
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{}</title>\
         <style>{STYLE}</style></head><body>\n{body}</body></html>\n",
        definition.name
    ))
}
