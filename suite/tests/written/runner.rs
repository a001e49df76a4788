//! The real runners of the languages, as a user calls them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use wallace_suite::{
    OutputFolder, SuiteFile, TestSuite, Writer,
    writer::{
        CurlWriter, JavaScriptWriter, JavaWriter, KotlinWriter, PhpunitWriter, PostmanWriter,
        PytestWriter,
    },
};

/// Set to 1 to run what takes minutes on a first build.
pub(crate) const SLOW_TESTS: &str = "RUN_SLOW_TESTS";

/// Set to 1 where every runner must be there.
const COMPLETE: &str = "WALLACE_CI";

/// Whether the slow proofs were asked for; says so when not.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
pub(crate) fn is_slow_stage() -> bool {
    let is_on = std::env::var(SLOW_TESTS).as_deref() == Ok("1");
    if !is_on {
        println!("skipped: set {SLOW_TESTS}=1 to run generated suites with their real runners");
    }
    is_on
}

/// A language with its runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Language {
    Pytest,
    Jest,
    JestTs,
    Vitest,
    VitestTs,
    Phpunit,
    Java,
    Kotlin,
    Curl,
    Postman,
}

impl Language {
    pub(crate) fn writer(self) -> Box<dyn Writer> {
        match self {
            Self::Pytest => Box::new(PytestWriter),
            Self::Jest => Box::new(JavaScriptWriter::jest()),
            Self::JestTs => Box::new(JavaScriptWriter::jest().typed()),
            Self::Vitest => Box::new(JavaScriptWriter::vitest()),
            Self::VitestTs => Box::new(JavaScriptWriter::vitest().typed()),
            Self::Phpunit => Box::new(PhpunitWriter),
            Self::Java => Box::new(JavaWriter),
            Self::Kotlin => Box::new(KotlinWriter),
            Self::Curl => Box::new(CurlWriter),
            Self::Postman => Box::new(PostmanWriter),
        }
    }

    /// Programs that must be there.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Self::Pytest => &["python3"],
            Self::Jest | Self::JestTs | Self::Vitest | Self::VitestTs => &["node", "npm"],
            Self::Phpunit => &["phpunit"],
            Self::Java | Self::Kotlin => &["java", "mvn"],
            Self::Curl => &["curl", "jq"],
            Self::Postman => &["node", "npm"],
        }
    }

    /// Whether the runner is there. A machine without it says so, and fails where nothing may be
    /// missing.
    #[expect(clippy::print_stdout, reason = "a skipped test says so")]
    pub(crate) fn is_there(self) -> bool {
        let is_there = |program: &&&str| Command::new(program).arg("--version").output().is_ok();
        let missing = self.programs().iter().find(|program| !is_there(program));
        if let Some(missing) = missing {
            assert!(
                std::env::var(COMPLETE).as_deref() != Ok("1"),
                "{missing} is missing, and {COMPLETE}=1 says that {self:?} suites must be run"
            );
            println!("skipped: {missing} is missing, so that {self:?} suites cannot be run");
        }
        missing.is_none()
    }
}

/// Where suites, and what runners download and build, stay until the next time.
pub(crate) fn scratch() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    std::path::absolute(target.join("generated-suites")).unwrap()
}

/// A suite in a folder, ready to be run.
#[derive(Debug)]
pub(crate) struct Written {
    language: Language,
    folder: PathBuf,
    files: Vec<SuiteFile>,
}

/// Whether each test passed, by its name.
pub(crate) type Results = BTreeMap<String, bool>;

impl Written {
    /// Writes a suite in a language below a folder of this name, and gets what it needs.
    pub(crate) fn new(language: Language, name: &str, suite: &TestSuite) -> Self {
        let writer = language.writer();
        let folder = scratch().join(writer.name()).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let files = writer.write(suite);
        OutputFolder::prepare(&folder, true).unwrap().write(&files).unwrap();
        let written = Self { language, folder, files };
        let one_at_a_time = File::create(scratch().join("set-up.lock")).unwrap();
        // Several programs of tests share these folders too.
        one_at_a_time.lock().unwrap();
        written.set_up();
        written
    }

    /// The names of the tests by their index in the suite.
    pub(crate) fn names(&self) -> BTreeMap<usize, String> {
        let tests = self.files.iter().flat_map(|file| &file.tests);
        tests.map(|location| (location.test, location.name.clone())).collect()
    }

