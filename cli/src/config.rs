//! `wallace.toml`: settings that come after options and environment variables, and before defaults.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::diagnostic::Located;

/// Name of the file that is read where no other is named.
pub(crate) const FILE: &str = "wallace.toml";

/// Settings of runs with `wallace fuzz` and `wallace doctor`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Config {
    /// Where the service is: one of driver, url and openapi.
    pub(crate) target: TargetSection,
    /// Which calls are made, and as whom.
    pub(crate) calls: CallsSection,
    /// When the run ends.
    pub(crate) budget: BudgetSection,
    /// How the search goes.
    pub(crate) search: SearchSection,
    /// GraphQL services only.
    pub(crate) graphql: GraphqlSection,
    /// REST services only.
    pub(crate) rest: RestSection,
    /// Where the results go, and when the command fails.
    pub(crate) output: OutputSection,
}

macro_rules! section {
    ($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub(crate) struct $name { $($(#[$field_about])* pub(crate) $field: Option<$type>,)* }
    };
}

section! {
    /// Where the service is.
    TargetSection {
        /// White-box: address of the driver, as a port, HOST:PORT or a URL.
        driver: String,
        /// Black-box: endpoint of a running GraphQL service.
        url: String,
        /// Black-box: description of a running REST service, a file or a URL.
        openapi: String,
    }
}
section! {
    /// Which calls are made, and as whom.
    CallsSection {
        /// Authentication file of the Web Fuzzing Commons.
        auth: String,
        /// Call operations that may change something although the service is on another machine.
        allow_mutations: bool,
        /// Patterns of operations to call; all where empty.
        include: Vec<String>,
        /// Patterns of operations never to call.
        exclude: Vec<String>,
        /// PEM file with certificates that are trusted besides those of the system.
        ca_certificate: String,
        /// PEM file with the certificate and key by which the service knows who calls.
        client_certificate: String,
        /// Whether any certificate of the service will do.
        insecure: bool,
        /// URL of the proxy through which the service is called.
        proxy: String,
        /// Most calls per second.
        rate: f64,
    }
}
section! {
    /// When the run ends.
    BudgetSection {
        /// Most calls.
        calls: u64,
        /// Most time, such as "5m".
        time: String,
    }
}
section! {
    /// How the search goes.
    SearchSection {
        /// Seed: same seed and calls, same tests.
        seed: u64,
        /// Folder of tests that go from one run to the next.
        corpus: String,
        /// Production operations to begin with.
        seeds: Vec<String>,
        /// "on" or "off": whether tests may begin with rows, where a driver gives access to a
        /// database.
        sql: String,
        /// "always" or "on-demand": of which tests the driver is told where each call begins.
        attribution: String,
    }
}
section! {
    /// GraphQL services only.
    GraphqlSection {
        /// File with the schema.
        schema: String,
        /// Whether documents are sent that a service should refuse for their size.
        overload: bool,
        /// Values of custom scalars, such as "Date=2024-05-17".
        scalar: Vec<String>,
    }
}
section! {
    /// REST services only.
    RestSection {
        /// Where the service is, instead of where its description says.
        base_url: String,
        /// Whether calls are sent that try to break in.
        security: bool,
        /// Codes of faults that are not reported.
        oracle_off: Vec<u16>,
        /// Whether the description may refer to other documents of its folder.
        external_references: bool,
    }
}
section! {
    /// Where the results go, and when the command fails.
    OutputSection {
        /// Folder for the test suite and the reports.
        out: String,
        /// Whether to replace what an earlier run wrote there.
        force: bool,
        /// File of known faults.
        baseline: String,
        /// "fault", "medium", "high" or "never".
        fail_on: String,
    }
}

/// A setting of the file: its key, the option that it stands for, and its values.
pub(crate) struct Setting {
    pub(crate) key: &'static str,
    pub(crate) option: &'static str,
    pub(crate) values: Option<Vec<String>>,
}

impl Config {
    /// Every setting, in the order of the file.
    pub(crate) fn settings(&self) -> Vec<Setting> {
        fn one<T: ToString>(value: Option<&T>) -> Option<Vec<String>> {
            value.map(|value| vec![value.to_string()])
        }
        fn many<T: ToString>(values: Option<&Vec<T>>) -> Option<Vec<String>> {
            values.map(|values| values.iter().map(ToString::to_string).collect())
        }
        let Self { target, calls, budget, search, graphql, rest, output } = self;
        let rows = [
            ("target.driver", "driver", one(target.driver.as_ref())),
            ("target.url", "url", one(target.url.as_ref())),
            ("target.openapi", "openapi", one(target.openapi.as_ref())),
            ("calls.auth", "auth", one(calls.auth.as_ref())),
            ("calls.allow-mutations", "allow_mutations", one(calls.allow_mutations.as_ref())),
            ("calls.include", "include", many(calls.include.as_ref())),
            ("calls.exclude", "exclude", many(calls.exclude.as_ref())),
            ("calls.ca-certificate", "ca_certificate", one(calls.ca_certificate.as_ref())),
            (
                "calls.client-certificate",
                "client_certificate",
                one(calls.client_certificate.as_ref()),
            ),
            ("calls.insecure", "insecure", one(calls.insecure.as_ref())),
            ("calls.proxy", "proxy", one(calls.proxy.as_ref())),
            ("calls.rate", "rate", one(calls.rate.as_ref())),
            ("budget.calls", "calls", one(budget.calls.as_ref())),
            ("budget.time", "time", one(budget.time.as_ref())),
            ("search.seed", "seed", one(search.seed.as_ref())),
            ("search.corpus", "corpus", one(search.corpus.as_ref())),
            ("search.seeds", "seeds", many(search.seeds.as_ref())),
            ("search.sql", "sql", one(search.sql.as_ref())),
            ("search.attribution", "attribution", one(search.attribution.as_ref())),
            ("graphql.schema", "schema", one(graphql.schema.as_ref())),
            ("graphql.overload", "overload", one(graphql.overload.as_ref())),
            ("graphql.scalar", "scalar", many(graphql.scalar.as_ref())),
            ("rest.base-url", "base_url", one(rest.base_url.as_ref())),
            ("rest.security", "security", one(rest.security.as_ref())),
            ("rest.oracle-off", "oracle_off", many(rest.oracle_off.as_ref())),
            (
                "rest.external-references",
                "external_references",
                one(rest.external_references.as_ref()),
            ),
            ("output.out", "out", one(output.out.as_ref())),
            ("output.force", "force", one(output.force.as_ref())),
            ("output.baseline", "baseline", one(output.baseline.as_ref())),
            ("output.fail-on", "fail_on", one(output.fail_on.as_ref())),
        ];
        rows.map(|(key, option, values)| Setting { key, option, values }).into()
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, Box<Located>> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            Box::new(Located::plain(format!(
                "the configuration {} cannot be read ({error}): name another file with --config",
                path.display()
            )))
        })?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// The configuration in a text; `name` is that of its file.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, Box<Located>> {
        toml::from_str(text).map_err(|error| {
            let message = error.message().to_owned();
            let advice = suggestion(&message).unwrap_or_else(|| {
                "wallace init --json-schema prints what the file may hold".to_owned()
            });
            Box::new(Located::new(name, text, error.span(), message, advice))
        })
    }
}

/// The nearest of the names that the reader of the file expected.
fn suggestion(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown").then(|| quoted.next()).flatten()?;
    let distance = |known: &&str| strsim::damerau_levenshtein(known, unknown);
    let nearest = quoted.min_by_key(distance)?;
    let is_near = distance(&nearest) <= 1 + unknown.len() / 3;
    is_near.then(|| format!("did you mean `{nearest}`?"))
}

/// The file that the arguments name, or else the one in the folder. Arguments are looked at before
/// they are parsed, since what they may leave out depends on the file.
pub(crate) fn named(arguments: &[std::ffi::OsString]) -> Option<PathBuf> {
    let mut rest = arguments.iter().skip(1);
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        if text == "--config" {
            return rest.next().map(PathBuf::from);
        }
        if let Some(path) = text.strip_prefix("--config=") {
            return Some(PathBuf::from(path));
        }
    }
    if let Some(path) = std::env::var_os("WALLACE_CONFIG").filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    let usual = PathBuf::from(FILE);
    usual.is_file().then_some(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_are_told_with_the_nearest_known_one() {
        let error = Config::parse("wallace.toml", "[search]\nsede = 4\n").unwrap_err();
        assert_eq!(error.line(), Some(2));
        let text = error.to_string();
        assert!(text.contains("did you mean `seed`?") && text.contains("sede"), "{text}");
        let error = Config::parse("wallace.toml", "[serch]\nseed = 4\n").unwrap_err().to_string();
        assert!(error.contains("did you mean `search`?"), "{error}");
        let error = Config::parse("wallace.toml", "[budget]\ncalls = \"x\"\n").unwrap_err();
        assert!(error.line() == Some(2) && error.to_string().contains("--json-schema"), "{error}");
    }

    #[test]
    fn every_key_of_the_file_stands_for_an_option() {
        use clap::CommandFactory;
        let command = crate::argument::Wallace::command();
        let fuzz = command.find_subcommand("fuzz").unwrap();
        let settings = Config::default().settings();
        for setting in &settings {
            let has_option = fuzz.get_arguments().any(|known| known.get_id() == setting.option);
            assert!(has_option, "{} is no option", setting.option);
        }
        let schema = serde_json::to_value(schemars::schema_for!(Config)).unwrap();
        let definitions = schema["$defs"].as_object().unwrap();
        let keys: usize = definitions
            .values()
            .map(|section| section["properties"].as_object().map_or(0, |keys| keys.len()))
            .sum();
        assert_eq!(keys, settings.len(), "each key of the schema is a setting");
    }
}
