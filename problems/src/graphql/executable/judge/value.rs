//! Values fit the types of the places where they are given.

use std::collections::HashSet;

use super::Judge;
use crate::graphql::document::Literal;
use crate::graphql::schema::{
    InputValue, Schema, SchemaPosition, TypeDefinition, TypeId, TypeKind, TypeRef, Wrapper,
};

/// The type that a place has.
#[derive(Clone, Copy)]
pub(super) struct Expected<'a> {
    schema: &'a Schema,
    named: TypeId,
    /// Marks around it, outermost first.
    wrappers: &'a [Wrapper],
}

impl<'a> Expected<'a> {
    pub(super) fn new(schema: &'a Schema, named: TypeId, wrappers: &'a [Wrapper]) -> Self {
        Self { schema, named, wrappers }
    }

    pub(super) fn of(schema: &'a Schema, type_ref: &'a TypeRef) -> Self {
        Self::new(schema, type_ref.named(), type_ref.wrappers())
    }

    fn definition(self) -> &'a TypeDefinition {
        self.schema.definition(self.named)
    }

    /// What an element of a list is; nothing where no list is.
    fn element(self) -> Option<Self> {
        match self.wrappers {
            [Wrapper::List, inner @ ..] | [Wrapper::NonNull, Wrapper::List, inner @ ..] => {
                Some(Self { wrappers: inner, ..self })
            }
            _ => None,
        }
    }
}

/// A scalar as far as the language knows it.
fn scalar(definition: &TypeDefinition) -> Option<&str> {
    matches!(definition.kind, TypeKind::Scalar { .. }).then_some(&*definition.name)
}

/// Whether only the service knows the values of a type.
fn is_custom(definition: &TypeDefinition) -> bool {
    let known = ["Int", "Float", "String", "Boolean", "ID"];
    scalar(definition).is_some_and(|name| !known.contains(&name))
}

impl<'a> Judge<'a> {
    /// A value that is given. A single value stands for a list of it, of any depth; a scalar of the
    /// service's own takes anything.
    pub(super) fn value(
        &mut self,
        expected: Expected<'a>,
        value: &'a Literal,
        position: SchemaPosition,
    ) {
        let definition = expected.definition();
        let scalar = scalar(definition);
        let fits = match value {
            Literal::Null => expected.wrappers.first() != Some(&Wrapper::NonNull),
            Literal::Variable(name) => return self.variable(expected, name, position),
            Literal::List(elements) => {
                let element = expected.element();
                let Some(element) = element.or(is_custom(definition).then_some(expected)) else {
                    return self.misfit(definition, "a list", position);
                };
                elements.iter().for_each(|it| self.value(element, it, position));
                return;
            }
            _ if is_custom(definition) => true,
            Literal::Object(fields) => return self.object(expected, fields, position),
            Literal::Integer(number) => match scalar {
                Some("Int") => i32::try_from(*number).is_ok(),
                other => matches!(other, Some("Float" | "ID")),
            },
            Literal::Float(number) => scalar == Some("Float") && number.is_finite(),
            Literal::Text(_) => matches!(scalar, Some("String" | "ID")),
            Literal::Boolean(_) => scalar == Some("Boolean"),
            Literal::Enum(name) => match &definition.kind {
                TypeKind::Enum { values } => values.iter().any(|it| it.name == *name),
                _ => false,
            },
        };
        if !fits {
            self.misfit(definition, &described(value), position);
        }
    }

    fn misfit(&mut self, definition: &TypeDefinition, what: &str, position: SchemaPosition) {
        self.add(position, format!("{what} is no `{}`", definition.name));
    }

    fn object(
        &mut self,
        expected: Expected<'a>,
        given: &'a [(std::sync::Arc<str>, Literal)],
        position: SchemaPosition,
    ) {
        let definition = expected.definition();
        let TypeKind::InputObject { fields, .. } = &definition.kind else {
            return self.misfit(definition, "an object", position);
        };
        let schema = expected.schema;
        let is_usable = |field: &&InputValue| {
            !matches!(schema.definition(field.type_ref.named()).kind, TypeKind::Broken { .. })
        };
        let known: Vec<&InputValue> = fields.iter().filter(is_usable).collect();
        let mut seen = HashSet::new();
        for (name, value) in given {
            if !seen.insert(name) {
                self.add(position, format!("`{}` gets `{name}` twice", definition.name));
            }
            match known.iter().find(|field| field.name == *name) {
                Some(field) => self.value(Expected::of(schema, &field.type_ref), value, position),
                None => self.add(position, format!("`{}` takes no `{name}`", definition.name)),
            }
        }
        for field in known.iter().filter(|field| field.is_required()) {
            let value = given.iter().find(|(name, _)| *name == field.name);
            if value.is_none_or(|(_, value)| *value == Literal::Null) {
                self.add(position, format!("`{}` needs `{}`", definition.name, field.name));
            }
        }
    }

    /// A variable inside or instead of a value. Marks are compared where it is a whole argument
    /// ([`Judge::may_be`]); within lists and objects services differ in what they let through.
    fn variable(&mut self, expected: Expected<'a>, name: &str, position: SchemaPosition) {
        let Some(variable) = self.variables.iter().find(|it| *it.name == *name) else {
            return self.add(position, format!("there is no variable `${name}`"));
        };
        let definition = expected.definition();
        if !definition.is_input() || variable.type_name != definition.name {
            let what = format!("`${name}`, a `{}`,", variable.type_name);
            self.misfit(definition, &what, position);
        }
    }
}

/// A value, as messages name it.
fn described(value: &Literal) -> String {
    match value {
        Literal::Null => "null".to_owned(),
        Literal::Integer(number) => number.to_string(),
        Literal::Float(number) => format!("{number:?}"),
        Literal::Boolean(is_true) => is_true.to_string(),
        Literal::Enum(name) => format!("`{name}`"),
        Literal::Variable(name) => format!("`${name}`"),
        Literal::Text(_) => "a text".to_owned(),
        Literal::List(_) => "a list".to_owned(),
        Literal::Object(_) => "an object".to_owned(),
    }
}
