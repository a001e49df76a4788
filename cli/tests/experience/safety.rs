//! What must not happen: secrets in results, changes where nobody allowed them, results lost.

use std::fs;
use std::path::Path;

use crate::support::{Recording, command, text, wallace};

const SCHEMA: &str = "type Query { book(id: ID): String } type Mutation { drop(id: ID): String }";

/// Texts of all files below a folder, with their paths.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let content = text(&fs::read(&path).expect("it can be read"));
            found.push((path.display().to_string(), content));
        }
    }
    found
}

/// Headers, passwords, tokens of logins and cookies are known to the run, and the service tells them
/// in every answer. None of them reaches a file.
#[test]
fn planted_secrets_reach_no_file() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let secrets = ["planted-header-1", "planted\\\"pass<word>&2", "planted-token-3"];
    let echoed = secrets.map(str::to_owned);
    let service = Recording::start(move |request| {
        if request.starts_with("POST /login") {
            return format!("{{\"token\": \"{}\"}}", echoed[2]);
        }
        let all = echoed.join(" ");
        let body = serde_json::json!({ "data": { "book": all }, "extensions": { "seen": echoed } });
        body.to_string()
    });
    let schema = folder.path().join("schema.graphql");
    fs::write(&schema, SCHEMA).expect("it can be written");
    let auth = folder.path().join("auth.json");
    let users = serde_json::json!({ "auth": [
        { "name": "ann", "fixedHeaders": [{ "name": "X-Key", "value": secrets[0] }] },
        { "name": "bob", "loginEndpointAuth": {
            "verb": "POST", "endpoint": "/login", "contentType": "application/json",
            "payloadUserPwd": { "username": "bob", "password": "${PLANTED}",
                                "usernameField": "user", "passwordField": "pass" },
            "token": { "extractFrom": "body", "extractSelector": "/token", "sendIn": "header",
                       "sendName": "Authorization", "sendTemplate": "Bearer {token}" },
        } },
    ] });
    fs::write(&auth, users.to_string()).expect("it can be written");
    let out = folder.path().join("out");
    let url = format!("http://127.0.0.1:{}/graphql", service.port);
    let plain = |path: &Path| path.to_str().expect("a plain path").to_owned();
    let output =
        command(&["fuzz", "--url", &url, "--schema", &plain(&schema), "--auth", &plain(&auth)])
            .args(["--calls", "150", "--quiet", "--out", &plain(&out)])
            .env("PLANTED", secrets[1])
            .output()
            .expect("the command runs");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    let sent = service.requests().join("\n");
    assert!(sent.contains(secrets[0]) && sent.contains(secrets[2]), "the users were used");
    let written = files(&out);
    assert!(written.len() > 8, "{written:?}");
    assert!(written.iter().any(|(_, content)| content.contains("[redacted]")), "answers are kept");
    for (path, content) in &written {
        // A part of each that no format writes otherwise.
        for part in
            ["planted-header-1", "planted-token-3", "word>&2", "word&gt;&amp;2", "planted\\"]
        {
            assert!(!content.contains(part), "{part} is in {path}");
        }
    }
}

/// A name that the resolver takes for this machine, and nobody can tell by reading it.
#[test]
fn nothing_is_changed_on_another_machine_without_permission() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let schema = folder.path().join("schema.graphql");
    fs::write(&schema, SCHEMA).expect("it can be written");
    let schema = schema.to_str().expect("a plain path").to_owned();
    let run = |host: &str, more: &[&str], name: &str| {
        let service = Recording::start(|_| "{\"data\": {\"book\": \"x\"}}".to_owned());
        let url = format!("http://{host}:{}/graphql", service.port);
        let out = folder.path().join(name);
        let out = out.to_str().expect("a plain path").to_owned();
        let mut arguments = vec!["fuzz", "--url", &url, "--schema", &schema, "--calls", "120"];
        arguments.extend(["--quiet", "--out", &out]);
        arguments.extend(more);
        let output = wallace(&arguments);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
        let requests = service.requests();
        assert!(requests.len() > 20, "the service was called: {}", requests.len());
        let changes = requests.iter().filter(|request| request.contains("mutation")).count();
        (changes, text(&output.stdout))
    };
    let (changes, told) = run("127.1", &[], "guarded");
    assert_eq!(changes, 0, "{told}");
    assert!(told.contains("--allow-mutations"), "{told}");
    assert!(run("127.1", &["--allow-mutations"], "allowed").0 > 0);
    assert!(run("127.0.0.1", &[], "loopback").0 > 0);
}