    fn set_up(&self) {
        match self.language {
            Language::Pytest => self.set_up_python(),
            Language::Jest | Language::JestTs | Language::Vitest | Language::VitestTs => {
                self.set_up_node();
            }
            Language::Postman => self.set_up_program("newman"),
            Language::Phpunit | Language::Java | Language::Kotlin | Language::Curl => {}
        }
    }

    fn set_up_python(&self) {
        let python = scratch().join("python");
        if python.join("bin/pytest").exists() {
            return;
        }
        succeed(Command::new("python3").args(["-m", "venv"]).arg(&python));
        let mut install = Command::new(python.join("bin/pip"));
        install.args(["install", "--quiet", "--requirement"]);
        succeed(install.arg(self.folder.join("requirements.txt")));
    }

    /// Installs what all suites of the runner need once, in the folder above them, where their
    /// modules are looked up too.
    fn set_up_node(&self) {
        let above = self.folder.parent().unwrap();
        let package = fs::read_to_string(self.folder.join("package.json")).unwrap();
        let package: Value = serde_json::from_str(&package).unwrap();
        let wanted = json!({ "private": true, "devDependencies": package["devDependencies"] });
        let wanted = wanted.to_string();
        // Written last: an installation that was ended in the middle is not there.
        let installed = above.join("installed.json");
        if fs::read_to_string(&installed).is_ok_and(|known| known == wanted) {
            return;
        }
        fs::write(above.join("package.json"), &wanted).unwrap();
        let mut install = Command::new("npm");
        install.args(["install", "--no-package-lock", "--silent"]).current_dir(above);
        succeed(&mut install);
        fs::write(installed, wanted).unwrap();
    }

    /// Installs a program above the folder of the suite.
    fn set_up_program(&self, name: &str) {
        let above = self.folder.parent().unwrap();
        if above.join("node_modules/.bin").join(name).exists() {
            return;
        }
        fs::write(above.join("package.json"), "{\"private\": true}").unwrap();
        let mut install = Command::new("npm");
        install.args(["install", "--no-package-lock", "--silent", name]).current_dir(above);
        succeed(&mut install);
    }

    /// Runs all tests, in an order that follows from `seed`. `place` names the environment variable
    /// that says where the service is, and what it says.
    pub(crate) fn run(&self, place: (&str, &str), seed: u64) -> (Results, String) {
        let report = self.folder.join("report.out");
        let _ = fs::remove_file(&report);
        let surefire = self.folder.join("target/surefire-reports");
        let _ = fs::remove_dir_all(&surefire);
        let mut command = self.command(&report, seed);
        command.current_dir(&self.folder).env("CI", "1").env(place.0, place.1);
        if self.language == Language::Postman {
            command.args(["--env-var", &format!("base_url={}", place.1)]);
            command.args(["--env-var", &format!("PATH={}", std::env::var("PATH").unwrap())]);
        }
        let output = command.output().unwrap();
        let told = text(&output);
        let results = match self.language {
            Language::Java | Language::Kotlin => {
                let reports = fs::read_dir(&surefire).into_iter().flatten().flatten();
                let reports =
                    reports.filter(|file| file.path().extension() == Some("xml".as_ref()));
                reports.flat_map(|file| junit(&fs::read_to_string(file.path()).unwrap())).collect()
            }
            Language::Curl => tap(&told),
            Language::Postman => newman(&fs::read_to_string(&report).unwrap_or_default()),
            Language::Jest | Language::JestTs => {
                jest(&fs::read_to_string(&report).unwrap_or_default())
            }
            _ => junit(&fs::read_to_string(&report).unwrap_or_default()),
        };
        let is_green = !results.is_empty() && results.values().all(|passed| *passed);
        assert_eq!(output.status.success(), is_green, "{:?}: {told}", self.language);
        (results, told)
    }

