//! What one run is, and the hash that names it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::definition::{Configuration, Definition, RunBudget, System};

/// Hash of everything that a run depends on: 32 hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(String);

impl RunId {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes the name of a result folder for an id; `None` for anything else.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let is_id = name.len() == 32 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_id.then(|| Self(name.to_owned()))
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One run. Equal descriptions have equal ids, and whoever executes one needs nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunDescription {
    /// Hash of the rest.
    pub id: RunId,
    /// The system under test.
    pub system: Arc<System>,
    /// How it is tested.
    pub configuration: Arc<Configuration>,
    /// Seed of the run.
    pub seed: u64,
    /// Number of the run among those with the same seed, from 1.
    pub repetition: u32,
    /// When it ends.
    pub budget: RunBudget,
    /// Share of the budget between two points of the coverage curve.
    pub snapshot: f64,
}

impl RunDescription {
    /// All runs of a campaign, by system, configuration, seed and repetition.
    pub(super) fn all(definition: &Definition) -> Vec<Self> {
        let configurations: Vec<Arc<Configuration>> =
            definition.configurations.iter().cloned().map(Arc::new).collect();
        let mut runs = Vec::new();
        for system in &definition.systems {
            let system = Arc::new(with_variables(system, definition));
            for configuration in &configurations {
                let common = Common::of(&system, configuration, definition);
                for seed in definition.seeds.iter() {
                    for repetition in 1..=definition.repetitions {
                        runs.push(common.run(seed, repetition));
                    }
                }
            }
        }
        runs
    }
}

/// What runs that differ in their seed only have in common, hashed once.
struct Common {
    system: Arc<System>,
    configuration: Arc<Configuration>,
    budget: RunBudget,
    snapshot: f64,
    hash: Sha256,
}

impl Common {
    fn of(system: &Arc<System>, configuration: &Arc<Configuration>, of: &Definition) -> Self {
        let key = (system, configuration, of.budget, of.snapshot);
        let text = serde_json::to_vec(&key).expect("descriptions are plain data");
        Self {
            system: Arc::clone(system),
            configuration: Arc::clone(configuration),
            budget: of.budget,
            snapshot: of.snapshot,
            hash: Sha256::new().chain_update(text),
        }
    }

    fn run(&self, seed: u64, repetition: u32) -> RunDescription {
        let hash = self.hash.clone().chain_update(format!("/{seed}/{repetition}")).finalize();
        let digits = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        RunDescription {
            id: RunId(digits),
            system: Arc::clone(&self.system),
            configuration: Arc::clone(&self.configuration),
            seed,
            repetition,
            budget: self.budget,
            snapshot: self.snapshot,
        }
    }
}

/// The system with the campaign's variables filled in: they are part of what runs.
fn with_variables(system: &System, definition: &Definition) -> System {
    if definition.variables.is_empty() {
        return system.clone();
    }
    let fill = |text: &mut String| {
        for (name, value) in &definition.variables {
            *text = text.replace(&format!("{{{name}}}"), value);
        }
    };
    let mut system = system.clone();
    system.start.iter_mut().flatten().for_each(fill);
    system.environment.values_mut().for_each(fill);
    let texts = [&mut system.folder, &mut system.driver, &mut system.url, &mut system.openapi];
    texts.into_iter().flatten().for_each(fill);
    for need in &mut system.needs {
        match need {
            crate::definition::Need::File(text) | crate::definition::Need::Program(text) => {
                fill(text)
            }
        }
    }
    system
}
