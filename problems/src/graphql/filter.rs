//! Which operations are called.

use std::str::FromStr;

use regex::Regex;
use thiserror::Error;

use super::schema::{OperationKind, Schema};
use super::template::OperationTemplate;

/// Which operations are called.
///
/// An operation is called when it matches a pattern to include, or there is none, and no pattern
/// to exclude; mutations only where they are allowed.
#[derive(Debug, Clone)]
pub struct OperationFilter {
    /// Operations to call; all where empty.
    pub include: Vec<OperationPattern>,
    /// Operations never to call, whatever else is said.
    pub exclude: Vec<OperationPattern>,
    /// Whether mutations are called.
    pub has_mutations: bool,
}

impl Default for OperationFilter {
    /// Everything.
    fn default() -> Self {
        Self { include: Vec::new(), exclude: Vec::new(), has_mutations: true }
    }
}

/// What operations are chosen by: a regular expression that matches the whole schema coordinate
/// (`Query.user`, `Mutation\.(create|update).*`, in a namespace `Query.users.list`), or `@name` for
/// those with a directive of that name, `@deprecated` among them.
#[derive(Debug, Clone)]
pub enum OperationPattern {
    /// Matches whole coordinates.
    Coordinate(Regex),
    /// Name of a directive, without the sign.
    Directive(Box<str>),
}

/// A pattern that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the pattern {pattern:?} is no regular expression ({reason}): write a schema coordinate such as Query.user, \
     Mutation\\.delete.*, or @directive"
)]
pub struct PatternError {
    pattern: String,
    reason: String,
}

impl FromStr for OperationPattern {
    type Err = PatternError;

    fn from_str(pattern: &str) -> Result<Self, PatternError> {
        if let Some(directive) = pattern.strip_prefix('@') {
            return Ok(Self::Directive(directive.into()));
        }
        let whole = Regex::new(&format!("^(?:{pattern})$"));
        whole.map(Self::Coordinate).map_err(|error| PatternError {
            pattern: pattern.to_owned(),
            // The last line says what is wrong; those before it draw the place.
            reason: error.to_string().lines().last().unwrap_or_default().trim().to_owned(),
        })
    }
}

impl OperationPattern {
    /// Whether the operation is one of those.
    #[must_use]
    pub fn matches(&self, schema: &Schema, operation: &OperationTemplate) -> bool {
        match self {
            Self::Coordinate(regex) => {
                regex.is_match(&operation.coordinate) || regex.is_match(&operation.field_coordinate)
            }
            Self::Directive(name) if &**name == "deprecated" => {
                schema.field(operation.field).deprecation.is_some()
            }
            Self::Directive(name) => schema
                .directives_at(&operation.field_coordinate)
                .iter()
                .any(|known| **known == **name),
        }
    }
}

impl OperationFilter {
    /// Whether the operation is called.
    #[must_use]
    pub fn allows(&self, schema: &Schema, operation: &OperationTemplate) -> bool {
        let matches = |pattern: &OperationPattern| pattern.matches(schema, operation);
        (self.has_mutations || operation.kind != OperationKind::Mutation)
            && (self.include.is_empty() || self.include.iter().any(matches))
            && !self.exclude.iter().any(matches)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::graphql::Templates;

    fn called(include: &[&str], exclude: &[&str], has_mutations: bool) -> Vec<String> {
        let sdl = "directive @internal on FIELD_DEFINITION
            type Query { user: Int users: Int old: Int @deprecated secret: Int @internal }
            type Mutation { user: Int deleteUser: Int }";
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let patterns = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        let filter = OperationFilter {
            include: patterns(include),
            exclude: patterns(exclude),
            has_mutations,
        };
        let operations = templates.operations().iter();
        let called = operations.filter(|operation| filter.allows(templates.schema(), operation));
        called.map(|operation| operation.coordinate.to_string()).collect()
    }

    #[test]
    fn patterns_match_whole_coordinates_and_directives() {
        assert_eq!(called(&["Query.user"], &[], true), ["Query.user"]);
        assert_eq!(called(&[".*\\.user"], &[], true), ["Query.user", "Mutation.user"]);
        assert_eq!(called(&[".*\\.user"], &["Mutation.*"], true), ["Query.user"]);
        assert_eq!(called(&["@deprecated", "@internal"], &[], true), ["Query.old", "Query.secret"]);
        let read = called(&[], &["@internal"], false);
        assert_eq!(read, ["Query.user", "Query.users", "Query.old"]);
    }

    #[test]
    fn wrong_patterns_are_explained() {
        let error = "Query.(".parse::<OperationPattern>().unwrap_err().to_string();
        assert!(error.contains("\"Query.(\"") && error.contains("unclosed group"), "{error}");
    }
}
