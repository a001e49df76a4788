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
}

/// A request and what it is there for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// For a GraphQL fixture, a document; for a REST fixture, a request line without the version
    /// of HTTP, like `GET /api/gammq/1/3`.
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
