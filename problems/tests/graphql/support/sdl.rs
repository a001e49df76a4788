//! A schema as SDL, for the validator.

use std::fmt::Write;

use wallace_problems::graphql::{
    FieldDefinition, InputValue, OperationKind, Schema, TypeDefinition, TypeId, TypeKind,
};

const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

/// The schema as SDL.
pub(crate) fn print(schema: &Schema) -> String {
    let mut text = String::from("schema {");
    let kinds = OperationKind::ALL;
    for kind in kinds {
        if let Some(root) = schema.root(kind) {
            write!(text, " {kind}: {}", schema.definition(root).name).unwrap();
        }
    }
    text.push_str(" }\n");
    for (_, definition) in schema.types() {
        if !definition.name.starts_with("__") && !BUILT_IN.contains(&&*definition.name) {
            print_type(schema, definition, &mut text);
        }
    }
    text
}

fn print_type(schema: &Schema, definition: &TypeDefinition, text: &mut String) {
    let name = &definition.name;
    let names = |ids: &[TypeId], separator: &str| {
        let names: Vec<&str> = ids.iter().map(|id| &*schema.definition(*id).name).collect();
        names.join(separator)
    };
    let implements = |ids: &[TypeId]| match ids {
        [] => String::new(),
        ids => format!(" implements {}", names(ids, " & ")),
    };
    match &definition.kind {
        TypeKind::Scalar { .. } => writeln!(text, "scalar {name}").unwrap(),
        TypeKind::Object { fields, interfaces } => {
            writeln!(text, "type {name}{} {{", implements(interfaces)).unwrap();
            print_fields(schema, fields, text);
        }
        TypeKind::Interface { fields, interfaces, .. } => {
            writeln!(text, "interface {name}{} {{", implements(interfaces)).unwrap();
            print_fields(schema, fields, text);
        }
        TypeKind::Union { possible_types } => {
            writeln!(text, "union {name} = {}", names(possible_types, " | ")).unwrap();
        }
        TypeKind::Enum { values } => {
            let values: Vec<&str> = values.iter().map(|value| &*value.name).collect();
            writeln!(text, "enum {name} {{ {} }}", values.join(" ")).unwrap();
        }
        TypeKind::InputObject { fields, .. } => {
            writeln!(text, "input {name} {{").unwrap();
            for field in fields {
                writeln!(text, "  {}", input(schema, field)).unwrap();
            }
            text.push_str("}\n");
        }
        TypeKind::Broken { reason } => panic!("{name} is broken: {reason}"),
    }
}

fn print_fields(schema: &Schema, fields: &[FieldDefinition], text: &mut String) {
    for field in fields {
        let inputs = field.arguments.iter().map(|argument| input(schema, argument));
        let inputs: Vec<String> = inputs.collect();
        let arguments = match inputs.len() {
            0 => String::new(),
            _ => format!("({})", inputs.join(", ")),
        };
        let type_text = schema.type_text(&field.type_ref);
        writeln!(text, "  {}{arguments}: {type_text}", field.name).unwrap();
    }
    text.push_str("}\n");
}

fn input(schema: &Schema, input: &InputValue) -> String {
    let default = input.default.as_ref().map_or_else(String::new, |text| format!(" = {text}"));
    format!("{}: {}{default}", input.name, schema.type_text(&input.type_ref))
}
