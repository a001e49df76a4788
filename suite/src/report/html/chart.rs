//! How coverage grew, as a drawing.

use super::Page;
use crate::record::TimePoint;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// What a curve shows of a moment.
type Value = fn(&TimePoint) -> usize;

pub(super) fn section(page: &mut Page<'_>) {
    let record = page.record;
    page.push("<section id=\"growth\"><h2>Coverage over time</h2>\n");
    let last = record.timeline.last().copied().unwrap_or_default();
    if record.timeline.len() < 2 || last.calls == 0 {
        page.push("<p>The run was too short for a curve.</p>\n</section>\n");
        return;
    }
    page.write(format_args!(
        "<figure><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Covered targets over calls: {} after {} calls\">\n",
        last.covered, last.calls
    ));
    axes(page, last);
    let curves: [(&str, Value); 3] = [
        ("targets", |point| point.covered),
        ("lines", |point| point.lines),
        ("branches", |point| point.branches),
    ];
    let mut legend = String::new();
    for (name, value) in curves {
        if value(&last) > 0 {
            curve(page, name, value, last);
            legend += &format!("<span class=\"key {name}\">{name} {}</span> ", value(&last));
        }
    }
    faults(page, last);
    if last.faults > 0 {
        legend += &format!("<span class=\"key first\">faults {}</span>", last.faults);
    }
    page.write(format_args!("</svg>\n<figcaption>{legend}</figcaption></figure>\n</section>\n"));
}

fn x(calls: u64, last: TimePoint) -> f64 {
    LEFT + (WIDTH - LEFT - RIGHT) * calls as f64 / last.calls.max(1) as f64
}

fn y(value: usize, last: TimePoint) -> f64 {
    HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value as f64 / last.covered.max(1) as f64
}

fn axes(page: &mut Page<'_>, last: TimePoint) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for part in 0..=4_u64 {
        let value = last.covered * part as usize / 4;
        let height = y(value, last);
        page.write(format_args!(
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{height:.1}\" y2=\"{height:.1}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>\n",
            LEFT - 6.0,
            height + 4.0
        ));
        let calls = last.calls * part / 4;
        let place = x(calls, last);
        let anchor = if part == 4 { "end" } else { "middle" };
        page.write(format_args!(
            "<text x=\"{place:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{calls}</text>\n",
            bottom + 16.0
        ));
    }
    page.write(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">calls</text>\n",
        f64::midpoint(LEFT, right),
        HEIGHT - 4.0
    ));
}

/// A curve of steps: nothing was covered between two points.
fn curve(page: &mut Page<'_>, name: &str, value: Value, last: TimePoint) {
    let mut path = format!("M{:.1} {:.1}", x(0, last), y(0, last));
    for point in &page.record.timeline {
        path += &format!("H{:.1}V{:.1}", x(point.calls, last), y(value(point), last));
    }
    page.write(format_args!("<path class=\"curve {name}\" d=\"{path}\"/>\n"));
}

/// A mark on the axis wherever faults were found.
fn faults(page: &mut Page<'_>, last: TimePoint) {
    let mut before = 0;
    for point in &page.record.timeline {
        if point.faults > before {
            let (place, bottom) = (x(point.calls, last), HEIGHT - BOTTOM);
            page.write(format_args!(
                "<circle class=\"first\" cx=\"{place:.1}\" cy=\"{bottom:.1}\" r=\"4\"><title>fault \
                 {} after {} calls</title></circle>\n",
                point.faults, point.calls
            ));
            before = point.faults;
        }
    }
}
