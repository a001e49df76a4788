//! What a campaign file says.

mod catalogue;
mod check;
mod configuration;
mod resource;
mod system;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use catalogue::{PRESETS, preset};
pub use configuration::{Configuration, Statistics};
pub use resource::Resources;
pub use system::{Need, Origin, System};

/// A campaign: every configuration runs on every system with every seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// What reports call it.
    pub name: String,
    /// How long a run lasts.
    pub budget: RunBudget,
    /// Share of the budget between two points of the coverage curve, in `(0, 1]`. Default 0.05.
    #[serde(default = "default_snapshot")]
    pub snapshot: f64,
    /// Seeds of the runs.
    pub seeds: Seeds,
    /// Runs with the same seed; more than one only makes sense where a system is not repeatable.
    /// Default 1.
    #[serde(default = "one")]
    pub repetitions: u32,
    /// Configuration that the others are compared with. Default: the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// What runs may use of the machine.
    #[serde(default)]
    pub resources: Resources,
    /// Texts that stand for `{name}` in commands and paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
    /// A built-in catalogue to take systems from by name: `emb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalogue: Option<String>,
    /// Names of the systems taken from the catalogue.
    #[serde(default, rename = "use", skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<String>,
    /// Systems described here.
    #[serde(default, rename = "system")]
    pub systems: Vec<System>,
    /// What is compared.
    #[serde(rename = "configuration")]
    pub configurations: Vec<Configuration>,
}

/// End of a run. Only a budget in calls is repeatable and comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunBudget {
    /// Calls to the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Seconds of search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

/// Seeds of a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Seeds {
    /// These.
    List(Vec<u64>),
    /// So many from 1 on.
    Count(u64),
    /// `first` and those that follow.
    Range {
        /// The first.
        first: u64,
        /// How many.
        count: u64,
    },
}

impl Seeds {
    /// All seeds, in the order given.
    pub fn iter(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        match self {
            Self::List(seeds) => Box::new(seeds.iter().copied()),
            Self::Count(count) => Box::new(1..=*count),
            Self::Range { first, count } => Box::new(*first..first.saturating_add(*count)),
        }
    }
}

fn default_snapshot() -> f64 {
    0.05
}

fn one() -> u32 {
    1
}
