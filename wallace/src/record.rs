//! The record of a run, from which its reports are made.

mod open;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use wallace_engine::{Action, Evaluated, Problem, TargetName, solution::SolutionTest};
use wallace_problems::auth::Secrets;
use wallace_problems::driver_target;
use wallace_suite::{
    Fault, TestCase, TestSuite, credential_variables,
    record::{
        AnswerRecord, CallRecord, FaultRecord, Moment, Place, RECORD_VERSION, RunRecord,
        TargetRecord, Totals,
    },
    report::RunFacts,
};

use crate::made_name::Lean;
use crate::outcome::Outcome;
use crate::sent::{cut, sent};
use crate::service_family::ServiceFamily;
use crate::settings::{Settings, Target};
use crate::summary::Summary;
use crate::target_system::TargetSystem;
use open::OpenTargets;

/// Largest source file that a page shows, in bytes.
const LARGEST_SOURCE: u64 = 512 << 10;

/// What a record is made of.
pub(crate) struct Recording<'a, P: ServiceFamily> {
    pub(crate) settings: &'a Settings,
    pub(crate) system: &'a TargetSystem<P>,
    pub(crate) outcome: &'a Outcome<P>,
    /// Position in the suite of each test of the solution.
    pub(crate) places: &'a [Option<usize>],
}

/// Position in the suite of each test of a solution, none for those that cannot be written.
pub(crate) fn places(lowered: &[Option<TestCase>]) -> Vec<Option<usize>> {
    let mut next = 0..;
    lowered.iter().map(|test| test.as_ref().and_then(|_| next.next())).collect()
}

