//! The schema model: one for all sources, addressed by schema coordinates.
//!
//! Types are kept in schema order and referred to by [`TypeId`]; a field is a [`FieldId`], its
//! owner and its position there. Nothing is addressed by a bare field name, since a query and a
//! mutation, or two types, may use one name for different things.

mod build;
mod check;
mod definition;
mod error;
mod name;
mod type_ref;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(crate) use build::{Coordinate, Roots, SchemaBuilder};
pub use definition::{
    DirectiveDefinition, EnumValue, FieldDefinition, InputValue, TypeDefinition, TypeKind,
};
pub use error::{SchemaError, SchemaPosition, SchemaProblem, SchemaWarning};
pub use type_ref::{TypeId, TypeRef, Wrapper};

/// The kind of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OperationKind {
    /// Reads.
    Query,
    /// Writes.
    Mutation,
    /// Reads a stream of events.
    Subscription,
}

impl OperationKind {
    /// All, in the order in which operations are numbered.
    pub const ALL: [Self; 3] = [Self::Query, Self::Mutation, Self::Subscription];

    /// The keyword that starts an operation of this kind.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Mutation => "mutation",
            Self::Subscription => "subscription",
        }
    }
}

impl fmt::Display for OperationKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.keyword())
    }
}

/// A field of an object or interface type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId {
    /// The type that declares the field.
    pub owner: TypeId,
    /// Position among its fields.
    pub index: u32,
}

/// A GraphQL schema; immutable once read.
#[derive(Debug)]
pub struct Schema {
    types: Vec<TypeDefinition>,
    by_name: HashMap<Arc<str>, TypeId>,
    query: TypeId,
    mutation: Option<TypeId>,
    subscription: Option<TypeId>,
    warnings: Vec<SchemaWarning>,
    directives: HashMap<String, Box<[Arc<str>]>>,
    directive_definitions: Vec<DirectiveDefinition>,
}

impl Schema {
    /// Reads the answer to an introspection query, with or without the `data` around it.
    ///
    /// What is broken in single types is a warning, see [`Schema::warnings`]; the rest stays
    /// usable.
    ///
    /// # Errors
    /// When the text is not JSON or no answer to an introspection query, when the service refused
    /// the query, or when the schema has no operation.
    pub fn from_introspection(answer: &[u8]) -> Result<Self, SchemaError> {
        super::introspection::read(answer)
    }

    /// Reads schema definition language.
    ///
    /// What is broken in single types, a reference to an unknown type for example, is a warning
    /// with its place in the text, see [`Schema::warnings`]; the rest stays usable. Extensions of
    /// a type that is not there count as its definition, as in the parts of a federated graph.
    ///
    /// ```
    /// use wallace_problems::graphql::Schema;
    ///
    /// let schema = Schema::from_sdl("type Query { user(id: ID!): User } type User { id: ID! }")?;
    /// assert!(schema.field_at("Query.user").is_some());
    /// # Ok::<(), wallace_problems::graphql::SchemaError>(())
    /// ```
    ///
    /// # Errors
    /// [`SchemaError::Syntax`] with every definition that cannot be read; others when the schema
    /// has no operation.
    pub fn from_sdl(text: &str) -> Result<Self, SchemaError> {
        super::sdl::read(text)
    }

    /// Reads schema definition language and goes on without the definitions that cannot be read.
    /// Each of them is a warning with its place in the text.
    ///
    /// # Errors
    /// [`SchemaError::Syntax`] when nothing can be read, others when what is left has no operation.
    pub fn from_broken_sdl(text: &str) -> Result<Self, SchemaError> {
        super::sdl::read_what_can_be_read(text)
    }

