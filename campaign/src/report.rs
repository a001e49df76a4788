//! What follows from the results: tables, figures and statistics.

mod comparison;
mod figure;
mod page;
#[cfg(feature = "png")]
mod png;
mod table;

use std::path::{Path, PathBuf};

use crate::error::CampaignError;
use crate::plan::{Plan, store_text};
pub use comparison::{Cell, Comparison, Pair, Ranking, Unique};
#[cfg(feature = "png")]
pub use png::png;

/// Writes the report of a plan into `out`: `report.md`, `report.html`, `tables.tex`, `runs.csv`,
/// `cells.csv`, `comparison.csv`, `ranking.csv`, and figures as SVG, with the feature `png` as PNG too. Equal
/// results give equal files.
///
/// # Errors
/// When no run has a result yet, or a file cannot be written.
pub fn report(plan: &Plan, out: &Path) -> Result<Vec<PathBuf>, CampaignError> {
    let results = plan.results()?;
    if results.is_empty() {
        return Err(CampaignError::NoResults(plan.folder().to_owned()));
    }
    let comparison = Comparison::of(plan.definition(), &results);
    let figures = figure::draw(plan.definition(), &results, out)?;
    let missing = plan.runs().len() - results.len();
    let markdown = table::markdown(plan.definition(), &comparison, &results, missing, &figures);
    let mut written: Vec<PathBuf> = figures.iter().map(|name| out.join(name)).collect();
    let files = [
        ("runs.csv", table::runs_csv(&results)),
        ("cells.csv", table::cells_csv(&comparison)),
        ("comparison.csv", table::comparison_csv(&comparison)),
        ("ranking.csv", table::ranking_csv(&comparison)),
        ("tables.tex", table::latex(&comparison)),
        ("report.html", page::html(plan.definition(), &markdown, out, &figures)?),
        ("report.md", markdown),
    ];
    for (name, text) in files {
        let path = out.join(name);
        store_text(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}