impl<P: ServiceFamily> Recording<'_, P> {
    /// The record; where tests were written is not known yet.
    pub(crate) fn record(&self, suite: TestSuite, facts: RunFacts, summary: &Summary) -> RunRecord {
        let statistics = &self.outcome.solution.statistics;
        let mut record = RunRecord {
            version: RECORD_VERSION,
            calls: self.calls(&suite),
            faults: self.faults(),
            facts,
            suite,
            settings: described(self.settings),
            reason: summary.reason.to_string(),
            totals: Totals {
                calls: summary.calls,
                evaluations: statistics.evaluations,
                failures: statistics.failures,
                seconds: summary.elapsed.as_secs_f64(),
                covered: summary.covered,
                reached: summary.reached,
                operations: summary.operations,
                answered: summary.answered,
                is_white_box: summary.is_white_box,
            },
            timeline: self.outcome.history.points.clone(),
            ledger: summary.ledger.clone(),
            folder: folder(&self.settings.out),
            ..RunRecord::default()
        };
        record.targets = self.targets();
        let mut open = OpenTargets::new(self);
        open.explain(&mut record.targets);
        record.near_tests = open.into_tests(&record.suite, &record.calls);
        record.sources = sources(&record.targets);
        record
    }

    /// The calls of the tests of the suite, in its order.
    fn calls(&self, suite: &TestSuite) -> Vec<Vec<CallRecord>> {
        let tests = self.outcome.solution.tests.iter().zip(self.places);
        let written = tests.filter(|(_, place)| place.is_some_and(|it| it < suite.tests.len()));
        let written = written.map(|(test, _)| test);
        written.map(|test| self.calls_of(&test.evaluated)).collect()
    }

    /// The calls of a test as they were made.
    pub(crate) fn calls_of(&self, test: &Evaluated<<P as Problem>::Action>) -> Vec<CallRecord> {
        let problem = &*self.system.problem;
        let calls = test.individual.actions().iter().zip(&test.outcomes);
        let calls = calls.map(|((_, action), outcome)| {
            let user = problem.caller(action).and_then(|user| self.system.users.get(user));
            let operation = problem.template_name(action.template());
            let answer = outcome.response.as_ref();
            CallRecord {
                answer: answer.ok().map(|answer| AnswerRecord {
                    status: answer.told_status(),
                    content_type: answer.content_type.clone(),
                    body: cut(&answer.body),
                }),
                failure: answer.err().map(|failure| failure.as_str().to_owned()),
                user: user.map(|user| user.name.clone()),
                credentials: user.map(credential_variables).unwrap_or_default(),
                ..sent(operation, &outcome.request(problem, action))
            }
        });
        calls.collect()
    }

    /// Distinct faults with the tests that show them.
    fn faults(&self) -> Vec<FaultRecord> {
        let mut faults: BTreeMap<String, FaultRecord> = BTreeMap::new();
        let mut unwritten = BTreeMap::new();
        for (test, place) in self.outcome.solution.tests.iter().zip(self.places) {
            for name in &test.covers {
                let Some(fault) = Fault::of(name) else { continue };
                let site = (fault.operation.clone(), fault.context.clone());
                let cause = self.outcome.faults.cause(name);
                let cause =
                    cause.map_or_else(|| wallace_suite::report::cause(&fault, None), str::to_owned);
                let entry = faults.entry(cause.clone()).or_insert_with(|| FaultRecord {
                    fault,
                    also: Vec::new(),
                    tests: Vec::new(),
                    calls: Vec::new(),
                    repeated: repeated(test, name.as_str()),
                    known: None,
                });
                entry.tests.extend(place.filter(|place| !entry.tests.contains(place)));
                if !entry.sites().any(|known| known == (&*site.0, &*site.1)) {
                    entry.also.push(site);
                }
                if entry.tests.is_empty() && entry.calls.is_empty() {
                    entry.calls = self.calls_of(&test.evaluated);
                    unwritten.insert(cause.clone(), &test.evaluated);
                }
            }
        }
        for (cause, fault) in faults.iter_mut().filter(|(_, fault)| fault.tests.is_empty()) {
            let test = unwritten.get(cause);
            fault.fault.explanation.extend(test.and_then(|test| self.leans(test)));
        }
        let mut faults: Vec<FaultRecord> = faults.into_values().collect();
        faults.sort_by(|one, other| one.key().cmp(&other.key()));
        faults
    }

    /// What is to be known of a test that met what others had left in a service that nobody resets.
    fn leans(&self, test: &Evaluated<<P as Problem>::Action>) -> Option<String> {
        let Recording { system, outcome, .. } = self;
        let is_reset = system.info.is_some();
        let lean = outcome.made.lean(&*system.problem, test, None).filter(|_| !is_reset)?;
        let told = "The run met this in a state that earlier calls of it had led to: on a fresh start \
                    these calls alone may not show it.";
        (lean == Lean::Surely).then(|| told.to_owned())
    }

    /// Every target that is known, with the test that covers it.
    fn targets(&self) -> Vec<TargetRecord> {
        let solution = &self.outcome.solution;
        let mut tests: HashMap<&str, usize> = HashMap::new();
        for (test, place) in solution.tests.iter().zip(self.places) {
            for (name, place) in test.covers.iter().zip(std::iter::repeat(*place)) {
                if let Some(place) = place {
                    tests.entry(name.as_str()).or_insert(place);
                }
            }
        }
        let history = self.outcome.history.first.iter();
        let first: HashMap<&str, Moment> =
            history.map(|(name, moment)| (name.as_str(), *moment)).collect();
        let known = &self.outcome.insight.known;
        let places: HashMap<&str, Place> = known
            .iter()
            .filter(|target| !target.file.is_empty())
            .map(|target| {
                let place = Place { file: target.file.clone(), line: target.line };
                (&*target.target.name, place)
            })
            .collect();
        let target = |name: &TargetName, score: f64| {
            let told = TargetRecord::of(name, score);
            TargetRecord {
                place: places.get(name.as_str()).cloned().or(told.place),
                test: tests.get(name.as_str()).copied(),
                first: first.get(name.as_str()).copied(),
                ..told
            }
        };
        let mut targets: BTreeMap<TargetName, TargetRecord> = BTreeMap::new();
        for reached in &solution.targets {
            let score = reached.score.get();
            targets.insert(reached.name.clone(), target(&reached.name, score));
        }
        let boot = self.system.info.iter().flat_map(|info| &info.boot_targets);
        let boot = boot.map(|(it, score)| (driver_target(it), *score));
        let known = known.iter().map(|it| (driver_target(&it.target), 0.0));
        for (name, score) in boot.chain(known) {
            let record = target(&name, score);
            let known = targets.entry(name).or_insert(record);
            known.score = known.score.max(score);
        }
        targets.into_values().collect()
    }
}

