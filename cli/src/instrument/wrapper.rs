//! The compiler's stand-in.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::rewrite::rewrite;

/// Calls the compiler, on a rewritten copy where that is asked for. `crates` are those to rewrite;
/// where there are none, all that can be.
pub(super) fn compile(
    compiler: &OsStr,
    mut arguments: Vec<OsString>,
    crates: &[&str],
    sources: &Path,
) -> Result<ExitCode, String> {
    let call = Call::read(&arguments);
    let copy = match call.filter(|call| call.is_wanted(crates)) {
        Some(call) if !call.has_attribute => {
            let name = call.name;
            return Err(format!(
                "{name} does not depend on wallace-instrument: add it to its [dependencies]"
            ));
        }
        Some(call) => Some(Copy::make(&call, sources)?),
        None => None,
    };
    if let Some(copy) = &copy {
        arguments[copy.position].clone_from(&copy.root);
        arguments.push(copy.remapping());
    }
    let status = Command::new(compiler).args(&arguments).status();
    let status =
        status.map_err(|error| format!("{} cannot be started: {error}", compiler.display()))?;
    if let Some(copy) = &copy {
        copy.name_originals(&arguments)?;
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// What a call of the compiler is about.
struct Call<'a> {
    name: &'a str,
    /// Position of the root file among the arguments.
    position: usize,
    root: PathBuf,
    package: PathBuf,
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
        let is_program = root.starts_with(package.join("src"))
            && value(arguments, "--crate-type") != Some("proc-macro");
        Some(Self { name, position, root, package, has_attribute, is_program })
    }

    /// Whether the crate is to be rewritten.
    fn is_wanted(&self, crates: &[&str]) -> bool {
        let is_asked_for = if crates.is_empty() {
            self.has_attribute && !self.name.starts_with("wallace")
        } else {
            crates.contains(&self.name)
        };
        is_asked_for && self.is_program
    }
}

/// What follows an option, or its `=`.
fn value<'a>(arguments: &'a [OsString], option: &str) -> Option<&'a str> {
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

/// A package whose items are marked.
struct Copy {
    position: usize,
    root: OsString,
    folder: PathBuf,
    /// The original as the compiler would name it: relative to where it runs.
    original: PathBuf,
}

impl Copy {
    fn make(call: &Call<'_>, sources: &Path) -> Result<Self, String> {
        let package = &call.package;
        let name = package.file_name().unwrap_or_default();
        // Packages of one name lie in different folders.
        let mark = fnv(package.as_os_str().as_encoded_bytes());
        let folder = sources.join(format!("{}-{mark:016x}", name.display()));
        copy(package, &folder, package)?;
        let failed = |_| format!("{} lies outside of its package", call.root.display());
        let root = folder.join(call.root.strip_prefix(package).map_err(failed)?).into_os_string();
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        let original = package.strip_prefix(&here).unwrap_or(package).to_path_buf();
        Ok(Self { position: call.position, root, folder, original })
    }

    /// Lets messages and `file!()` name the original.
    fn remapping(&self) -> OsString {
        let mut argument = OsString::from("--remap-path-prefix=");
        argument.push(&self.folder);
        argument.push("=");
        argument.push(&self.original);
        argument
    }

    /// Tells Cargo that the crate is made of the originals, so that a change of them is noticed.
    fn name_originals(&self, arguments: &[OsString]) -> Result<(), String> {
        let (Some(name), Some(out)) =
            (value(arguments, "--crate-name"), value(arguments, "--out-dir"))
        else {
            return Ok(());
        };
        let mut texts = arguments.iter().filter_map(|argument| argument.to_str());
        let extra = texts.find_map(|it| it.strip_prefix("extra-filename=")).unwrap_or_default();
        let path = Path::new(out).join(format!("{name}{extra}.d"));
        let Ok(text) = fs::read_to_string(&path) else { return Ok(()) };
        let copied = format!("{}/", self.folder.display());
        let original = match self.original.as_os_str().is_empty() {
            true => String::new(),
            false => format!("{}/", self.original.display()),
        };
        write(&path, text.replace(&copied, &original).as_bytes())
    }
}

/// Copies a package without its results; Rust files with their items marked. Files that are as they
/// should be are left alone.
fn copy(from: &Path, to: &Path, package: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name() else { continue };
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        let goal = to.join(name);
        if path.is_dir() {
            let is_other = name == "target" || path.join("Cargo.toml").exists();
            if !is_hidden && !is_other && !path.is_symlink() {
                copy(&path, &goal, package)?;
            }
            continue;
        }
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let is_source =
            path.extension() == Some("rs".as_ref()) && path.starts_with(package.join("src"));
        let marked = std::str::from_utf8(&bytes).ok().filter(|_| is_source).map(rewrite);
        let bytes = marked.map_or(bytes, String::into_bytes);
        if fs::read(&goal).ok().as_ref() != Some(&bytes) {
            write(&goal, &bytes)?;
        }
    }
    Ok(())
}

/// Writes a file aside and moves it into place: several compilers may be at work on one package.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let mut aside = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    aside.write_all(bytes).map_err(failed)?;
    aside.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// FNV-1a of some bytes (Fowler, Noll, Vo).
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
