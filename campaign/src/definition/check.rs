//! Reading a campaign file, and what must hold in it.

use std::collections::BTreeSet;
use std::path::Path;

use super::catalogue::systems_of;
use super::{Configuration, Definition, System};
use crate::error::CampaignError;

impl Definition {
    /// Reads a campaign file.
    ///
    /// # Errors
    /// When the file cannot be read, or something in it is wrong; all is told in one line.
    pub fn read(file: &Path) -> Result<Self, CampaignError> {
        let text = std::fs::read_to_string(file).map_err(CampaignError::file(file))?;
        Self::parse(&text, &file.display().to_string())
    }

    /// Reads the text of a campaign file; `origin` is what errors call it.
    ///
    /// # Errors
    /// When something in it is wrong.
    pub fn parse(text: &str, origin: &str) -> Result<Self, CampaignError> {
        let wrong = |reason: String| CampaignError::Definition { file: origin.to_owned(), reason };
        let mut definition: Self =
            toml::from_str(text).map_err(|error| wrong(one_line(&error, text)))?;
        definition.take_from_catalogue().map_err(wrong)?;
        definition.check().map_err(wrong)?;
        Ok(definition)
    }

    /// Replaces the names of systems by their descriptions, so that a plan needs no catalogue.
    fn take_from_catalogue(&mut self) -> Result<(), String> {
        let used = std::mem::take(&mut self.used);
        let Some(catalogue) = self.catalogue.take() else {
            return if used.is_empty() {
                Ok(())
            } else {
                Err("`use` names systems of a catalogue: add `catalogue = \"emb\"`".to_owned())
            };
        };
        let known = systems_of(&catalogue)?;
        for name in used {
            let found = known.iter().find(|system| system.name == name).ok_or_else(|| {
                let names: Vec<&str> = known.iter().map(|system| system.name.as_str()).collect();
                format!(
                    "the catalogue '{catalogue}' has no system '{name}'; it has {}",
                    names.join(", ")
                )
            })?;
            self.systems.push(found.clone());
        }
        Ok(())
    }

    fn check(&self) -> Result<(), String> {
        if self.budget.calls.is_none() && self.budget.seconds.is_none() {
            return Err("the budget is missing: add `budget = { calls = 10000 }`".to_owned());
        }
        if self.budget.calls == Some(0) || self.budget.seconds == Some(0) {
            return Err("the budget is 0: a run needs at least one call".to_owned());
        }
        if !(self.snapshot > 0.0 && self.snapshot <= 1.0) {
            return Err(format!("snapshot = {} is not above 0 and at most 1", self.snapshot));
        }
        let resources = &self.resources;
        let at_least_one = [resources.parallel, resources.cores, resources.tries as usize];
        if at_least_one.contains(&0) || resources.seconds == 0 || resources.memory == 0 {
            return Err(
                "resources: parallel, cores, seconds, memory and tries are at least 1".into()
            );
        }
        distinct("system", self.systems.iter().map(|system| &system.name))?;
        distinct("configuration", self.configurations.iter().map(|one| &one.name))?;
        let seeds: BTreeSet<u64> = self.seeds.iter().collect();
        if seeds.len() != self.seeds.iter().count() {
            return Err("a seed stands twice in `seeds`".to_owned());
        }
        if seeds.is_empty() || self.repetitions == 0 {
            return Err("there is no run: `seeds` and `repetitions` are at least 1".to_owned());
        }
        self.systems.iter().try_for_each(check_system)?;
        self.configurations.iter().try_for_each(check_configuration)?;
        self.check_baseline()
    }

    fn check_baseline(&self) -> Result<(), String> {
        let Some(baseline) = &self.baseline else { return Ok(()) };
        let names: Vec<&str> = self.configurations.iter().map(|one| one.name.as_str()).collect();
        if names.contains(&baseline.as_str()) {
            return Ok(());
        }
        Err(format!("the baseline '{baseline}' is no configuration; they are {}", names.join(", ")))
    }
}

fn distinct<'a>(kind: &str, names: impl Iterator<Item = &'a String>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    for name in names {
        let is_usable =
            |character: char| character.is_ascii_alphanumeric() || "-_.+".contains(character);
        if name.is_empty() || !name.chars().all(is_usable) {
            return Err(format!(
                "the {kind} name '{name}' is not made of letters, digits, '-', '_', '.' and '+'"
            ));
        }
        if !seen.insert(name) {
            return Err(format!("two {kind}s are called '{name}': give each its own name"));
        }
    }
    if seen.is_empty() { Err(format!("there is no {kind}: add a [[{kind}]]")) } else { Ok(()) }
}

fn check_system(system: &System) -> Result<(), String> {
    let name = &system.name;
    let origins = [system.fixture.is_some(), system.start.is_some()];
    let is_somewhere = system.driver.is_some() || system.url.is_some();
    match origins {
        [true, true] => Err(format!("system '{name}' has both `fixture` and `start`: keep one")),
        [false, false] if !is_somewhere => Err(format!(
            "system '{name}' comes from nowhere: add `fixture`, `start`, `driver` or `url`"
        )),
        [true, false] if is_somewhere => Err(format!(
            "system '{name}' is a fixture, which brings its own driver: drop `driver` and `url`"
        )),
        [_, true] if system.start.as_ref().is_some_and(Vec::is_empty) => Err(format!(
            "system '{name}': `start` is empty; it is [\"program\", \"argument\", ...]"
        )),
        [_, true] if system.ready.is_none() => Err(format!(
            "system '{name}': `ready` is missing: the text in its output that tells that it listens"
        )),
        _ if system.driver.is_some() && system.url.is_some() => {
            Err(format!("system '{name}' has both `driver` and `url`: keep one"))
        }
        _ => Ok(()),
    }
}

fn check_configuration(configuration: &Configuration) -> Result<(), String> {
    let name = &configuration.name;
    let is_ours = configuration.algorithm.is_some() || !configuration.settings.is_empty();
    match &configuration.command {
        Some(_) if is_ours => Err(format!(
            "configuration '{name}' has a `command`, so `algorithm` and `settings` mean nothing"
        )),
        Some(command) if command.is_empty() => Err(format!(
            "configuration '{name}': `command` is empty; it is [\"program\", \"argument\", ...]"
        )),
        None if configuration.statistics.is_some() => {
            Err(format!("configuration '{name}': `statistics` goes with `command`"))
        }
        Some(_) => Ok(()),
        None => crate::execution::configure(
            &mut wallace::settings::Parameters::default(),
            configuration,
            0,
        )
        .map_err(|reason| format!("configuration '{name}': {reason}")),
    }
}

/// The parser's message with its line, without the excerpt.
fn one_line(error: &toml::de::Error, text: &str) -> String {
    let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
    format!("line {line}: {}", error.message().replace('\n', " "))
}
