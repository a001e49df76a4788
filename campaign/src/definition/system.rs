//! A system under test of a campaign.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A system under test, and how to get at it. Exactly one of `fixture`, `start`, `driver` or `url`
/// says where it comes from; `start` goes with `driver` or `url`.
///
/// In texts, `{driver_port}` and `{sut_port}` are ports of the run, `{wallace}` is the command
/// itself, and other names are variables of the campaign.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// What tables call it.
    pub name: String,
    /// Name of a built-in fixture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixture: Option<String>,
    /// Behaviour switches of the fixture that are on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switches: Vec<String>,
    /// Program and arguments that start the driver, or the system itself where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Vec<String>>,
    /// Folder the program runs in. Default: a folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Environment variables of the program.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Text in the program's output that tells that it can be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<String>,
    /// Longest wait for that text, in seconds. Default 120.
    #[serde(default = "default_ready_seconds")]
    pub ready_seconds: u64,
    /// Address of the driver. Default with `start`: `http://localhost:{driver_port}`, unless there
    /// is a `url`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// Address of a system that is tested as a black box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// OpenAPI description of a black-box REST system: a file or an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openapi: Option<String>,
    /// What must be there before it can run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<Need>,
}

/// Something that must be there before a system can run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// A file, for example a jar.
    File(String),
    /// A program on the path, or with its path.
    Program(String),
}

/// Where a system comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin<'a> {
    /// A built-in fixture of this name.
    Fixture(&'a str),
    /// A command.
    Command(&'a [String]),
    /// It runs already.
    Running,
}

fn default_ready_seconds() -> u64 {
    120
}

impl System {
    /// Where it comes from.
    #[must_use]
    pub fn origin(&self) -> Origin<'_> {
        match (&self.fixture, &self.start) {
            (Some(fixture), _) => Origin::Fixture(fixture),
            (None, Some(command)) => Origin::Command(command),
            (None, None) => Origin::Running,
        }
    }

    /// Whether runs are guided by a driver.
    #[must_use]
    pub fn is_white_box(&self) -> bool {
        self.url.is_none()
    }

    /// Address of the driver, its placeholders not yet filled.
    #[must_use]
    pub fn driver_address(&self) -> &str {
        self.driver.as_deref().unwrap_or("http://localhost:{driver_port}")
    }
}
