//! Whether the values of a request fit the variables of an operation.

use serde_json::{Map, Value};

use super::{Operation, VariableDefinition};
use crate::graphql::schema::{InputValue, Schema, TypeId, TypeKind, Wrapper};

/// The largest integer that a float holds exactly with all before it.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

impl Operation {
    /// Checks the values of variables (`CoerceVariableValues` of the specification). Values of
    /// variables that the operation does not have are passed over.
    ///
    /// # Errors
    /// What is wrong with the first value that does not fit, or which one is missing.
    pub fn check_variables(
        &self,
        schema: &Schema,
        values: &Map<String, Value>,
    ) -> Result<(), String> {
        for variable in &self.variables {
            match values.get(&*variable.name) {
                Some(value) => check_variable(schema, variable, value)?,
                None if variable.is_required() => {
                    return Err(format!("`${}` must have a value", variable.name));
                }
                None => {}
            }
        }
        Ok(())
    }
}

fn check_variable(
    schema: &Schema,
    variable: &VariableDefinition,
    value: &Value,
) -> Result<(), String> {
    let place = format!("`${}`", variable.name);
    match schema.type_named(&variable.type_name) {
        Some(named) => check(schema, named, &variable.wrappers, value, &place),
        None => Ok(()),
    }
}

fn check(
    schema: &Schema,
    named: TypeId,
    wrappers: &[Wrapper],
    value: &Value,
    place: &str,
) -> Result<(), String> {
    match wrappers {
        [Wrapper::NonNull, ..] if value.is_null() => Err(format!("{place} may not be null")),
        [Wrapper::NonNull, inner @ ..] => check(schema, named, inner, value, place),
        _ if value.is_null() => Ok(()),
        // A single value stands for a list of it.
        [Wrapper::List, inner @ ..] => match value.as_array() {
            Some(elements) => {
                elements.iter().try_for_each(|it| check(schema, named, inner, it, place))
            }
            None => check(schema, named, inner, value, place),
        },
        [] => check_named(schema, named, value, place),
    }
}

fn check_named(schema: &Schema, named: TypeId, value: &Value, place: &str) -> Result<(), String> {
    let definition = schema.definition(named);
    let fits = match (&definition.kind, &*definition.name) {
        (TypeKind::Scalar { .. }, "Int") => {
            value.as_i64().is_some_and(|number| i32::try_from(number).is_ok())
        }
        (TypeKind::Scalar { .. }, "Float") => {
            let is_exact = |number: f64| number.abs() < MAX_SAFE_INTEGER;
            value.is_f64() || value.as_f64().is_some_and(is_exact)
        }
        (TypeKind::Scalar { .. }, "String") => value.is_string(),
        (TypeKind::Scalar { .. }, "Boolean") => value.is_boolean(),
        (TypeKind::Scalar { .. }, "ID") => value.is_string() || value.is_i64(),
        (TypeKind::Enum { values }, _) => {
            value.as_str().is_some_and(|name| values.iter().any(|it| *it.name == *name))
        }
        (TypeKind::InputObject { fields, .. }, name) => match value.as_object() {
            Some(object) => return check_object(schema, name, fields, object),
            None => false,
        },
        _ => true,
    };
    if fits { Ok(()) } else { Err(format!("{place}: {value} is no `{}`", definition.name)) }
}

fn check_object(
    schema: &Schema,
    type_name: &str,
    fields: &[InputValue],
    object: &Map<String, Value>,
) -> Result<(), String> {
    let is_known = |name: &String| fields.iter().any(|field| *field.name == **name);
    if let Some(unknown) = object.keys().find(|name| !is_known(name)) {
        return Err(format!("`{type_name}` takes no `{unknown}`"));
    }
    for field in fields {
        let place = format!("`{type_name}.{}`", field.name);
        match object.get(&*field.name) {
            Some(value) => {
                let type_ref = &field.type_ref;
                check(schema, type_ref.named(), type_ref.wrappers(), value, &place)?;
            }
            None if field.is_required() => return Err(format!("{place} must have a value")),
            None => {}
        }
    }
    Ok(())
}
