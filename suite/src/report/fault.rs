//! Faults as the report lists them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::FaultCodes;
use crate::test_case::{Fault, TestCase};

/// The codes that the report schema refuses: number, name in the catalogue, and the number
/// from the block of tools that stands for it.
const REFUSED: [(u16, &str, u16); 4] = [
    (207, "ignoreAnonymous", 991),
    (208, "anonymousModifications", 992),
    (209, "leakedStackTrace", 993),
    (210, "hiddenAccessible", 994),
];

/// Code and context, which together tell a fault from every other one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct FaultCategory {
    code: u16,
    context: Option<String>,
}

impl FaultCategory {
    pub(super) fn of(fault: &Fault, codes: FaultCodes) -> Self {
        let context = Some(fault.context.clone()).filter(|context| !context.is_empty());
        let refused = REFUSED.iter().find(|(code, ..)| *code == fault.code);
        match (refused, codes) {
            (Some((_, name, code)), FaultCodes::Strict) => {
                let context = context.map_or_else(String::new, |context| format!(": {context}"));
                Self { code: *code, context: Some(format!("{name}{context}")) }
            }
            _ => Self { code: fault.code, context },
        }
    }
}

/// The faults of a test by operation, each once.
pub(super) fn by_operation(
    test: &TestCase,
    codes: FaultCodes,
) -> BTreeMap<&str, BTreeSet<FaultCategory>> {
    let mut found: BTreeMap<&str, BTreeSet<FaultCategory>> = BTreeMap::new();
    for fault in &test.faults {
        found.entry(&fault.operation).or_default().insert(FaultCategory::of(fault, codes));
    }
    found
}
