//! Introspection by steps: what a service can be asked for, then the query that asks for it.

use serde_json::Value;

use super::query::INTROSPECTION_QUERY;

/// What a service tells in introspection besides what services of every age do.
///
/// An unknown field makes a service refuse the whole query, so the newer ones are asked for only
/// where the service says that it knows them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IntrospectionSupport {
    /// `__Type.specifiedByURL`: where a custom scalar is defined (October 2021).
    pub specified_by_url: bool,
    /// `__Type.isOneOf`: whether exactly one field of an input object must be given (September
    /// 2025).
    pub is_one_of: bool,
    /// `__Field.args(includeDeprecated:)` (September 2025).
    pub deprecated_arguments: bool,
    /// `__Type.inputFields(includeDeprecated:)` (September 2025).
    pub deprecated_input_fields: bool,
    /// `__InputValue.isDeprecated` and `deprecationReason` (September 2025).
    pub input_deprecation: bool,
    /// `__Directive.isRepeatable` (October 2021).
    pub repeatable_directives: bool,
}

impl IntrospectionSupport {
    /// A query for what the service can be asked for.
    pub const QUERY: &str = "\
query IntrospectionSupport {
  type: __type(name: \"__Type\") { fields { name args { name } } }
  field: __type(name: \"__Field\") { fields { name args { name } } }
  input: __type(name: \"__InputValue\") { fields { name args { name } } }
  directive: __type(name: \"__Directive\") { fields { name args { name } } }
}
";

    /// What the answer to [`IntrospectionSupport::QUERY`] says; nothing newer where it says
    /// nothing.
    #[must_use]
    pub fn read(answer: &[u8]) -> Self {
        let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
        let field = |owner: &str, name: &str| {
            let fields = answer.pointer(&format!("/data/{owner}/fields"))?.as_array()?;
            fields.iter().find(|field| field["name"] == name)
        };
        let has = |owner: &str, name: &str| field(owner, name).is_some();
        let takes_deprecated = |owner: &str, name: &str| {
            let arguments = field(owner, name).and_then(|field| field["args"].as_array());
            arguments.is_some_and(|it| it.iter().any(|it| it["name"] == "includeDeprecated"))
        };
        Self {
            specified_by_url: has("type", "specifiedByURL"),
            is_one_of: has("type", "isOneOf"),
            deprecated_arguments: takes_deprecated("field", "args"),
            deprecated_input_fields: takes_deprecated("type", "inputFields"),
            input_deprecation: has("input", "isDeprecated") && has("input", "deprecationReason"),
            repeatable_directives: has("directive", "isRepeatable"),
        }
    }

    /// The introspection query that asks for all of this.
    #[must_use]
    pub fn query(self) -> String {
        let mut query = INTROSPECTION_QUERY.to_owned();
        let mut extend = |is_known: bool, place: &str, text: &str| {
            if is_known {
                query = query.replace(place, text);
            }
        };
        let deprecated = "(includeDeprecated: true)";
        let inner = "      name\n      description\n";
        extend(self.specified_by_url, inner, &format!("{inner}      specifiedByURL\n"));
        extend(self.is_one_of, inner, &format!("{inner}      isOneOf\n"));
        extend(self.deprecated_arguments, " args {", &format!(" args{deprecated} {{"));
        extend(
            self.deprecated_input_fields,
            "inputFields {",
            &format!("inputFields{deprecated} {{"),
        );
        extend(
            self.input_deprecation,
            "  defaultValue\n",
            "  defaultValue\n  isDeprecated\n  deprecationReason\n",
        );
        extend(
            self.repeatable_directives,
            "    types {",
            "    directives { name isRepeatable locations }\n    types {",
        );
        query
    }
}

#[cfg(test)]
mod tests {
    use apollo_compiler::{ExecutableDocument, Schema};

    use super::*;

    const ALL: IntrospectionSupport = IntrospectionSupport {
        specified_by_url: true,
        is_one_of: true,
        deprecated_arguments: true,
        deprecated_input_fields: true,
        input_deprecation: true,
        repeatable_directives: true,
    };

    #[test]
    fn every_query_is_a_document_and_asks_for_what_is_known() {
        let text = ALL.query();
        for part in [
            "specifiedByURL",
            "isOneOf",
            "args(includeDeprecated: true)",
            "inputFields(includeDeprecated: true)",
            "isRepeatable",
        ] {
            assert_eq!(text.matches(part).count(), 1, "{part} in {text}");
        }
        assert_eq!(text.matches("isDeprecated").count(), 3, "{text}");
        assert_eq!(IntrospectionSupport::default().query(), INTROSPECTION_QUERY);
        let schema = Schema::parse_and_validate("type Query { a: Int }", "s").unwrap();
        // The validator knows all but the newest.
        let known = IntrospectionSupport { is_one_of: false, ..ALL };
        for document in [known.query(), IntrospectionSupport::QUERY.to_owned()] {
            let valid = ExecutableDocument::parse_and_validate(&schema, &document, "q");
            assert!(valid.is_ok(), "{}\n{document}", valid.unwrap_err());
        }
    }

    #[test]
    fn only_what_the_service_names_is_asked_for() {
        let answer = r#"{"data":{
            "type":{"fields":[{"name":"specifiedByURL","args":[]},
                {"name":"inputFields","args":[{"name":"includeDeprecated"}]}]},
            "field":{"fields":[{"name":"args","args":[]}]},
            "input":{"fields":[{"name":"isDeprecated","args":[]}]},
            "directive":null}}"#;
        let expected = IntrospectionSupport {
            specified_by_url: true,
            deprecated_input_fields: true,
            ..IntrospectionSupport::default()
        };
        assert_eq!(IntrospectionSupport::read(answer.as_bytes()), expected);
        for nothing in ["", "{}", r#"{"errors":[{"message":"no"}],"data":null}"#, "[1]"] {
            let read = IntrospectionSupport::read(nothing.as_bytes());
            assert_eq!(read, IntrospectionSupport::default());
        }
    }
}
