//! Placeholders in commands and addresses.

use std::collections::BTreeMap;
use std::path::Path;

use super::system::Ports;
use crate::plan::RunDescription;

/// What stands for `{name}` in the texts of a run.
#[derive(Debug, Clone)]
pub(super) struct Values(BTreeMap<&'static str, String>);

impl Values {
    pub(super) fn of(run: &RunDescription, wallace: &Path, out: &Path, ports: &Ports) -> Self {
        let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        let mut values = BTreeMap::from([
            ("wallace", wallace.display().to_string()),
            ("out", out.display().to_string()),
            ("driver_port", ports.driver.to_string()),
            ("sut_port", ports.sut.to_string()),
            ("seed", run.seed.to_string()),
            ("calls", number(run.budget.calls)),
            ("seconds", number(run.budget.seconds)),
        ]);
        if let Some(url) = &run.system.url {
            let filled = Self(values.clone()).fill(url);
            values.insert("url", filled);
        }
        Self(values)
    }

    /// Lets the driver's place be taken by its stand-in.
    pub(super) fn set_driver(&mut self, url: &str, port: u16) {
        self.0.insert("driver", url.to_owned());
        self.0.insert("driver_port", port.to_string());
    }

    /// The value of a name.
    pub(super) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// The text with its placeholders filled; unknown ones stay.
    pub(super) fn fill(&self, text: &str) -> String {
        let fill = |text: String, (name, value): (&&str, &String)| {
            text.replace(&format!("{{{name}}}"), value)
        };
        self.0.iter().fold(text.to_owned(), fill)
    }
}
