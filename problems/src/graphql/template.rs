//! Operation templates: what a call of each query and mutation may hold.
//!
//! All templates share one graph of gene specifications with one node for each type and position,
//! input or output, so a schema whose types mention each other becomes a graph with cycles and
//! nothing is expanded. How GraphQL becomes genes:
//!
//! | schema | gene |
//! |---|---|
//! | operation | tuple of its arguments, then the selection if it returns an object |
//! | namespace | none: its fields are operations |
//! | field without arguments | optional constant, or optional selection of its type |
//! | field with arguments | optional tuple of the arguments, then the selection if there is one |
//! | object type | selection: its fields, then `__typename` |
//! | interface | selection: common fields, a fragment for each type with further fields, `__typename` |
//! | union | selection: a fragment for each member, `__typename` |
//! | nullable argument | left out, null or a value |
//! | non-null argument with a default | left out or a value |
//! | input object | object; with `oneOf`, an object whose single field is a choice |
//! | list of any depth | array |
//!
//! `__typename` stands last, so that it is taken where nothing else can be: every object can be
//! selected, whatever the limits on depth.

mod argument;
mod build;
mod explain;
mod namespace;
mod read_value;
mod selection;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use wallace_genes::{GeneSettings, GeneSpec, SpecGraph, SpecId, SpecRef, TemplateId, simplest};

use super::schema::{FieldId, OperationKind, Schema, SchemaError, SchemaWarning, TypeId};
pub use namespace::Namespace;

/// What a call of one query or mutation may hold.
#[derive(Debug, Clone)]
pub struct OperationTemplate {
    /// Number of the template: its position in [`Templates::operations`].
    pub id: TemplateId,
    /// Whether it is a query or a mutation.
    pub kind: OperationKind,
    /// Name of the field that is called.
    pub name: Arc<str>,
    /// Its name, then those of its namespaces from the innermost, joined by `_`: `create_users` of
    /// `users { create }`. What names tell is read off this.
    pub full_name: Arc<str>,
    /// Where it stands, under the schema's own name of the root type: `Query.user`, and in a namespace
    /// `Query.users.list`.
    pub coordinate: Arc<str>,
    /// The schema coordinate of the field: `Query.user`, and in a namespace `UserQuery.list`.
    pub field_coordinate: Arc<str>,
    /// The namespaces around it, the outermost first; none for a field of the root type.
    pub namespaces: Vec<Namespace>,
    /// The field that is called.
    pub field: FieldId,
    /// The arguments in schema order.
    pub arguments: Vec<ArgumentTemplate>,
    /// Whether the operation returns an object, on which fields are selected.
    pub has_selection: bool,
    /// What a gene of this operation may be: a tuple of the arguments in schema order, then the
    /// selection if there is one.
    pub spec: SpecRef,
}

impl OperationTemplate {
    /// The names that lead to it from the root: those of its namespaces, then its own.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.namespaces.iter().map(|it| &*it.name).chain([&*self.name])
    }

    /// Whether a call fits the settings. It does not when a required argument nests deeper than
    /// the limit on input depth: a sampled gene is then a placeholder.
    #[must_use]
    pub fn is_callable(&self, settings: &GeneSettings) -> bool {
        !simplest(&self.spec, settings).is_placeholder()
    }
}

/// An argument of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentTemplate {
    /// Its name.
    pub name: Arc<str>,
    /// Its type as GraphQL writes it, such as `[String!]!`.
    pub type_text: String,
}

/// What a field of a selection's specification means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SelectionMember {
    /// A field of the schema.
    Field(FieldId),
    /// The fields that are asked for when the object is of this type.
    Fragment(TypeId),
    /// The name of the object's type.
    Typename,
}

/// An operation that no valid call can be made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedOperation {
    /// Its schema coordinate.
    pub coordinate: String,
    /// Why.
    pub reason: String,
}

impl fmt::Display for SkippedOperation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.coordinate, self.reason)
    }
}

/// The templates of all operations of a schema; immutable and meant to be shared.
#[derive(Debug)]
pub struct Templates {
    schema: Arc<Schema>,
    graph: Arc<SpecGraph>,
    operations: Vec<OperationTemplate>,
    skipped: Vec<SkippedOperation>,
    warnings: Vec<SchemaWarning>,
    members: HashMap<SpecId, Box<[SelectionMember]>>,
    one_of: HashSet<SpecId>,
    alias_prefix: Box<str>,
}