    fn command(&self, report: &Path, seed: u64) -> Command {
        let report = report.to_str().unwrap();
        let mut command;
        match self.language {
            Language::Pytest => {
                command = Command::new(scratch().join("python/bin/pytest"));
                command.args(["-q", "--junitxml", report]);
                command.args(shuffled(self.pytest_names(), seed));
            }
            Language::Jest | Language::JestTs => {
                command = Command::new("npm");
                command.args(["test", "--silent", "--", "--randomize", "--json"]);
                command.args([format!("--seed={seed}"), format!("--outputFile={report}")]);
            }
            Language::Vitest | Language::VitestTs => {
                command = Command::new("npm");
                command.args(["test", "--silent", "--", "--sequence.shuffle.tests"]);
                command.arg(format!("--sequence.seed={seed}"));
                command.args(["--reporter=junit", "--reporter=default"]);
                command.arg(format!("--outputFile.junit={report}"));
            }
            Language::Curl => {
                command = Command::new("sh");
                let scripts = "failed=0; for tests in regression*.sh faults*.sh; do \
                               [ -e \"$tests\" ] || continue; \
                               sh \"$tests\" || failed=1; done; exit $failed";
                command.args(["-c", scripts]);
            }
            Language::Postman => {
                command = Command::new("../node_modules/.bin/newman");
                command.args(["run", "collection.json", "--reporters", "cli,json"]);
                command.args(["--reporter-json-export", report]);
            }
            Language::Phpunit => {
                command = Command::new("phpunit");
                command.args(["--order-by=random", &format!("--random-order-seed={seed}")]);
                command.args(["--log-junit", report]);
            }
            Language::Java | Language::Kotlin => {
                command = Command::new("mvn");
                let repository = scratch().join("maven");
                command.arg(format!("-Dmaven.repo.local={}", repository.display()));
                let order = "org.junit.jupiter.api.MethodOrderer$Random";
                command.arg(format!("-Djunit.jupiter.testmethod.order.default={order}"));
                command.arg(format!("-Djunit.jupiter.execution.order.random.seed={seed}"));
                // Compiling costs more than running. A virtual machine that lives for seconds is
                // quicker without the second compiler.
                let is_compiled = self.folder.join("target/test-classes").exists();
                command.args(["--batch-mode", "--quiet"]);
                command.arg(if is_compiled { "surefire:test" } else { "test" });
                command.env("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
            }
        }
        command
    }

    fn pytest_names(&self) -> Vec<String> {
        let files = self.files.iter();
        let names = files
            .flat_map(|file| file.tests.iter().map(|test| format!("{}::{}", file.path, test.name)));
        names.collect()
    }
}

/// The same texts in an order that follows from the seed.
fn shuffled(mut texts: Vec<String>, seed: u64) -> Vec<String> {
    let key = |text: &String| {
        text.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    texts.sort_by_key(key);
    texts
}

/// Results in the format of JUnit: a test that has a failure or an error inside did not pass.
fn junit(xml: &str) -> Results {
    let cases = xml.split("<testcase ").skip(1).map(|case| {
        let (_, after) = case.split_once("name=\"").unwrap();
        // The name of the class may come first.
        let after = match case.strip_prefix("class") {
            Some(_) => case.split_once(" name=\"").unwrap().1,
            None => after,
        };
        let name = after.split('"').next().unwrap();
        let name = name.trim_end_matches("()");
        let passed = !case.contains("<failure") && !case.contains("<error");
        (name.to_owned(), passed)
    });
    cases.collect()
}

fn jest(report: &str) -> Results {
    let report: Value = serde_json::from_str(report).unwrap_or_default();
    let files = report["testResults"].as_array().into_iter().flatten();
    let tests = files.flat_map(|file| file["assertionResults"].as_array().into_iter().flatten());
    tests.map(|it| (it["title"].as_str().unwrap().to_owned(), it["status"] == "passed")).collect()
}

/// Lines of the test anything protocol.
fn tap(told: &str) -> Results {
    let lines = told.lines().filter_map(|line| {
        let failed = line.strip_prefix("not ok ").map(|name| (name.to_owned(), false));
        failed.or_else(|| line.strip_prefix("ok ").map(|name| (name.to_owned(), true)))
    });
    lines.collect()
}

/// The folders of the collection; a test fails with any of its requests.
fn newman(report: &str) -> Results {
    let report: Value = serde_json::from_str(report).unwrap_or_default();
    let mut tests = BTreeMap::new();
    let list = |value: &Value| value["item"].as_array().cloned().unwrap_or_default();
    for test in list(&report["collection"]).iter().flat_map(list) {
        let name = test["name"].as_str().unwrap().to_owned();
        for request in list(&test) {
            let id = request["id"].as_str().unwrap().to_owned();
            tests.insert(id, name.clone());
        }
    }
    let mut results = Results::new();
    for execution in report["run"]["executions"].as_array().into_iter().flatten() {
        let name = &tests[execution["item"]["id"].as_str().unwrap()];
        let checks = execution["assertions"].as_array().into_iter().flatten();
        let passed = execution.get("requestError").is_none()
            && checks.into_iter().all(|check| check.get("error").is_none());
        *results.entry(name.clone()).or_insert(true) &= passed;
    }
    results
}

/// Runs a command that must succeed.
fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", text(&output));
}

/// All that a command told.
pub(crate) fn text(output: &Output) -> String {
    format!(
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
