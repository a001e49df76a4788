//! Wall time of a white-box run on one worker against a bare client that does the same exchanges.
//!
//! The service runs in a process of its own. A first run goes through recording proxies; then runs
//! and replays of its requests alternate, and the ratio of each pair is taken.
//!
//! Run: `cargo bench -p benches --bench white_box`

#![allow(clippy::print_stdout, missing_docs)]

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use benches::proxy::{Recording, start};
use benches::replay::{Prepared, prepare, replay};
use emb_fixtures::{Fixture, Options};
use wallace::{Settings, StopSignal};

const CALLS: u64 = 5_000;
const PAIRS: usize = 7;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(place) = arguments.iter().position(|argument| argument == "--serve") {
        serve(&arguments[place + 1]);
    }
    println!("fixture      ratio  [all pairs]                            calls/s");
    for name in ["graphql-scs", "graphql-ncs"] {
        compare(name);
    }
}

/// Serves a fixture until standard input ends; tells its ports.
fn serve(name: &str) -> ! {
    let fixture = Fixture::find(name).expect("the fixture exists");
    let running = fixture.start(Options::default()).expect("there are free ports");
    println!(
        "{} {}",
        running.base_url,
        running.driver_url.as_deref().expect("a driver was asked for")
    );
    let _ = std::io::stdin().read_line(&mut String::new());
    std::process::exit(0);
}

struct Service {
    child: Child,
    sut: SocketAddr,
    driver: SocketAddr,
}

impl Service {
    fn start(name: &str) -> Self {
        let own = std::env::current_exe().expect("the bench has a path");
        let mut command = Command::new(own);
        command.args(["--serve", name]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the bench can start itself");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("the service tells its ports");
        let address = |url: &str| {
            let port = url.trim_end_matches('/').rsplit(':').next().expect("a port");
            let digits: String = port.chars().take_while(char::is_ascii_digit).collect();
            SocketAddr::from((Ipv4Addr::LOCALHOST, digits.parse().expect("a port")))
        };
        let (sut, driver) = line.trim().split_once(' ').expect("two addresses");
        let (sut, driver) = (address(sut), address(driver));
        Self { child, sut, driver }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn run(driver: u16) -> Duration {
    let folder = std::env::temp_dir().join(format!("wallace-bench-{}", std::process::id()));
    let mut settings = Settings::new(format!("localhost:{driver}"), &folder);
    settings.calls = Some(CALLS);
    settings.force = true;
    settings.search.minimise_share = 0.0;
    settings.search.sharpen_share = 0.0;
    let summary = wallace::run(&settings, &StopSignal::default(), &mut |_| {}).expect("it runs");
    let _ = std::fs::remove_dir_all(folder);
    summary.elapsed
}

fn compare(name: &str) {
    let service = Service::start(name);
    let recording = Recording::default();
    let sut = start(service.sut, None, &recording);
    let driver = start(service.driver, Some((service.sut.port(), sut)), &recording);
    run(driver);
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
