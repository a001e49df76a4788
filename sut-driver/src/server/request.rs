//! Bodies of requests, read strictly: all releases of the drivers accept exactly these fields.

use crate::json::{Members, Value};

/// What a body of `PUT /runSUT` says: start, reset or stop.
#[derive(Debug)]
pub(super) struct RunSut {
    /// Whether the system shall run; the only required field.
    pub(super) run: Option<bool>,
    /// Whether to clean the state and begin a new test.
    pub(super) reset_state: bool,
    /// Whether anything about SQL shall be reported.
    pub(super) wants_sql: bool,
}

impl RunSut {
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(value: Value) -> Result<Self, String> {
        let mut members = Members::of(
            value,
            &[
                "run",
                "resetState",
                "resetCustomizedMethodForMockObject",
                "calculateSqlHeuristics",
                "advancedHeuristics",
                "extractSqlExecutionInfo",
                "methodReplacementCategories",
            ],
        )?;
        let mut claim = |name| members.take(name, Value::into_claim);
        let (run, reset_state) = (claim("run")?, claim("resetState")? == Some(true));
        let (distances, tables) =
            (claim("calculateSqlHeuristics")?, claim("extractSqlExecutionInfo")?);
        // Nothing here follows these, but they must be what they claim to be.
        claim("resetCustomizedMethodForMockObject")?;
        claim("advancedHeuristics")?;
        members.take("methodReplacementCategories", Value::into_text)?;
        let wants_sql = distances == Some(true) || tables == Some(true);
        Ok(Self { run, reset_state, wants_sql })
    }
}

/// What a body of `PUT /newAction` says.
#[derive(Debug)]
pub(super) struct NewAction {
    /// Position in the test, from 0.
    pub(super) index: Option<i32>,
    /// Name of the operation; not unique.
    pub(super) name: String,
    /// Further texts to treat as tainted.
    pub(super) input_variables: Vec<String>,
    /// Whether a collection is an explicit null: an error of the sender that drivers answer with
    /// a bare 500. A missing one is empty.
    pub(super) has_null_collection: bool,
    /// Whether it announces a remote procedure call.
    pub(super) is_rpc_call: bool,
}

impl NewAction {
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(value: Value) -> Result<Self, String> {
        let mut members = Members::of(
            value,
            &[
                "index",
                "name",
                "inputVariables",
                "rpcCall",
                "externalServiceMapping",
                "localAddressMapping",
                "skippedExternalServices",
            ],
        )?;
        let texts = |list: Value| list.into_list(Value::into_text);
        let inputs = members.take_or("inputVariables", Some(Vec::new()), texts)?;
        let mut has_null_collection = inputs.is_none();
        for name in ["externalServiceMapping", "localAddressMapping"] {
            has_null_collection |= members.take_or(name, Some(()), is_object)?.is_none();
        }
        let skipped = |list: Value| list.into_list(Ok).map(drop);
        has_null_collection |=
            members.take_or("skippedExternalServices", Some(()), skipped)?.is_none();
        Ok(Self {
            index: members.take("index", Value::into_integer)?,
            name: members.take("name", Value::into_text)?.unwrap_or_default(),
            input_variables: inputs.unwrap_or_default(),
            has_null_collection,
            is_rpc_call: members.take("rpcCall", Ok)?.is_some(),
        })
    }
}

fn is_object(value: Value) -> Result<(), String> {
    match value {
        Value::Object(_) => Ok(()),
        other => Err(other.instead_of("an object")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn value(text: &str) -> Value {
        Value::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_missing_collection_is_empty_and_a_null_one_is_told() {
        let missing = NewAction::read(value(r#"{"index":0}"#)).unwrap();
        assert!(!missing.has_null_collection && missing.input_variables.is_empty());
        for name in [
            "inputVariables",
            "externalServiceMapping",
            "localAddressMapping",
            "skippedExternalServices",
        ] {
            let null = NewAction::read(value(&format!(r#"{{"index":0,"{name}":null}}"#)));
            assert!(null.unwrap().has_null_collection, "{name}");
        }
    }

    #[test]
    fn unknown_fields_are_named() {
        let message = RunSut::read(value(r#"{"run":true,"foo":1}"#)).unwrap_err();
        assert!(message.contains("foo") && message.contains("resetState"), "{message}");
    }
}
