//! Calls per second of a search on several instances of a service, beside one on a single instance.
//!
//! Every driver and every service is behind a proxy that makes each exchange take longer: as long as one
//! with a driver on the JVM, or as one over a network. Runs on one instance and on several alternate, with
//! the same seed and lineages; that their tests are the same is checked too.
//!
//! Run: `cargo bench -p benches --bench instances [-- --pairs 5 --calls 1000]`.

#![allow(clippy::print_stdout, missing_docs)]

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use benches::argument;
use benches::proxy::Proxy;
use emb_fixtures::{Fixture, Options};
use wallace::{Fuzz, Summary};

/// An exchange with a driver, and a call, in milliseconds: at most 64 calls a second on one instance, as
/// graphql-scs behind its own driver on the JVM; and with what a network adds between two data centres.
const SLOW: [(&str, usize, u64, u64); 2] = [("JVM", 2, 6, 3), ("network", 8, 20, 20)];

fn main() {
    let (pairs, calls) = (argument::number("--pairs", 5), argument::number("--calls", 1_000));
    for name in ["graphql-scs", "rest-ncs"] {
        for (kind, count, exchange, call) in SLOW {
            let places = start(name, count, [exchange, call].map(Duration::from_millis));
            let lineages = 2 * count as u32;
            let mut rates: Vec<[f64; 2]> = Vec::new();
            for seed in 0..pairs {
                let (one, whole_one) = run(&places[..1], seed, calls, lineages);
                let (all, whole_all) = run(&places, seed, calls, lineages);
                assert_eq!(one.covered, all.covered, "the tests are the same");
                assert_eq!(one.calls, all.calls, "the tests are the same");
                let search = all.calls_per_second / one.calls_per_second;
                rates.push([search, whole_one.as_secs_f64() / whole_all.as_secs_f64()]);
                println!(
                    "{name}, {kind}, seed {seed}: {:.0} and {:.0} calls/s",
                    one.calls_per_second, all.calls_per_second
                );
            }
            let median = |place: usize| {
                let mut values: Vec<f64> = rates.iter().map(|it| it[place]).collect();
                values.sort_by(f64::total_cmp);
                values[values.len() / 2]
            };
            println!(
                "{name}, {kind}: {count} instances make {:.2} times the calls per second of one, and the \
                 whole run {:.2} times as fast",
                median(0),
                median(1)
            );
        }
    }
}

/// The addresses of so many drivers, each and its service as slow as that.
fn start(name: &str, count: usize, [exchange, call]: [Duration; 2]) -> Vec<String> {
    let fixture = Fixture::find(name).expect("the fixture exists");
    let slow = |upstream: SocketAddr, replaced, pause: Duration| {
        Proxy::start(upstream, replaced, move |_| std::thread::sleep(pause)).port
    };
    let place = |url: &str| -> SocketAddr {
        url.trim_start_matches("http://").parse().expect("fixtures are on loopback")
    };
    let one = |_| {
        let running = fixture.start(Options::default()).expect("there are free ports");
        let service = place(&running.base_url);
        let shown = slow(service, None, call);
        let driver = place(running.driver_url.as_deref().expect("it has a driver"));
        // They serve until the bench ends.
        std::mem::forget(running);
        format!("127.0.0.1:{}", slow(driver, Some((service.port(), shown)), exchange))
    };
    (0..count).map(one).collect()
}

fn run(places: &[String], seed: u64, calls: u64, lineages: u32) -> (Summary, Duration) {
    let folder = std::env::temp_dir().join(format!("wallace-instances-{}", std::process::id()));
    let begin = Instant::now();
    let summary = Fuzz::driver(&places[0])
        .instances(&places[1..])
        .calls(calls)
        .seed(seed)
        .search_settings(|search| search.lineages = lineages)
        .settings(|settings| settings.force = true)
        .out(folder.join("out"))
        .run()
        .expect("the drivers answer");
    let elapsed = begin.elapsed();
    let _ = std::fs::remove_dir_all(folder);
    (summary, elapsed)
}
