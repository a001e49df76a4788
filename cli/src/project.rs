//! The project in the folder: whether it is of Node or Python, and how its service is started.

mod node;
mod python;

use std::ffi::OsStr;
use std::path::Path;

use crate::started::error::StartError;
use crate::started::launcher;

/// A project whose service `wallace node` or `wallace python` can start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Project {
    /// A folder with a `package.json`.
    Node { start: String },
    /// A folder with one of the files that Python projects have.
    Python { start: String },
}

/// What was looked at, and what was found.
pub(crate) struct Found {
    pub(crate) name: &'static str,
    pub(crate) what: Result<String, StartError>,
}

impl Project {
    /// The project in a folder, or the nearest one above it. What starts the service is a guess.
    pub(crate) fn detect(folder: &Path) -> Option<Self> {
        let folder = std::path::absolute(folder).ok()?;
        folder.ancestors().find_map(Self::in_folder)
    }

    fn in_folder(folder: &Path) -> Option<Self> {
        if folder.join("Cargo.toml").is_file() {
            return None;
        }
        let node = || node::start(folder).map(|start| Self::Node { start });
        let python = || python::start(folder).map(|start| Self::Python { start });
        // A Python service may bring the build of its pages along, as a package of Node.
        python().or_else(node)
    }

    /// The command that starts the service and searches it.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Node { start } => format!("wallace node -- {start}"),
            Self::Python { start } => format!("wallace python -- {start}"),
        }
    }

    /// Whether the service could be started under its driver.
    pub(crate) fn checks(&self) -> Vec<Found> {
        match self {
            Self::Node { .. } => {
                let script = launcher::node::script(None, Path::new("."));
                let shown = script.map(|script| script.display().to_string());
                vec![
                    Found { name: "node", what: launcher::node::version() },
                    Found { name: "driver", what: shown },
                ]
            }
            Self::Python { start } => {
                let word = start.split(' ').next().unwrap_or_default();
                let python = launcher::python::interpreter(OsStr::new(word));
                let version = launcher::python::version(&python, None);
                let shown = version.map(|version| format!("{} ({version})", python.display()));
                vec![Found { name: "python", what: shown }]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command for a folder with these files.
    fn command(files: &[(&str, &str)]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Project::in_folder(folder.path()).map(|project| project.command())
    }

    #[test]
    fn projects_tell_how_they_are_started() {
        let fast = "from fastapi import FastAPI\n\nservice = FastAPI()\n";
        let with_start = r#"{"scripts": {"start": "node x.js"}, "main": "y.js"}"#;
        for (files, expected) in [
            (&[("package.json", with_start)][..], "wallace node -- npm start"),
            (&[("package.json", with_start), ("yarn.lock", "")], "wallace node -- yarn start"),
            (&[("package.json", r#"{"main": "y.js"}"#), ("y.js", "")], "wallace node -- node y.js"),
            (&[("package.json", "{}"), ("server.js", "")], "wallace node -- node server.js"),
            (
                &[("pyproject.toml", ""), ("shop/web.py", ""), ("shop/main.py", fast)],
                "wallace python -- uvicorn shop.main:service",
            ),
            (
                &[("requirements.txt", ""), ("app.py", "app = Flask(__name__)\n")],
                "wallace python -- flask --app app run",
            ),
            (
                &[("requirements.txt", ""), ("manage.py", ""), ("package.json", with_start)],
                "wallace python -- python manage.py runserver --noreload",
            ),
        ] {
            assert_eq!(command(files).as_deref(), Some(expected), "{files:?}");
        }
        for files in [&[][..], &[("Cargo.toml", ""), ("package.json", with_start)]] {
            assert_eq!(command(files), None, "{files:?}");
        }
        // A package that starts nothing is no service.
        assert_eq!(command(&[("package.json", "{}")]), None);
    }
}
