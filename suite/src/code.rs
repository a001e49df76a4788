//! Fault codes: what each means, why it matters, and what to do about it.
//!
//! Codes below 900 are those of the Web Fuzzing Commons; those above are of the block that the
//! standard leaves to tools. The texts are shown by reports and by the command.

mod graphql;
mod rest;
mod standard;

use graphql::GRAPHQL;
use rest::REST;
use standard::STANDARD;

/// How bad a fault is, as far as its code tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Against the letter of a rule, and clients can live with it.
    Low,
    /// Clients that trust the description break.
    Medium,
    /// Crashes, loss of data, or a way in.
    High,
}

impl Severity {
    /// The word for it, in lower case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A fault code and its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultCode {
    /// The number.
    pub code: u16,
    /// Name in the catalogue of the standard, or one in its manner.
    pub name: &'static str,
    /// A headline.
    pub title: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was seen.
    pub meaning: &'static str,
    /// Why it matters.
    pub importance: &'static str,
    /// What to do.
    pub advice: &'static str,
}

/// The explanation of a code; none for codes of the user's own.
#[must_use]
pub fn fault_code(code: u16) -> Option<&'static FaultCode> {
    FAULT_CODES.iter().find(|known| known.code == code)
}

/// How bad a fault of this code is; codes of the user's own count as medium.
#[must_use]
pub fn severity(code: u16) -> Severity {
    fault_code(code).map_or(Severity::Medium, |known| known.severity)
}

const fn row(
    code: u16,
    severity: Severity,
    names: (&'static str, &'static str),
    texts: [&'static str; 3],
) -> FaultCode {
    let [meaning, importance, advice] = texts;
    FaultCode { code, name: names.0, title: names.1, severity, meaning, importance, advice }
}

/// Number of the codes.
const COUNT: usize = STANDARD.len() + REST.len() + GRAPHQL.len();

/// Every code that Wallace reports, in ascending order.
pub const FAULT_CODES: &[FaultCode] = &joined();

const fn joined() -> [FaultCode; COUNT] {
    let mut all = [STANDARD[0]; COUNT];
    let mut place = 0;
    while place < COUNT {
        all[place] = if place < STANDARD.len() {
            STANDARD[place]
        } else if place < STANDARD.len() + REST.len() {
            REST[place - STANDARD.len()]
        } else {
            GRAPHQL[place - STANDARD.len() - REST.len()]
        };
        place += 1;
    }
    all
}

#[cfg(test)]
mod tests;
