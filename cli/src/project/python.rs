//! How the service of a Python project is started.

use std::path::{Path, PathBuf};

/// Files that a Python project has one of.
const MARKS: [&str; 5] =
    ["pyproject.toml", "requirements.txt", "setup.py", "Pipfile", "requirements/base.txt"];

/// Names of modules that make an application, the likeliest first.
const MODULES: [&str; 7] =
    ["main.py", "app.py", "asgi.py", "wsgi.py", "server.py", "web.py", "__init__.py"];

/// What makes an application, and whether it speaks ASGI.
const MAKERS: [(&str, bool); 5] = [
    ("FastAPI(", true),
    ("Starlette(", true),
    ("Litestar(", true),
    ("Quart(", true),
    ("Flask(", false),
];

/// The command; nothing for a folder without a Python project. Where no application is found, it is
/// one to be corrected.
pub(super) fn start(folder: &Path) -> Option<String> {
    let is_managed = folder.join("manage.py").is_file();
    if !is_managed && !MARKS.iter().any(|mark| folder.join(mark).is_file()) {
        return None;
    }
    if is_managed {
        return Some("python manage.py runserver --noreload".to_owned());
    }
    let found = modules(folder).into_iter().find_map(|module| {
        let text = std::fs::read_to_string(folder.join(&module)).ok()?;
        command(&name(&module), &text)
    });
    Some(found.unwrap_or_else(|| "uvicorn main:app".to_owned()))
}

/// Modules that may make an application, relative to the folder: those at its top, those of its
/// packages, and those of packages below `src`.
fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut packages = vec![PathBuf::new()];
    for place in ["", "src"] {
        let Ok(entries) = std::fs::read_dir(folder.join(place)) else { continue };
        let names = entries.flatten().filter(|entry| entry.path().is_dir());
        let mut names: Vec<PathBuf> =
            names.map(|entry| Path::new(place).join(entry.file_name())).collect();
        // The order of a folder is that of the machine.
        names.sort();
        packages.extend(names);
    }
    let files = MODULES.iter().flat_map(|module| packages.iter().map(move |it| it.join(module)));
    files.filter(|file| folder.join(file).is_file()).collect()
}

/// The dotted name of a module.
fn name(module: &Path) -> String {
    let module = module.strip_prefix("src").unwrap_or(module).with_extension("");
    let parts: Vec<_> = module.iter().map(|part| part.to_string_lossy()).collect();
    parts.join(".").trim_end_matches(".__init__").to_owned()
}

/// The command for the first application that a module makes.
fn command(module: &str, text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (variable, value) = line.split_once('=')?;
        let variable = variable.split(':').next()?.trim();
        let is_name = variable.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let made = value.trim_start();
        let (_, is_asgi) = MAKERS.iter().find(|(maker, _)| made.starts_with(maker))?;
        (is_name && line.starts_with(variable)).then(|| match is_asgi {
            true => format!("uvicorn {module}:{variable}"),
            false => format!("flask --app {module} run"),
        })
    })
}
