//! What every service can be asked: its schema, and the types of objects.

use std::sync::LazyLock;

use crate::graphql::schema::{FieldId, OperationKind, Schema};

/// Section 4.2 of the specification, with what later editions add. The fields and directives that
/// are there without being declared stand at its query type, without their signs.
const SDL: &str = r#"
type Query {
  typename: String! schema: __Schema! type(name: String!): __Type
  skip(if: Boolean!): Boolean include(if: Boolean!): Boolean
}
type __Schema {
  description: String types: [__Type!]! queryType: __Type! mutationType: __Type
  subscriptionType: __Type directives(includeDeprecated: Boolean! = false): [__Directive!]!
}
type __Type {
  kind: __TypeKind! name: String description: String
  fields(includeDeprecated: Boolean = false): [__Field!] interfaces: [__Type!]
  possibleTypes: [__Type!] enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
  inputFields(includeDeprecated: Boolean = false): [__InputValue!] ofType: __Type
  specifiedByURL: String isOneOf: Boolean
}
enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
type __Field {
  name: String! description: String args(includeDeprecated: Boolean = false): [__InputValue!]!
  type: __Type! isDeprecated: Boolean! deprecationReason: String
}
type __InputValue {
  name: String! description: String type: __Type! defaultValue: String isDeprecated: Boolean!
  deprecationReason: String
}
type __EnumValue {
  name: String! description: String isDeprecated: Boolean! deprecationReason: String
}
type __Directive {
  name: String! description: String isRepeatable: Boolean! locations: [__DirectiveLocation!]!
  args(includeDeprecated: Boolean = false): [__InputValue!]!
}
enum __DirectiveLocation {
  QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT
  VARIABLE_DEFINITION SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION
  ENUM ENUM_VALUE INPUT_OBJECT INPUT_FIELD_DEFINITION
}
"#;

/// The schema that describes schemas.
pub(super) fn schema() -> &'static Schema {
    static SCHEMA: LazyLock<Schema> =
        LazyLock::new(|| Schema::from_sdl(SDL).expect("the tests read the same text"));
    &SCHEMA
}

/// A field or directive that no schema declares, by its name without its sign.
pub(super) fn implied(name: &str) -> Option<FieldId> {
    let query = schema().root(OperationKind::Query)?;
    schema().field_named(query, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_described_without_a_warning() {
        assert_eq!(schema().warnings(), []);
        assert!(implied("typename").is_some() && implied("skip").is_some());
    }
}
