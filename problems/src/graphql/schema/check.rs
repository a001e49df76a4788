//! What is checked once all types are known: members of interfaces and unions, and types in places
//! where they cannot stand.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::build::{Coordinate, SchemaBuilder};
use super::definition::TypeKind;
use super::error::SchemaWarning;
use super::type_ref::{TypeId, TypeRef};

impl SchemaBuilder {
    pub(super) fn derive_possible_types(&mut self) {
        if self.without_members.is_empty() {
            return;
        }
        let mut members: HashMap<TypeId, Vec<TypeId>> = HashMap::new();
        for (index, definition) in self.types.iter().enumerate() {
            if let TypeKind::Object { interfaces, .. } = &definition.kind {
                for interface in interfaces {
                    members.entry(*interface).or_default().push(TypeId(index as u32));
                }
            }
        }
        for id in &self.without_members {
            let found = members.remove(id).unwrap_or_default();
            if let TypeKind::Interface { possible_types, .. } = &mut self.types[id.index()].kind {
                *possible_types = found;
            }
        }
    }

    /// Only object types are members of interfaces and unions, each once.
    pub(super) fn keep_object_members(&mut self) {
        let is_object: Vec<bool> =
            self.types.iter().map(|it| matches!(it.kind, TypeKind::Object { .. })).collect();
        let mut misplaced = Vec::new();
        for definition in &mut self.types {
            if let TypeKind::Interface { possible_types, .. } | TypeKind::Union { possible_types } =
                &mut definition.kind
            {
                let mut seen = HashSet::with_capacity(possible_types.len());
                let listed = possible_types.len();
                possible_types.retain(|id| is_object[id.index()] && seen.insert(*id));
                if possible_types.len() < listed {
                    misplaced.push(Arc::clone(&definition.name));
                }
            }
        }
        for name in misplaced {
            let problem = "possible types that are no object types, or repeated, are ignored";
            self.warn(Coordinate::of_type(&name), problem);
        }
    }

    pub(super) fn warn_of_misplaced_types(&mut self) {
        let mut found = Vec::new();
        let kind_of = |type_ref: &TypeRef| &self.types[type_ref.named().index()];
        let mut check = |coordinate: Coordinate<'_>, type_ref: &TypeRef, is_input: bool| {
            let named = kind_of(type_ref);
            let is_broken = matches!(named.kind, TypeKind::Broken { .. });
            let is_input_object = matches!(named.kind, TypeKind::InputObject { .. });
            let fits = if is_input { named.is_input() } else { !is_input_object };
            if !fits && !is_broken {
                let place = if is_input { "given as a value" } else { "returned" };
                let problem = format!("the type `{}` cannot be {place}", named.name);
                let coordinate = coordinate.to_string();
                found.push(SchemaWarning { coordinate, position: None, problem });
            }
        };
        for definition in &self.types {
            let owner = Coordinate::of_type(&definition.name);
            for field in definition.fields() {
                let coordinate = owner.inside(&field.name);
                check(coordinate, &field.type_ref, false);
                for argument in &field.arguments {
                    check(coordinate.inside(&argument.name), &argument.type_ref, true);
                }
            }
            if let TypeKind::InputObject { fields, .. } = &definition.kind {
                for field in fields {
                    check(owner.inside(&field.name), &field.type_ref, true);
                }
            }
        }
        self.warnings.append(&mut found);
    }

    pub(super) fn warn_of_empty_types(&mut self) {
        for index in 0..self.types.len() {
            let definition = &self.types[index];
            let lacks = match &definition.kind {
                TypeKind::Object { fields, .. } | TypeKind::Interface { fields, .. } => {
                    fields.is_empty().then_some("fields")
                }
                TypeKind::Union { possible_types } => {
                    possible_types.is_empty().then_some("possible types")
                }
                TypeKind::Enum { values } => values.is_empty().then_some("values"),
                TypeKind::InputObject { fields, .. } => fields.is_empty().then_some("fields"),
                TypeKind::Scalar { .. } | TypeKind::Broken { .. } => None,
            };
            if let Some(lacks) = lacks {
                let name = Arc::clone(&definition.name);
                self.warn(Coordinate::of_type(&name), format!("it has no {lacks}"));
            }
        }
    }
}
