//! Behaviour switches: wrong behaviour that can be turned on, to judge test suites by.
//!
//! A switch changes what callers see for some inputs: off by one, a dropped condition, a swapped
//! field, a wrong status. All of them are off unless asked for. They act around the instrumented
//! code, never inside, so that they add no line and no branch to what coverage is measured on.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::suggestion::nearest;

/// A behaviour switch of a fixture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Switch {
    /// What the command line calls it, in lower case with hyphens.
    pub name: &'static str,
    /// What becomes wrong, in one line.
    pub description: &'static str,
}

impl Switch {
    /// A switch of this name with its one-line description.
    pub(crate) const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description }
    }
}

/// The switches that are on in one instance of a fixture; none of them by default.
#[derive(Debug, Clone, Default)]
pub struct Switches {
    on: BTreeSet<&'static str>,
    asked: Option<Asked>,
}

impl PartialEq for Switches {
    /// The same are on; what was asked for is no part of that.
    fn eq(&self, other: &Self) -> bool {
        self.on == other.on
    }
}

impl Eq for Switches {}

/// The switches whose place in the code was reached: the fixture asked whether they are on.
#[derive(Debug, Clone, Default)]
pub struct Asked(Arc<Mutex<BTreeSet<String>>>);

impl Asked {
    /// Names of the switches that were asked for so far.
    #[must_use]
    pub fn names(&self) -> BTreeSet<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A switch was asked for that the fixture does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown switch '{name}'{hint}; the switches are {known}")]
pub struct UnknownSwitch {
    name: String,
    hint: String,
    known: String,
}

impl Switches {
    /// Looks up names among the switches that are `known`.
    ///
    /// # Errors
    /// On the first name that is not known; the error proposes the nearest one and lists all.
    pub(crate) fn parse(names: &[String], known: &[Switch]) -> Result<Self, UnknownSwitch> {
        let on = names.iter().map(|name| find(name, known)).collect::<Result<_, _>>()?;
        Ok(Self { on, asked: None })
    }

    /// No switch on; which of them an instance asks for is noted.
    #[must_use]
    pub fn noted() -> (Self, Asked) {
        let asked = Asked::default();
        (Self { on: BTreeSet::new(), asked: Some(asked.clone()) }, asked)
    }

    /// Whether the switch of this name is on.
    #[must_use]
    pub fn is_on(&self, name: &str) -> bool {
        if let Some(Asked(asked)) = &self.asked {
            asked.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        }
        self.on.contains(name)
    }
}

fn find(name: &str, known: &[Switch]) -> Result<&'static str, UnknownSwitch> {
    let names: Vec<&'static str> = known.iter().map(|switch| switch.name).collect();
    match names.iter().find(|candidate| **candidate == name) {
        Some(found) => Ok(found),
        None => Err(UnknownSwitch {
            name: name.to_owned(),
            hint: nearest(name, &names),
            known: names.join(", "),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::{Switch, Switches};

    const KNOWN: [Switch; 2] = [Switch::new("sign-lost", ""), Switch::new("limit-inclusive", "")];

    #[test]
    fn only_what_was_asked_for_is_on() {
        let switches = Switches::parse(&["sign-lost".to_owned()], &KNOWN).unwrap();
        assert!(switches.is_on("sign-lost"));
        assert!(!switches.is_on("limit-inclusive"));
        assert!(!Switches::parse(&[], &KNOWN).unwrap().is_on("sign-lost"));
    }

    #[test]
    fn what_is_asked_for_is_noted() {
        let (switches, asked) = Switches::noted();
        assert!(asked.names().is_empty());
        assert!(!switches.clone().is_on("sign-lost"));
        assert_eq!(asked.names().into_iter().collect::<Vec<_>>(), ["sign-lost"]);
    }

    #[test]
    fn unknown_names_are_explained() {
        let error = Switches::parse(&["sign-last".to_owned()], &KNOWN).unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown switch 'sign-last' (did you mean 'sign-lost'?); \
             the switches are sign-lost, limit-inclusive"
        );
    }
}
