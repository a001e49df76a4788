//! The schema model as the validator has it.

use apollo_compiler::ast::{self, Definition, OperationType, Type};
use apollo_compiler::{Name, Node};
use wallace_problems::graphql::{
    FieldDefinition, InputValue, OperationKind, Schema, TypeId, TypeKind, TypeRef, Wrapper,
};

/// Scalars that every validator knows.
const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

/// The schema as definitions. What the model could not use is left out, and with it what refers to
/// it. That exactly one field of an input object must be given is not told: the validator's own
/// directive, where it knows one, is not relied on.
pub(crate) fn definitions(schema: &Schema) -> ast::Document {
    let mut document = ast::Document::new();
    document.definitions.push(Definition::SchemaDefinition(roots(schema).into()));
    let types = schema.types().map(|(_, definition)| definition);
    let own = types.filter(|it| !it.name.starts_with("__") && !BUILT_IN.contains(&&*it.name));
    document.definitions.extend(own.filter_map(|it| definition(schema, &it.name, &it.kind)));
    document
}

fn name(text: &str) -> Name {
    Name::new_unchecked(text)
}

fn roots(schema: &Schema) -> ast::SchemaDefinition {
    let kinds = [
        (OperationKind::Query, OperationType::Query),
        (OperationKind::Mutation, OperationType::Mutation),
        (OperationKind::Subscription, OperationType::Subscription),
    ];
    let roots = kinds.into_iter().filter_map(|(kind, operation)| {
        let root = schema.root(kind)?;
        Some(Node::new((operation, name(&schema.definition(root).name))))
    });
    let root_operations = roots.collect();
    ast::SchemaDefinition { description: None, directives: Default::default(), root_operations }
}

fn definition(schema: &Schema, type_name: &str, kind: &TypeKind) -> Option<Definition> {
    let name = name(type_name);
    let (description, directives) = (None, ast::DirectiveList::default());
    Some(match kind {
        TypeKind::Scalar { .. } => {
            Definition::ScalarTypeDefinition(Node::new(ast::ScalarTypeDefinition {
                description,
                name,
                directives,
            }))
        }
        TypeKind::Object { fields, interfaces } => {
            let (implements_interfaces, fields) = (names(schema, interfaces), all(schema, fields));
            Definition::ObjectTypeDefinition(Node::new(ast::ObjectTypeDefinition {
                description,
                name,
                implements_interfaces,
                directives,
                fields,
            }))
        }
        TypeKind::Interface { fields, interfaces, .. } => {
            let (implements_interfaces, fields) = (names(schema, interfaces), all(schema, fields));
            Definition::InterfaceTypeDefinition(Node::new(ast::InterfaceTypeDefinition {
                description,
                name,
                implements_interfaces,
                directives,
                fields,
            }))
        }
        TypeKind::Union { possible_types } => {
            let members = names(schema, possible_types);
            Definition::UnionTypeDefinition(Node::new(ast::UnionTypeDefinition {
                description,
                name,
                directives,
                members,
            }))
        }
        TypeKind::Enum { values } => {
            let values = values.iter().map(|value| {
                let (description, directives) = (None, Default::default());
                let value = self::name(&value.name);
                Node::new(ast::EnumValueDefinition { description, value, directives })
            });
            let values = values.collect();
            Definition::EnumTypeDefinition(Node::new(ast::EnumTypeDefinition {
                description,
                name,
                directives,
                values,
            }))
        }
        TypeKind::InputObject { fields, .. } => {
            let fields = fields.iter().filter_map(|field| input(schema, field)).collect();
            Definition::InputObjectTypeDefinition(Node::new(ast::InputObjectTypeDefinition {
                description,
                name,
                directives,
                fields,
            }))
        }
        TypeKind::Broken { .. } => return None,
    })
}

fn names(schema: &Schema, types: &[TypeId]) -> Vec<Name> {
    types.iter().map(|id| name(&schema.definition(*id).name)).collect()
}

/// The fields whose types can all be used.
fn all(schema: &Schema, fields: &[FieldDefinition]) -> Vec<Node<ast::FieldDefinition>> {
    let usable = fields.iter().filter_map(|field| {
        let arguments = field.arguments.iter().map(|argument| input(schema, argument));
        Some(Node::new(ast::FieldDefinition {
            description: None,
            name: name(&field.name),
            arguments: arguments.collect::<Option<_>>()?,
            ty: reference(schema, &field.type_ref)?,
            directives: Default::default(),
        }))
    });
    usable.collect()
}

/// An argument or input field. Of its default the validator asks only whether there is one.
fn input(schema: &Schema, input: &InputValue) -> Option<Node<ast::InputValueDefinition>> {
    Some(Node::new(ast::InputValueDefinition {
        description: None,
        name: name(&input.name),
        ty: Node::new(reference(schema, &input.type_ref)?),
        default_value: input.default.as_ref().map(|_| Node::new(ast::Value::Null)),
        directives: Default::default(),
    }))
}

/// A reference to a type; nothing to one that cannot be used.
fn reference(schema: &Schema, type_ref: &TypeRef) -> Option<Type> {
    let named = schema.definition(type_ref.named());
    let is_broken = matches!(named.kind, TypeKind::Broken { .. });
    let inner = (!is_broken).then(|| Type::Named(name(&named.name)))?;
    Some(type_ref.wrappers().iter().rev().fold(inner, |inner, wrapper| match wrapper {
        Wrapper::List => inner.list(),
        Wrapper::NonNull => inner.non_null(),
    }))
}
