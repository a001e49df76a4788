//! Request bodies. All releases of the drivers accept exactly these fields.

use std::borrow::Cow;

use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

use super::lenient::Claim;

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.0)
    }
}

/// Body of `PUT /runSUT`: start, reset or stop.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RunSut<'a> {
    /// Whether the system shall run; the only required field.
    #[serde(default)]
    pub(crate) run: Option<Claim>,
    /// Whether to clean the state and begin a new test.
    #[serde(default)]
    pub(crate) reset_state: Option<Claim>,
    /// Only for remote procedure calls.
    #[serde(default)]
    pub(crate) reset_customized_method_for_mock_object: Option<Claim>,
    /// Whether to compute distances of SQL conditions.
    #[serde(default)]
    pub(crate) calculate_sql_heuristics: Option<Claim>,
    /// Whether to use the complete SQL distance.
    #[serde(default)]
    pub(crate) advanced_heuristics: Option<Claim>,
    /// Whether to collect which tables and columns were touched.
    #[serde(default)]
    pub(crate) extract_sql_execution_info: Option<Claim>,
    /// Which library calls the instrumentation replaces, a comma list.
    #[serde(default)]
    pub(crate) method_replacement_categories: Option<Cow<'a, str>>,
}

impl RunSut<'_> {
    /// Whether anything about SQL shall be reported.
    pub(crate) fn wants_sql(&self) -> bool {
        let is_set = |claim: Option<Claim>| claim == Some(Claim(true));
        is_set(self.calculate_sql_heuristics) || is_set(self.extract_sql_execution_info)
    }
}

/// Body of `PUT /newAction`. A missing list is empty; an explicit null (`None`) is an error of
/// the sender that drivers answer with a bare 500.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewAction<'a> {
    /// Position in the test, from 0.
    #[serde(default)]
    pub(crate) index: Option<i32>,
    /// Name of the operation; not unique.
    #[serde(default)]
    pub(crate) name: Option<Cow<'a, str>>,
    /// Further texts to treat as tainted.
    #[serde(default = "empty_list")]
    pub(crate) input_variables: Option<Cow<'a, [String]>>,
    /// Only for remote procedure calls.
    #[serde(default)]
    pub(crate) rpc_call: Option<Value>,
    /// Mocked services; not used here.
    #[serde(default = "empty_map")]
    pub(crate) external_service_mapping: Option<Map<String, Value>>,
    /// Mocked host names; not used here.
    #[serde(default = "empty_map")]
    pub(crate) local_address_mapping: Option<Map<String, Value>>,
    /// Services not to mock; not used here.
    #[serde(default = "empty_values")]
    pub(crate) skipped_external_services: Option<Vec<Value>>,
}

impl<'a> NewAction<'a> {
    /// The announcement of action `index`.
    pub(crate) fn new(index: i32, name: &'a str, input_variables: &'a [String]) -> Self {
        Self {
            index: Some(index),
            name: Some(Cow::Borrowed(name)),
            input_variables: Some(Cow::Borrowed(input_variables)),
            rpc_call: None,
            external_service_mapping: empty_map(),
            local_address_mapping: empty_map(),
            skipped_external_services: empty_values(),
        }
    }

    /// Whether a collection is an explicit null.
    pub(crate) fn has_null_collection(&self) -> bool {
        self.input_variables.is_none()
            || self.external_service_mapping.is_none()
            || self.local_address_mapping.is_none()
            || self.skipped_external_services.is_none()
    }
}

// The three defaults have to be an `Option`, because they stand for a field of that type.
#[allow(clippy::unnecessary_wraps)]
fn empty_list() -> Option<Cow<'static, [String]>> {
    Some(Cow::Borrowed(&[]))
}

#[allow(clippy::unnecessary_wraps)]
fn empty_map() -> Option<Map<String, Value>> {
    Some(Map::new())
}

#[allow(clippy::unnecessary_wraps)]
fn empty_values() -> Option<Vec<Value>> {
    Some(Vec::new())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_announcement_has_every_field() {
        let body = serde_json::to_string(&NewAction::new(1, "a", &["x".to_owned()])).unwrap();
        assert_eq!(
            body,
            r#"{"index":1,"name":"a","inputVariables":["x"],"rpcCall":null,"externalServiceMapping":{},"localAddressMapping":{},"skippedExternalServices":[]}"#
        );
    }

    #[test]
    fn a_missing_collection_is_empty_and_a_null_one_is_told() {
        let missing: NewAction<'_> = serde_json::from_str(r#"{"index":0}"#).unwrap();
        assert!(!missing.has_null_collection());
        let null: NewAction<'_> =
            serde_json::from_str(r#"{"index":0,"inputVariables":null}"#).unwrap();
        assert!(null.has_null_collection());
    }

    #[test]
    fn unknown_fields_are_named() {
        let error = serde_json::from_str::<RunSut<'_>>(r#"{"run":true,"foo":1}"#).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("foo") && message.contains("resetState"), "{message}");
    }
}
