//! `wallace campaign` as researchers use it: whole campaigns through the command.

#![allow(clippy::unwrap_used, clippy::print_stdout, unreachable_pub)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{assert_fits_kubernetes, is_slow_stage, python, slurm::Slurm};

const WALLACE: &str = env!("CARGO_BIN_EXE_wallace");

const SMALL: &str = r#"
name = "small"
budget = { calls = 200 }
seeds = SEEDS
baseline = "random"
resources = { parallel = 2, memory = 1024 }
[[system]]
name = "graphql-ncs"
fixture = "graphql-ncs"
[[system]]
name = "graphql-scs"
fixture = "graphql-scs"
[[configuration]]
name = "mio"
[[configuration]]
name = "random"
algorithm = "random"
[[configuration]]
name = "eager"
settings = { sampling_start = 0.2 }
"#;
/// Workers of that campaign.
const WORKERS: usize = 2;

fn wallace(arguments: &[&str]) -> Output {
    Command::new(WALLACE).arg("campaign").args(arguments).output().unwrap()
}

/// Standard output of a command that must end with this code.
fn told(arguments: &[&str], code: i32) -> String {
    let output = wallace(arguments);
    let (out, error) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {out}{error}");
    out.into_owned()
}

/// A campaign file and a folder for its plan.
struct Campaign {
    _folder: tempfile::TempDir,
    file: String,
    plan: String,
}

impl Campaign {
    fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("campaign.toml").display().to_string();
        let plan = folder.path().join("plan").display().to_string();
        fs::write(&file, text).unwrap();
        Self { _folder: folder, file, plan }
    }

    fn planned(text: &str) -> Self {
        let campaign = Self::new(text);
        told(&["plan", &campaign.file, "--out", &campaign.plan], 0);
        campaign
    }

    /// Runs what is open and gives the files of the results and the report.
    fn finish(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        told(&["run", &self.plan, "--quiet"], 0);
        self.files()
    }

    fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        told(&["report", &self.plan], 0);
        let mut files = BTreeMap::new();
        for part in ["results", "report"] {
            collect(&Path::new(&self.plan).join(part), Path::new(&self.plan), &mut files);
        }
        files
    }
}

fn collect(folder: &Path, root: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, root, files);
        } else {
            files.insert(path.strip_prefix(root).unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
}

fn assert_equal(one: &BTreeMap<PathBuf, Vec<u8>>, other: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, text) in one {
        assert!(other[path] == *text, "{} differs", path.display());
    }
}

fn small(seeds: u32) -> String {
    SMALL.replace("SEEDS", &seeds.to_string())
}

#[test]
fn more_seeds_execute_only_what_is_missing() {
    let campaign = Campaign::planned(&small(1));
    let first = campaign.finish();
    assert_eq!(first.keys().filter(|path| path.ends_with("result.json")).count(), 6);
    fs::write(&campaign.file, small(2)).unwrap();
    let text = told(&["plan", &campaign.file, "--out", &campaign.plan], 0);
    assert!(text.starts_with("12 runs planned, 6 of them new, 6 to execute"), "{text}");
    let second = campaign.finish();
    for (path, text) in first.iter().filter(|(path, _)| path.starts_with("results")) {
        assert!(second[path] == *text, "{} was changed", path.display());
    }
    assert!(told(&["status", &campaign.plan], 0).contains("12 of 12 runs done"));
    let verified = told(&["verify", &campaign.plan, "--sample", "3"], 0);
    assert_eq!(verified.matches(": equal").count(), 3, "{verified}");
    let report = String::from_utf8(second[Path::new("report/report.md")].clone()).unwrap();
    for word in ["## branches", "Against random", "Friedman", "graphql-scs", "200 calls"] {
        assert!(report.contains(word), "{word} is not in {report}");
    }
}

