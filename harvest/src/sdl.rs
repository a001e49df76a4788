//! The schema model as schema definition language, for the validator.

use std::fmt::Write;

use wallace_problems::graphql::{FieldDefinition, InputValue, OperationKind, Schema, TypeKind};

/// Scalars that every validator knows.
const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

/// The schema as text. What the model could not use is left out, and with it what refers to it.
pub(crate) fn sdl(schema: &Schema) -> String {
    let mut printer = Printer { schema, text: String::new() };
    printer.roots();
    for (_, definition) in schema.types() {
        let name = &*definition.name;
        if !name.starts_with("__") && !BUILT_IN.contains(&name) {
            printer.definition(name, &definition.kind);
        }
    }
    printer.text
}

struct Printer<'s> {
    schema: &'s Schema,
    text: String,
}

impl Printer<'_> {
    fn push(&mut self, arguments: std::fmt::Arguments<'_>) {
        self.text.write_fmt(arguments).expect("a String takes any text");
    }

    fn roots(&mut self) {
        self.text.push_str("schema {\n");
        for kind in [OperationKind::Query, OperationKind::Mutation, OperationKind::Subscription] {
            if let Some(root) = self.schema.root(kind) {
                let name = &self.schema.definition(root).name;
                self.push(format_args!("  {kind}: {name}\n"));
            }
        }
        self.text.push_str("}\n");
    }

    fn definition(&mut self, name: &str, kind: &TypeKind) {
        let schema = self.schema;
        match kind {
            TypeKind::Scalar { .. } => self.push(format_args!("scalar {name}\n")),
            TypeKind::Object { fields, interfaces } => {
                self.push(format_args!("type {name}"));
                self.interfaces(interfaces.iter().map(|id| &*schema.definition(*id).name));
                self.fields(fields);
            }
            TypeKind::Interface { fields, interfaces, .. } => {
                self.push(format_args!("interface {name}"));
                self.interfaces(interfaces.iter().map(|id| &*schema.definition(*id).name));
                self.fields(fields);
            }
            TypeKind::Union { possible_types } => {
                let names = possible_types.iter().map(|id| schema.definition(*id).name.to_string());
                let names: Vec<String> = names.collect();
                self.push(format_args!("union {name} = {}\n", names.join(" | ")));
            }
            TypeKind::Enum { values } => {
                let names: Vec<&str> = values.iter().map(|value| &*value.name).collect();
                self.push(format_args!("enum {name} {{ {} }}\n", names.join(" ")));
            }
            TypeKind::InputObject { fields, is_one_of } => {
                // The validator's own directive, where it knows one, is not relied on.
                let _ = is_one_of;
                self.push(format_args!("input {name} {{\n"));
                for field in fields.iter().filter(|field| self.schema.is_usable(field)) {
                    self.text.push_str("  ");
                    self.input(field);
                    self.text.push('\n');
                }
                self.text.push_str("}\n");
            }
            TypeKind::Broken { .. } => {}
        }
    }

    fn interfaces<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        for (index, name) in names.enumerate() {
            self.text.push_str(if index == 0 { " implements " } else { " & " });
            self.text.push_str(name);
        }
    }

    fn fields(&mut self, fields: &[FieldDefinition]) {
        self.text.push_str(" {\n");
        for field in fields {
            let is_usable = field.arguments.iter().all(|argument| self.schema.is_usable(argument));
            if !is_usable || self.schema.is_broken(&field.type_ref) {
                continue;
            }
            self.push(format_args!("  {}", field.name));
            for (index, argument) in field.arguments.iter().enumerate() {
                self.text.push_str(if index == 0 { "(" } else { ", " });
                self.input(argument);
            }
            self.text.push_str(if field.arguments.is_empty() { "" } else { ")" });
            let type_text = self.schema.type_text(&field.type_ref);
            self.push(format_args!(": {type_text}\n"));
        }
        self.text.push_str("}\n");
    }

    fn input(&mut self, input: &InputValue) {
        let type_text = self.schema.type_text(&input.type_ref);
        self.push(format_args!("{}: {type_text}", input.name));
        if let Some(default) = &input.default {
            self.push(format_args!(" = {default}"));
        }
    }
}

/// Questions to the schema that only this module has.
trait Usable {
    fn is_broken(&self, type_ref: &wallace_problems::graphql::TypeRef) -> bool;
    fn is_usable(&self, input: &InputValue) -> bool {
        !self.is_broken(&input.type_ref)
    }
}

impl Usable for Schema {
    fn is_broken(&self, type_ref: &wallace_problems::graphql::TypeRef) -> bool {
        matches!(self.definition(type_ref.named()).kind, TypeKind::Broken { .. })
    }
}
