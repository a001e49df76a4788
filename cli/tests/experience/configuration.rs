//! `wallace.toml` and the commands around it.

use std::fs;

use crate::support::{Recording, command, text};

const SCHEMA: &str = "type Query { book(id: ID!): Book, count: Int } type Book { title: String }";

fn told(
    folder: &std::path::Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> (Option<i32>, String, String) {
    let output = command(arguments)
        .current_dir(folder)
        .envs(variables.iter().copied())
        .output()
        .expect("the command runs");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn options_come_before_the_environment_before_the_file_before_defaults() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let config = "[target]\nurl = \"http://localhost:1/graphql\"\n[budget]\ncalls = 11\n\
                  [search]\nseed = 12\n[calls]\nexclude = [\"Query.a\", \"Query.b\"]\n";
    fs::write(folder.path().join("wallace.toml"), config).expect("it can be written");
    let arguments = ["fuzz", "--show-config", "--seed", "1"];
    let variables = [("WALLACE_SEED", "2"), ("WALLACE_CALLS", "3")];
    let (code, shown, complaint) = told(folder.path(), &arguments, &variables);
    assert_eq!(code, Some(0), "{complaint}");
    let row = |key: &str| {
        let line = shown.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("search.seed"), "1 option");
    assert_eq!(row("budget.calls"), "3 environment");
    assert_eq!(row("target.url"), "http://localhost:1/graphql wallace.toml");
    assert_eq!(row("calls.exclude"), "Query.a, Query.b wallace.toml");
    assert_eq!(row("output.fail-on"), "fault default");
    // Another kind of service replaces the one of the file.
    let (_, shown, _) = told(folder.path(), &["fuzz", "--show-config", "--driver", "7"], &[]);
    assert!(shown.contains("7") && !shown.contains("localhost:1"), "{shown}");
}

#[test]
fn mistakes_in_files_are_shown_where_they_are() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("wallace.toml");
    fs::write(&path, "[budget]\ncals = 11\n").expect("it can be written");
    let (code, _, complaint) = told(folder.path(), &["fuzz", "--driver", "1"], &[]);
    assert_eq!(code, Some(2), "{complaint}");
    for word in ["did you mean `calls`?", "wallace.toml", "cals = 11", "2"] {
        assert!(complaint.contains(word), "{word} is not in {complaint}");
    }
    fs::remove_file(&path).expect("it is there");
    fs::write(folder.path().join("s.graphql"), "type Query {\n  a: [Int\n}\n").expect("written");
    fs::write(folder.path().join("a.yaml"), "auth:\n  - name: [x\n").expect("written");
    let service = Recording::start(|_| "{\"data\": {}}".to_owned());
    let url = format!("http://127.0.0.1:{}/graphql", service.port);
    let fuzz = ["fuzz", "--url", &url, "--schema", "s.graphql"];
    let (code, _, complaint) = told(folder.path(), &fuzz, &[]);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("s.graphql") && complaint.contains("a: [Int"), "{complaint}");
    fs::write(folder.path().join("s.graphql"), SCHEMA).expect("written");
    let with_users = [&fuzz[..], &["--auth", "a.yaml"]].concat();
    let (code, _, complaint) = told(folder.path(), &with_users, &[]);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("a.yaml") && complaint.contains("name: [x"), "{complaint}");
    let (code, _, complaint) = told(folder.path(), &["fuzz"], &[]);
    assert_eq!(code, Some(2));
    assert!(complaint.contains("wallace init"), "{complaint}");
}

#[test]
fn init_writes_what_the_other_commands_read() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (code, _, complaint) = told(folder.path(), &["init"], &[]);
    assert_eq!(code, Some(0), "{complaint}");
    let (code, _, complaint) = told(folder.path(), &["init"], &[]);
    assert_eq!((code, complaint.contains("--force")), (Some(2), true), "{complaint}");
    let (code, shown, _) = told(folder.path(), &["fuzz", "--show-config"], &[]);
    assert_eq!(code, Some(0));
    assert!(shown.contains("wallace.toml"), "{shown}");
    let (_, schema, _) = told(folder.path(), &["init", "--json-schema"], &[]);
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("it is JSON");
    assert!(schema["properties"]["budget"].is_object());
    let (code, script, _) = told(folder.path(), &["completions", "bash"], &[]);
    assert!(code == Some(0) && script.contains("--show-config"));
    let (code, _, _) = told(folder.path(), &["man", "pages"], &[]);
    let page = fs::read_to_string(folder.path().join("pages/wallace-fuzz.1")).expect("it is there");
    assert!(code == Some(0) && page.contains("dry"), "{page}");
}

#[test]
fn a_dry_run_shows_calls_and_makes_none() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("s.graphql"), SCHEMA).expect("it can be written");
    let service = Recording::start(|_| "{\"data\": {}}".to_owned());
    let url = format!("http://127.0.0.1:{}/graphql", service.port);
    let arguments = ["fuzz", "--url", &url, "--schema", "s.graphql", "--dry-run"];
    let (code, shown, complaint) = told(folder.path(), &arguments, &[]);
    assert_eq!(code, Some(0), "{complaint}");
    for word in ["2 operations", "Query.book", "Query.count", "POST /graphql", "title"] {
        assert!(shown.contains(word), "{word} is not in {shown}");
    }
    assert!(service.requests().is_empty(), "{:?}", service.requests());
    assert!(!folder.path().join("wallace-out").exists());
}

#[test]
fn the_doctor_tells_what_will_limit_a_run() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("s.graphql"), SCHEMA).expect("it can be written");
    let service = Recording::start(|_| "{\"data\": {\"count\": 1, \"book\": null}}".to_owned());
    let url = format!("http://127.0.0.1:{}/graphql", service.port);
    let arguments = ["doctor", "--url", &url, "--schema", "s.graphql"];
    let (code, shown, complaint) = told(folder.path(), &arguments, &[]);
    assert_eq!(code, Some(0), "{complaint}");
    for word in ["ok   folder", "2 of 2 operations", "no users", "clock", "note reset"] {
        assert!(shown.contains(word), "{word} is not in {shown}");
    }
    let (code, shown, _) = told(folder.path(), &["doctor", "--driver", "1"], &[]);
    assert_eq!(code, Some(3), "{shown}");
    assert!(shown.contains("FAIL driver"), "{shown}");
}
