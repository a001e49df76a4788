//! Tables as Markdown, LaTeX and CSV.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::comparison::{Cell, Comparison, Pair};
use crate::definition::Definition;
use crate::plan::RunResult;

/// Level below which a difference is called significant.
const LEVEL: f64 = 0.05;

/// Most names of unique targets that are listed.
const LISTED: usize = 20;

/// The report in one page.
pub(super) fn markdown(
    definition: &Definition,
    comparison: &Comparison,
    results: &[RunResult],
    missing: usize,
    figures: &[String],
) -> String {
    let mut text = format!("# {}\n\n", definition.name);
    setting(&mut text, definition, results, missing);
    for measure in &comparison.measures {
        let _ = write!(text, "\n## {measure}\n\n");
        cells_table(&mut text, comparison, measure);
        pairs_table(&mut text, comparison, measure);
        for ranking in comparison.rankings.iter().filter(|one| one.measure == *measure) {
            let ranks: Vec<String> =
                ranking.ranks.iter().map(|(name, rank)| format!("{name} {rank:.2}")).collect();
            let _ = write!(
                text,
                "\nFriedman: chi square {:.3}, p {}; mean ranks (highest is best): {}\n",
                ranking.chi_square,
                probability(ranking.p),
                ranks.join(", ")
            );
        }
    }
    unique_list(&mut text, comparison);
    if !figures.is_empty() {
        text.push_str("\n## Figures\n\n");
        for figure in figures.iter().filter(|name| name.ends_with(".svg")) {
            let _ = writeln!(text, "![{figure}]({figure})\n");
        }
    }
    text
}

fn setting(text: &mut String, definition: &Definition, results: &[RunResult], missing: usize) {
    let tools: BTreeSet<&str> = results.iter().map(|result| result.tool.as_str()).collect();
    let budget = match (definition.budget.calls, definition.budget.seconds) {
        (Some(calls), None) => format!("{calls} calls"),
        (None, Some(seconds)) => format!("{seconds} s"),
        (calls, seconds) => {
            format!("{} calls or {} s", calls.unwrap_or(0), seconds.unwrap_or(0))
        }
    };
    let _ = writeln!(text, "- budget of a run: {budget}");
    let seeds: Vec<String> = definition.seeds.iter().map(|seed| seed.to_string()).collect();
    let _ =
        writeln!(text, "- seeds: {}; repetitions: {}", seeds.join(", "), definition.repetitions);
    let _ = writeln!(text, "- tools: {}", tools.into_iter().collect::<Vec<_>>().join(", "));
    let machines: BTreeSet<&str> = results.iter().map(|result| result.machine.as_str()).collect();
    let _ = writeln!(text, "- machines: {}", machines.into_iter().collect::<Vec<_>>().join("; "));
    for configuration in &definition.configurations {
        let described =
            serde_json::to_string(configuration).expect("configurations are plain data");
        let _ = writeln!(text, "- configuration {}: `{described}`", configuration.name);
    }
    let _ = writeln!(text, "- results: {} runs, {missing} without one", results.len());
}

fn cells_table(text: &mut String, comparison: &Comparison, measure: &str) {
    text.push_str(
        "| system | configuration | runs | mean | median | quartiles | least | greatest |\n",
    );
    text.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for cell in comparison.cells.iter().filter(|cell| cell.measure == measure) {
        let Cell { system, configuration, spread, .. } = cell;
        let _ = writeln!(
            text,
            "| {system} | {configuration} | {} | {} | {} | {} .. {} | {} | {} |",
            spread.count,
            number(spread.mean),
            number(spread.median),
            number(spread.lower_quartile),
            number(spread.upper_quartile),
            number(spread.least),
            number(spread.greatest),
        );
    }
}

fn pairs_table(text: &mut String, comparison: &Comparison, measure: &str) {
    let pairs: Vec<&Pair> =
        comparison.pairs.iter().filter(|pair| pair.measure == measure).collect();
    if pairs.is_empty() {
        return;
    }
    let _ = write!(text, "\nAgainst {}:\n\n", comparison.baseline);
    text.push_str("| system | configuration | A12 | 95 % interval | effect | p | p (Holm) | |\n");
    text.push_str("| --- | --- | ---: | ---: | --- | ---: | ---: | --- |\n");
    for pair in pairs {
        let _ = writeln!(
            text,
            "| {} | {} | {:.3} | {:.3} .. {:.3} | {} | {} | {} | {} |",
            pair.system,
            pair.configuration,
            pair.a12,
            pair.interval.low,
            pair.interval.high,
            pair.effect,
            probability(pair.p),
            probability(pair.p_holm),
            verdict(pair),
        );
    }
}

fn unique_list(text: &mut String, comparison: &Comparison) {
    if comparison.unique.is_empty() {
        return;
    }
    text.push_str("\n## Targets that only one configuration ever covers\n\n");
    for unique in &comparison.unique {
        let (system, configuration) = (&unique.system, &unique.configuration);
        let _ = writeln!(text, "- {system}, {configuration}: {}", unique.targets.len());
        for target in unique.targets.iter().take(LISTED) {
            let _ = writeln!(text, "  - `{target}`");
        }
        if unique.targets.len() > LISTED {
            let _ = writeln!(text, "  - and {} more", unique.targets.len() - LISTED);
        }
    }
}

