//! `wallace init`: a commented configuration.

use std::io::{IsTerminal, Write};
use std::path::Path;

use crate::argument::Init;
use crate::argument::SECTIONS;
use crate::config;
use crate::console::say;
use crate::exit::CommandError;
use crate::project::Project;

/// Names of files that describe a service, and the key that they belong to.
const KNOWN: [(&str, &str); 10] = [
    ("openapi.json", "openapi"),
    ("openapi.yaml", "openapi"),
    ("openapi.yml", "openapi"),
    ("swagger.json", "openapi"),
    ("swagger.yaml", "openapi"),
    ("api/openapi.yaml", "openapi"),
    ("docs/openapi.yaml", "openapi"),
    ("schema.graphql", "schema"),
    ("schema.graphqls", "schema"),
    ("src/main/resources/graphql/schema.graphqls", "schema"),
];

/// What is known of the service.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    driver: Option<String>,
    url: Option<String>,
    openapi: Option<String>,
    schema: Option<String>,
    auth: Option<String>,
    /// The command that starts the service and searches it.
    start: Option<String>,
}

pub(crate) fn run(arguments: &Init) -> Result<(), CommandError> {
    if arguments.json_schema {
        say(&format!("{:#}", config::schema()));
        return Ok(());
    }
    let path = &arguments.file;
    if path.exists() && !arguments.force {
        let reason = format!("{} is there already: use --force to replace it", path.display());
        return Err(CommandError::Usage(reason));
    }
    let mut found = detect(Path::new("."));
    if !arguments.yes && std::io::stdin().is_terminal() {
        ask(&mut found);
    }
    crate::record::write(path, &text(&found))?;
    let search = found.start.as_deref().unwrap_or("wallace fuzz");
    say(&format!("{} is written; next: wallace doctor, then {search}", path.display()));
    Ok(())
}

/// What lies in a folder.
fn detect(folder: &Path) -> Found {
    let mut found = Found::default();
    for (name, key) in KNOWN {
        if folder.join(name).is_file() {
            let place = if key == "openapi" { &mut found.openapi } else { &mut found.schema };
            place.get_or_insert_with(|| name.to_owned());
        }
    }
    let auth = ["auth.yaml", "auth.toml", "auth.json"].into_iter();
    found.auth = auth.map(str::to_owned).find(|name| folder.join(name).is_file());
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    if manifest.contains("wallace-instrument") {
        found.driver = Some("localhost:40100".to_owned());
    }
    if found.driver.is_none() && found.openapi.is_none() {
        found.start = Project::detect(folder).map(|project| project.command());
    }
    if found.driver.is_none() && found.openapi.is_none() && found.start.is_none() {
        found.url = Some("http://localhost:8080/graphql".to_owned());
    }
    found
}

/// Asks where the service is; an empty answer takes what was detected.
#[expect(clippy::print_stderr, reason = "a question to the person at the keyboard")]
fn ask(found: &mut Found) {
    let known = [&found.driver, &found.openapi, &found.url, &found.start];
    let usual = known.into_iter().flatten().next();
    let usual = usual.cloned().unwrap_or_default();
    eprint!("Where is the service: driver HOST:PORT, GraphQL URL, or OpenAPI file? [{usual}] ");
    // Where nothing can be shown, the answer is what counts.
    let _ = std::io::stderr().flush();
    let mut answer = String::new();
    if std::io::stdin().read_line(&mut answer).is_err() {
        return;
    }
    let answer = answer.trim();
    if answer.is_empty() {
        return;
    }
    (found.driver, found.openapi, found.url, found.start) = (None, None, None, None);
    let is_description = [".json", ".yaml", ".yml"].iter().any(|end| answer.ends_with(end));
    let place = match answer {
        _ if is_description => &mut found.openapi,
        _ if answer.contains("://") => &mut found.url,
        _ => &mut found.driver,
    };
    *place = Some(answer.to_owned());
}

/// The file. What is not known stands in it as a comment with its default.
fn text(found: &Found) -> String {
    let Found { driver, url, openapi, schema, auth, start } = found;
    let known = [("driver", driver), ("url", url), ("openapi", openapi), ("schema", schema)];
    let known: Vec<(&str, &Option<String>)> = known.into_iter().chain([("auth", auth)]).collect();
    let mut text = String::from(
        "# Settings of `wallace fuzz` and `wallace doctor`. Options and environment variables come\n\
         # first. `wallace fuzz --show-config` shows what counts; `wallace init --json-schema`\n\
         # prints the schema of this file.\n",
    );
    if let Some(start) = start {
        text += &format!("#\n# To start the service and search it: {start}\n");
    }
    let settings = config::settings();
    for (section, about) in SECTIONS {
        text += &format!("\n# {about}.\n[{section}]\n");
        for setting in settings.iter().filter(|setting| setting.section == section) {
            let value = known.iter().find(|(option, _)| *option == setting.option);
            let value = value.and_then(|(_, value)| value.as_deref());
            let comment = if value.is_some() { "" } else { "# " };
            text += &format!("# {}.\n{comment}{}", setting.about, setting.line(value));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn what_is_written_is_read_and_holds_what_lies_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("swagger.json"), "{}").unwrap();
        std::fs::write(folder.path().join("auth.yaml"), "").unwrap();
        let found = detect(folder.path());
        let config = Config::parse("wallace.toml", &text(&found)).unwrap().0;
        assert_eq!(config["openapi"], ["swagger.json"]);
        assert_eq!((config.get("url"), &config["auth"][..]), (None, &["auth.yaml".to_owned()][..]));
    }

    #[test]
    fn comments_name_keys_that_there_are() {
        let all = text(&Found::default());
        // Every comment that looks like a setting becomes one.
        let settings: String = all
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(rest) if rest.contains(" = ") => format!("{rest}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let config = Config::parse("wallace.toml", &settings).unwrap();
        let known = config::settings();
        let missing = known.iter().filter(|setting| !config.0.contains_key(&setting.option));
        let missing: Vec<&str> = missing.map(|setting| &*setting.key).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
