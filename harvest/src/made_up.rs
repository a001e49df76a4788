//! Values of variables of which the source told none.

use serde_json::{Map, Value, json};
use wallace_problems::graphql::executable::VariableDefinition;
use wallace_problems::graphql::{OperationKind, Schema, TypeKind, Wrapper};

use crate::harvest::HarvestedOperation;

/// Levels of made-up input objects.
const MADE_UP_DEPTH: usize = 4;

/// Values for required variables of which the source told none.
pub(crate) fn made_up_variables(schema: &Schema, operation: &HarvestedOperation) -> Option<Value> {
    let variables = operation.definition().variables.iter();
    let required = variables.filter(|variable| variable.is_required());
    let values: Map<String, Value> =
        required.map(|variable| (variable.name.to_string(), made_up(schema, variable))).collect();
    (!values.is_empty() && operation.kind != OperationKind::Subscription).then(|| values.into())
}

fn made_up(schema: &Schema, variable: &VariableDefinition) -> Value {
    if variable.wrappers.contains(&Wrapper::List) {
        return json!([]);
    }
    made_up_named(schema, &variable.type_name, MADE_UP_DEPTH)
}

fn made_up_named(schema: &Schema, name: &str, depth: usize) -> Value {
    let Some(id) = schema.type_named(name) else { return Value::Null };
    match (&schema.definition(id).kind, name) {
        (_, "Int" | "ID" | "Float") => json!(1),
        (_, "Boolean") => json!(true),
        (TypeKind::Enum { values }, _) => {
            values.first().map_or(Value::Null, |value| json!(&*value.name))
        }
        (TypeKind::InputObject { fields, .. }, _) if depth > 0 => {
            let required = fields.iter().filter(|field| field.is_required());
            let values = required.map(|field| {
                let is_list = field.type_ref.wrappers().len() > 1;
                let named = &schema.definition(field.type_ref.named()).name;
                let value =
                    if is_list { json!([]) } else { made_up_named(schema, named, depth - 1) };
                (field.name.to_string(), value)
            });
            values.collect::<Map<_, _>>().into()
        }
        _ => json!("text"),
    }
}
