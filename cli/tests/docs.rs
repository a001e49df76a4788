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

/// Documentation without its links, as a cell of a table.
fn plain(text: &str) -> String {
    let mut text = text.replace("[`", "`").replace("`]", "`").replace('|', "\\|");
    while let Some(start) = text.find("`(crate") {
        let end = text[start..].find(')').unwrap();
        text.replace_range(start + 1..=start + end, "");
    }
    text
}

/// The parameters of a struct: name, type and what its documentation says, in one line.
fn parameters(source: &str, name: &str) -> Vec<[String; 3]> {
    let text = fs::read_to_string(root().join(source)).unwrap();
    let body = text.split(&format!("pub struct {name} {{\n")).nth(1).unwrap();
    let mut words = Vec::new();
    let mut parameters = Vec::new();
    for line in body.lines().take_while(|line| *line != "}").map(str::trim) {
        if let Some(words_of_line) = line.strip_prefix("///") {
            words.push(words_of_line.trim());
        } else if let Some((name, kind)) =
            line.strip_prefix("pub ").and_then(|rest| rest.trim_end_matches(',').split_once(": "))
        {
            parameters.push([name.to_owned(), kind.to_owned(), plain(&words.join(" "))]);
            words.clear();
        }
    }
    parameters
}

/// `UPDATE_DOCS=1` writes the page anew.
#[test]
fn the_page_of_settings_is_that_of_the_code() {
    let mut page = "# Settings of the search\n\nThe parameters of `SearchSettings`, which \
                    configurations of a campaign name by these names.\nGenerated from the code.\n"
        .to_owned();
    let parts = [
        ("The search", "engine/src/settings.rs", "SearchSettings"),
        ("Genes (`genes`)", "genes/src/settings.rs", "GeneSettings"),
    ];
    for (title, source, name) in parts {
        page += &format!("\n## {title}\n\n| name | type | meaning |\n| --- | --- | --- |\n");
        for [name, kind, meaning] in parameters(source, name) {
            page += &format!("| `{name}` | `{kind}` | {meaning} |\n");
        }
    }
    let path = root().join("docs/settings.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(page.lines().count() > 40, "{page}");
    assert!(written == page, "docs/settings.md is not that of the code: UPDATE_DOCS=1 writes it");
}
