//! From the schema to the shared graph of specifications.
//!
//! Types are met on the way from the operations, so what no operation can reach costs nothing.
//! A type that is met gets its place at once and is filled from a queue, so neither cycles nor
//! long chains of types need recursion. Work and memory grow with the fields reached.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use wallace_genes::{
    Field, GeneSpec, SpecBuilder, SpecGraph, SpecId, SpecRef, TemplateId,
    spec::{ObjectPurpose, ObjectSpec, TupleSpec},
};

use super::namespace::{Place, places};
use super::{ArgumentTemplate, OperationTemplate, SelectionMember, SkippedOperation};
use crate::graphql::schema::{FieldId, Schema, SchemaWarning, TypeId, TypeKind, TypeRef};

/// What building yields.
pub(super) struct Parts {
    pub(super) graph: Arc<SpecGraph>,
    pub(super) operations: Vec<OperationTemplate>,
    pub(super) skipped: Vec<SkippedOperation>,
    pub(super) warnings: Vec<SchemaWarning>,
    pub(super) members: HashMap<SpecId, Box<[SelectionMember]>>,
    pub(super) one_of: HashSet<SpecId>,
}

/// A specification that has its place and not yet its content.
pub(super) enum Pending {
    Selection(TypeId, SpecId),
    Input(TypeId, SpecId),
}

/// Specifications of all types met so far.
pub(super) struct Build<'s> {
    pub(super) schema: &'s Schema,
    pub(super) specs: SpecBuilder,
    pub(super) pending: Vec<Pending>,
    /// A selected field without arguments and fields of its own.
    pub(super) leaf: SpecId,
    /// A position that has no value.
    pub(super) never: SpecId,
    /// Of each type, the selection and the optional selection.
    pub(super) selections: Vec<Option<(SpecId, SpecId)>>,
    /// Of each type, its values in arguments.
    pub(super) inputs: Vec<Option<SpecId>>,
    /// Of each reference, and whether there is a default, the values of the argument.
    pub(super) arguments: HashMap<(&'s TypeRef, bool), SpecId>,
    /// Selected fields that have arguments; shared by objects and fragments.
    pub(super) fields: HashMap<FieldId, SpecId>,
    pub(super) fragment_names: HashMap<TypeId, Arc<str>>,
    pub(super) typename: Arc<str>,
    pub(super) members: HashMap<SpecId, Box<[SelectionMember]>>,
    pub(super) one_of: HashSet<SpecId>,
    pub(super) warnings: Vec<SchemaWarning>,
}

/// Builds the templates of all operations.
pub(super) fn build(schema: &Schema) -> Parts {
    let mut build = Build::new(schema);
    let mut roots = Vec::new();
    for place in places(schema) {
        let call = build.call(place.field);
        roots.push((place, call));
    }
    build.fill_pending();
    build.finish(roots)
}

impl<'s> Build<'s> {
    fn new(schema: &'s Schema) -> Self {
        let mut specs = SpecBuilder::new();
        let constant = specs.add(GeneSpec::Constant);
        let leaf = specs.optional(constant, false);
        let never = specs.reserve();
        specs.fill(
            never,
            GeneSpec::Object(ObjectSpec {
                type_name: "".into(),
                purpose: ObjectPurpose::Input,
                fields: vec![Field::new("", never)],
            }),
        );
        let count = schema.types().len();
        Self {
            schema,
            specs,
            pending: Vec::new(),
            leaf,
            never,
            selections: vec![None; count],
            inputs: vec![None; count],
            arguments: HashMap::new(),
            fields: HashMap::new(),
            fragment_names: HashMap::new(),
            typename: "__typename".into(),
            members: HashMap::new(),
            one_of: HashSet::new(),
            warnings: Vec::new(),
        }
    }

    /// A call of the field: its arguments, then the selection if it returns an object.
    pub(super) fn call(&mut self, id: FieldId) -> SpecId {
        let schema = self.schema;
        let field = schema.field(id);
        let mut elements = Vec::with_capacity(field.arguments.len() + 1);
        for argument in &field.arguments {
            elements.push(Field::new(Arc::clone(&argument.name), self.argument(argument)));
        }
        let returned = field.type_ref.named();
        let definition = schema.definition(returned);
        let has_selection = definition.is_composite();
        if has_selection {
            let (selection, _) = self.selection(returned);
            elements.push(Field::new(Arc::clone(&definition.name), selection));
        } else if !is_leaf(&definition.kind) {
            return self.never;
        }
        self.specs.add(GeneSpec::Tuple(TupleSpec { elements, has_selection }))
    }

    fn fill_pending(&mut self) {
        while let Some(pending) = self.pending.pop() {
            match pending {
                Pending::Selection(id, spec) => self.fill_selection(id, spec),
                Pending::Input(id, spec) => self.fill_input(id, spec),
            }
        }
    }

    fn finish(mut self, roots: Vec<(Place, SpecId)>) -> Parts {
        let graph = std::mem::take(&mut self.specs).build();
        let mut operations = Vec::with_capacity(roots.len());
        let mut skipped = Vec::new();
        for (place, spec) in roots {
            if graph.cost(spec).is_finite() {
                let id = TemplateId(operations.len() as u32);
                let spec = SpecRef::new(Arc::clone(&graph), spec);
                operations.push(operation(self.schema, id, place, spec));
            } else {
                let coordinate = place.coordinate(self.schema);
                let reason = self.why_impossible(&graph, place.field);
                skipped.push(SkippedOperation { coordinate, reason });
            }
        }
        let Self { warnings, members, one_of, .. } = self;
        Parts { graph, operations, skipped, warnings, members, one_of }
    }
}

/// Whether values of the type are returned as they are.
pub(super) fn is_leaf(kind: &TypeKind) -> bool {
    matches!(kind, TypeKind::Scalar { .. } | TypeKind::Enum { .. })
}

fn operation(schema: &Schema, id: TemplateId, place: Place, spec: SpecRef) -> OperationTemplate {
    let field = schema.field(place.field);
    let arguments = field.arguments.iter().map(|argument| ArgumentTemplate {
        name: Arc::clone(&argument.name),
        type_text: schema.type_text(&argument.type_ref),
    });
    OperationTemplate {
        id,
        kind: place.kind,
        name: Arc::clone(&field.name),
        full_name: place.full_name(schema).into(),
        coordinate: place.coordinate(schema).into(),
        field_coordinate: schema.coordinate(place.field).into(),
        field: place.field,
        arguments: arguments.collect(),
        has_selection: schema.definition(field.type_ref.named()).is_composite(),
        namespaces: place.namespaces,
        spec,
    }
}
