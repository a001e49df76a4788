//! From what the user typed to arguments, with what the configuration adds.

use std::ffi::OsString;

use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Id};

use crate::argument::Wallace;
use crate::config::{self, Config};
use crate::diagnostic::Located;

/// Commands that take the settings of the file.
const CONFIGURED: [&str; 4] = ["fuzz", "doctor", "node", "python"];

/// Those of them that start the service themselves, wherever the file says that another one is.
const STARTING: [&str; 2] = ["node", "python"];

/// Where the service is.
const TARGETS: [&str; 3] = ["driver", "url", "openapi"];

/// What is said of that one alone: how it is started.
const OF_TARGET: [&str; 2] = ["start_command", "start_timeout"];

/// What was typed, completed, and where each setting comes from.
pub(crate) struct Started {
    pub(crate) arguments: Wallace,
    /// Key, value and origin of each setting, for commands that have any.
    pub(crate) settings: Vec<[String; 3]>,
}

/// Reads arguments and configuration. Ends the process for `--help` and wrong usage.
pub(crate) fn start() -> Result<Started, Box<Located>> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let is_configured =
        typed.get(1).is_some_and(|name| CONFIGURED.iter().any(|known| *name == **known));
    let path = if is_configured { config::named(&typed) } else { None };
    let config = path.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let command = |config: &Config| without_idle_variables(with_defaults(config), &typed);
    let mut matches = command(&config).get_matches_from(&typed);
    if let Some((name, inner)) = matches.subcommand()
        && CONFIGURED.contains(&name)
        && (names_target(inner) || STARTING.contains(&name))
    {
        // A service that was typed replaces the one of the file, whatever its kind.
        let mut config = config.clone();
        config.0.retain(|option, _| {
            !TARGETS.contains(&option.as_str()) && !OF_TARGET.contains(&option.as_str())
        });
        matches = command(&config).get_matches_from(&typed);
    }
    let settings = matches
        .subcommand()
        .filter(|(name, _)| CONFIGURED.contains(name))
        .map(|(_, inner)| origins(&config, inner, path.as_deref()));
    let arguments = Wallace::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    Ok(Started { arguments, settings: settings.unwrap_or_default() })
}

/// The command with the values of the file as its defaults.
fn with_defaults(config: &Config) -> clap::Command {
    let mut command = Wallace::command();
    for name in CONFIGURED {
        command = command.mut_subcommand(name, |mut inner| {
            for (option, values) in config.0.clone() {
                if !values.is_empty() {
                    inner = inner.mut_arg(option, |arg| arg.default_values(values));
                }
            }
            inner
        });
    }
    command
}

/// The command without the environment variables that are empty, and without those of options that cannot
/// stand beside one that was typed: what is typed comes first.
fn without_idle_variables(mut command: clap::Command, typed: &[OsString]) -> clap::Command {
    let typed = typed.iter().take_while(|word| **word != "--").filter_map(|word| word.to_str());
    let typed: Vec<&str> = typed
        .filter_map(|word| word.strip_prefix("--"))
        .map(|word| word.split('=').next().unwrap_or_default())
        .collect();
    let is_typed = |arg: &Arg| {
        let mut names = arg.get_long_and_visible_aliases().unwrap_or_default().into_iter();
        names.any(|name| typed.contains(&name))
    };
    let names: Vec<String> = command.get_subcommands().map(|it| it.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(name, |inner| {
            let idle = |arg: &&Arg| {
                let Some(variable) = arg.get_env() else { return false };
                let conflicts = |other: &Arg| {
                    let with = |one, two: &Arg| {
                        inner
                            .get_arg_conflicts_with(one)
                            .iter()
                            .any(|it| it.get_id() == two.get_id())
                    };
                    is_typed(other) && (with(arg, other) || with(other, arg))
                };
                std::env::var_os(variable).is_some_and(|value| value.is_empty())
                    || !is_typed(arg) && inner.get_arguments().any(conflicts)
            };
            let idle: Vec<Id> =
                inner.get_arguments().filter(idle).map(|it| it.get_id().clone()).collect();
            idle.into_iter()
                .fold(inner, |inner, id| inner.mut_arg(id, |arg| arg.env(Resettable::Reset)))
        });
    }
    command
}

/// Whether arguments or environment say where the service is.
fn names_target(matches: &ArgMatches) -> bool {
    TARGETS.iter().any(|option| {
        let source = matches.value_source(option);
        matches!(source, Some(ValueSource::CommandLine | ValueSource::EnvVariable))
    })
}

fn origins(
    config: &Config,
    matches: &ArgMatches,
    path: Option<&std::path::Path>,
) -> Vec<[String; 3]> {
    let file = path.map_or_else(String::new, |path| path.display().to_string());
    let rows = config::settings().into_iter().map(|setting| {
        let values = matches.get_raw(&setting.option).map(|values| {
            let shown = values.map(|value| concealed(&setting.option, &value.to_string_lossy()));
            shown.collect::<Vec<_>>().join(", ")
        });
        let origin = match matches.value_source(&setting.option) {
            Some(ValueSource::CommandLine) => "option".to_owned(),
            Some(ValueSource::EnvVariable) => "environment".to_owned(),
            Some(_) if config.0.contains_key(&setting.option) => file.clone(),
            _ => "default".to_owned(),
        };
        [
            format!("{}.{}", setting.section, setting.key),
            values.unwrap_or_else(|| "-".to_owned()),
            origin,
        ]
    });
    rows.collect()
}

/// A value as it may be shown, since what is shown goes into logs: values of headers and passwords in URLs
/// are left out.
fn concealed(option: &str, value: &str) -> String {
    if option == "header" {
        return format!("{}: ***", value.split(':').next().unwrap_or_default());
    }
    let (scheme, rest) = match value.find("://") {
        Some(end) => value.split_at(end + 3),
        None if option == "proxy" => ("", value),
        None => return value.to_owned(),
    };
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}***{}", &rest[at..]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::concealed;

    #[test]
    fn secrets_are_not_shown() {
        for (option, value, shown) in [
            ("header", "Authorization: Bearer abc", "Authorization: ***"),
            ("proxy", "http://me:p@ss@localhost:3128", "http://***@localhost:3128"),
            ("proxy", "me:secret@localhost:3128", "***@localhost:3128"),
            ("url", "http://localhost:8080/a@b", "http://localhost:8080/a@b"),
            ("out", "a@b", "a@b"),
        ] {
            assert_eq!(concealed(option, value), shown);
        }
    }
}
