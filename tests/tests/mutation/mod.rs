//! Runs the tests of a suite against a fixture with each of its switches on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use emb_fixtures::{Fixture, Options, Running, Switches};
use wallace::{Settings, StopSignal};
use wallace_problems::Transport;
use wallace_suite::{TestCase, TestSuite, Verdict, record::RunRecord};
use wallace_sut_driver::{
    BlockingRuntime,
    http::{HttpConnection, HttpSettings},
};

/// What the tests of a suite noticed.
pub struct Measured {
    pub fixture: &'static Fixture,
    pub suite: TestSuite,
    /// Tests that failed on the unchanged fixture, and how.
    pub unstable: Vec<String>,
    /// Switches whose place in the code the suite reaches.
    pub reached: BTreeSet<String>,
    /// Names of the tests that each switch fails.
    pub noticed: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Measured {
    /// A suite of this many calls, and what it notices.
    pub fn of(name: &str, seed: u64, calls: u64) -> Self {
        let fixture = Fixture::find(name).unwrap();
        let suite = suite(fixture, seed, calls);
        let (switches, asked) = Switches::noted();
        let plain = Instance::with(fixture, switches);
        let mut unstable = Vec::new();
        let mut is_unstable = BTreeSet::new();
        for round in 0..3 {
            let mut order: Vec<&TestCase> = suite.tests.iter().collect();
            let by = |test: &&TestCase| (test.name.len() * (round + 3)) % 17;
            order.sort_by_key(by);
            for test in order {
                match plain.run(test) {
                    Verdict::Passed => {}
                    verdict => {
                        unstable.push(format!("{}: {verdict:?}", test.name));
                        is_unstable.insert(test.name.clone());
                    }
                }
            }
        }
        let noticed = fixture.switches().iter().map(|switch| {
            let instance = Instance::start(fixture, &[switch.name.to_owned()]);
            // What fails without a switch says nothing of one.
            let stable = suite.tests.iter().filter(|test| !is_unstable.contains(&test.name));
            let failed = stable.filter(|test| instance.run(test) != Verdict::Passed);
            (switch.name, failed.map(|test| test.name.clone()).collect())
        });
        let noticed = noticed.collect();
        // What is asked for besides tests, at the start, is no code that a test covers.
        Self { fixture, suite, unstable, reached: asked.names(), noticed }
    }

    /// Switches that no test noticed although their code is reached.
    pub fn missed(&self) -> Vec<&'static str> {
        let missed = self.noticed.iter().filter(|(_, tests)| tests.is_empty());
        missed.map(|(name, _)| *name).filter(|name| self.reached.contains(*name)).collect()
    }

    /// Number of the switches whose code the suite reaches.
    pub fn reached_switches(&self) -> usize {
        self.noticed.keys().filter(|name| self.reached.contains(**name)).count()
    }

    /// Share of the switches that some test notices, of those whose code the suite reaches.
    pub fn noticed_share(&self) -> f64 {
        1.0 - self.missed().len() as f64 / self.reached_switches().max(1) as f64
    }

    /// Tests that no switch fails.
    pub fn idle(&self) -> Vec<&TestCase> {
        let failed: BTreeSet<&String> = self.noticed.values().flatten().collect();
        self.suite.tests.iter().filter(|test| !failed.contains(&test.name)).collect()
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tests, switches) = (self.suite.tests.len(), self.noticed.len());
        let (missed, idle) = (self.missed(), self.idle());
        let noticed = self.noticed.values().filter(|tests| !tests.is_empty()).count();
        writeln!(
            formatter,
            "| {} | {tests} | {} | {switches} | {} | {noticed} | {:.0} % | {} | {:.0} % |",
            self.fixture.name(),
            self.unstable.len(),
            self.reached_switches(),
            100.0 * self.noticed_share(),
            tests - idle.len(),
            100.0 * (tests - idle.len()) as f64 / tests.max(1) as f64,
        )?;
        if !missed.is_empty() {
            writeln!(formatter, "  missed: {}", missed.join(", "))?;
        }
        let names: Vec<&str> = idle.iter().map(|test| test.name.as_str()).collect();
        write!(formatter, "  idle: {}", names.join(", "))
    }
}

/// The suite of a white-box run.
pub fn suite(fixture: &Fixture, seed: u64, calls: u64) -> TestSuite {
    suite_of(fixture, seed, None, calls)
}

/// The suite of a white-box run with this seed; `share` is what of the budget sharpening takes.
pub fn suite_of(fixture: &Fixture, seed: u64, share: Option<f64>, calls: u64) -> TestSuite {
    let folder = tempfile::tempdir().unwrap();
    let running = fixture.start(Options::default()).unwrap();
    let mut settings =
        Settings::new(running.driver_url.as_deref().unwrap(), folder.path().join("out"));
    settings.calls = Some(calls);
    // Rows are posted to a driver, which a test without a language has none of.
    settings.sql = false;
    settings.search.seed = seed;
    settings.result.sharpen_share = share.unwrap_or(settings.result.sharpen_share);
    wallace::run(&settings, &StopSignal::default(), &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(folder.path().join("out/run.json")).unwrap();
    RunRecord::from_json(&text).unwrap().suite
}

/// A fixture with some switches on.
pub struct Instance {
    running: Running,
    runtime: BlockingRuntime,
}

impl Instance {
    pub fn start(fixture: &Fixture, switches: &[String]) -> Self {
        Self::with(fixture, fixture.parse_switches(switches).unwrap())
    }

    fn with(fixture: &Fixture, switches: Switches) -> Self {
        let options = Options { driver_port: None, switches, ..Options::default() };
        Self { running: fixture.start(options).unwrap(), runtime: BlockingRuntime::new().unwrap() }
    }

    /// Runs a test in the first state.
    pub fn run(&self, test: &TestCase) -> Verdict {
        self.running.reset().unwrap();
        let address = self.running.base_url.parse().unwrap();
        let settings = HttpSettings::default();
        let connection = HttpConnection::connect(address, settings, &self.runtime).unwrap();
        let mut transport: Box<dyn Transport> = Box::new(connection);
        test.run(&mut *transport, &|_| None)
    }
}
