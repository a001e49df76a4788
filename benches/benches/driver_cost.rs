//! What driving costs: one exchange, the client's share of a run against a slow driver and what
//! attribution on demand brings there, runs without sockets, and the memory of a long run.
//!
//! Services run in processes of their own, but where the service is called in this one.
//!
//! Run: `cargo bench -p benches --bench driver_cost [-- exchange | slow | in-process | memory …]`

#![allow(clippy::print_stdout, missing_docs)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use benches::proxy::Proxy;
use benches::service::{self, Service};
use benches::statistic::median;
use benches::usage::resident;
use emb_fixtures::{Fixture, Switches};
use wallace::{Settings, StopSignal, Summary, settings::SearchSettings};
use wallace_engine::Attribution;
use wallace_sut_driver::{BlockingRuntime, DriverClient};

const PAIRS: usize = 7;

fn main() {
    service::serve_if_asked();
    let given: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let parts: [(&str, fn()); 4] = [
        ("exchange", print_exchange),
        ("slow", print_slow),
        ("in-process", print_in_process),
        ("memory", print_memory),
    ];
    for (name, print) in parts {
        if given.is_empty() || given.iter().any(|one| one == name) {
            print();
        }
    }
}

/// An announcement of an action through the client, against its bytes sent and the bytes of the
/// answer awaited on a bare socket whose peer knows nothing but their number.
fn print_exchange() {
    const EXCHANGES: u32 = 5_000;
    const ACTIONS: u32 = 20;
    let service = Service::start("graphql-scs");
    let runtime = BlockingRuntime::new().expect("a runtime can be made");
    let address = format!("localhost:{}", service.driver.port());
    let mut client = DriverClient::connect(&address, &runtime).expect("the driver answers");
    client.start_sut().expect("the service starts");
    client.new_search().expect("the search begins");
    let announced = announcement(service.driver);
    let raw = Service::start_raw(announced.0.len(), announced.1);
    let mut pairs = Vec::new();
    for _ in 0..PAIRS {
        let mut ours = Duration::ZERO;
        for _ in 0..EXCHANGES / ACTIONS {
            client.reset().expect("the driver answers");
            let begin = Instant::now();
            for index in 0..ACTIONS {
                let announced = client.begin_action(index as usize, "Query.calc", &[]);
                announced.expect("the driver answers");
            }
            ours += begin.elapsed();
        }
        let ours = ours.as_secs_f64() / f64::from(EXCHANGES);
        pairs.push((ours * 1e6, exchanges(raw.driver, &announced, EXCHANGES)));
    }
    let ours = median(&pairs.iter().map(|pair| pair.0).collect::<Vec<_>>());
    let bare = median(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>());
    let ratio = median(&pairs.iter().map(|(ours, bare)| ours / bare).collect::<Vec<_>>());
    println!(
        "one exchange with the driver: {ours:.1} us; {} bytes there and {} back on a bare socket: \
         {bare:.1} us; median of the ratios {ratio:.2} (at most 2)",
        announced.0.len(),
        announced.1
    );
}

