//! `wallace.toml`: settings that come after options and environment variables, and before defaults.
//!
//! What the file may hold is what the options of `wallace fuzz` are: see `argument::option`.

mod setting;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::DeTable;

use crate::argument::SECTIONS;
use crate::diagnostic::Located;

use setting::Setting;
pub(crate) use setting::{schema, settings};

/// Name of the file that is read where no other is named.
pub(crate) const FILE: &str = "wallace.toml";

/// What a file says: the values of options.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Config(pub(crate) BTreeMap<String, Vec<String>>);

impl Config {
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
        let wrong = |span, message: String, advice: Option<String>| {
            let schema = "wallace init --json-schema prints what the file may hold";
            let advice = advice.unwrap_or_else(|| schema.to_owned());
            Box::new(Located::new(name, text, span, message, advice))
        };
        let table = DeTable::parse(text)
            .map_err(|error| wrong(error.span(), error.message().to_owned(), None))?;
        let known = settings();
        let mut config = Self::default();
        for (section, content) in table.get_ref() {
            let (span, section) = (section.span(), section.get_ref());
            if !SECTIONS.iter().any(|(name, _)| name == section) {
                let advice = home(&known, section)
                    .or_else(|| nearest(section, SECTIONS.iter().map(|(name, _)| *name)));
                return Err(wrong(Some(span), format!("unknown section `{section}`"), advice));
            }
            let Some(content) = content.get_ref().as_table() else {
                return Err(wrong(Some(span), format!("`{section}` is no section"), None));
            };
            for (key, value) in content {
                let here = || known.iter().filter(|setting| setting.section == **section);
                let Some(setting) = here().find(|setting| setting.key == **key.get_ref()) else {
                    let message = format!("unknown setting `{}` in [{section}]", key.get_ref());
                    let advice = home(&known, key.get_ref())
                        .or_else(|| nearest(key.get_ref(), here().map(|setting| &*setting.key)));
                    return Err(wrong(Some(key.span()), message, advice));
                };
                let values = setting.values(value.get_ref()).ok_or_else(|| {
                    let message = format!("`{section}.{}` must be {}", setting.key, setting.kind());
                    wrong(Some(Spanned::span(value)), message, None)
                })?;
                config.0.insert(setting.option.clone(), values);
            }
        }
        Ok(config)
    }
}

/// Where a setting belongs that stands elsewhere.
fn home(known: &[Setting], key: &str) -> Option<String> {
    let setting = known.iter().find(|setting| setting.key == key)?;
    Some(format!("`{key}` belongs to [{}]", setting.section))
}

/// A question after the nearest known name, where one is near.
fn nearest<'n>(unknown: &str, known: impl Iterator<Item = &'n str>) -> Option<String> {
    let distance = |known: &&str| strsim::damerau_levenshtein(known, unknown);
    let nearest = known.min_by_key(distance)?;
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
    fn a_setting_in_the_wrong_place_is_told_with_the_right_one() {
        for text in ["auth = \"a.yaml\"\n", "[target]\nauth = \"a.yaml\"\n"] {
            let error = Config::parse("wallace.toml", text).unwrap_err();
            assert!(format!("{error:?}").contains("`auth` belongs to [calls]"), "{error:?}");
        }
    }

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
    fn values_have_the_type_of_their_option() {
        let read = |text: &str| Config::parse("wallace.toml", text).map(|config| config.0);
        let text = "[calls]\nrate = 5\ninsecure = true\nexclude = [\"a\", \"b\"]\n\
                    [budget]\ncalls = 10_000\ntime = \"5m\"\n";
        let values = read(text).unwrap();
        let shown: Vec<String> =
            values.iter().map(|(name, values)| format!("{name} {}", values.join(" "))).collect();
        let expected = ["calls 10000", "exclude a b", "insecure true", "rate 5", "time 5m"];
        assert_eq!(shown, expected);
        for wrong in [
            "[calls]\nrate = true\n",
            "[calls]\nexclude = \"a\"\n",
            "[calls]\ninclude = [1]\n",
            "[budget]\ncalls = 1.5\n",
            "budget = 1\n",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    /// What the file could hold before it was made of the options.
    #[test]
    fn the_file_holds_what_it_always_held() {
        let known: Vec<String> =
            settings().iter().map(|one| format!("{}.{}", one.section, one.key)).collect();
        for key in [
            "target.driver target.url target.openapi calls.auth calls.allow-mutations calls.include",
            "calls.exclude calls.ca-certificate calls.client-certificate calls.insecure calls.proxy",
            "calls.rate budget.calls budget.time search.seed search.corpus search.seeds search.sql",
            "search.attribution graphql.schema graphql.overload graphql.scalar rest.base-url",
            "rest.security rest.oracle-off rest.external-references output.out output.force",
            "output.baseline output.fail-on",
        ]
        .into_iter()
        .flat_map(str::split_whitespace)
        {
            assert!(known.iter().any(|one| one == key), "{key} is missing in {known:?}");
        }
        for one in settings() {
            let is_section = SECTIONS.iter().any(|(name, _)| *name == one.section);
            assert!(is_section && one.option.replace('_', "-") == one.key, "{}", one.key);
            assert_ne!(one.option, "resume");
        }
    }
}
