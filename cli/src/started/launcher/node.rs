//! The launcher of Node services: the package `wallace-driver`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Launcher, program};
use crate::argument::Node;
use crate::started::error::StartError;

/// The command of the package, in its folder.
const BIN: &str = "bin/wallace-driver.js";
/// The first Node that the driver works in: major and minor.
const OLDEST: (u32, u32) = (20, 19);

/// The launcher for what the arguments ask for.
pub(crate) fn launcher(node: &Node) -> Result<Launcher, StartError> {
    let version = version()?;
    let script = script(node.driver_package.as_deref(), Path::new("."))?;
    let driver = format!("wallace-driver in Node {version}");
    let mut launcher = Launcher::new("node", driver, &node.started);
    if node.fresh {
        launcher.arguments.push("--fresh".into());
    }
    Ok(launcher.of(&[script.into_os_string()], &node.started.command))
}

/// The version of Node. Fails where there is none, or one that is too old for the driver.
pub(crate) fn version() -> Result<String, StartError> {
    let (major, minor) = OLDEST;
    let install = format!("install Node {major}.{minor} or later");
    let output = Command::new("node").arg("--version").output();
    let Ok(output) = output else {
        return Err(StartError::NoLanguage(format!("there is no command `node`: {install}")));
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.trim().trim_start_matches('v').to_owned();
    let mut numbers = version.split('.').map(|part| part.parse().unwrap_or(0));
    let found = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if found < OLDEST {
        let reason = format!("Node {version} is too old for the driver: {install}");
        return Err(StartError::NoLanguage(reason));
    }
    Ok(version)
}

/// The command of the package: of the folder that is named, or else of the nearest `node_modules`,
/// or else the one that is installed globally.
pub(crate) fn script(named: Option<&Path>, folder: &Path) -> Result<PathBuf, StartError> {
    let missing = |place: String| {
        let install = "npm install --save-dev wallace-driver".to_owned();
        StartError::NoDriver { place, install }
    };
    if let Some(named) = named {
        let script = named.join(BIN);
        let place = format!("in {}", named.display());
        return script.is_file().then_some(script).ok_or_else(|| missing(place));
    }
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let near =
        folder.ancestors().map(|folder| folder.join("node_modules/wallace-driver").join(BIN));
    let global = program(&OsString::from("wallace-driver")).filter(|command| is_own(command));
    let found = near.into_iter().find(|script| script.is_file()).or(global);
    found.ok_or_else(|| missing(format!("in any node_modules above {}", folder.display())))
}

/// Whether a command is that of the package: global ones are links into it, which Node follows, and the
/// driver for Python has a command of the same name.
fn is_own(command: &Path) -> bool {
    command.canonicalize().is_ok_and(|path| path.ends_with(BIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_command_of_another_driver_is_not_that_of_node() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) =
            (folder.path().join("lib/wallace-driver").join(BIN), folder.path().join("python"));
        std::fs::create_dir_all(own.parent().unwrap()).unwrap();
        std::fs::write(&own, "").unwrap();
        std::fs::write(&other, "#!/usr/bin/env python3").unwrap();
        let link = folder.path().join("wallace-driver");
        std::os::unix::fs::symlink(&own, &link).unwrap();
        assert!(is_own(&link) && !is_own(&other) && !is_own(&folder.path().join("nowhere")));
    }

    #[test]
    fn the_nearest_package_counts_unless_another_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("packages/shop");
        let package = folder.path().join("node_modules/wallace-driver");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::create_dir_all(package.join("bin")).unwrap();
        std::fs::write(package.join(BIN), "").unwrap();
        assert_eq!(script(None, &below).unwrap(), package.join(BIN));
        assert_eq!(script(Some(&package), &below).unwrap(), package.join(BIN));
        let error = script(Some(&below), &below).unwrap_err().to_string();
        assert!(error.contains("npm install") && error.contains("packages/shop"), "{error}");
    }
}