impl Templates {
    /// The templates of a schema: queries in schema order, then mutations, then
    /// subscriptions.
    ///
    /// # Errors
    /// [`SchemaError::NoUsableOperation`] when every operation had to be skipped.
    pub fn new(schema: Arc<Schema>) -> Result<Self, SchemaError> {
        let parts = build::build(&schema);
        if parts.operations.is_empty() {
            let first = parts.skipped.first().map_or_else(String::new, ToString::to_string);
            return Err(SchemaError::NoUsableOperation { count: parts.skipped.len(), first });
        }
        let alias_prefix = free_prefix(&schema);
        Ok(Self {
            schema,
            graph: parts.graph,
            operations: parts.operations,
            skipped: parts.skipped,
            warnings: parts.warnings,
            members: parts.members,
            one_of: parts.one_of,
            alias_prefix,
        })
    }

    /// The schema they were made from.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The specifications of all operations.
    #[must_use]
    pub fn graph(&self) -> &Arc<SpecGraph> {
        &self.graph
    }

    /// The operations, by their number.
    #[must_use]
    pub fn operations(&self) -> &[OperationTemplate] {
        &self.operations
    }

    /// The operation of a template, if there is such a template.
    #[must_use]
    pub fn operation(&self, id: TemplateId) -> Option<&OperationTemplate> {
        self.operations.get(id.0 as usize)
    }

    /// The operations that cannot be called, and why.
    #[must_use]
    pub fn skipped(&self) -> &[SkippedOperation] {
        &self.skipped
    }

    /// Arguments whose values are guesses, such as those of custom scalars.
    #[must_use]
    pub fn warnings(&self) -> &[SchemaWarning] {
        &self.warnings
    }

    /// What the fields of a selection mean, by their position in its specification; nothing for
    /// specifications that are no selection.
    #[must_use]
    pub fn members(&self, selection: SpecId) -> &[SelectionMember] {
        self.members.get(&selection).map_or(&[], |members| members)
    }

    /// The values of a position that are there: those behind an optional one.
    #[must_use]
    pub fn present(&self, id: SpecId) -> SpecId {
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => id,
        }
    }

    /// What a position may hold, as a reference of its own.
    pub(crate) fn spec_at(&self, id: SpecId) -> SpecRef {
        SpecRef::new(Arc::clone(&self.graph), id)
    }

    /// The selection of a field: behind an optional one, at the end of its arguments.
    #[must_use]
    pub fn selection_of(&self, field: SpecId) -> Option<SpecId> {
        let spec = self.present(field);
        match self.graph.spec(spec) {
            GeneSpec::Tuple(tuple) if tuple.has_selection => {
                Some(self.present(tuple.elements.last()?.spec))
            }
            GeneSpec::Object(_) => Some(spec),
            _ => None,
        }
    }

    /// Whether the input object at this position is given as exactly one of its fields: a single
    /// field of the specification that holds a choice.
    pub(crate) fn is_one_of(&self, input: SpecId) -> bool {
        self.one_of.contains(&input)
    }

    /// Whether operations are fields of this type: a root type, or that of a namespace.
    pub(crate) fn holds_operations(&self, id: TypeId) -> bool {
        self.operations.iter().any(|operation| operation.field.owner == id)
    }

    /// What aliases begin with; no field of the schema is named like an alias.
    pub(crate) fn alias_prefix(&self) -> &str {
        &self.alias_prefix
    }
}

/// The shortest of `f`, `f_`, `f__` ... that, followed by a number, names no field of the schema.
fn free_prefix(schema: &Schema) -> Box<str> {
    let mut prefix = "f".to_owned();
    let is_like_alias = |name: &str, prefix: &str| {
        let number = name.strip_prefix(prefix);
        number.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    loop {
        let mut fields = schema.types().flat_map(|(_, definition)| definition.fields());
        if !fields.any(|field| is_like_alias(&field.name, &prefix)) {
            return prefix.into();
        }
        prefix.push('_');
    }
}
