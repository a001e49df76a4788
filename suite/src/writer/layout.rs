//! What the folders of all languages have in common: which tests go to which file, and the
//! instructions beside them.

use std::collections::BTreeMap;

use crate::lower::credential::environment_variables;
use crate::request::Body;
use crate::test_case::{Step, TestCase, TestKind, TestSuite};
use crate::writer::SuiteFile;
use crate::writer::literal::comment_text;

/// Tests per file at most; a longer file is slow to compile and nobody finds their way.
pub const TESTS_PER_FILE: usize = 200;

/// The tests of one file.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Name of the file without ending, in `snake_case`: `regression`, `faults_2`.
    pub(crate) stem: String,
    /// What its tests are.
    pub(crate) kind: TestKind,
    /// Indices into [`TestSuite::tests`].
    pub(crate) tests: Vec<usize>,
}

/// The files of a suite: regression and faults apart, none too long.
pub(crate) fn chunks(suite: &TestSuite) -> Vec<Chunk> {
    chunks_of(suite, |_| true)
}

/// The files of a suite for a client that looks at answers alone: it cannot expect that none comes.
pub(crate) fn answered_chunks(suite: &TestSuite) -> Vec<Chunk> {
    chunks_of(suite, |test| !test.steps.iter().any(Step::expects_no_answer))
}

fn chunks_of(suite: &TestSuite, is_written: impl Fn(&TestCase) -> bool) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (kind, stem) in [(TestKind::Regression, "regression"), (TestKind::Fault, "faults")] {
        let is_here = |test: &TestCase| test.kind == kind && is_written(test);
        let tests: Vec<usize> =
            (0..suite.tests.len()).filter(|&test| is_here(&suite.tests[test])).collect();
        for (index, tests) in tests.chunks(TESTS_PER_FILE).enumerate() {
            let number = if index == 0 { String::new() } else { format!("_{}", index + 1) };
            chunks.push(Chunk { stem: format!("{stem}{number}"), kind, tests: tests.to_vec() });
        }
    }
    chunks
}

/// What the tests of a file hold on to, in a sentence.
pub(crate) fn about(suite: &TestSuite, kind: TestKind) -> String {
    let service = comment_text(&suite.service);
    match kind {
        TestKind::Regression => format!("What {service} does today and should go on doing."),
        TestKind::Fault => format!(
            "What {service} does wrong today: each of these tests fails once its fault is mended."
        ),
    }
}

/// Who wrote the files.
pub(crate) fn provenance(suite: &TestSuite) -> String {
    let provenance = &suite.provenance;
    let (tool, version) = (comment_text(&provenance.tool), comment_text(&provenance.version));
    format!("Written by {tool} {version} with seed {}.", provenance.seed)
}

/// The path that most GraphQL requests of the suite go to.
pub(crate) fn graphql_path(suite: &TestSuite) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let steps = suite.tests.iter().flat_map(|test| &test.steps);
    for step in steps.filter(|step| matches!(step.request.body, Body::GraphQl { .. })) {
        *counts.entry(step.request.path.literal_text()).or_default() += 1;
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map_or_else(|| "/graphql".to_owned(), |(path, _)| path)
}

/// A name for the project that the files make, in `kebab-case`, starting with a letter.
pub(crate) fn project_name(suite: &TestSuite) -> String {
    let name = crate::name::snake_case(&suite.service).replace('_', "-");
    let name = if name.starts_with(|first: char| first.is_ascii_lowercase()) {
        name
    } else {
        format!("service-{name}").trim_end_matches('-').to_owned()
    };
    name + "-tests"
}

/// How the tests are run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instructions {
    /// What is to be done once.
    pub(crate) set_up: Option<&'static str>,
    /// What runs the tests.
    pub(crate) run: &'static str,
    /// What runs the tests of a service at another place, if no environment variable says where.
    pub(crate) base_url: Option<&'static str>,
    /// Whether tests start the service by its driver.
    pub(crate) has_driver: bool,
}

impl Instructions {
    /// Instructions for tests that read where the service is from the environment.
    pub(crate) fn new(set_up: Option<&'static str>, run: &'static str) -> Self {
        Self { set_up, run, base_url: None, has_driver: true }
    }

    /// The content of `README.md`.
    pub(crate) fn readme(self, suite: &TestSuite, files: &[SuiteFile]) -> String {
        let Self { set_up, run, base_url, has_driver } = self;
        let elsewhere = base_url
            .map_or_else(|| format!("WALLACE_BASE_URL=http://host:port {run}"), str::to_owned);
        let with_driver = elsewhere.replacen("WALLACE_BASE_URL=http://", "WALLACE_DRIVER=", 1);
        let driver = match has_driver {
            true => format!(
                "Tests that a run with a driver made need it: they start the service by it, and it brings the state \
                 back before each test:\n\n```sh\n{with_driver}\n```\n\n"
            ),
            false => String::new(),
        };
        let url = comment_text(&suite.default_base_url);
        let is_named = suite.service != suite.default_base_url;
        let service = if is_named { comment_text(&suite.service) } else { "the service".into() };
        let start = suite.start_command.as_deref().map_or_else(
            || {
                format!(
                    "Start {service} afresh, as it was before the run, so that it answers at {url}."
                )
            },
            |command| format!("Start {service} at {url}:\n\n```sh\n{}\n```", comment_text(command)),
        );
        let needs = match set_up {
            Some(set_up) => {
                format!("Once, get what the tests need:\n\n```sh\n{set_up}\n```\n\nThen run them:")
            }
            None => "Then run the tests, which need nothing else:".to_owned(),
        };
        let secrets = environment_variables(suite);
        let secrets: String = secrets.iter().map(|name| format!("- `{name}`\n")).collect();
        let secrets = match secrets.is_empty() {
            true => String::new(),
            false => {
                format!(
                    "Values of headers that are not written down are read from the environment. Each is the \
                     whole value, as `Bearer TOKEN`, of a user who may do what the tests do; without it they \
                     are refused:\n\n{secrets}\n"
                )
            }
        };
        let table: String = files
            .iter()
            .filter_map(|file| {
                let kind = suite.tests[file.tests.first()?.test].kind;
                Some(format!("| `{}` | {} | {} |\n", file.path, file.tests.len(), holds(kind)))
            })
            .collect();
        format!(
            "# Tests of {service}\n\n{}\n\n{start}\n\n{needs}\n\n\
             ```sh\n{run}\n```\n\n\
             If the service is somewhere else, say where:\n\n\
             ```sh\n{elsewhere}\n```\n\n\
             {driver}{secrets}| file | tests | what they hold on to |\n| --- | --- | --- |\n{table}",
            provenance(suite),
        )
    }
}

fn holds(kind: TestKind) -> &'static str {
    match kind {
        TestKind::Fault => "faults: a test fails once its fault is mended",
        TestKind::Regression => "behaviour that should stay as it is",
    }
}
