//! Figures: the covered share over the calls, with bands, as PNG.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use crate::landscape::Run;

/// Places of a curve that are drawn.
const PLACES: usize = 100;

/// The covered share at `PLACES` places of the budget: quartiles over the runs.
fn quartiles(runs: &[Run], calls: u64) -> Vec<(f64, [f64; 3])> {
    let place = |index: usize| {
        let at = calls * index as u64 / PLACES as u64;
        let mut shares: Vec<f64> = runs
            .iter()
            .map(|run| {
                let passed = run.curve.iter().take_while(|(calls, _)| *calls <= at);
                passed.last().map_or(0.0, |(_, share)| *share)
            })
            .collect();
        shares.sort_by(f64::total_cmp);
        let quartile = |quarter: usize| shares[(shares.len() - 1) * quarter / 4];
        (at as f64, [quartile(1), quartile(2), quartile(3)])
    };
    (0..=PLACES).map(place).collect()
}

/// Draws the median of each group of runs over `calls`, in a band from the first to the third
/// quartile.
///
/// # Errors
/// When the file cannot be written.
pub fn draw(
    path: &Path,
    title: &str,
    calls: u64,
    groups: &[(&str, &[Run])],
) -> Result<(), Box<dyn Error>> {
    let mut svg = String::new();
    draw_svg(&mut svg, title, calls, groups)?;
    Ok(std::fs::write(path, wallace_campaign::png(&svg)?)?)
}

fn draw_svg(
    svg: &mut String,
    title: &str,
    calls: u64,
    groups: &[(&str, &[Run])],
) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::with_string(svg, (720, 440)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut builder = ChartBuilder::on(&root);
    builder.margin(12);
    builder.caption(title, ("sans-serif", 18)).x_label_area_size(32).y_label_area_size(44);
    let mut chart = builder.build_cartesian_2d(0.0..calls as f64, 0.0..1.02)?;
    chart.configure_mesh().x_desc("calls").y_desc("covered share").draw()?;
    for (index, (name, runs)) in groups.iter().enumerate() {
        let colour = Palette99::pick(index).to_rgba();
        let places = quartiles(runs, calls);
        let lower = places.iter().rev().map(|(x, shares)| (*x, shares[0]));
        let band: Vec<(f64, f64)> =
            places.iter().map(|(x, shares)| (*x, shares[2])).chain(lower).collect();
        chart.draw_series([Polygon::new(band, colour.mix(0.2))])?;
        let median = places.iter().map(|(x, shares)| (*x, shares[1]));
        let line = chart.draw_series(LineSeries::new(median, colour.stroke_width(2)))?;
        line.label(*name).legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour));
    }
    let frame = BLACK.mix(0.3);
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(frame).draw()?;
    Ok(root.present().map_err(|error| error.to_string())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_a_file_of_its_own() {
        let run = |end| Run { covered: end, area: end, curve: vec![(10, end / 2.0), (50, end)] };
        let (one, other) = ([run(0.4), run(0.6)], [run(0.9)]);
        assert_eq!(quartiles(&one, 100)[60].1, [0.4, 0.4, 0.4]);
        assert_eq!(quartiles(&other, 100)[20].1[1], 0.45);
        let path = std::env::temp_dir().join(format!("figure-{}.png", std::process::id()));
        draw(&path, "two groups", 100, &[("one", &one), ("other", &other)]).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let _ = std::fs::remove_file(path);
        assert!(bytes.starts_with(b"\x89PNG"));
    }
}
