//! The compiler's stand-in.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use super::copy::Copy;
use super::message::{places_of_errors, warning};

/// How often a crate is compiled with less of it rewritten before all of it is left as it is. The
/// compiler reports errors of one phase at a time, and has fewer phases than this.
const MOST_ATTEMPTS: usize = 16;

/// Calls the compiler, on a rewritten copy where that is asked for. `crates` are those to rewrite;
/// where there are none, all that can be.
pub(super) fn compile(
    compiler: &OsStr,
    arguments: &[OsString],
    crates: &[&str],
    sources: &Path,
) -> Result<ExitCode, String> {
    let call = Call::read(arguments).filter(|call| call.is_wanted(crates));
    let Some(call) = call else {
        return Ok(exit_code(status(compiler, Command::new(compiler).args(arguments).status())?));
    };
    if !call.has_attribute {
        let name = call.name;
        return Err(format!(
            "{name} does not depend on wallace-instrument: add it to its [dependencies]"
        ));
    }
    let is_json = value(arguments, "--error-format") == Some("json");
    let mut warnings = String::new();
    if rewritten(compiler, arguments, &call, sources, &mut |text| {
        warnings.push_str(&warning(&text, is_json));
    })? {
        say(warnings.as_bytes());
        return Ok(ExitCode::SUCCESS);
    }
    // If that fails as well, the fault is the program's own, and told in its own words.
    let plain = status(compiler, Command::new(compiler).args(arguments).status())?;
    if plain.success() {
        let text = format!("{} is not white-box: rewritten, it does not compile", call.name);
        say(warning(&text, is_json).as_bytes());
    }
    Ok(exit_code(plain))
}

/// Compiles a rewritten copy; what the compiler refuses in it is left as it is, and named. Whether
/// that went well.
fn rewritten(
    compiler: &OsStr,
    arguments: &[OsString],
    call: &Call<'_>,
    sources: &Path,
    warn: &mut dyn FnMut(String),
) -> Result<bool, String> {
    let mut copy = Copy::make(call, arguments, sources)?;
    let mut changed = arguments.to_vec();
    changed[copy.position].clone_from(&copy.root);
    changed.push(copy.remapping());
    // What is generated may break rules of style that the crate makes errors.
    if value(arguments, "--cap-lints").is_none() {
        changed.extend(["--cap-lints", "warn"].map(OsString::from));
    }
    for _ in 0..MOST_ATTEMPTS {
        let run = Command::new(compiler).args(&changed).stderr(Stdio::piped()).spawn();
        let output = status(compiler, run.and_then(std::process::Child::wait_with_output))?;
        if output.status.success() {
            say(&output.stderr);
            copy.remember()?;
            copy.name_originals(arguments)?;
            return Ok(true);
        }
        let Some(left) = copy.leave(&places_of_errors(&output.stderr))? else { break };
        left.into_iter().for_each(&mut *warn);
    }
    Ok(false)
}

fn status<T>(compiler: &OsStr, result: std::io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{} cannot be started: {error}", compiler.display()))
}

fn exit_code(status: ExitStatus) -> ExitCode {
    status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Passes on what the compiler said. Nobody may be listening any more.
fn say(messages: &[u8]) {
    let _ = std::io::stderr().write_all(messages);
}

/// What a call of the compiler is about.
pub(super) struct Call<'a> {
    name: &'a str,
    /// Name of its package as crates are written; a library may be called otherwise.
    package_name: String,
    /// Position of the root file among the arguments.
    pub(super) position: usize,
    pub(super) root: PathBuf,
    pub(super) package: PathBuf,
    /// Whether the crate can name the attribute.
    has_attribute: bool,
    is_program: bool,
}

impl<'a> Call<'a> {
    /// `None` for questions about the compiler, build scripts and the like.
    fn read(arguments: &'a [OsString]) -> Option<Self> {
        let name = value(arguments, "--crate-name")?;
        let is_file = |argument: &OsString| Path::new(argument).extension() == Some("rs".as_ref());
        let position = arguments.iter().position(is_file)?;
        let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
        let root = std::path::absolute(&arguments[position]).ok()?;
        let has_attribute = arguments
            .iter()
            .filter_map(|it| it.to_str())
            .any(|it| it == "wallace_instrument" || it.starts_with("wallace_instrument="));
        let is_program = root.strip_prefix(&package).is_ok_and(is_of_crate)
            && !name.starts_with("build_script_")
            && value(arguments, "--crate-type") != Some("proc-macro");
        let package_name = std::env::var("CARGO_PKG_NAME").unwrap_or_default().replace('-', "_");
        Some(Self { name, package_name, position, root, package, has_attribute, is_program })
    }

    /// Whether the crate is to be rewritten.
    fn is_wanted(&self, crates: &[&str]) -> bool {
        let is_asked_for = if crates.is_empty() {
            self.has_attribute && !self.name.starts_with("wallace")
        } else {
            [self.name, &self.package_name].iter().any(|name| crates.contains(name))
        };
        is_asked_for && self.is_program
    }
}

/// Whether a file of a package may be part of its library or programs, which need not lie in `src`.
pub(super) fn is_of_crate(inside: &Path) -> bool {
    !["tests", "benches", "examples", "build.rs"].iter().any(|other| inside.starts_with(other))
}

/// What follows an option, or its `=`.
pub(super) fn value<'a>(arguments: &'a [OsString], option: &str) -> Option<&'a str> {
    let mut all = arguments.iter().filter_map(|argument| argument.to_str());
    while let Some(argument) = all.next() {
        if argument == option {
            return all.next();
        }
        if let Some(value) = argument.strip_prefix(option).and_then(|it| it.strip_prefix('=')) {
            return Some(value);
        }
    }
    None
}