/// Runs the demo to a folder; its exit code and complaint.
fn demo(out: &Path, more: &[&str]) -> (Option<i32>, String) {
    let out = out.to_str().expect("a plain path");
    let mut arguments =
        vec!["demo", "--sut", "graphql-ncs", "--calls", "150", "--quiet", "--out", out];
    arguments.extend(more);
    let output = wallace(&arguments);
    (output.status.code(), text(&output.stderr))
}

#[test]
fn results_are_never_lost_nor_replaced_unasked() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    assert_eq!(demo(&out, &[]).0, Some(0));
    let first = fs::read(out.join("run.json")).expect("it is there");
    let (code, complaint) = demo(&out, &[]);
    assert_eq!((code, complaint.contains("--force")), (Some(2), true), "{complaint}");
    assert_eq!(fs::read(out.join("run.json")).expect("it is there"), first, "it is as it was");
    fs::write(out.join("notes.txt"), "mine").expect("it can be written");
    assert_eq!(demo(&out, &["--force"]).0, Some(0));
    assert_eq!(fs::read_to_string(out.join("notes.txt")).expect("it is there"), "mine");
}

/// The first interrupt writes what was found; the second stops at once.
#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_its_results() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let out_text = out.to_str().expect("a plain path");
    let arguments =
        ["demo", "--sut", "graphql-ncs", "--time", "10m", "--json-lines", "--out", out_text];
    let mut command = command(&arguments);
    let mut child = command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("it runs");
    // The first line says that the search has begun.
    let mut lines = std::io::BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut lines, &mut line).expect("it says something");
    crate::interrupt::interrupt(&child);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut lines, &mut rest).expect("it ends");
    assert_eq!(child.wait().expect("it is a child").code(), Some(130), "{rest}");
    assert!(out.join("report.html").is_file() && out.join("run.json").is_file());
}

/// Two runs in one folder: one of them has it, and the other's results are told to be elsewhere or
/// were never begun; nothing of either is mixed.
#[test]
fn two_runs_in_one_folder_do_not_mix() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let out_text = out.to_str().expect("a plain path");
    let start = |seed: &str| {
        let arguments =
            ["demo", "--sut", "graphql-ncs", "--calls", "300", "--quiet", "--out", out_text];
        let mut command = command(&arguments);
        command.args(["--seed", seed]).stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::piped()).spawn().expect("it runs")
    };
    let runs = [start("1"), start("2")];
    let outputs = runs.map(|run| run.wait_with_output().expect("it is a child"));
    let codes = [&outputs[0], &outputs[1]].map(|output| output.status.code());
    assert!(codes.contains(&Some(0)), "{codes:?}");
    let loser = outputs.iter().find(|output| output.status.code() != Some(0)).expect("one has it");
    let complaint = text(&loser.stderr);
    assert!(complaint.contains("out"), "{complaint}");
    let record = fs::read_to_string(out.join("run.json")).expect("it is there");
    let record: serde_json::Value = serde_json::from_str(&record).expect("it is whole");
    let seed = record["suite"]["provenance"]["seed"].to_string();
    let manifest = fs::read_to_string(out.join("report.html")).expect("it is there");
    assert!(manifest.contains(&format!("seed {seed},")), "page and record are of one run");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_and_a_folder_that_cannot_be_written_are_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let small = folder.path().join("small");
    fs::create_dir(&small).expect("a folder can be made");
    let mount = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(&small)
        .output();
    if mount.is_ok_and(|mount| mount.status.success()) {
        let (code, complaint) = demo(&small.join("out"), &[]);
        let left: Vec<_> = fs::read_dir(&small).expect("it is there").flatten().collect();
        let _ = std::process::Command::new("umount").arg(&small).output();
        assert_eq!(code, Some(2), "{complaint}");
        assert!(complaint.contains("failed to write"), "{complaint}");
        let names: Vec<_> = left.iter().map(|entry| entry.file_name()).collect();
        assert!(!names.iter().any(|name| name == "out"), "nothing half-written: {names:?}");
        let kept = complaint.trim().rsplit(" are in ").next().expect("the place is told");
        assert!(Path::new(kept).join("run.json").is_file(), "{complaint}");
        fs::remove_dir_all(kept).expect("it is ours");
    }
    let (code, complaint) = demo(Path::new("/proc/wallace/out"), &[]);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("--out"), "{complaint}");
}