    /// Reads the text of a schema file: an introspection answer when it begins like JSON, schema
    /// definition language otherwise.
    ///
    /// # Errors
    /// Those of [`Schema::from_introspection`] and [`Schema::from_sdl`].
    pub fn from_text(text: &str) -> Result<Self, SchemaError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // No definition begins with a bracket, and JSON of another kind is better explained as such.
        if text.trim_start().starts_with(['{', '[']) {
            return Self::from_introspection(text.as_bytes());
        }
        Self::from_sdl(text)
    }

    /// As [`Schema::from_text`], going on without the definitions that cannot be read.
    ///
    /// # Errors
    /// Those of [`Schema::from_introspection`] and [`Schema::from_broken_sdl`].
    pub fn from_broken_text(text: &str) -> Result<Self, SchemaError> {
        match Self::from_text(text) {
            Err(SchemaError::Syntax { .. }) => Self::from_broken_sdl(text),
            result => result,
        }
    }

    /// All types in schema order, built-in ones included.
    pub fn types(&self) -> impl ExactSizeIterator<Item = (TypeId, &TypeDefinition)> {
        self.types.iter().enumerate().map(|(index, definition)| (TypeId(index as u32), definition))
    }

    /// Names of all fields, arguments and members of input objects.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.types.iter().flat_map(|definition| {
            let (fields, members): (&[FieldDefinition], &[InputValue]) = match &definition.kind {
                TypeKind::Object { fields, .. } | TypeKind::Interface { fields, .. } => {
                    (fields, &[])
                }
                TypeKind::InputObject { fields, .. } => (&[], fields),
                _ => (&[], &[]),
            };
            let arguments = fields.iter().flat_map(|field| &field.arguments);
            let inputs = members.iter().chain(arguments).map(|input| &*input.name);
            fields.iter().map(|field| &*field.name).chain(inputs)
        })
    }

    /// A type.
    ///
    /// # Panics
    /// When `id` belongs to another schema.
    #[must_use]
    pub fn definition(&self, id: TypeId) -> &TypeDefinition {
        &self.types[id.index()]
    }

    /// The type of this name.
    #[must_use]
    pub fn type_named(&self, name: &str) -> Option<TypeId> {
        self.by_name.get(name).copied()
    }

    /// A field.
    ///
    /// # Panics
    /// When `id` belongs to another schema.
    #[must_use]
    pub fn field(&self, id: FieldId) -> &FieldDefinition {
        &self.definition(id.owner).fields()[id.index as usize]
    }

    /// The field at a schema coordinate such as `Query.user`.
    #[must_use]
    pub fn field_at(&self, coordinate: &str) -> Option<FieldId> {
        let (type_name, field) = coordinate.split_once('.')?;
        self.field_named(self.type_named(type_name)?, field)
    }

    /// The field of this name that a type declares.
    ///
    /// # Panics
    /// When `owner` belongs to another schema.
    #[must_use]
    pub fn field_named(&self, owner: TypeId, name: &str) -> Option<FieldId> {
        self.fields(owner).find(|field| *self.field(*field).name == *name)
    }

    /// The type that a field returns, without its marks.
    ///
    /// # Panics
    /// When `id` belongs to another schema.
    #[must_use]
    pub fn returned(&self, id: FieldId) -> TypeId {
        self.field(id).type_ref.named()
    }

    /// The schema coordinate of a field, such as `Query.user`.
    ///
    /// # Panics
    /// When `id` belongs to another schema.
    #[must_use]
    pub fn coordinate(&self, id: FieldId) -> String {
        format!("{}.{}", self.definition(id.owner).name, self.field(id).name)
    }

    /// The fields that a type declares.
    ///
    /// # Panics
    /// When `owner` belongs to another schema.
    pub fn fields(&self, owner: TypeId) -> impl ExactSizeIterator<Item = FieldId> + use<> {
        (0..self.definition(owner).fields().len() as u32).map(move |index| FieldId { owner, index })
    }

    /// The type whose fields are the operations of a kind, under the schema's own name for it.
    #[must_use]
    pub fn root(&self, kind: OperationKind) -> Option<TypeId> {
        match kind {
            OperationKind::Query => Some(self.query),
            OperationKind::Mutation => self.mutation,
            OperationKind::Subscription => self.subscription,
        }
    }

    /// What is wrong with the schema and was worked around, in schema order.
    #[must_use]
    pub fn warnings(&self) -> &[SchemaWarning] {
        &self.warnings
    }

    /// Names of the directives applied at a schema coordinate such as `User.posts(first:)`, in
    /// the order of the text. Only SDL tells; `deprecated`, `specifiedBy` and `oneOf` are in the
    /// model itself and not listed here.
    #[must_use]
    pub fn directives_at(&self, coordinate: &str) -> &[Arc<str>] {
        self.directives.get(coordinate).map_or(&[], |names| names)
    }

    /// The directives that the schema declares, in its order. Services that are too old to be asked
    /// tell none.
    #[must_use]
    pub fn directives(&self) -> &[DirectiveDefinition] {
        &self.directive_definitions
    }

    /// Adds what could not be read of the text to the warnings, before the others.
    pub(crate) fn warn_of(&mut self, problems: Vec<SchemaProblem>) {
        let unread = problems.into_iter().map(|problem| SchemaWarning {
            coordinate: "a definition that is left out".to_owned(),
            position: Some(problem.position),
            problem: problem.message,
        });
        self.warnings.splice(0..0, unread);
    }

    /// Adds to the warnings where in the text they are.
    pub(crate) fn place_warnings(&mut self, positions: &HashMap<String, SchemaPosition>) {
        for warning in &mut self.warnings {
            warning.position = positions.get(&warning.coordinate).copied();
        }
    }

    /// A reference as GraphQL writes it, such as `[String!]!`.
    ///
    /// # Panics
    /// When the reference belongs to another schema.
    #[must_use]
    pub fn type_text(&self, type_ref: &TypeRef) -> String {
        type_ref.text(&self.definition(type_ref.named()).name)
    }
}
