//! Request bodies. All releases of the drivers accept exactly these fields.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use super::lenient::Claim;

impl Serialize for Claim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(self.0)
    }
}

/// Body of `PUT /runSUT`: start, reset or stop.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RunSut<'a> {
    /// Whether the system shall run; the only required field.
    pub(crate) run: Option<Claim>,
    /// Whether to clean the state and begin a new test.
    pub(crate) reset_state: Option<Claim>,
    /// Only for remote procedure calls.
    pub(crate) reset_customized_method_for_mock_object: Option<Claim>,
    /// Whether to compute distances of SQL conditions.
    pub(crate) calculate_sql_heuristics: Option<Claim>,
    /// Whether to use the complete SQL distance.
    pub(crate) advanced_heuristics: Option<Claim>,
    /// Whether to collect which tables and columns were touched.
    pub(crate) extract_sql_execution_info: Option<Claim>,
    /// Which library calls the instrumentation replaces, a comma list.
    pub(crate) method_replacement_categories: Option<Cow<'a, str>>,
}

/// Body of `PUT /newAction`. Drivers answer an explicit null for a list with a bare 500.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewAction<'a> {
    /// Position in the test, from 0.
    pub(crate) index: i32,
    /// Name of the operation; not unique.
    pub(crate) name: &'a str,
    /// Further texts to treat as tainted.
    pub(crate) input_variables: &'a [String],
    /// Only for remote procedure calls.
    pub(crate) rpc_call: Option<()>,
    /// Mocked services; not used here.
    pub(crate) external_service_mapping: Empty,
    /// Mocked host names; not used here.
    pub(crate) local_address_mapping: Empty,
    /// Services not to mock; not used here.
    pub(crate) skipped_external_services: [(); 0],
}

impl<'a> NewAction<'a> {
    /// The announcement of action `index`.
    pub(crate) fn new(index: i32, name: &'a str, input_variables: &'a [String]) -> Self {
        Self {
            index,
            name,
            input_variables,
            rpc_call: None,
            external_service_mapping: Empty {},
            local_address_mapping: Empty {},
            skipped_external_services: [],
        }
    }
}

/// An object without members.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Empty {}

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
}
