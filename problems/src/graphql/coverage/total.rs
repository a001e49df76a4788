//! Coverage in sums.

use serde::{Deserialize, Serialize};

use super::{ArgumentCoverage, FieldCoverage, SchemaCoverage};

/// How many things of one kind were covered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageTotal {
    /// What is counted, in the plural.
    pub name: String,
    /// How many were covered.
    pub covered: u64,
    /// How many there are.
    pub total: u64,
}

fn total<T>(
    name: &str,
    things: impl Iterator<Item = T>,
    is_covered: impl Fn(&T) -> bool,
) -> CoverageTotal {
    let (mut covered, mut total) = (0, 0);
    for thing in things {
        total += 1;
        covered += u64::from(is_covered(&thing));
    }
    CoverageTotal { name: name.to_owned(), covered, total }
}

impl SchemaCoverage {
    /// The sums of docs/reference/graphql.md#schema-coverage: fields selected, returned, null,
    /// empty and with errors; arguments left out, null, with a value and accepted; enum values sent
    /// and received; members of interfaces and unions that came.
    #[must_use]
    pub fn totals(&self) -> Vec<CoverageTotal> {
        let with_fields = || self.types.iter().filter(|it| !it.fields.is_empty());
        let fields = || self.types.iter().flat_map(|it| &it.fields);
        let of_fields = |name: &str, count: fn(&FieldCoverage) -> u64| {
            total(name, fields(), |field| count(field) > 0)
        };
        let arguments = || {
            let own = fields().flat_map(|field| &field.arguments);
            own.chain(self.types.iter().flat_map(|it| &it.inputs))
        };
        let of_arguments = |name: &str, count: fn(&ArgumentCoverage) -> u64| {
            total(name, arguments(), |argument| count(argument) > 0)
        };
        let values = || self.types.iter().flat_map(|it| &it.values);
        let members = self.types.iter().flat_map(|it| &it.members);
        vec![
            total("types selected from", with_fields(), |it| {
                it.fields.iter().any(|field| field.queried > 0)
            }),
            of_fields("fields selected", |field| field.queried),
            of_fields("fields with a value", |field| field.non_null),
            of_fields("fields that were null", |field| field.null),
            of_fields("fields that were empty", |field| field.empty),
            of_fields("fields with an error", |field| field.error),
            of_arguments("arguments left out", |argument| argument.omitted),
            of_arguments("arguments that were null", |argument| argument.null),
            of_arguments("arguments with a value", |argument| argument.value),
            of_arguments("arguments with an accepted value", |argument| argument.accepted),
            total("enum values sent", values(), |value| value.sent > 0),
            total("enum values received", values(), |value| value.received > 0),
            total("possible types received", members, |member| member.received > 0),
        ]
    }
}
