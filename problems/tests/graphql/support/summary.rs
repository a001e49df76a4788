//! A schema as lines of text, to compare where it came from two sources.

use std::collections::BTreeSet;

use wallace_problems::graphql::{
    FieldDefinition, InputValue, OperationKind, Schema, TypeDefinition, TypeId, TypeKind,
};

const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

/// Everything in the model but the types that every service has. The order of types and of the
/// members of interfaces means nothing and is left out.
pub(crate) fn summary(schema: &Schema) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for kind in OperationKind::ALL {
        let root = schema.root(kind).map(|id| &schema.definition(id).name);
        lines.insert(format!("{kind}: {root:?}"));
    }
    for (_, definition) in schema.types() {
        if !definition.name.starts_with("__") && !BUILT_IN.contains(&&*definition.name) {
            add_type(schema, definition, &mut lines);
        }
    }
    lines
}

fn add_type(schema: &Schema, definition: &TypeDefinition, lines: &mut BTreeSet<String>) {
    let names = |ids: &[TypeId]| -> BTreeSet<String> {
        ids.iter().map(|id| schema.definition(*id).name.to_string()).collect()
    };
    let name = &definition.name;
    let kind = match &definition.kind {
        TypeKind::Scalar { specified_by } => format!("scalar {specified_by:?}"),
        TypeKind::Object { interfaces, .. } => format!("object {:?}", names(interfaces)),
        TypeKind::Interface { interfaces, possible_types, .. } => {
            format!("interface {:?} {:?}", names(interfaces), names(possible_types))
        }
        TypeKind::Union { possible_types } => format!("union {:?}", names(possible_types)),
        TypeKind::Enum { values } => format!("enum {values:?}"),
        TypeKind::InputObject { fields, is_one_of } => {
            format!("input {is_one_of} {:?}", inputs(schema, fields))
        }
        TypeKind::Broken { reason } => format!("broken {reason}"),
    };
    lines.insert(format!("{name}: {:?} {kind}", definition.description));
    for (index, field) in definition.fields().iter().enumerate() {
        lines.insert(format!("{name}.{index}: {}", field_line(schema, field)));
    }
}

fn field_line(schema: &Schema, field: &FieldDefinition) -> String {
    let FieldDefinition { name, description, arguments, type_ref, deprecation } = field;
    let (arguments, type_text) = (inputs(schema, arguments), schema.type_text(type_ref));
    format!("{name} {description:?} {arguments:?} {type_text} {deprecation:?}")
}

fn inputs(schema: &Schema, inputs: &[InputValue]) -> Vec<String> {
    let line = |input: &InputValue| {
        let InputValue { name, description, type_ref, default, deprecation } = input;
        let type_text = schema.type_text(type_ref);
        format!("{name} {description:?} {type_text} {default:?} {deprecation:?}")
    };
    inputs.iter().map(line).collect()
}
