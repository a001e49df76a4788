//! Wall time of a white-box run on one worker against a bare client that does the same exchanges.
//!
//! The service runs in a process of its own. A first run goes through recording proxies; then runs
//! and replays of its requests alternate, and the ratio of each pair is taken.
//!
//! Run: `cargo bench -p benches --bench white_box`

#![allow(clippy::print_stdout, missing_docs)]

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use benches::proxy::Proxy;
use benches::replay::{Prepared, Recorded, prepare, replay};
use benches::service::{self, Service};
use wallace::{Settings, StopSignal};

const CALLS: u64 = 5_000;
const PAIRS: usize = 7;

fn main() {
    service::serve_if_asked();
    println!("fixture      ratio  [all pairs]                            calls/s");
    for name in ["graphql-scs", "graphql-ncs"] {
        compare(name);
    }
}

fn run(driver: u16) -> Duration {
    let folder = std::env::temp_dir().join(format!("wallace-bench-{}", std::process::id()));
    let mut settings = Settings::new(format!("localhost:{driver}"), &folder);
    settings.calls = Some(CALLS);
    settings.force = true;
    settings.search.minimise_share = 0.0;
    settings.result.sharpen_share = 0.0;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("it runs");
    let _ = std::fs::remove_dir_all(folder);
    summary.elapsed
}

fn compare(name: &str) {
    let service = Service::start(name);
    let recording: Arc<Mutex<Vec<Recorded>>> = Arc::default();
    let note = |peer| {
        let recording = Arc::clone(&recording);
        move |request: &[u8]| {
            recording.lock().expect("no holder panics").push((peer, request.to_vec()));
        }
    };
    let sut = Proxy::start(service.sut, None, note(service.sut));
    let shown = Some((service.sut.port(), sut.port));
    run(Proxy::start(service.driver, shown, note(service.driver)).port);
    // The search proper begins after the announcement of a new search.
    let requests: Vec<Prepared> = {
        let recording = recording.lock().expect("no holder panics");
        let is_begin = |bytes: &[u8]| bytes.starts_with(b"POST /controller/api/newSearch");
        let begin = recording.iter().rposition(|(_, bytes)| is_begin(bytes)).expect("it began");
        let is_end = |bytes: &[u8]| bytes.starts_with(b"GET /controller/api/infoSUT");
        let end = recording.iter().rposition(|(_, bytes)| is_end(bytes)).expect("it ended");
        prepare(&recording[begin + 1..end])
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime can be made");
    let mut ratios = Vec::new();
    let mut rate = 0.0;
    for _ in 0..PAIRS {
        let ours = run(service.driver.port());
        let begin = Instant::now();
        runtime.block_on(replay(&requests));
        let bare = begin.elapsed();
        ratios.push(ours.as_secs_f64() / bare.as_secs_f64());
        rate = CALLS as f64 / ours.as_secs_f64();
    }
    let all: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.2}")).collect();
    ratios.sort_by(f64::total_cmp);
    println!("{name:12} {:.2}   [{}]   {rate:.0}", ratios[PAIRS / 2], all.join(" "));
}