/// The bytes of an announcement, and how many come back.
fn announcement(driver: SocketAddr) -> (Vec<u8>, usize) {
    let body = r#"{"index":0,"name":"Query.calc","inputVariables":[]}"#;
    let request = format!(
        "PUT /controller/api/newAction HTTP/1.1\r\nhost: localhost\r\nconnection: keep-alive\r\n\
         content-type: application/json\r\naccept: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut stream = TcpStream::connect(driver).expect("the driver listens");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut buffer = [0; 4_096];
    let answered = stream.read(&mut buffer).expect("it answers");
    assert!(buffer.starts_with(b"HTTP/1.1 204"), "the action was taken");
    (request.into_bytes(), answered)
}

/// Microseconds of one exchange on a bare socket.
fn exchanges(peer: SocketAddr, announced: &(Vec<u8>, usize), count: u32) -> f64 {
    let mut stream = TcpStream::connect(peer).expect("the peer listens");
    stream.set_nodelay(true).expect("the option is known");
    let mut answer = vec![0; announced.1];
    let begin = Instant::now();
    for _ in 0..count {
        stream.write_all(&announced.0).expect("the peer reads");
        stream.read_exact(&mut answer).expect("the peer answers");
    }
    begin.elapsed().as_secs_f64() / f64::from(count) * 1e6
}

/// What a JVM driver takes to answer a request, besides what ours takes: the medians of the direct
/// connection in docs/reference/heuristics.md#latency.
fn pause(request: &[u8]) {
    let begins = |line: &[u8]| request.starts_with(line);
    let microseconds = if begins(b"PUT /controller/api/runSUT") {
        3_500
    } else if begins(b"PUT /controller/api/newAction") {
        let is_first = request.windows(10).any(|window| window == b"\"index\":0,");
        if is_first { 2_600 } else { 6_900 }
    } else if begins(b"GET /controller/api/testResults") {
        14_200
    } else {
        0
    };
    std::thread::sleep(Duration::from_micros(microseconds));
}

fn print_slow() {
    println!("\nagainst a driver that takes as long as one in a JVM");
    let service = Service::start("graphql-scs");
    let (driver, sut) = slow(&service);
    let hop = hop(&service);
    let busy = || driver.busy() + sut.busy();
    let exchanges = || driver.exchanges() + sut.exchanges();
    let (before, answered) = (busy(), exchanges());
    let begin = Instant::now();
    let summary = run(driver.port, |settings| settings.calls = Some(1_000));
    let (wall, waited) = (begin.elapsed(), busy() - before);
    let hops = (exchanges() - answered) as f64 * hop;
    let own = wall.as_secs_f64() - waited.as_secs_f64();
    let share = |seconds: f64| 100.0 * seconds / wall.as_secs_f64();
    println!(
        "share of the client in {:.1} s of wall time for {} calls: {:.2} % (under 2), start and \
         writing counted in; besides {:.2} % for the ways to the proxies, {:.0} us an exchange",
        wall.as_secs_f64(),
        summary.calls,
        share(own - hops),
        share(hops),
        hop * 1e6,
    );
    println!(
        "\nfixture            attribution  calls in 30 s  branches  targets; medians of 3 seeds"
    );
    for name in ["features-service", "petclinic", "graphql-scs"] {
        for attribution in [Attribution::Always, Attribution::OnDemand] {
            print_attribution(name, attribution);
        }
    }
}

/// Seconds that a bare socket waits for an answer of a slow driver longer than the proxy in between
/// does.
fn hop(service: &Service) -> f64 {
    const EXCHANGES: u32 = 500;
    let announced = announcement(service.driver);
    let driver = Proxy::start(service.driver, None, pause);
    let seconds = exchanges(SocketAddr::from(([127, 0, 0, 1], driver.port)), &announced, EXCHANGES);
    seconds / 1e6 - driver.busy().as_secs_f64() / f64::from(EXCHANGES)
}

fn print_attribution(name: &str, attribution: Attribution) {
    let service = Service::start(name);
    let (driver, _sut) = slow(&service);
    let runs: Vec<Summary> = (0..3)
        .map(|seed| {
            run(driver.port, |settings| {
                settings.calls = None;
                settings.time = Some(Duration::from_secs(30));
                settings.search.seed = seed;
                settings.search.attribution = attribution;
            })
        })
        .collect();
    let of = |value: fn(&Summary) -> f64| median(&runs.iter().map(value).collect::<Vec<_>>());
    println!(
        "{name:18} {:11}  {:13}  {:8}  {:7}",
        if attribution == Attribution::Always { "always" } else { "on demand" },
        of(|run| run.calls as f64),
        of(|run| run.branches.covered as f64),
        of(|run| run.covered as f64),
    );
}

/// Proxies that make the driver slow; of its answers the one that tells the port of the service
/// tells that of the other proxy.
fn slow(service: &Service) -> (Proxy, Proxy) {
    let sut = Proxy::start(service.sut, None, |_| {});
    let shown = Some((service.sut.port(), sut.port));
    (Proxy::start(service.driver, shown, pause), sut)
}

fn run(driver: u16, change: impl FnOnce(&mut Settings)) -> Summary {
    let folder = tempfile::tempdir().expect("there is room");
    let mut settings = Settings::new(format!("localhost:{driver}"), folder.path().join("out"));
    settings.search.minimise_share = 0.0;
    settings.search.repeats = 0;
    change(&mut settings);
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("the run succeeds")
}

fn print_in_process() {
    const CALLS: u64 = 5_000;
    println!(
        "\nfixture       calls/s in this process, over sockets; median of the ratios (at least 3)"
    );
    for name in ["graphql-scs", "graphql-ncs"] {
        let fixture = Fixture::find(name).expect("the fixture exists");
        let service = Service::start(name);
        let mut pairs = Vec::new();
        for seed in 0..PAIRS as u64 {
            let search = SearchSettings {
                seed,
                minimise_share: 0.0,
                repeats: 0,
                ..SearchSettings::default()
            };
            let test = wallace::test(fixture.router(Switches::default())).calls(CALLS);
            let test = fixture.unit_prefixes().iter().fold(test, |test, it| test.unit_prefix(it));
            let begin = Instant::now();
            test.search(search).run().expect("the test runs");
            let inside = CALLS as f64 / begin.elapsed().as_secs_f64();
            let over = run(service.driver.port(), |settings| {
                settings.calls = Some(CALLS);
                settings.search.seed = seed;
            });
            pairs.push((inside, over.calls_per_second));
        }
        let of =
            |value: fn(&(f64, f64)) -> f64| median(&pairs.iter().map(value).collect::<Vec<_>>());
        let (inside, over) = (of(|pair| pair.0), of(|pair| pair.1));
        println!("{name:12}  {inside:.0}, {over:.0}; {:.1}", of(|pair| pair.0 / pair.1));
    }
}

fn print_memory() {
    let service = Service::start("graphql-scs");
    let folder = tempfile::tempdir().expect("there is room");
    let address = format!("localhost:{}", service.driver.port());
    let mut settings = Settings::new(address, folder.path().join("out"));
    settings.calls = Some(100_000);
    let mut marks = vec![(0, resident())];
    let mut observe = |progress: &wallace::Progress| {
        let due = marks.len() as u64 * 10_000;
        if progress.calls >= due {
            marks.push((progress.calls, resident()));
        }
    };
    wallace::run(&settings, &StopSignal::default(), &mut observe).expect("the run succeeds");
    marks.push((100_001, resident()));
    println!(
        "\nmemory of a run of 100,000 calls on graphql-scs, MB (at most 150, flat from 50,000)"
    );
    for (calls, megabytes) in marks {
        println!("{calls:7}  {megabytes:.0}");
    }
}
