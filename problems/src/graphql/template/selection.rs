//! Selections: what may be asked of objects, interfaces and unions.

use std::collections::HashSet;
use std::sync::Arc;

use wallace_genes::{
    Field, GeneSpec, SpecId,
    spec::{ObjectPurpose, ObjectSpec},
};

use super::SelectionMember;
use super::build::{Build, Pending, is_leaf};
use crate::graphql::schema::{FieldId, TypeId, TypeKind};

impl Build<'_> {
    /// The selection of a type, and the same as something that may be left out.
    pub(super) fn selection(&mut self, id: TypeId) -> (SpecId, SpecId) {
        if let Some(known) = self.selections[id.index()] {
            return known;
        }
        let selection = self.specs.reserve();
        let known = (selection, self.specs.optional(selection, false));
        self.selections[id.index()] = Some(known);
        self.pending.push(Pending::Selection(id, selection));
        known
    }

    pub(super) fn fill_selection(&mut self, id: TypeId, spec: SpecId) {
        let schema = self.schema;
        let mut parts = Vec::new();
        for field in schema.fields(id) {
            parts.push((SelectionMember::Field(field), self.selected_field(field)));
        }
        match &schema.definition(id).kind {
            TypeKind::Interface { possible_types, .. } => {
                for possible in possible_types {
                    let fragment = self.further_fields(id, *possible);
                    parts.extend(fragment.map(|it| (SelectionMember::Fragment(*possible), it)));
                }
            }
            TypeKind::Union { possible_types } => {
                for possible in possible_types {
                    let (_, fragment) = self.selection(*possible);
                    parts.push((SelectionMember::Fragment(*possible), fragment));
                }
            }
            _ => {}
        }
        parts.push((SelectionMember::Typename, self.leaf));
        self.fill_with(id, spec, parts);
    }

    /// The fragment of an interface for one type that implements it: only the fields that the
    /// interface does not have. Nothing when there are none.
    fn further_fields(&mut self, interface: TypeId, object: TypeId) -> Option<SpecId> {
        let schema = self.schema;
        let common = schema.definition(interface).fields().iter().map(|field| &field.name);
        let common: HashSet<&Arc<str>> = common.collect();
        let further = schema.fields(object).filter(|id| !common.contains(&schema.field(*id).name));
        let mut parts = Vec::new();
        for field in further {
            parts.push((SelectionMember::Field(field), self.selected_field(field)));
        }
        if parts.is_empty() {
            return None;
        }
        let fragment = self.specs.reserve();
        self.fill_with(object, fragment, parts);
        Some(self.specs.optional(fragment, false))
    }

    fn fill_with(&mut self, id: TypeId, spec: SpecId, parts: Vec<(SelectionMember, SpecId)>) {
        let mut fields = Vec::with_capacity(parts.len());
        let mut members = Vec::with_capacity(parts.len());
        for (member, part) in parts {
            fields.push(Field::new(self.printed_name(member), part));
            members.push(member);
        }
        let type_name = Arc::clone(&self.schema.definition(id).name);
        let object = ObjectSpec { type_name, purpose: ObjectPurpose::Selection, fields };
        self.specs.fill(spec, GeneSpec::Object(object));
        self.members.insert(spec, members.into());
    }

    fn printed_name(&mut self, member: SelectionMember) -> Arc<str> {
        match member {
            SelectionMember::Field(id) => Arc::clone(&self.schema.field(id).name),
            SelectionMember::Fragment(id) => {
                let name = &self.schema.definition(id).name;
                let fragment = || format!("... on {name}").into();
                Arc::clone(self.fragment_names.entry(id).or_insert_with(fragment))
            }
            SelectionMember::Typename => Arc::clone(&self.typename),
        }
    }

    /// The field of a selection; always something that may be left out.
    fn selected_field(&mut self, id: FieldId) -> SpecId {
        let field = self.schema.field(id);
        let returned = field.type_ref.named();
        let definition = self.schema.definition(returned);
        if field.arguments.is_empty() {
            if is_leaf(&definition.kind) {
                return self.leaf;
            }
            if definition.is_composite() {
                return self.selection(returned).1;
            }
        }
        if let Some(known) = self.fields.get(&id) {
            return *known;
        }
        let call = self.call(id);
        let selected = self.specs.optional(call, false);
        self.fields.insert(id, selected);
        selected
    }
}
