//! How long the page of results takes until it can be used: a run on graphql-scs, whose tests are
//! repeated until there are 500, in Chromium without a screen and without a network.
//!
//! `cargo bench --bench page_load`; milliseconds from the start of the navigation, medians of seven.

#![allow(clippy::print_stdout, reason = "the bench prints its results")]

use std::path::Path;
use std::process::Command;

use benches::statistic::median;
use emb_fixtures::{Fixture, Options};
use wallace::{Settings, StopSignal};
use wallace_suite::{record::RunRecord, report::html};

const CALLS: u64 = 10_000;
const TESTS: usize = 500;
const ROUNDS: usize = 7;
/// Run inside of the page: the times go to its title, with that of a search over all tests.
const PROBE: &str = r#"<script>
addEventListener("load", () => setTimeout(() => {
  const page = performance.getEntriesByType("navigation")[0];
  const begin = performance.now();
  const search = document.getElementById("search");
  search.value = "no test has this"; search.dispatchEvent(new Event("input"));
  document.body.getBoundingClientRect();
  const searched = performance.now() - begin;
  document.title = ["said", page.domContentLoadedEventEnd, page.loadEventEnd, searched].join(" ");
}, 0));
</script>"#;

fn main() {
    if Command::new("chromium").arg("--version").output().is_err() {
        return println!("not run: chromium is missing");
    }
    let folder = tempfile::tempdir().expect("there is room");
    let mut record = record(folder.path());
    let (tests, calls) = (record.suite.tests.clone(), record.calls.clone());
    let missing = TESTS.saturating_sub(tests.len());
    record.suite.tests.extend(tests.into_iter().cycle().take(missing));
    record.calls.extend(calls.into_iter().cycle().take(missing));
    let page = html(&record);
    let path = folder.path().join("probe.html");
    let probed = page.replace("</body>", &format!("{PROBE}</body>"));
    std::fs::write(&path, probed).expect("there is room");
    let rounds: Vec<[f64; 3]> = (0..ROUNDS).map(|_| times(&path)).collect();
    let of = |place: usize| median(&rounds.iter().map(|it| it[place]).collect::<Vec<_>>());
    println!(
        "{} tests, {:.2} MB: read after {:.0} ms, loaded after {:.0} ms; a search in {:.1} ms",
        record.suite.tests.len(),
        page.len() as f64 / 1e6,
        of(0),
        of(1),
        of(2)
    );
}

fn record(folder: &Path) -> RunRecord {
    let fixture = Fixture::find("graphql-scs").expect("it is a fixture");
    let running = fixture.start(Options::default()).expect("it starts");
    let driver = running.driver_url.as_deref().expect("it has a driver");
    let mut settings = Settings::new(driver, folder.join("out"));
    settings.calls = Some(CALLS);
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("the run succeeds");
    let text = std::fs::read_to_string(folder.join("out/run.json")).expect("it was written");
    RunRecord::from_json(&text).expect("it was written by this version")
}

/// Milliseconds until the document was read, until it was loaded, and of a search in it.
fn times(page: &Path) -> [f64; 3] {
    let profile = tempfile::tempdir().expect("there is room");
    let output = Command::new("chromium")
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", "--timeout=20000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("chromium starts");
    let document = String::from_utf8_lossy(&output.stdout);
    let said = document.split("<title>said ").nth(1).and_then(|rest| rest.split('<').next());
    let said = said.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let mut numbers = said.split(' ').map(|number| number.parse().expect("it is a number"));
    std::array::from_fn(|_| numbers.next().expect("there are three"))
}