/// The command itself, as a tool that the campaign knows nothing of: it must measure the same.
#[test]
fn another_tool_is_measured_on_the_wire() {
    // The command also makes a suite, for which it keeps calls.
    let suite = "name = \"mio\"\nsettings = { after_share = 0.2, sharpen_share = 0.25 }";
    let text = small(1).replace("name = \"mio\"", suite).replace(
        "[[configuration]]\nname = \"eager\"\nsettings = { sampling_start = 0.2 }",
        "[[configuration]]\nname = \"tool\"\ncommand = [\"{wallace}\", \"fuzz\", \"--driver\", \"{driver}\", \
         \"--calls\", \"{calls}\", \"--seed\", \"{seed}\", \"--out\", \"{out}/suite\"]",
    );
    let campaign = Campaign::planned(&text);
    let files = campaign.finish();
    let results: Vec<serde_json::Value> = files
        .iter()
        .filter(|(path, _)| path.ends_with("result.json"))
        .map(|(_, text)| serde_json::from_slice(text).unwrap())
        .collect();
    for system in ["graphql-ncs", "graphql-scs"] {
        let of = |configuration: &str| {
            let is_it = |result: &&serde_json::Value| {
                result["run"]["system"]["name"] == system
                    && result["run"]["configuration"]["name"] == configuration
            };
            results.iter().find(is_it).unwrap()
        };
        assert_eq!(of("tool")["covered"], of("mio")["covered"], "{system}");
        assert_eq!(of("tool")["curves"], of("mio")["curves"], "{system}");
        assert!(of("tool")["measures"]["branches"].as_f64().unwrap() > 50.0, "{system}");
    }
}

#[test]
fn a_changed_result_is_noticed_by_verify() {
    let campaign = Campaign::planned(&small(1));
    let files = campaign.finish();
    for path in files.keys().filter(|path| path.ends_with("result.json")) {
        let path = Path::new(&campaign.plan).join(path);
        let mut result: serde_json::Value =
            serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        result["measures"]["branches"] = 9.0.into();
        fs::write(&path, result.to_string()).unwrap();
    }
    let verified = told(&["verify", &campaign.plan, "--sample", "2"], 1);
    assert_eq!(verified.matches("branches was 9").count(), 2, "{verified}");
}

#[test]
fn wrong_campaign_files_are_told_in_one_line() {
    let fixture = "[[system]]\nname='s'\nfixture='graphql-ncs'\n";
    let mio = "[[configuration]]\nname='mio'\n";
    let head = "name='c'\nbudget={calls=10}\nseeds=1\n";
    let cases = [
        (format!("{head}{fixture}{fixture}{mio}"), "two systems are called 's'"),
        (format!("{head}{fixture}{mio}{mio}"), "two configurations are called 'mio'"),
        (format!("{head}[[system]]\nname='s'\n{mio}"), "comes from nowhere"),
        (format!("{head}catalogue='emb'\nuse=['catwalk']\n{mio}"), "no system 'catwalk'"),
        (format!("{head}baseline='mia'\n{fixture}{mio}"), "'mia' is no configuration"),
        (format!("name='c'\nbudget={{}}\nseeds=1\n{fixture}{mio}"), "the budget is missing"),
        (format!("{head}{fixture}{mio}settings={{sampling_stat=1}}\n"), "sampling_stat"),
        (
            format!("{head}{fixture}{mio}settings={{attribution='on-demand'}}\n"),
            "`attribution` must be always",
        ),
        (format!("{head}{fixture}{mio}algorithm='mia'\n"), "unknown variant `mia`"),
        (format!("{head}colour=1\n{fixture}{mio}"), "line 4: unknown field `colour`"),
        (format!("{head}[[system]]\nname='s'\nstart=['x']\n{mio}"), "`ready` is missing"),
        (format!("{head}{fixture}"), "missing field `configuration`"),
    ];
    for (text, words) in cases {
        let campaign = Campaign::new(&text);
        let output = wallace(&["plan", &campaign.file, "--out", &campaign.plan]);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(words), "{words:?} is not in {complaint}");
        assert!(!Path::new(&campaign.plan).exists());
    }
}

#[test]
fn failing_runs_are_named_and_the_others_go_on() {
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let text = format!(
        r#"
name = "failing"
budget = {{ calls = 100 }}
seeds = 1
resources = {{ parallel = 2, seconds = 5, tries = 2 }}
[[system]]
name = "good"
fixture = "graphql-ncs"
[[system]]
name = "unknown"
fixture = "graphql-nc"
[[system]]
name = "dies"
start = ["sh", "-c", "echo no database; exit 3"]
ready = "ready"
[[system]]
name = "silent"
start = ["sh", "-c", "sleep 60"]
ready = "ready"
ready_seconds = 1
[[system]]
name = "taken"
start = ["{WALLACE}", "fixture", "graphql-ncs", "--driver-port={port}"]
ready = "is ready"
[[configuration]]
name = "mio"
[[configuration]]
name = "hangs"
command = ["sleep", "60"]
[[configuration]]
name = "columns"
command = ["sh", "-c", "echo a,b > {{out}}/s.csv; echo 1,2 >> {{out}}/s.csv; true"]
statistics = {{ file = "{{out}}/s.csv", columns = {{ faults = "c" }} }}
"#
    );
    let campaign = Campaign::planned(&text);
    let told = told(&["run", &campaign.plan, "--quiet"], 1);
    assert!(told.contains("1 of 15 runs done"), "{told}");
    for (system, configuration, words) in [
        ("unknown", "mio", "unknown fixture 'graphql-nc'"),
        ("dies", "mio", "ended before it was ready (no database)"),
        ("silent", "mio", "did not say 'ready' within 1 s"),
        ("taken", "mio", &format!("{port}")),
        ("good", "hangs", "longer than 5 s"),
        ("good", "columns", "no column 'c'; it has a, b"),
    ] {
        let start = format!("failed: {system}, {configuration}, seed 1: ");
        let line = told.lines().find(|line| line.trim_start().starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("{start} is not in {told}"));
        assert!(line.contains(words), "{words:?} is not in {line}");
    }
}

