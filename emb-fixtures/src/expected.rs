//! What a fixture is known to contain: the yardstick for searches.

use serde::{Deserialize, Serialize};

/// The contents of a fixture's `expected.toml`.
///
/// Every branch side that the instrumentation registers for the fixture is either reached by a
/// witness or infeasible; a test replays all witnesses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Number of operations in the schema or description.
    pub operations: usize,
    /// Branch sides that no request can reach; not part of the denominator of branch coverage.
    #[serde(default, rename = "infeasible", skip_serializing_if = "Vec::is_empty")]
    pub infeasible: Vec<InfeasibleSide>,
    /// Requests which together reach every other branch side.
    #[serde(default, rename = "witness")]
    pub witnesses: Vec<Witness>,
    /// What oracles must report, for fixtures that are there for that.
    #[serde(default, rename = "fault", skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<SeededFault>,
}

/// A fault behind a switch, and what a run must report when the switch is on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeededFault {
    /// Name of the switch.
    pub switch: String,
    /// Where it must be reported: names of GraphQL root fields, or methods and path templates like
    /// `GET /products`. Any of them will do.
    pub operations: Vec<String>,
    /// Fault code of the report.
    pub code: u16,
    /// Codes that may come with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<u16>,
    /// Whether black-box testing is expected to find it; else guidance by coverage is needed.
    pub is_black_box: bool,
    /// The shortest requests that show it, see [`Witness::request`]. `as NAME` before a request says
    /// that the user of this name sends it.
    pub requests: Vec<String>,
    /// What the last answer shows with the fault, but not without it: a part of its status line,
    /// headers and body.
    pub shows: String,
}

/// A request and what it is there for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// Requests that bring the state about which the witness needs; of the same form. `SQL ` and a
    /// statement stand for a row that no request makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// For a GraphQL fixture, a document; for a REST fixture, a request line without the version
    /// of HTTP, like `GET /api/gammq/1/3`. A body follows after a space; a media type before it
    /// says what it is, if it is not JSON: `PUT /news/1/text text/plain Hello`.
    pub request: String,
    /// Names of the branch sides that this request reaches and no shorter one does.
    pub reaches: Vec<String>,
}

/// A branch side that cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InfeasibleSide {
    /// Name of the side.
    pub side: String,
    /// Why no request reaches it.
    pub reason: String,
}

impl Expected {
    /// Reads an `expected.toml`.
    ///
    /// # Errors
    /// When the text is not TOML or has other fields.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Writes an `expected.toml`.
    ///
    /// # Errors
    /// Never for values that [`Expected::parse`] can give.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Expected;

    #[test]
    fn what_is_written_is_read_again() {
        let text = "operations = 2\n\n\
                    [[infeasible]]\nside = \"b\"\nreason = \"never\"\n\n\
                    [[witness]]\nrequest = '{ f(s: \"x\") }'\nreaches = [\"a\"]\n";
        let expected = Expected::parse(text).unwrap();
        assert_eq!(expected.witnesses[0].request, "{ f(s: \"x\") }");
        let written = expected.to_toml().unwrap();
        assert_eq!(Expected::parse(&written), Ok(expected), "{written}");
    }

    #[test]
    fn unknown_fields_are_refused() {
        assert!(Expected::parse("operations = 2\nopperations = 3\n").is_err());
    }
}
