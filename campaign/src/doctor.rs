//! What the systems of a campaign need, and what is missing.

use std::path::Path;

use crate::definition::{Configuration, Definition, Need, Origin, System};

/// The state of one system or configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Its name.
    pub name: String,
    /// What is missing, one line each; nothing when it can run.
    pub missing: Vec<String>,
}

/// Looks at every system and every other tool, without starting any. `fixtures` are the names of
/// the built-in ones.
#[must_use]
pub fn diagnose(definition: &Definition, fixtures: &[&str]) -> Vec<Diagnosis> {
    let fill = |text: &str| {
        let fill = |text: String, (name, value): (&String, &String)| {
            text.replace(&format!("{{{name}}}"), value)
        };
        definition.variables.iter().fold(text.to_owned(), fill)
    };
    let systems = definition.systems.iter().map(|system| Diagnosis {
        name: format!("system {}", system.name),
        missing: system_needs(system, fixtures, &fill),
    });
    let tools = definition.configurations.iter().map(|configuration| Diagnosis {
        name: format!("configuration {}", configuration.name),
        missing: tool_needs(configuration, &fill),
    });
    systems.chain(tools).collect()
}

fn system_needs(system: &System, fixtures: &[&str], fill: &dyn Fn(&str) -> String) -> Vec<String> {
    let mut missing = Vec::new();
    match system.origin() {
        Origin::Fixture(name) if !fixtures.contains(&name) => {
            missing
                .push(format!("there is no fixture '{name}'; there are {}", fixtures.join(", ")));
        }
        Origin::Command(command) => missing.extend(program_missing(&fill(&command[0]))),
        Origin::Fixture(_) | Origin::Running => {}
    }
    for need in &system.needs {
        match need {
            Need::File(path) => {
                let path = fill(path);
                if !Path::new(&path).is_file() {
                    missing.push(format!(
                        "the file {path} is not there: set `variables` in the campaign file"
                    ));
                }
            }
            Need::Program(program) => missing.extend(program_missing(&fill(program))),
        }
    }
    missing.dedup();
    missing
}

fn tool_needs(configuration: &Configuration, fill: &dyn Fn(&str) -> String) -> Vec<String> {
    let program = configuration.command.iter().flatten().next();
    program.and_then(|program| program_missing(&fill(program))).into_iter().collect()
}

/// A line when a program is neither a file nor on the path. Placeholders are filled at the run.
fn program_missing(program: &str) -> Option<String> {
    if program.contains('{') {
        return None;
    }
    let is_there = if program.contains('/') {
        Path::new(program).is_file()
    } else {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
    };
    (!is_there).then(|| format!("the program {program} is not there: install it, or name its path"))
}
