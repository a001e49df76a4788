//! Drawing the coverage study.

use plotters::prelude::*;

use crate::study::{CoverageCell, published};

/// Width and height of the drawing, in points.
const SIZE: (u32, u32) = (900, 600);
/// Of *m* = 1, 2, 3, 4, then again.
const COLOURS: [RGBColor; 4] =
    [RGBColor(25, 118, 210), RGBColor(239, 108, 0), RGBColor(56, 142, 60), RGBColor(156, 39, 176)];

/// Mean coverage against the number of queries, one line for each *m*, as SVG; with
/// `shows_published`, crosses where the paper's numbers lie.
///
/// # Errors
/// The message of the drawing library.
pub fn plot(cells: &[CoverageCell], shows_published: bool) -> Result<String, String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        draw(&area, cells, shows_published).map_err(|error| error.to_string())?;
        area.present().map_err(|error| error.to_string())?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Outcome = Result<(), Box<dyn std::error::Error>>;

fn draw(area: &Area<'_>, cells: &[CoverageCell], shows_published: bool) -> Outcome {
    area.fill(&WHITE)?;
    let queries = cells.iter().map(|cell| cell.queries as f64);
    let (least, most) =
        queries.fold((f64::MAX, 1.0_f64), |(low, high), it| (low.min(it), high.max(it)));
    let mut chart = ChartBuilder::on(area)
        .caption("Schema coverage of random queries", ("sans-serif", 22))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d((least..most * 1.2).log_scale(), 0.0..105.0)?;
    chart.configure_mesh().x_desc("queries").y_desc("covered tuples in %").draw()?;
    for max_fields in 1..=cells.iter().map(|cell| cell.max_fields).max().unwrap_or(0) {
        let colour = COLOURS[(max_fields - 1) % COLOURS.len()];
        let of_line = cells.iter().filter(|cell| cell.max_fields == max_fields);
        let points: Vec<_> = of_line.map(|cell| (cell.queries as f64, cell.average)).collect();
        let line = LineSeries::new(points.clone(), colour.stroke_width(2)).point_size(3);
        chart
            .draw_series(line)?
            .label(format!("m = {max_fields}"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
        if shows_published && max_fields <= 4 {
            let rows = published::QUERIES.iter().zip(published::TABLE_I);
            let crosses = rows.map(|(queries, row)| {
                let place = (*queries as f64, row[max_fields - 1].0);
                Cross::new(place, 6, colour.stroke_width(1))
            });
            chart.draw_series(crosses)?;
        }
    }
    chart.configure_series_labels().border_style(BLACK).background_style(WHITE).draw()?;
    Ok(())
}
