//! The commands of the README and of docs/, run as they stand.
//!
//! What comes after the language of a block says how: `service` starts it and lets it run to the
//! end of the page, `exit=N` is the code it must end with (0 by default, `any` of 0 and 1),
//! `env=NAME=VALUE,...` sets variables, `no-run` is for what needs a machine of the reader's, and
//! `file=NAME` is a file of the folder in which all of the page runs. Ports become free ones.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;
use wallace::settings::{GeneSettings, ResultSettings, SearchSettings, Setting, TestSettings};

const WALLACE: &str = env!("CARGO_BIN_EXE_wallace");
const PORTS: [&str; 3] = ["40100", "8080", "8081"];

struct Block {
    attributes: Vec<String>,
    text: String,
}

impl Block {
    fn attribute(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find_map(|it| it.strip_prefix(name)?.strip_prefix('='))
    }

    fn is(&self, word: &str) -> bool {
        self.attributes.iter().any(|it| it == word)
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let attributes = info.split_whitespace().map(str::to_owned).collect();
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(Block { attributes, text: body.join("\n") + "\n" });
        }
    }
    blocks
}

/// The services of a page; they end with it.
#[derive(Default)]
struct Services(Vec<Child>);

impl Drop for Services {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Services {
    fn start(&mut self, command: &str, folder: &Path) {
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("wallace"), "{command}");
        let child =
            Command::new(WALLACE).args(words).current_dir(folder).stdout(Stdio::null()).spawn();
        self.0.push(child.unwrap());
        let ports = command.split_whitespace().filter_map(|word| word.parse::<u16>().ok());
        for port in ports {
            let patience = Instant::now() + Duration::from_secs(30);
            while TcpStream::connect(("127.0.0.1", port)).is_err() {
                assert!(Instant::now() < patience, "{command} does not listen");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}

fn run(block: &Block, command: &str, folder: &Path, page: &Path) {
    let command = command.replace("cargo run --release --", "wallace");
    let own = Path::new(WALLACE).parent().unwrap();
    let path = format!("{}:{}", own.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(folder).env("PATH", path);
    for pair in block.attribute("env").into_iter().flat_map(|all| all.split(',')) {
        let (name, value) = pair.split_once('=').unwrap();
        shell.env(name, value);
    }
    println!("{}: {command}", page.display());
    let output = shell.output().unwrap();
    let code = output.status.code();
    let is_right = match block.attribute("exit").unwrap_or("0") {
        "any" => matches!(code, Some(0 | 1)),
        number => code == number.parse().ok(),
    };
    let told = [output.stdout, output.stderr].concat();
    assert!(
        is_right,
        "{}: {command} ended with {code:?}: {}",
        page.display(),
        String::from_utf8_lossy(&told)
    );
}

/// Runs a page; how many commands it has.
fn run_page(page: &Path) -> usize {
    let mut text = fs::read_to_string(page).unwrap();
    let listeners = PORTS.map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    for (port, listener) in PORTS.iter().zip(&listeners) {
        text = text.replace(port, &listener.local_addr().unwrap().port().to_string());
    }
    drop(listeners);
    let folder = tempfile::tempdir().unwrap();
    let mut services = Services::default();
    let mut commands = 0;
    for block in blocks(&text) {
        if let Some(name) = block.attribute("file") {
            fs::write(folder.path().join(name), &block.text).unwrap();
        }
        if !block.is("sh") || block.is("no-run") {
            continue;
        }
        for command in block.text.lines().filter(|line| !line.starts_with("cargo install")) {
            if block.is("service") {
                services.start(command, folder.path());
            } else if block.is("example") {
                let name = command.rsplit(' ').next().unwrap();
                assert!(root().join(format!("engine/examples/{name}.rs")).exists(), "{name}");
            } else if command.starts_with("wallace") || command.contains("--release --") {
                run(&block, command, folder.path(), page);
                commands += 1;
            }
        }
    }
    commands
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().into()
}

fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).unwrap();
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

#[test]
fn every_command_works() {
    if std::env::var_os("RUN_SLOW_TESTS").is_none() {
        println!("not run: RUN_SLOW_TESTS is not set");
        return;
    }
    let commands: usize = pages().iter().map(|page| run_page(page)).sum();
    assert!(commands >= 12, "only {commands} commands were found");
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            let is_here = !file.is_empty() && !file.contains("://");
            let target = page.parent().unwrap().join(file);
            assert!(!is_here || target.exists(), "{}: {link}", page.display());
        }
    }
}

/// A cell of a table.
fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|")
}

/// The options of `wallace fuzz`, by section of the file.
fn options() -> String {
    let output = Command::new(WALLACE).args(["init", "--json-schema"]).output().unwrap();
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut page = String::new();
    for (section, known) in schema["properties"].as_object().unwrap() {
        let about = known["description"].as_str().unwrap();
        page += &format!("\n### `[{section}]`\n\n{about}.\n\n| key | variable | meaning |\n");
        page += "| --- | --- | --- |\n";
        for (key, known) in known["properties"].as_object().unwrap() {
            let variable = known["x-environment"].as_str().map(|name| format!("`{name}`"));
            let about = cell(known["description"].as_str().unwrap());
            let usual = known["x-default"].as_str().filter(|usual| !usual.is_empty());
            let usual = usual.map_or_else(String::new, |usual| format!(" [default: {usual}]"));
            page += &format!("| `{key}` | {} | {about}{usual} |\n", variable.unwrap_or_default());
        }
    }
    page
}

/// A group of parameters with their defaults.
fn group(title: &str, all: &[Setting], usual: &impl Serialize) -> String {
    let usual = serde_json::to_value(usual).unwrap();
    let mut page = format!("\n### {title}\n\n| name | type | default | range | meaning |\n");
    page += "| --- | --- | --- | --- | --- |\n";
    for Setting { name, kind, range, about } in all {
        let usual = Some(&usual[*name]).filter(|usual| !usual.is_object());
        let usual = usual.map_or_else(String::new, |usual| format!("`{usual}`"));
        let range = range.map_or_else(String::new, |(least, most)| format!("{least} to {most}"));
        page += &format!("| `{name}` | `{kind}` | {usual} | {range} | {} |\n", cell(about));
    }
    page
}

/// `UPDATE_DOCS=1` writes the page anew.
#[test]
fn the_page_of_settings_is_that_of_the_code() {
    let mut page = "# Settings\n\nGenerated from the code, where each is declared once.\n\n\
                    ## Options of `wallace fuzz` and `wallace doctor`\n\nA key of `wallace.toml` \
                    is an option of the same name: `rate` of `[calls]` is `--rate`. Options come \
                    first, then\nenvironment variables, then the file. What is asked of one run \
                    only (`--resume`, `--quiet`) is no setting.\n"
        .to_owned();
    page += &options();
    page += "\n## Parameters\n\nConfigurations of a campaign name them, and programs that use the \
             library.\n";
    page += &group("The search", SearchSettings::ALL, &SearchSettings::default());
    page += &group("Genes (`genes`)", GeneSettings::ALL, &GeneSettings::default());
    page += &group("Tests of REST services", TestSettings::ALL, &TestSettings::default());
    page += &group("The result", ResultSettings::ALL, &ResultSettings::default());
    let path = root().join("docs/settings.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(page.lines().count() > 100, "{page}");
    assert!(written == page, "docs/settings.md is not that of the code: UPDATE_DOCS=1 writes it");
}
