//! The command as a person meets it: exit codes, one clear line for bad input, nothing half-written.

#[cfg(unix)]
#[path = "common/interrupt.rs"]
mod interrupt;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

fn wallace(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wallace"))
        .args(arguments)
        .env_remove("WALLACE_DRIVER")
        .output()
        .expect("the command runs")
}

/// Checks the exit code, that the complaint is one line with these words, and that nothing was
/// written to `out`.
fn check_refused(arguments: &[&str], code: i32, words: &[&str], out: &Path) {
    let output = wallace(arguments);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {complaint}");
    let lines: Vec<&str> = complaint.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 1, "{complaint}");
    for word in words {
        assert!(complaint.contains(word), "{word:?} is not in {complaint}");
    }
    assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
    let left = std::fs::read_dir(out).map_or(0, Iterator::count);
    assert_eq!(left, 0, "{} holds {left} entries", out.display());
}

/// A server that gives every request the same answer, as many as are asked.
fn server(answer: &'static str) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has free ports");
    let port = listener.local_addr().expect("it is bound").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut buffer = [0; 4096];
            while stream.read(&mut buffer).is_ok_and(|count| count > 0) {
                if stream.write_all(answer.as_bytes()).is_err() {
                    break;
                }
            }
        }
    });
    port
}

#[test]
fn an_unreachable_driver_is_told_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|socket| socket.local_addr());
    let address = format!("localhost:{}", free.expect("loopback has free ports").port());
    let out_text = out.to_str().expect("a plain path");
    let arguments = ["fuzz", "--driver", &address, "--out", out_text];
    check_refused(&arguments, 3, &["nothing listens", "--driver"], &out);
}

#[test]
fn a_driver_that_answers_html_is_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let page =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>";
    let address = format!("localhost:{}", server(page));
    let out = folder.path().join("out");
    let arguments = ["fuzz", "--driver", &address, "--out", out.to_str().expect("a plain path")];
    check_refused(&arguments, 3, &["HTML", "40100"], &out);
}

#[test]
fn an_unknown_service_is_told_with_the_known_ones() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let arguments = ["demo", "--sut", "graphql-sc", "--out", out.to_str().expect("a plain path")];
    check_refused(&arguments, 2, &["graphql-sc", "graphql-scs"], &out);
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_anything_starts() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("file");
    std::fs::write(&file, "in the way").expect("it can be written");
    let out = file.join("below");
    let arguments = ["demo", "--out", out.to_str().expect("a plain path")];
    check_refused(&arguments, 2, &["--out"], &out);
    assert_eq!(std::fs::read_to_string(&file).expect("it is still there"), "in the way");
}

#[test]
fn an_existing_folder_is_kept_unless_force_is_given() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let precious = folder.path().join("precious.txt");
    std::fs::write(&precious, "mine").expect("it can be written");
    let out = folder.path().to_str().expect("a plain path");
    let output = wallace(&["demo", "--out", out]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("--force"), "{complaint}");
    assert_eq!(std::fs::read_to_string(&precious).expect("it is still there"), "mine");
}

/// Each is told in one line that names what is wrong and what to do next.
#[test]
fn files_and_addresses_that_are_wrong_are_told_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain path").to_owned();
    let (out, absent, schema) = (path("out"), path("absent"), path("schema.graphql"));
    let (noise, taken) = (path("noise.txt"), TcpListener::bind(("127.0.0.1", 0)).expect("a port"));
    std::fs::write(&noise, "nothing\nof the kind\n").expect("it can be written");
    std::fs::write(&schema, "type Query { a: Int }").expect("it can be written");
    std::fs::write(path("other.graphql"), "{ b }").expect("it can be written");
    let taken = taken.local_addr().expect("it is bound").to_string();
    let url = "http://127.0.0.1:9/graphql";
    let cases: [(&[&str], &[&str]); 17] = [
        (&["fuzz", "--openapi", &absent, "--out", &out], &["absent cannot be read"]),
        (&["fuzz", "--openapi", &noise, "--out", &out], &["noise.txt"]),
        (&["fuzz", "--driver", "99999", "--out", &out], &["65535"]),
        (&["fuzz", "--driver", "@/absent", "--out", &out], &["/absent", "an address in each line"]),
        (&["fuzz", "--url", url, "--auth", &absent, "--out", &out], &["absent", "docs/auth.md"]),
        (&["fuzz", "--url", url, "--schema", &absent, "--out", &out], &["absent", "SDL"]),
        (&["harvest", &absent, "--schema", &schema, "--out", &out], &["absent", "a folder"]),
        (&["harvest", &noise, "--schema", &schema, "--out", &out], &["no operation", "HAR"]),
        (&["harvest", &noise, "--schema", &absent, "--out", &out], &["absent", "SDL"]),
        (
            &["harvest", &schema, "--schema", &schema, "--secret-names", "(", "--out", &out],
            &["--secret-names", "unclosed group"],
        ),
        (
            &["harvest", "--listen", &taken, "--upstream", "localhost:1", "--record", &out],
            &[&taken, "--listen"],
        ),
        (
            &["harvest", "--listen", "127.0.0.1:0", "--upstream", "nonsense", "--record", &out],
            &["nonsense", "HOST:PORT", "--upstream"],
        ),
        (&["campaign", "plan", &absent, "--out", &out], &["absent", "see whether it is there"]),
        (&["properties", "--study", "--schema", &absent], &["absent", "SDL"]),
        (&["properties", "--url", url, "--compare-with", &noise], &["no operation", "HAR"]),
        (&["properties", "--url", url, "--compare-with", &absent], &["absent", "a folder"]),
        (
            &["properties", "--study", "--schema", &schema, "--plot", "/absent/a.svg"],
            &["--plot", "/absent"],
        ),
    ];
    for (arguments, words) in cases {
        check_refused(arguments, 2, words, Path::new(&out));
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    }
    // What a file holds that does not fit is told too, a line for each, and nothing is written.
    let output = wallace(&["harvest", &path("other.graphql"), "--schema", &schema, "--out", &out]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("is the schema that of the service"), "{complaint}");
    assert!(!Path::new(&out).exists());
}

