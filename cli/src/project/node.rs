//! How the service of a Node project is started.

use std::path::Path;

use serde_json::Value;

/// Files that start a service where `package.json` does not say.
const USUAL: [&str; 6] =
    ["server.js", "app.js", "index.js", "src/server.js", "src/index.js", "src/main.js"];

/// Programs that run scripts, by the file that they leave.
const RUNNERS: [(&str, &str); 3] =
    [("pnpm-lock.yaml", "pnpm start"), ("yarn.lock", "yarn start"), ("bun.lock", "npm start")];

/// The command; nothing for a folder without a package, or with one that starts nothing.
pub(super) fn start(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join("package.json")).ok()?;
    // A file that is not JSON is npm's to complain about.
    let package: Value = serde_json::from_str(&text).unwrap_or_default();
    if package["scripts"]["start"].is_string() {
        let runner = RUNNERS.iter().find(|(file, _)| folder.join(file).is_file());
        return Some(runner.map_or("npm start", |(_, command)| command).to_owned());
    }
    let main = package["main"].as_str().into_iter().chain(USUAL);
    let file = main.into_iter().find(|file| folder.join(file).is_file())?;
    Some(format!("node {file}"))
}
