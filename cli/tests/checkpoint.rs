//! What outlives a run that is killed, and what the next one makes of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use wallace::checkpoint::CheckpointHeader;

const SUT: &str = "graphql-ncs";

/// The demo with some arguments; its state is written often.
fn demo(out: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wallace"));
    command.args(["demo", "--quiet", "--checkpoint-interval", "100ms"]);
    if !arguments.contains(&"--sut") {
        command.args(["--sut", SUT]);
    }
    command.args(arguments).arg("--out").arg(out);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs to the end; faults are no failure.
fn finish(mut command: Command) -> Output {
    let output = command.output().expect("the command runs");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{complaint}");
    output
}

/// Whether a file tells of the run, and so of its time, and not only of its tests.
fn is_report(name: &std::ffi::OsStr) -> bool {
    let name = name.to_string_lossy();
    let timed =
        ["report.json", "report.html", "run.json", "summary.md", "junit.xml", "targets.csv"];
    timed.contains(&&*name) || name == "statistics.csv"
}

/// Every file of the results but the reports, whose times differ.
fn suite(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if !is_report(&entry.file_name()) {
                let name = path.strip_prefix(folder).expect("it is below").to_path_buf();
                files.insert(name, fs::read(&path).expect("it can be read"));
            }
        }
    }
    files
}

/// Waits until the state was written `times` times and holds some progress, then kills the run at
/// once, without a chance to clean up.
fn kill_after(mut child: Child, checkpoint: &Path, times: u32) {
    let (mut seen, mut last) = (0, 0);
    let begun = Instant::now();
    while seen < times {
        assert!(begun.elapsed() < Duration::from_secs(120), "no state is written");
        let running = child.try_wait().expect("it is a child").is_none();
        assert!(running, "the run ended before it could be killed");
        if let Ok(header) = CheckpointHeader::read(checkpoint)
            && header.evaluations > last
        {
            (seen, last) = (seen + 1, header.evaluations);
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    child.kill().expect("it still runs");
    child.wait().expect("it is a child");
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let calls = ["--calls", "4000", "--seed", "9"];
    let whole = folder.path().join("whole");
    finish(demo(&whole, &calls));
    assert!(!folder.path().join("whole.checkpoint").exists(), "it is removed at the end");
    let out = folder.path().join("killed");
    let checkpoint = wallace::checkpoint::checkpoint_beside(&out);
    kill_after(demo(&out, &calls).spawn().expect("it runs"), &checkpoint, 2);
    assert!(!out.exists(), "nothing is half-written");
    // Without being told, the next run does not overwrite what is there to go on with.
    let refused = demo(&out, &calls).output().expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--resume"));
    let resume = out.to_str().expect("a plain path");
    // Killed again while it goes on.
    let child = demo(&out, &["--resume", resume]).spawn().expect("it runs");
    kill_after(child, &checkpoint, 3);
    let kept = CheckpointHeader::read(&checkpoint).expect("the state is whole");
    assert!(kept.calls == Some(4_000) && kept.parameters.search.seed == 9 && kept.evaluations > 0);
    // The file may be named as well.
    finish(demo(&out, &["--resume", checkpoint.to_str().expect("a plain path")]));
    assert!(suite(&out).len() > 3);
    assert!(suite(&out) == suite(&whole), "the results differ");
    assert!(!checkpoint.exists());
}

#[test]
fn files_that_cannot_be_used_are_told_and_left() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let checkpoint = wallace::checkpoint::checkpoint_beside(&out);
    let named = checkpoint.to_str().expect("a plain path");
    // Naming the place keeps the state of a run that ended.
    finish(demo(&out, &["--calls", "60", "--checkpoint", named]));
    let whole = fs::read(&checkpoint).expect("it was kept");
    let resume = out.to_str().expect("a plain path");
    let check = |bytes: &[u8], arguments: &[&str], word: &str| {
        fs::write(&checkpoint, bytes).expect("it can be written");
        let results = suite(&out);
        let mut arguments = arguments.to_vec();
        arguments.extend(["--resume", resume]);
        let output = demo(&out, &arguments).output().expect("it runs");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(word), "{word}: {complaint}");
        assert_eq!(fs::read(&checkpoint).expect("it is there"), bytes, "it is left");
        assert!(suite(&out) == results, "earlier results are left");
    };
    check(b"my diary", &[], "no checkpoint");
    check(&whole[..whole.len() / 2], &[], "damaged");
    let mut changed = whole.clone();
    changed[whole.len() - 9] ^= 1;
    check(&changed, &[], "checksum");
    let mut newer = whole.clone();
    newer[8] = 200;
    check(&newer, &[], "version 200");
    check(&whole, &["--seed", "5"], "seed: 42, not 5");
    check(&whole, &["--sut", "graphql-scs"], "another problem");
    // It was no fault of the file: with more calls the run goes on.
    fs::write(&checkpoint, &whole).expect("it can be written");
    let output = finish(demo(&out, &["--resume", resume, "--calls", "90"]));
    let text = String::from_utf8_lossy(&output.stdout);
    // Three tenths of them are kept for what comes after the search.
    assert!(text.contains("calls      6") && text.contains(" after the search"), "{text}");
}

#[test]
fn the_tests_of_a_run_begin_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let corpus = folder.path().join("corpus");
    let named = corpus.to_str().expect("a plain path");
    let covered = |name: &str, arguments: &[&str]| -> usize {
        let output = finish(demo(&folder.path().join(name), arguments));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|line| line.contains("covered of")).expect("it is summed up");
        let words = line.split_whitespace().collect::<Vec<_>>();
        words[1].parse().expect("a number")
    };
    let long = covered("long", &["--calls", "1500", "--corpus", named]);
    let files = fs::read_dir(&corpus).expect("it was made").count();
    assert!(files > 5, "{files}");
    // As many calls as the tests of the corpus take, and another seed.
    let calls = (2 * files).to_string();
    let short = covered("short", &["--calls", &calls, "--seed", "1", "--corpus", named]);
    let alone = covered("alone", &["--calls", &calls, "--seed", "1"]);
    assert!(short >= long && alone < long, "{long} {short} {alone}");
}
