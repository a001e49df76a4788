//! How fast descriptions are read, and calls sampled and rendered.
//!
//! `cargo bench --bench rest_rates [-- --only PART_OF_NAME]`; times are of this thread's CPU, medians
//! of seven rounds. The descriptions are those of `../shared/data/openapi`.

#![allow(clippy::print_stdout, reason = "the bench prints its results")]

use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use benches::argument;
use benches::statistic::median;
use wallace_genes::{Draw, GeneSettings, Knowledge};
use wallace_problems::rest::{Description, Location, Pool, ReadSettings, RestAction, Templates};

const ROUNDS: usize = 7;
/// Calls of one round.
const CALLS: u64 = 20_000;

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/openapi");
    let mut descriptions: Vec<(String, String)> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| text(&entry.path()))
        .collect();
    // The largest first.
    descriptions.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    if descriptions.is_empty() {
        println!("not run: there are no descriptions in {}", folder.display());
        return;
    }
    let only = argument::text("--only");
    let is_wanted = |name: &str| only.as_deref().is_none_or(|only| name.contains(only));
    for (name, text) in descriptions.iter().filter(|(name, _)| is_wanted(name)) {
        measure(name, text);
    }
}

/// Name and text of a description; `None` for files that are none.
fn text(file: &PathBuf) -> Option<(String, String)> {
    let name = file.file_name()?.to_str()?.to_owned();
    let is_known = [".json", ".yaml", ".yml", ".gz"].iter().any(|ending| name.ends_with(ending));
    let mut text = String::new();
    let opened = File::open(file).ok().filter(|_| is_known)?;
    if name.ends_with(".gz") {
        flate2::read::GzDecoder::new(opened).read_to_string(&mut text).ok()?;
    } else {
        std::io::BufReader::new(opened).read_to_string(&mut text).ok()?;
    }
    Some((name, text))
}

fn read(text: &str) -> Option<Description> {
    let fetch = |_: &str| Err("nothing is fetched".to_owned());
    let location = Location::Url("http://localhost/openapi".to_owned());
    Description::from_text(text, location, &ReadSettings::default(), &fetch).ok()
}

/// Seconds of CPU that this thread used for `work`.
fn cpu<T>(work: impl FnOnce() -> T) -> f64 {
    let used = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        text.split(' ').next().and_then(|it| it.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
    };
    let before = used();
    black_box(work());
    used() - before
}

fn rounds(mut seconds: impl FnMut() -> f64) -> f64 {
    median(&(0..ROUNDS).map(|_| seconds()).collect::<Vec<f64>>())
}

fn measure(name: &str, text: &str) {
    let Some(description) = read(text) else {
        println!("{name}: no description");
        return;
    };
    let reading = rounds(|| cpu(|| read(text)));
    let description = Arc::new(description);
    let building = rounds(|| cpu(|| Templates::new(Arc::clone(&description)).map(|_| ())));
    let Ok(templates) = Templates::new(Arc::clone(&description)) else {
        println!("{name}: read in {:.1} ms, nothing to call", reading * 1e3);
        return;
    };
    let settings = Arc::new(GeneSettings::default());
    let callable: Vec<_> = templates
        .operations()
        .iter()
        .filter(|template| template.is_callable(&settings))
        .map(|template| template.id)
        .collect();
    let (knowledge, pool) = (Knowledge::default(), Pool::default());
    let mut bytes = 0;
    let seconds = rounds(|| {
        bytes = 0;
        cpu(|| {
            for number in 0..CALLS {
                let id = callable[number as usize % callable.len()];
                let mut draw = Draw::new(1, number, Arc::clone(&settings));
                let gene = templates.sample(id, &knowledge, &pool, &mut draw);
                let request = templates.request(&RestAction::new(id, gene), "");
                bytes += request.path.as_str().len() + request.body.len();
            }
        })
    });
    println!(
        "{name}: {:.0} kB, {} operations, read in {:.1} ms, templates in {:.1} ms; \
         {:.0} calls/s of {:.0} bytes",
        text.len() as f64 / 1e3,
        callable.len(),
        reading * 1e3,
        building * 1e3,
        CALLS as f64 / seconds,
        bytes as f64 / CALLS as f64
    );
}