fn verdict(pair: &Pair) -> &'static str {
    match pair.p_holm < LEVEL {
        true if pair.a12 > 0.5 => "better",
        true => "worse",
        false => "",
    }
}

/// Every run, with all its measures.
pub(super) fn runs_csv(results: &[RunResult]) -> String {
    let names: BTreeSet<&String> =
        results.iter().flat_map(|result| result.measures.keys()).collect();
    let mut rows = vec![
        ["id", "system", "configuration", "seed", "repetition", "tool"]
            .iter()
            .map(ToString::to_string)
            .chain(names.iter().map(ToString::to_string))
            .collect(),
    ];
    for result in results {
        let run = &result.run;
        let mut row = vec![
            run.id.to_string(),
            run.system.name.clone(),
            run.configuration.name.clone(),
            run.seed.to_string(),
            run.repetition.to_string(),
            result.tool.clone(),
        ];
        let value = |name: &&String| result.measures.get(*name).map(ToString::to_string);
        row.extend(names.iter().map(|name| value(name).unwrap_or_default()));
        rows.push(row);
    }
    csv_text(&rows)
}

/// Every cell of the tables with all digits.
pub(super) fn cells_csv(comparison: &Comparison) -> String {
    let header = [
        "measure",
        "system",
        "configuration",
        "runs",
        "mean",
        "median",
        "lower_quartile",
        "upper_quartile",
        "least",
        "greatest",
    ];
    let mut rows = vec![header.iter().map(ToString::to_string).collect()];
    for cell in &comparison.cells {
        let spread = &cell.spread;
        let numbers = [
            spread.mean,
            spread.median,
            spread.lower_quartile,
            spread.upper_quartile,
            spread.least,
            spread.greatest,
        ];
        let mut row = vec![cell.measure.clone(), cell.system.clone(), cell.configuration.clone()];
        row.push(spread.count.to_string());
        row.extend(numbers.iter().map(ToString::to_string));
        rows.push(row);
    }
    csv_text(&rows)
}

/// Every comparison with the baseline with all digits.
pub(super) fn comparison_csv(comparison: &Comparison) -> String {
    let header = [
        "measure",
        "system",
        "configuration",
        "baseline",
        "u",
        "p",
        "p_holm",
        "a12",
        "a12_low",
        "a12_high",
        "effect",
    ];
    let mut rows = vec![header.iter().map(ToString::to_string).collect()];
    for pair in &comparison.pairs {
        let numbers =
            [pair.u, pair.p, pair.p_holm, pair.a12, pair.interval.low, pair.interval.high];
        let mut row = vec![pair.measure.clone(), pair.system.clone(), pair.configuration.clone()];
        row.push(comparison.baseline.clone());
        row.extend(numbers.iter().map(ToString::to_string));
        row.push(pair.effect.to_string());
        rows.push(row);
    }
    csv_text(&rows)
}

/// The Friedman tests with all digits, one row for each configuration.
pub(super) fn ranking_csv(comparison: &Comparison) -> String {
    let header = ["measure", "chi_square", "p", "configuration", "mean_rank"];
    let mut rows = vec![header.iter().map(ToString::to_string).collect()];
    for ranking in &comparison.rankings {
        for (configuration, rank) in &ranking.ranks {
            rows.push(vec![
                ranking.measure.clone(),
                ranking.chi_square.to_string(),
                ranking.p.to_string(),
                configuration.clone(),
                rank.to_string(),
            ]);
        }
    }
    csv_text(&rows)
}

fn csv_text(rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("all rows have the width of the first");
    }
    let bytes = writer.into_inner().expect("writing to memory does not fail");
    String::from_utf8(bytes).expect("rows are texts")
}

/// One table for each measure, to be included in a paper; needs the package booktabs.
pub(super) fn latex(comparison: &Comparison) -> String {
    let mut text = String::new();
    for measure in &comparison.measures {
        text.push_str("\\begin{tabular}{llrrrrr}\n\\toprule\n");
        let _ = writeln!(
            text,
            "{} & Configuration & Mean & Median & $\\hat{{A}}_{{12}}$ & $p$ & $p$ (Holm) \\\\\n\\midrule",
            escaped(measure)
        );
        for cell in comparison.cells.iter().filter(|cell| cell.measure == *measure) {
            let same = |pair: &&Pair| {
                (&pair.measure, &pair.system, &pair.configuration)
                    == (&cell.measure, &cell.system, &cell.configuration)
            };
            let compared = comparison.pairs.iter().find(same).map_or_else(
                || "-- & -- & --".to_owned(),
                |pair| {
                    let a12 = format!("{:.2}", pair.a12);
                    let a12 = if pair.p_holm < LEVEL { format!("\\textbf{{{a12}}}") } else { a12 };
                    let p = (probability(pair.p), probability(pair.p_holm));
                    format!("{a12} & ${}$ & ${}$", p.0, p.1)
                },
            );
            let _ = writeln!(
                text,
                "{} & {} & {} & {} & {compared} \\\\",
                escaped(&cell.system),
                escaped(&cell.configuration),
                number(cell.spread.mean),
                number(cell.spread.median),
            );
        }
        text.push_str("\\bottomrule\n\\end{tabular}\n\n");
    }
    text
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "&%$#_{}".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// With one digit after the point, or none where there is none to show.
fn number(value: f64) -> String {
    if value == value.trunc() { format!("{value:.0}") } else { format!("{value:.1}") }
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
