//! Fields exist, get the arguments they take, and select something where there is something.

use std::collections::HashSet;
use std::sync::Arc;

use super::introspection;
use super::value::Expected;
use super::{Judge, Owner, Part, Selection};
use crate::graphql::document::Literal;
use crate::graphql::executable::Field;
use crate::graphql::schema::{
    FieldId, InputValue, OperationKind, Schema, SchemaPosition, TypeId, TypeKind,
};

impl<'a> Judge<'a> {
    pub(super) fn selections(&mut self, owner: Owner<'a>, selections: &'a [Selection]) {
        for selection in selections {
            self.directives(&selection.directives, location(&selection.part), selection.position);
            match &selection.part {
                Part::Field(field) => self.field(owner, selection, field),
                Part::Inline(None) => self.selections(owner, &selection.selections),
                Part::Inline(Some(on)) => match self.composite(on) {
                    Some(inner) => {
                        self.meets(owner, inner, selection.position);
                        self.selections(inner, &selection.selections);
                    }
                    None => self.no_target(on, selection.position),
                },
                Part::Spread(name) => match self.fragments.get(&**name) {
                    Some(fragment) => {
                        if let Some(inner) = self.composite(&fragment.on) {
                            self.meets(owner, inner, selection.position);
                        }
                    }
                    None => {
                        self.add(selection.position, format!("there is no fragment `{name}`"));
                    }
                },
            }
        }
    }

    /// That nothing can be selected of a type.
    pub(super) fn no_target(&mut self, name: &str, position: SchemaPosition) {
        let reason = match self.type_named(name) {
            Some(_) => format!("`{name}` has no fields to select"),
            None => format!("there is no type `{name}`"),
        };
        self.add(position, reason);
    }

    /// Whether an object can be of both types. What stands on the very type is let through even
    /// where no object has it, as all services do.
    fn meets(&mut self, owner: Owner<'a>, inner: Owner<'a>, position: SchemaPosition) {
        if owner.name() == inner.name() {
            return;
        }
        let is_shared = std::ptr::eq(owner.schema, inner.schema) && {
            let possible = possible_of(owner.schema, owner.id);
            possible_of(inner.schema, inner.id).iter().any(|id| possible.contains(id))
        };
        if !is_shared {
            let reason = format!("a `{}` is never a `{}`", owner.name(), inner.name());
            self.add(position, reason);
        }
    }

    fn field(&mut self, owner: Owner<'a>, selection: &'a Selection, field: &'a Field) {
        let Some((schema, id)) = self.declared(owner, &field.name) else {
            let reason = format!("`{}` has no field `{}`", owner.name(), field.name);
            return self.add(selection.position, reason);
        };
        let definition = schema.field(id);
        let place = format!("`{}.{}`", owner.name(), field.name);
        self.arguments(schema, &definition.arguments, &field.arguments, &place, selection.position);
        let inner = Owner { schema, id: definition.type_ref.named() };
        match (schema.definition(inner.id).is_composite(), selection.selections.is_empty()) {
            (true, false) => self.selections(inner, &selection.selections),
            (false, true) => {}
            (true, true) => {
                let reason = format!("of {place} nothing is selected, and it is no scalar");
                self.add(selection.position, reason);
            }
            (false, false) => {
                let reason =
                    format!("{place} is a `{}`, of which nothing can be selected", inner.name());
                self.add(selection.position, reason);
            }
        }
    }

    /// The field of a name, and the schema that declares it.
    pub(super) fn declared(&self, owner: Owner<'a>, name: &str) -> Option<(&'a Schema, FieldId)> {
        if let Some(implied) = name.strip_prefix("__") {
            let is_root = std::ptr::eq(owner.schema, self.schema)
                && self.schema.root(OperationKind::Query) == Some(owner.id);
            let is_there = implied == "typename" || is_root && matches!(implied, "schema" | "type");
            let id = introspection::implied(implied).filter(|_| is_there)?;
            return Some((introspection::schema(), id));
        }
        let id = owner.schema.field_named(owner.id, name)?;
        let field = owner.schema.field(id);
        let types = field.arguments.iter().map(|argument| argument.type_ref.named());
        let is_usable =
            |id: TypeId| !matches!(owner.schema.definition(id).kind, TypeKind::Broken { .. });
        types.chain([field.type_ref.named()]).all(is_usable).then_some((owner.schema, id))
    }

    /// The arguments of a field or directive.
    pub(super) fn arguments(
        &mut self,
        schema: &'a Schema,
        known: &'a [InputValue],
        given: &'a [(Arc<str>, Literal)],
        place: &str,
        position: SchemaPosition,
    ) {
        let mut seen = HashSet::new();
        for (name, value) in given {
            if !seen.insert(name) {
                self.add(position, format!("{place} gets `{name}` twice"));
            }
            match known.iter().find(|it| it.name == *name) {
                Some(argument) if self.may_be(schema, argument, value, position) => {
                    let expected = Expected::of(schema, &argument.type_ref);
                    self.value(expected, value, position);
                }
                Some(_) => {}
                None => self.add(position, format!("{place} takes no `{name}`")),
            }
        }
        for argument in known.iter().filter(|argument| argument.is_required()) {
            let value = given.iter().find(|(name, _)| *name == argument.name);
            if value.is_none_or(|(_, value)| *value == Literal::Null) {
                self.add(position, format!("{place} needs `{}`", argument.name));
            }
        }
    }
}

fn location(part: &Part) -> &'static str {
    match part {
        Part::Field(_) => "FIELD",
        Part::Inline(_) => "INLINE_FRAGMENT",
        Part::Spread(_) => "FRAGMENT_SPREAD",
    }
}

/// The object types that an object of a type may have.
fn possible_of(schema: &Schema, id: TypeId) -> Vec<TypeId> {
    match &schema.definition(id).kind {
        TypeKind::Object { .. } => vec![id],
        _ => schema.definition(id).possible_types().to_vec(),
    }
}
