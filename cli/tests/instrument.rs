//! `wallace instrument` on a service without any attribute, in a package of its own.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use wallace_sut_driver::{BlockingRuntime, DriverClient};

const WALLACE: &str = env!("CARGO_BIN_EXE_wallace");

const MAIN: &str = r#"mod price;

use wallace_instrument::{Driver, ProblemInfo};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = ProblemInfo::Rest { open_api_url: "/openapi.json".to_owned() };
    let driver = Driver::new("price", rest).service(0, price::router).start(0)?;
    println!("{} {}", driver.url(), file!());
    std::io::stdin().read_line(&mut String::new())?;
    Ok(())
}
"#;

const PRICE: &str = r#"use axum::{Router, extract::Path, routing::get};

async fn price(Path(amount): Path<u32>) -> String {
    if amount > 10 {
        return "many".to_owned();
    }
    "few".to_owned()
}

pub fn router() -> Router {
    Router::new().route("/price/{amount}", get(price))
}
"#;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

/// A package that depends on `instrument`, with its sources in a folder. Packages share what they
/// depend on, so that each test names its own.
fn package(name: &str, sources: &str, price: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let manifest = format!(
        "[package]\nname = {name:?}\nedition = \"2024\"\n[dependencies]\n\
         axum = {{ version = \"0.8\", default-features = false, features = [\"http1\", \"tokio\"] }}\n\
         rustversion = \"1\"\nwallace-instrument = {{ path = {:?} }}\n[workspace]\n\
         [[bin]]\nname = {name:?}\npath = \"{sources}/main.rs\"\n",
        workspace().join("instrument")
    );
    let sources = folder.path().join(sources);
    fs::create_dir(&sources).unwrap();
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::copy(workspace().join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
    fs::write(sources.join("main.rs"), MAIN).unwrap();
    fs::write(sources.join("price.rs"), price).unwrap();
    folder
}

fn instrument(folder: &Path, command: &[&str]) -> Command {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| workspace().join("target"), PathBuf::from);
    let mut call = Command::new(WALLACE);
    call.args(["instrument", "--", "cargo"]).args(command).arg("--offline").current_dir(folder);
    call.env("CARGO_TARGET_DIR", std::path::absolute(target.join("generated-suites")).unwrap());
    call
}

fn build(folder: &Path) -> Output {
    instrument(folder, &["build"]).output().unwrap()
}

/// The service ends with its input: ending `wallace` by force would leave it running.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// The program runs, and what it says.
fn start(folder: &Path) -> (Running, String) {
    let output = build(folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut call = instrument(folder, &["run", "--quiet"]);
    let mut child = call.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (Running(child), line)
}

fn branches(line: &str) -> usize {
    let runtime = BlockingRuntime::new().unwrap();
    let url = line.split_whitespace().next().unwrap();
    let mut engine = DriverClient::connect(url, &runtime).unwrap();
    engine.start_sut().unwrap().units.branches
}

#[test]
fn a_program_is_white_box_without_a_change_of_its_sources() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        println!("not run: RUN_SLOW_TESTS is not set");
        return;
    }
    let folder = package("price-service", "src", PRICE);
    let (running, line) = start(folder.path());
    assert_eq!(branches(&line), 2);
    assert!(line.trim().ends_with(" src/main.rs"), "paths are those of the original: {line}");
    assert_eq!(fs::read_to_string(folder.path().join("src/price.rs")).unwrap(), PRICE);
    drop(running);

    // A change of the original is noticed.
    let more =
        PRICE.replace("    \"few\"", "    if amount == 0 { return String::new(); }\n    \"few\"");
    fs::write(folder.path().join("src/price.rs"), more).unwrap();
    let (running, line) = start(folder.path());
    assert_eq!(branches(&line), 4);
    drop(running);

    // Errors name the original, in its line.
    fs::write(folder.path().join("src/price.rs"), PRICE.replace("> 10", "> ten")).unwrap();
    let output = build(folder.path());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("src/price.rs:4:"), "{told}");
}

/// A reference to a field of a packed struct is an error, and a comparison needs one, but for a copy.
const PACKED: &str = r#"
#[repr(packed)]
#[allow(dead_code)]
struct Packed { a: u8, b: u32 }

#[allow(dead_code)]
impl Packed {
    fn is_three(&self) -> bool {
        self.b == 3
    }
}
"#;

/// What a list holds follows from what is behind the look-up. Of what has no distance, nothing is missed;
/// what is copied to be compared is.
const LATE: &str = r#"
#[derive(Clone, Copy, PartialEq)]
struct Item(u8);

#[allow(dead_code)]
fn is_first(item: Item) -> bool {
    let mut items = Vec::new();
    let is_first = items.first() < items.last();
    items.push(item);
    is_first
}

impl PartialOrd for Item {
    fn partial_cmp(&self, other: &Item) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

#[allow(dead_code)]
fn is_same(text: String) -> bool {
    let mut last = None;
    let is_same = last == text.chars().next().map(String::from);
    last.replace(text);
    is_same
}
"#;

/// An attribute makes it constant after it was rewritten.
const MADE_CONSTANT: &str = r#"
struct Even;

impl Even {
    #[rustversion::attr(since(1.60), const)]
    fn is_even(number: u8) -> bool {
        number % 2 == 0
    }
}

#[allow(dead_code)]
const IS_EVEN: bool = Even::is_even(4);
"#;

#[test]
fn what_does_not_compile_rewritten_is_seen_without_operands() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        println!("not run: RUN_SLOW_TESTS is not set");
        return;
    }
    let folder =
        package("packed-service", "program", &format!("{PRICE}{PACKED}{LATE}{MADE_CONSTANT}"));
    let output = build(folder.path());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(!told.contains("is_three"), "of copies all is seen: {told}");
    assert!(!told.contains("is_even"), "constant functions are never white-box: {told}");
    assert!(!told.contains("is_first"), "there is nothing to see: {told}");
    let seen = "warning: line 45 of is_same, line 42 (program/price.rs) is seen without operands";
    assert!(told.contains(seen) && told.matches("is_same").count() == 1, "{told}");
    assert!(!told.contains("an item"), "what is around it keeps its operands: {told}");
    let (running, line) = start(folder.path());
    assert_eq!(branches(&line), 8, "each of the four comparisons keeps its two sides");
    drop(running);
}