/// Before the search there is nothing to write, so that an interrupt need not wait for a driver that
/// never answers, or a service that takes its time.
#[cfg(unix)]
#[test]
fn an_interrupt_before_the_search_ends_the_run() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let out_text = out.to_str().expect("a plain path");
    let silent = TcpListener::bind(("127.0.0.1", 0)).expect("loopback has free ports");
    let address = silent.local_addr().expect("it is bound").to_string();
    let free = TcpListener::bind(("127.0.0.1", 0)).and_then(|socket| socket.local_addr());
    let url = format!("http://{}/graphql", free.expect("loopback has free ports"));
    let cases: [&[&str]; 2] = [
        &["fuzz", "--driver", &address, "--out", out_text],
        &["fuzz", "--url", &url, "--start-command", "sleep 40", "--out", out_text],
    ];
    for arguments in cases {
        let mut child = Command::new(env!("CARGO_BIN_EXE_wallace"))
            .args(arguments)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the command runs");
        std::thread::sleep(std::time::Duration::from_millis(700));
        let begin = std::time::Instant::now();
        interrupt::interrupt(&child);
        let code = child.wait().expect("it ends").code();
        let mut complaint = String::new();
        let mut errors = child.stderr.take().expect("it is piped");
        errors.read_to_string(&mut complaint).expect("it is text");
        assert_eq!(code, Some(130), "{arguments:?}: {complaint}");
        assert!(begin.elapsed().as_secs() < 5, "{:?}", begin.elapsed());
        assert!(complaint.contains("nothing is written"), "{complaint}");
        assert!(!out.exists());
    }
}

#[test]
fn usage_errors_exit_with_2() {
    for arguments in [
        &["fuzz"][..],
        &["demo", "--calls", "0"],
        &["demo", "--time", "soon"],
        &["demo", "--seed", "x"],
        &["fuzz", "--url", "http://127.0.0.1:9", "--workers", "0"],
        &["no-such-command"],
    ] {
        let output = wallace(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn the_demo_writes_a_suite_and_a_report() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out = folder.path().join("out");
    let out_text = out.to_str().expect("a plain path");
    let output = wallace(&["demo", "--calls", "600", "--out", out_text]);
    let summary = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for word in ["lines", "branches", "faults", "calls", "/s", out_text] {
        assert!(summary.contains(word), "{word:?} is not in {summary}");
    }
    assert!(out.join("report.json").is_file());
    let told = summary.split("cd ").nth(1).and_then(|rest| rest.split(" &&").next());
    let suite = Path::new(told.expect("where the suite is")).join("Cargo.toml");
    assert!(suite.is_file(), "{summary}");
}

#[test]
fn fixtures_tell_how_they_are_started() {
    for arguments in [&["fixture", "--help"][..], &["fixture", "graphql-ncs", "--help"]] {
        let output = wallace(arguments);
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{told}");
        assert!(told.starts_with("Serve a built-in service with its driver"), "{told}");
        assert!(told.contains("--driver-port") && told.contains("flawed-shop-graphql"), "{told}");
    }
    let output = wallace(&["fixture", "graphql-nc"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("unknown fixture 'graphql-nc'"), "{told}");
}