#[test]
fn half_written_results_count_as_missing() {
    let campaign = Campaign::planned(&small(1));
    let whole = campaign.finish();
    let result = whole.keys().find(|path| path.ends_with("result.json")).unwrap();
    let folder = Path::new(&campaign.plan).join(result.parent().unwrap());
    fs::rename(&folder, folder.with_file_name(".partial-x")).unwrap();
    assert!(told(&["status", &campaign.plan], 0).contains("5 of 6 runs done"));
    let again = campaign.finish();
    assert!(again[result] == whole[result]);
    fs::write(Path::new(&campaign.plan).join(result), "{").unwrap();
    let output = wallace(&["report", &campaign.plan]);
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(complaint.contains("result.json") && complaint.lines().count() == 1, "{complaint}");
}

fn start(arguments: &[&str]) -> Child {
    Command::new(WALLACE)
        .arg("campaign")
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Results that are there.
fn done(plan: &str) -> usize {
    let text = told(&["status", plan], 0);
    text.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn killed_twice_and_restarted_gives_the_same_report() {
    if !is_slow_stage() {
        return;
    }
    let text = small(5).replace("calls = 200", "calls = 1000");
    let undisturbed = Campaign::planned(&text).finish();
    let campaign = Campaign::planned(&text);
    for least in [5, 14] {
        let mut child = start(&["run", &campaign.plan, "--quiet"]);
        let begun = Instant::now();
        while done(&campaign.plan) < least && begun.elapsed() < Duration::from_secs(300) {
            std::thread::sleep(Duration::from_millis(50));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let at_once = done(&campaign.plan);
        // Its workers and systems end with it, on a busy machine a while later: each may have been
        // about to write one result, and then nothing appears any more.
        let mut left = at_once;
        loop {
            std::thread::sleep(Duration::from_secs(4));
            let now = done(&campaign.plan);
            if now == left {
                break;
            }
            left = now;
        }
        assert!(at_once >= least && left < 30 && left <= at_once + WORKERS, "{at_once} and {left}");
    }
    assert_equal(&undisturbed, &campaign.finish());
}

#[test]
fn the_report_equals_a_recomputation_from_its_runs() {
    if !is_slow_stage() {
        return;
    }
    let campaign = Campaign::planned(&small(6));
    campaign.finish();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recompute.py");
    let report = format!("{}/report", campaign.plan);
    let output = Command::new(python()).args([script, &report, "random"]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    let checked = String::from_utf8_lossy(&output.stdout).trim().parse::<usize>().unwrap();
    assert!(checked > 200, "only {checked} numbers were compared");
}

#[test]
fn the_kubernetes_job_fits_its_published_schema() {
    if !is_slow_stage() {
        return;
    }
    let campaign = Campaign::planned(&small(2));
    let manifest =
        told(&["kubernetes", &campaign.plan, "--image", "wallace:1", "--claim", "plans"], 0);
    assert_fits_kubernetes(&manifest);
}

#[test]
fn slurm_gives_the_same_result_files() {
    if !is_slow_stage() {
        return;
    }
    let local = Campaign::planned(&small(2)).finish();
    let slurm = Slurm::start();
    let campaign = Campaign::planned(&small(2));
    let output = Command::new(WALLACE)
        .args(["campaign", "run", &campaign.plan, "--on", "slurm", "--quiet"])
        .env("SLURM_CONF", slurm.path("slurm.conf"))
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}{error}", String::from_utf8_lossy(&output.stdout));
    assert_equal(&local, &campaign.files());
}
