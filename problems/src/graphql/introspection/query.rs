//! The introspection query.

/// A query for the whole schema, as a GraphQL document.
///
/// It asks only for what services of every age answer: nothing of `isOneOf`, `specifiedByURL`,
/// deprecated arguments or directives, since an unknown field makes a service refuse the whole
/// query. Types are followed through nine marks, which is enough for lists in lists in lists.
pub const INTROSPECTION_QUERY: &str = "\
query IntrospectionQuery {
  __schema {
    queryType { name }
    mutationType { name }
    subscriptionType { name }
    types {
      kind
      name
      description
      fields(includeDeprecated: true) {
        name
        description
        args { ...InputValue }
        type { ...TypeRef }
        isDeprecated
        deprecationReason
      }
      inputFields { ...InputValue }
      interfaces { kind name }
      enumValues(includeDeprecated: true) {
        name
        description
        isDeprecated
        deprecationReason
      }
      possibleTypes { kind name }
    }
  }
}

fragment InputValue on __InputValue {
  name
  description
  type { ...TypeRef }
  defaultValue
}

fragment TypeRef on __Type {
  kind name ofType {
    kind name ofType {
      kind name ofType {
        kind name ofType {
          kind name ofType {
            kind name ofType {
              kind name ofType {
                kind name ofType {
                  kind name ofType {
                    kind name
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
";
