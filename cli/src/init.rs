//! `wallace init`: a commented configuration.

use std::io::{IsTerminal, Write};
use std::path::Path;

use crate::argument::Init;
use crate::config::Config;
use crate::exit::CommandError;
use crate::properties::say;

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
}

pub(crate) fn run(arguments: &Init) -> Result<(), CommandError> {
    if arguments.json_schema {
        let schema = serde_json::to_string_pretty(&schemars::schema_for!(Config));
        say(&schema.expect("a schema is always JSON"));
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
    say(&format!("{} is written; next: wallace doctor, then wallace fuzz", path.display()));
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
        found.url = Some("http://localhost:8080/graphql".to_owned());
    }
    found
}

/// Asks where the service is; an empty answer takes what was detected.
#[expect(clippy::print_stderr, reason = "a question to the person at the keyboard")]
fn ask(found: &mut Found) {
    let usual = [&found.driver, &found.openapi, &found.url].into_iter().flatten().next();
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
    (found.driver, found.openapi, found.url) = (None, None, None);
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
    let line = |key: &str, value: Option<&String>, example: &str| match value {
        Some(value) => format!("{key} = {}\n", toml::Value::String(value.clone())),
        None => format!("# {key} = {example}\n"),
    };
    let Found { driver, url, openapi, schema, auth } = found;
    let mut text = String::from(
        "# Settings of `wallace fuzz` and `wallace doctor`. Options and environment variables come\n\
         # first. `wallace fuzz --show-config` shows what counts; `wallace init --json-schema`\n\
         # prints the schema of this file.\n\n\
         # Where the service is: one of the three.\n[target]\n\
         # White-box: the driver that starts and observes the service.\n",
    );
    text += &line("driver", driver.as_ref(), "\"localhost:40100\"");
    text += "# Black-box: the endpoint of a GraphQL service that runs already.\n";
    text += &line("url", url.as_ref(), "\"http://localhost:8080/graphql\"");
    text += "# Black-box: the description of a REST service that runs already, a file or URL.\n";
    text += &line("openapi", openapi.as_ref(), "\"openapi.yaml\"");
    text += "\n# Which calls are made, and as whom.\n[calls]\n\
             # Users and how they log in; secrets are read from the environment: ${NAME}.\n";
    text += &line("auth", auth.as_ref(), "\"auth.yaml\"");
    text += "# Services on other machines are only read unless this is allowed.\n\
             # allow-mutations = false\n\
             # include = [\"Query.*\"]\n# exclude = [\"Mutation.delete.*\"]\n\
             # Services with TLS: certificates to trust besides those of the system.\n\
             # ca-certificate = \"ca.pem\"\n# client-certificate = \"me.pem\"\n\
             # insecure = false\n# proxy = \"http://localhost:3128\"\n\
             # Most calls per second.\n# rate = 50\n\n\
             # When the run ends. Only a budget in calls makes a run repeatable.\n[budget]\n\
             calls = 10000\n# time = \"5m\"\n\n\
             [search]\nseed = 42\n# Tests that go from one run to the next.\n\
             # corpus = \"wallace-corpus\"\n\
             # Production operations to begin with.\n# seeds = [\"requests.ndjson\"]\n\
             # Whether tests may begin with rows of the database behind a driver: on or off.\n\
             # sql = \"on\"\n\
             # Of which tests a driver is told where each call begins: always or on-demand.\n\
             # attribution = \"always\"\n\n\
             [graphql]\n# The schema, where the service does not tell it.\n";
    text += &line("schema", schema.as_ref(), "\"schema.graphql\"");
    text += "# overload = false\n# scalar = [\"Date=2024-05-17\"]\n\n\
             [rest]\n# base-url = \"http://localhost:8080\"\n# security = false\n\
             # oracle-off = [101]\n# external-references = false\n\n\
             [output]\nout = \"wallace-out/suite\"\n# force = false\n\
             # Known faults, as `wallace baseline` writes them: only others fail the command.\n\
             # baseline = \"wallace-baseline.json\"\n\
             # What makes the command exit with 1: fault, medium, high or never.\n\
             # fail-on = \"fault\"\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_holds_what_lies_in_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("swagger.json"), "{}").unwrap();
        std::fs::write(folder.path().join("auth.yaml"), "").unwrap();
        let found = detect(folder.path());
        let config = Config::parse("wallace.toml", &text(&found)).unwrap();
        assert_eq!(config.target.openapi.as_deref(), Some("swagger.json"));
        assert_eq!((config.target.url, config.calls.auth.as_deref()), (None, Some("auth.yaml")));
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
        let missing: Vec<&str> = config
            .settings()
            .iter()
            .filter(|setting| setting.values.is_none())
            .map(|setting| setting.key)
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
