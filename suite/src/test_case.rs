//! The neutral test case: what every writer turns into the words of its language.

use serde::{Deserialize, Serialize};
use wallace_engine::{TargetKind, TargetName, target::About};
use wallace_problems::AnswerPlace;

use crate::code::fault_code;
use crate::expectation::Expectation;
use crate::request::Request;

/// The tests of one solution, and where they come from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestSuite {
    /// Which run made them.
    pub provenance: Provenance,
    /// Name of the service under test.
    pub service: String,
    /// Where the service ran, without path; tests use it unless told otherwise.
    pub default_base_url: String,
    /// A command that starts the service, for the suite's own instructions.
    pub start_command: Option<String>,
    /// The tests in the order in which they are to be read. Names are unique.
    pub tests: Vec<TestCase>,
}

/// What made a suite. Holds nothing that differs between two equal runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Name of the tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Seed of the run.
    pub seed: u64,
}

/// One test: requests in order, each with what is expected of its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCase {
    /// What it does and what comes of it, in `snake_case`: see [`TestNamer`](crate::TestNamer).
    pub name: String,
    /// Why it is here, a sentence per entry.
    pub purpose: Vec<String>,
    /// Which suite it belongs to.
    pub kind: TestKind,
    /// What it shows to be wrong; empty for a regression test.
    pub faults: Vec<Fault>,
    /// The requests in order. The last one is what the test is about.
    pub steps: Vec<Step>,
}

/// Which of the two suites a test belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TestKind {
    /// Holds on to behaviour that nobody objects to.
    Regression,
    /// Holds on to behaviour that is believed wrong: it fails once the fault is mended.
    Fault,
}

/// A fault that a test shows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Fault {
    /// Code of the Web Fuzzing Commons catalogue, or one of ours between 970 and 999.
    pub code: u16,
    /// The operation at fault, in the words of [`Step::operation`].
    pub operation: String,
    /// What tells it from other faults of the same code; may be empty.
    pub context: String,
    /// What is wrong and by which rule, a sentence per entry.
    pub explanation: Vec<String>,
}

impl Fault {
    /// The fault that a target stands for, if it stands for one.
    #[must_use]
    pub fn of(target: &TargetName) -> Option<Self> {
        let About { kind, subject, number, detail } = target.about();
        let code = u16::try_from(*number).ok().filter(|_| *kind == TargetKind::Fault)?;
        let explanation = match fault_code(code) {
            _ if code == 100 => "The service answered with a server error (status 500 to 599).",
            Some(known) => known.meaning,
            None => "",
        };
        let explanation = Some(explanation.to_owned()).filter(|text| !text.is_empty());
        let (operation, context) = (subject.to_string(), detail.to_string());
        let explanation = explanation.into_iter().chain(broken_rule(code, &context)).collect();
        Some(Self { code, operation, context, explanation })
    }
}

/// Verbs that may be refused to a user who may change what they are about.
const VERBS: [&str; 4] = ["GET", "PUT", "PATCH", "DELETE"];

/// What the context of a fault tells: which rule of a description the answer (101) or the request (102)
/// breaks, and where; what a PUT kept (904); what the user may not do (206).
fn broken_rule(code: u16, context: &str) -> Option<String> {
    match code {
        904 if !context.is_empty() => return Some(format!("It kept `{context}`.")),
        206 if VERBS.contains(&context) => {
            return Some(format!("The same user is refused {context} of the same thing."));
        }
        _ => {}
    }
    let (place, rule) = context.rsplit_once(' ')?;
    let wanted = match rule {
        "type" => "is of another type than documented".to_owned(),
        "null" => "is null, which the description does not allow".to_owned(),
        "required" => "is missing, and required by the description".to_owned(),
        "documented" | "JSON" | "listed" => return None,
        rule => format!("breaks the rule `{rule}` of the description"),
    };
    match code {
        101 => {
            let (status, place) = place.split_once(' ')?;
            let place = if place.is_empty() { "the body" } else { place };
            Some(format!("With status {status}: {place} {wanted}."))
        }
        102 => Some(format!("What was sent: {place} {wanted}.")),
        _ => None,
    }
}

/// One request of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The operation: a schema coordinate (`Query.user`), or `GET:/users/{id}`.
    pub operation: String,
    /// What is sent.
    pub request: Request,
    /// Parts of the answer that later steps use.
    pub captures: Vec<Capture>,
    /// What must hold of the answer.
    pub expectations: Vec<Expectation>,
}

impl Step {
    /// The HTTP status that the answer must have, if the test says so.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.expectations.iter().find_map(|expectation| match expectation {
            Expectation::Status(status) => Some(*status),
            Expectation::MediaType(_)
            | Expectation::Header(_)
            | Expectation::Errors(_)
            | Expectation::Json { .. }
            | Expectation::Present(_)
            | Expectation::Absent(_)
            | Expectation::Text(_)
            | Expectation::EmptyBody
            | Expectation::NoAnswer => None,
        })
    }

    /// Whether what is expected is that no answer comes.
    #[must_use]
    pub fn expects_no_answer(&self) -> bool {
        self.expectations.contains(&Expectation::NoAnswer)
    }
}

/// A part of an answer that gets a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// The name, in `snake_case`, unique within the test.
    pub variable: String,
    /// Where the answer holds it.
    pub place: AnswerPlace,
}

#[cfg(test)]
mod tests {
    use super::broken_rule;

    #[test]
    fn a_broken_rule_is_told_with_its_place() {
        let of = |code, context| broken_rule(code, context).unwrap_or_default();
        assert_eq!(
            of(101, "200 Client Model/lastUsed type"),
            "With status 200: Client Model/lastUsed is of another type than documented."
        );
        assert_eq!(
            of(101, "200  type"),
            "With status 200: the body is of another type than documented."
        );
        assert_eq!(
            of(102, "limit minimum"),
            "What was sent: limit breaks the rule `minimum` of the description."
        );
        for other in
            [(101, "400 text/plain is not documented"), (101, "200 is no JSON"), (100, "a b")]
        {
            assert_eq!(of(other.0, other.1), "");
        }
    }
}
