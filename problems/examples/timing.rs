//! Temporary.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]
use std::sync::Arc;
use std::time::Instant;
use wallace_problems::graphql::{Schema, Templates};
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut best = (f64::MAX, f64::MAX);
        let mut first = 0.0;
        for round in 0..20 {
            let start = Instant::now();
            let schema = Schema::from_text(&text).unwrap();
            let load = start.elapsed().as_secs_f64() * 1e3;
            let templates = Templates::new(Arc::new(schema)).unwrap();
            let all = start.elapsed().as_secs_f64() * 1e3;
            if round == 0 {
                first = all;
            }
            best = (best.0.min(load), best.1.min(all));
            std::hint::black_box(templates.operations().len());
        }
        println!(
            "{path}: first {first:.1} ms; best load {:.1} ms, with templates {:.1} ms",
            best.0, best.1
        );
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    println!("{}", status.lines().find(|l| l.starts_with("VmHWM")).unwrap());
}
