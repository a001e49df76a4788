//! Faults that are known: a file that says which, so that only new ones count.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::record::{FaultRecord, RunRecord};

/// Version of the file.
const VERSION: u32 = 1;

/// What is said of a fault that nobody gave a reason for.
const NO_REASON: &str = "accepted";

/// Known faults, as their file holds them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// Version of the file: 1.
    pub version: u32,
    /// The faults, ordered by code, operation and context.
    pub faults: Vec<KnownFault>,
}

/// A known fault.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFault {
    /// Its code.
    pub code: u16,
    /// The operation at fault.
    pub operation: String,
    /// What tells it from others of the code.
    #[serde(default)]
    pub context: String,
    /// Why it is accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who accepted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Day from which on it counts as new again: `2027-01-31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<String>,
}

impl Default for Baseline {
    fn default() -> Self {
        Self { version: VERSION, faults: Vec::new() }
    }
}

impl Baseline {
    /// The baseline in the text of its file.
    ///
    /// # Errors
    /// What is wrong with the text, and where.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers are always JSON") + "\n"
    }

    /// Marks the faults that are known. `now` is the time as RFC 3339 text, to see what expired.
    /// Returns the known faults that did not come.
    pub fn mark(&self, faults: &mut [FaultRecord], now: &str) -> Vec<&KnownFault> {
        let is_valid = |known: &&KnownFault| {
            known.expires.as_deref().is_none_or(|day| now.get(..10).is_none_or(|now| now < day))
        };
        let mut missing = Vec::new();
        for known in self.faults.iter().filter(is_valid) {
            let key = (known.operation.as_str(), known.context.as_str());
            let is_it = |fault: &&mut FaultRecord| {
                fault.fault.code == known.code && fault.sites().any(|site| site == key)
            };
            match faults.iter_mut().find(is_it) {
                Some(fault) => {
                    let reason = known.reason.clone().unwrap_or_else(|| NO_REASON.to_owned());
                    let owner = known.owner.iter().map(|owner| format!(" ({owner})"));
                    fault.known = Some(reason + &owner.collect::<String>());
                }
                None => missing.push(known),
            }
        }
        missing
    }

    /// The baseline that accepts all faults of a run. What this one says of a fault is kept; faults
    /// that did not come are forgotten.
    #[must_use]
    pub fn updated(&self, record: &RunRecord, reason: Option<&str>) -> Self {
        let said: BTreeMap<(u16, &str, &str), &KnownFault> = self
            .faults
            .iter()
            .map(|known| ((known.code, known.operation.as_str(), known.context.as_str()), known))
            .collect();
        let sites = record.faults.iter().flat_map(|fault| {
            fault.sites().map(|(operation, context)| (fault.fault.code, operation, context))
        });
        let known = sites.map(|(code, operation, context)| {
            said.get(&(code, operation, context)).copied().cloned().unwrap_or_else(|| KnownFault {
                code,
                operation: operation.to_owned(),
                context: context.to_owned(),
                reason: reason.map(str::to_owned),
                owner: None,
                expires: None,
            })
        });
        let mut faults: Vec<KnownFault> = known.collect();
        faults.sort();
        Self { version: VERSION, faults }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_case::Fault;

    fn record(contexts: &[&str]) -> RunRecord {
        let fault = |context: &&str| FaultRecord {
            fault: Fault {
                code: 100,
                operation: "Query.a".to_owned(),
                context: (*context).to_owned(),
                explanation: Vec::new(),
            },
            also: Vec::new(),
            tests: Vec::new(),
            calls: Vec::new(),
            repeated: None,
            known: None,
        };
        RunRecord { faults: contexts.iter().map(fault).collect(), ..RunRecord::default() }
    }

    #[test]
    fn accepted_faults_are_known_until_they_expire() {
        let mut first = record(&["x", "y"]);
        let mut baseline = Baseline::default().updated(&first, Some("old"));
        baseline.faults[1].expires = Some("2026-05-01".to_owned());
        let text = baseline.to_json();
        let baseline = Baseline::parse(&text).unwrap();
        assert!(baseline.mark(&mut first.faults, "2026-04-30T10:00:00Z").is_empty());
        assert_eq!(first.new_faults().count(), 0);
        let mut later = record(&["y", "z"]);
        let missing = baseline.mark(&mut later.faults, "2026-05-01T00:00:00Z");
        assert_eq!(missing.iter().map(|known| known.context.as_str()).collect::<Vec<_>>(), ["x"]);
        assert_eq!(later.new_faults().count(), 2, "one expired, one is new");
        let again = baseline.updated(&later, None);
        assert_eq!(again.faults[0].reason.as_deref(), Some("old"), "what was said is kept");
        assert!(Baseline::parse("{\"version\": 1, \"fault\": []}").is_err());
    }
}
