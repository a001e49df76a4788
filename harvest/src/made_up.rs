//! Values of variables of which the source told none.

use apollo_compiler::ast;
use serde_json::{Map, Value, json};
use wallace_problems::graphql::{OperationKind, Schema, TypeKind};

use crate::harvest::HarvestedOperation;

/// Levels of made-up input objects.
const MADE_UP_DEPTH: usize = 4;

/// Values for required variables of which the source told none.
pub(crate) fn made_up_variables(schema: &Schema, operation: &HarvestedOperation) -> Option<Value> {
    let required = operation
        .definition()
        .variables
        .iter()
        .filter(|variable| variable.ty.is_non_null() && variable.default_value.is_none());
    let values: Map<String, Value> = required
        .map(|variable| (variable.name.to_string(), made_up(schema, &variable.ty, MADE_UP_DEPTH)))
        .collect();
    (!values.is_empty() && operation.kind != OperationKind::Subscription).then(|| values.into())
}

fn made_up(schema: &Schema, ty: &ast::Type, depth: usize) -> Value {
    match ty {
        ast::Type::List(_) | ast::Type::NonNullList(_) => json!([]),
        ast::Type::Named(name) | ast::Type::NonNullNamed(name) => {
            made_up_named(schema, name, depth)
        }
    }
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
