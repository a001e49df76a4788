//! Figures: coverage over the budget with bands, and box plots.

use std::collections::BTreeMap;
use std::path::Path;

use plotters::prelude::*;

use crate::definition::Definition;
use crate::error::CampaignError;
use crate::plan::{RunResult, store_text};
use crate::statistic::{Spread, quantile};

const SIZE: (u32, u32) = (760, 460);

/// Colours that also those tell apart who see few (Okabe and Ito 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// A band: position, lower quartile, median, upper quartile.
type Band = Vec<(f64, [f64; 3])>;

/// Draws all figures into `out` and gives their file names.
pub(super) fn draw(
    definition: &Definition,
    results: &[RunResult],
    out: &Path,
) -> Result<Vec<String>, CampaignError> {
    let mut files = Vec::new();
    for system in &definition.systems {
        let of_system: Vec<&RunResult> =
            results.iter().filter(|result| result.run.system.name == system.name).collect();
        for kind in ["targets", "branches"] {
            let bands = bands(definition, &of_system, kind);
            if bands.iter().any(|(_, band)| !band.is_empty()) {
                let name = format!("{}-{kind}-over-calls", system.name);
                let svg = coverage(&format!("{}: {kind} covered", system.name), &bands);
                files.extend(store(out, &name, svg)?);
            }
        }
        let spreads = spreads(definition, &of_system, "branches");
        if !spreads.is_empty() {
            let name = format!("{}-branches-box", system.name);
            let svg = boxes(&format!("{}: branches at the end", system.name), &spreads);
            files.extend(store(out, &name, svg)?);
        }
    }
    Ok(files)
}

/// The figure as SVG, and as PNG rendered from it where that feature is on.
fn store(
    out: &Path,
    name: &str,
    svg: Result<String, String>,
) -> Result<Vec<String>, CampaignError> {
    let failed = |reason: String| CampaignError::Figure { path: out.join(name), reason };
    let svg = svg.map_err(failed)?;
    let file = format!("{name}.svg");
    store_text(&out.join(&file), &svg)?;
    #[cfg(feature = "png")]
    {
        let png = super::png::png(&svg).map_err(failed)?;
        let picture = format!("{name}.png");
        crate::plan::store_bytes(&out.join(&picture), &png)?;
        Ok(vec![file, picture])
    }
    #[cfg(not(feature = "png"))]
    Ok(vec![file])
}

fn bands<'a>(
    definition: &'a Definition,
    results: &[&RunResult],
    kind: &str,
) -> Vec<(&'a str, Band)> {
    let band = |configuration: &'a crate::definition::Configuration| {
        let name = configuration.name.as_str();
        let mut values: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for result in results.iter().filter(|result| result.run.configuration.name == name) {
            for (calls, value) in result.curves.get(kind).into_iter().flatten() {
                values.entry(*calls).or_default().push(*value);
            }
        }
        let band = values.into_iter().filter_map(|(calls, mut values)| {
            values.sort_by(f64::total_cmp);
            let at = |share| quantile(&values, share);
            Some((calls as f64, [at(0.25)?, at(0.5)?, at(0.75)?]))
        });
        (name, band.collect())
    };
    definition.configurations.iter().map(band).collect()
}

fn spreads<'a>(
    definition: &'a Definition,
    results: &[&RunResult],
    measure: &str,
) -> Vec<(&'a str, Spread)> {
    let spread = |configuration: &'a crate::definition::Configuration| {
        let name = configuration.name.as_str();
        let of = results.iter().filter(|result| result.run.configuration.name == name);
        let values: Vec<f64> =
            of.filter_map(|result| result.measures.get(measure)).copied().collect();
        Some((name, Spread::of(&values)?))
    };
    definition.configurations.iter().filter_map(spread).collect()
}

fn coverage(title: &str, bands: &[(&str, Band)]) -> Result<String, String> {
    let points = || bands.iter().flat_map(|(_, band)| band);
    let end = points().map(|point| point.0).fold(1.0, f64::max);
    let top = points().map(|point| point.1[2]).fold(1.0, f64::max);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let told = |error: DrawingAreaErrorKind<_>| error.to_string();
        area.fill(&WHITE).map_err(told)?;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..end, 0.0..top * 1.05)
            .map_err(told)?;
        chart
            .configure_mesh()
            .x_label_formatter(&|x| format!("{x:.0}"))
            .y_label_formatter(&|y| format!("{y:.0}"))
            .x_desc("calls")
            .y_desc("covered: median and quartiles")
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(told)?;
        for ((name, band), colour) in bands.iter().zip(COLOURS.iter().cycle()) {
            let upper = band.iter().map(|(x, y)| (*x, y[2]));
            let lower = band.iter().rev().map(|(x, y)| (*x, y[0]));
            let outline: Vec<(f64, f64)> = upper.chain(lower).collect();
            chart
                .draw_series(std::iter::once(Polygon::new(outline, colour.mix(0.2))))
                .map_err(told)?;
            let medians = band.iter().map(|(x, y)| (*x, y[1]));
            chart
                .draw_series(LineSeries::new(medians, colour.stroke_width(2)))
                .map_err(told)?
                .label(*name)
                .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()
            .map_err(told)?;
        area.present().map_err(told)?;
    }
    Ok(svg)
}

fn boxes(title: &str, spreads: &[(&str, Spread)]) -> Result<String, String> {
    let low = spreads.iter().map(|(_, spread)| spread.least).fold(f64::INFINITY, f64::min);
    let high = spreads.iter().map(|(_, spread)| spread.greatest).fold(low, f64::max);
    let margin = ((high - low) * 0.1).max(1.0);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let told = |error: DrawingAreaErrorKind<_>| error.to_string();
        area.fill(&WHITE).map_err(told)?;
        let count = spreads.len() as f64;
        let mut chart = ChartBuilder::on(&area)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .margin_right(28)
            .x_label_area_size(36)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..count, low - margin..high + margin)
            .map_err(told)?;
        let name = |x: &f64| {
            let is_middle = (x.fract() - 0.5).abs() < 1e-6;
            spreads.get(*x as usize).filter(|_| is_middle).map_or(String::new(), |s| s.0.to_owned())
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .x_labels(spreads.len() * 2 + 1)
            .x_label_formatter(&name)
            .draw()
            .map_err(told)?;
        for ((index, (_, spread)), colour) in spreads.iter().enumerate().zip(COLOURS.iter().cycle())
        {
            let middle = index as f64 + 0.5;
            let (left, right) = (middle - 0.2, middle + 0.2);
            let corners = [(left, spread.lower_quartile), (right, spread.upper_quartile)];
            chart
                .draw_series([
                    Rectangle::new(corners, colour.mix(0.3).filled()),
                    Rectangle::new(corners, colour.stroke_width(1)),
                ])
                .map_err(told)?;
            let lines = [
                [(left, spread.median), (right, spread.median)],
                [(middle, spread.least), (middle, spread.lower_quartile)],
                [(middle, spread.upper_quartile), (middle, spread.greatest)],
            ];
            chart
                .draw_series(lines.map(|line| PathElement::new(line, colour.stroke_width(2))))
                .map_err(told)?;
        }
        area.present().map_err(told)?;
    }
    Ok(svg)
}