/// In how many of the runs of a test a fault came.
fn repeated<A: Action>(test: &SolutionTest<A>, name: &str) -> Option<(u32, u32)> {
    let flaky = test.flaky.iter().find(|flaky| flaky.name.as_str() == name);
    (test.runs > 1).then(|| (flaky.map_or(test.runs, |flaky| flaky.seen), test.runs))
}

/// What the run was asked for, in words.
fn described(settings: &Settings) -> BTreeMap<String, String> {
    let mut words = BTreeMap::new();
    let mut say = |name: &str, value: String| words.insert(name.to_owned(), value);
    match &settings.target {
        Target::Driver(address) => say("driver", address.clone()),
        Target::Graphql(url) => say("url", without_secrets(url)),
        Target::OpenApi(place) => say("openapi", without_secrets(place)),
        Target::InProcess => say("service", "in this process".to_owned()),
    };
    say("seed", settings.search.seed.to_string());
    if let Some(calls) = settings.calls {
        say("calls", calls.to_string());
    }
    if let Some(time) = settings.time {
        say("time", format!("{} s", time.as_secs_f64()));
    }
    if let Some(rate) = settings.rate {
        say("rate", format!("{rate} calls per second"));
    }
    for (name, patterns) in [("include", &settings.include), ("exclude", &settings.exclude)] {
        if !patterns.is_empty() {
            say(name, patterns.join(", "));
        }
    }
    if let Some(auth) = &settings.auth {
        say("auth", auth.display().to_string());
    }
    words
}

/// A URL without who asks, and without the values of parameters that have the names of secrets.
fn without_secrets(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (path, query) = path.split_once('?').map_or((path, None), |(path, it)| (path, Some(it)));
    let parameter = |parameter: &str| match parameter.split_once('=') {
        Some((name, _)) if Secrets::is_secret_name(name) => format!("{name}={}", Secrets::REDACTED),
        _ => parameter.to_owned(),
    };
    let query = query.map(|query| query.split('&').map(parameter).collect::<Vec<_>>().join("&"));
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    format!("{scheme}://{host}{path}{query}")
}

/// The folder as it was named, unless that means something on this machine only.
fn folder(out: &Path) -> String {
    if out.is_absolute() { String::new() } else { out.to_string_lossy().replace('\\', "/") }
}

/// The text of every source file that lies where the targets say.
fn sources(targets: &[TargetRecord]) -> BTreeMap<String, String> {
    let mut sources = BTreeMap::new();
    for path in targets.iter().filter_map(|target| Some(target.place.as_ref()?.file.as_str())) {
        if sources.contains_key(path) || !path.contains('.') {
            continue;
        }
        let is_small = |path: &str| {
            std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= LARGEST_SOURCE)
        };
        if is_small(path)
            && let Ok(text) = std::fs::read_to_string(path)
        {
            sources.insert(path.to_owned(), text);
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::without_secrets;

    #[test]
    fn addresses_are_told_without_who_asks() {
        for (url, told) in [
            (
                "http://ann:s3cret@h:1/api.json?api_key=k&v=2",
                "http://h:1/api.json?api_key=[redacted]&v=2",
            ),
            ("http://h", "http://h"),
            ("docs/openapi.yaml", "docs/openapi.yaml"),
        ] {
            assert_eq!(without_secrets(url), told);
        }
    }
}
