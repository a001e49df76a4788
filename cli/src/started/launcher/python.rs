//! The launcher of Python services: the package `wallace_driver`, in the Python that runs the
//! command.

use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Launcher, program};
use crate::argument::Python;
use crate::started::error::StartError;

/// Folders of virtual environments, as projects usually have them.
const ENVIRONMENTS: [&str; 2] = [".venv", "venv"];
/// Lines of a script in which its Python may be named: long paths stand in the second or third.
const HEAD: usize = 3;

/// The launcher for what the arguments ask for.
pub(crate) fn launcher(python: &Python) -> Result<Launcher, StartError> {
    let started = &python.started;
    let interpreter = interpreter(started.command.first().map_or(OsStr::new(""), |word| word));
    let sources = python.driver_package.as_deref().map(sources);
    let version = version(&interpreter, sources.as_deref())?;
    let driver = format!("wallace_driver in Python {version}");
    let mut launcher = Launcher::new(&interpreter, driver, started);
    if let Some(sources) = sources {
        launcher.environment.push(("PYTHONPATH".to_owned(), import_path(&sources)));
    }
    let first = ["-m", "wallace_driver"].map(OsString::from);
    Ok(launcher.of(&first, &started.command))
}

/// The version of a Python that has the package.
pub(crate) fn version(interpreter: &Path, sources: Option<&Path>) -> Result<String, StartError> {
    let shown = interpreter.display();
    let mut command = Command::new(interpreter);
    if let Some(sources) = sources {
        command.env("PYTHONPATH", import_path(sources));
    }
    let script = "import platform; print(platform.python_version()); import wallace_driver";
    let output = command.args(["-c", script]).output();
    let output = output.ok().map(|output| {
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (output.status.success(), version)
    });
    match output {
        Some((true, version)) => Ok(version),
        Some((false, version)) if !version.is_empty() => Err(StartError::NoDriver {
            place: match sources {
                Some(sources) => format!("in {}", sources.display()),
                None => format!("in {shown} (Python {version})"),
            },
            install: format!("{shown} -m pip install wallace-driver"),
        }),
        _ => Err(StartError::NoLanguage(format!(
            "{shown} does not run: install Python 3.10 or later, or activate the environment of \
             the service"
        ))),
    }
}

/// The Python that runs a command: itself, the one that its script names, the one beside the script,
/// or that of an environment of the project; `python3` where nothing tells.
pub(crate) fn interpreter(word: &OsStr) -> PathBuf {
    let name = Path::new(word).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let in_project = || {
        let environment = std::env::var_os("VIRTUAL_ENV").map(PathBuf::from);
        let usual = ENVIRONMENTS.iter().map(PathBuf::from);
        let pythons = environment.into_iter().chain(usual).map(|it| it.join("bin/python"));
        pythons.into_iter().find(|python| python.is_file())
    };
    let found = match program(word) {
        Some(python) if name.starts_with("python") => Some(python),
        Some(script) => named_in(&script).or_else(|| beside(&script)),
        None => None,
    };
    found.or_else(in_project).unwrap_or_else(|| "python3".into())
}

/// The Python that the first lines of a script name by its path.
fn named_in(script: &Path) -> Option<PathBuf> {
    let lines = BufReader::new(std::fs::File::open(script).ok()?).lines().take(HEAD);
    let words: Vec<String> = lines
        .map_while(Result::ok)
        .flat_map(|line| line.split([' ', '"', '\'', '!']).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let is_python = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        path.is_absolute() && name.starts_with("python") && path.is_file()
    };
    words.into_iter().map(PathBuf::from).find(is_python)
}

/// The Python in the folder of a script, as in virtual environments.
fn beside(script: &Path) -> Option<PathBuf> {
    let python = script.parent()?.join("python");
    (script.extension().is_none() && python.is_file()).then_some(python)
}

/// Where the package is imported from: the folder itself, or its `src`.
fn sources(folder: &Path) -> PathBuf {
    let below = folder.join("src");
    let found = if below.join("wallace_driver").is_dir() { below } else { folder.to_owned() };
    std::path::absolute(&found).unwrap_or(found)
}

fn import_path(sources: &Path) -> OsString {
    let given = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let folders = std::env::split_paths(&given).filter(|folder| !folder.as_os_str().is_empty());
    let all = std::iter::once(sources.to_owned()).chain(folders);
    std::env::join_paths(all).unwrap_or_else(|_| sources.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_tells_its_python() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str, text: String| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let python = place("python3.11", String::new());
        let short = place("uvicorn", format!("#!{}\nimport re\n", python.display()));
        let long = format!("#!/bin/sh\n'''exec' \"{}\" \"$0\" \"$@\"\n' '''\n", python.display());
        let long = place("flask", long);
        for script in [&short, &long, &python] {
            assert_eq!(interpreter(script.as_os_str()), python, "{}", script.display());
        }
        let python = place("python", String::new());
        let shim = place("gunicorn", "#!/usr/bin/env bash\n".to_owned());
        assert_eq!(interpreter(shim.as_os_str()), python);
    }

    #[test]
    #[cfg(unix)]
    fn a_python_without_the_package_says_how_to_get_it() {
        let folder = tempfile::tempdir().unwrap();
        let python = folder.path().join("python");
        std::fs::write(&python, "#!/bin/sh\necho 3.11.0\nexit 1\n").unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&python, mode).unwrap();
        let error = version(&python, None).unwrap_err().to_string();
        assert!(error.contains("-m pip install wallace-driver"), "{error}");
        std::fs::write(&python, "#!/bin/sh\nexit 1\n").unwrap();
        let error = version(&python, None).unwrap_err().to_string();
        assert!(error.contains("does not run"), "{error}");
    }
}
