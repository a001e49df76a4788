//! Putting a schema together, from whatever source.
//!
//! Types are declared first and defined afterwards, so that references resolve at once, in any
//! order. A reference to what is not there becomes a type of kind [`TypeKind::Broken`]: whatever
//! uses it can be found and left out, and the rest of the schema stays usable.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use super::definition::{DirectiveDefinition, TypeDefinition, TypeKind};
use super::error::{SchemaError, SchemaWarning};
use super::name::{Names, is_name};
use super::type_ref::TypeId;
use super::{OperationKind, Schema};

/// The scalars that every service knows, declared or not.
const BUILT_IN: [&str; 5] = ["Int", "Float", "String", "Boolean", "ID"];

/// A place in a schema: `User`, `User.posts` or `User.posts(first:)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coordinate<'a> {
    pub(crate) type_name: &'a str,
    pub(crate) field: Option<&'a str>,
    pub(crate) argument: Option<&'a str>,
}

impl<'a> Coordinate<'a> {
    pub(crate) fn of_type(type_name: &'a str) -> Self {
        Self { type_name, field: None, argument: None }
    }

    /// A part of this place: a field of a type, an argument of a field.
    pub(crate) fn inside(self, name: &'a str) -> Self {
        match self.field {
            None => Self { field: Some(name), ..self },
            Some(_) => Self { argument: Some(name), ..self },
        }
    }
}

impl fmt::Display for Coordinate<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.type_name)?;
        if let Some(field) = self.field {
            write!(formatter, ".{field}")?;
        }
        if let Some(argument) = self.argument {
            write!(formatter, "({argument}:)")?;
        }
        Ok(())
    }
}

/// Names of the root types.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Roots<'a> {
    pub(crate) query: Option<&'a str>,
    pub(crate) mutation: Option<&'a str>,
    pub(crate) subscription: Option<&'a str>,
}

/// A schema under construction.
#[derive(Debug, Default)]
pub(crate) struct SchemaBuilder {
    names: Names,
    pub(super) types: Vec<TypeDefinition>,
    by_name: HashMap<Arc<str>, TypeId>,
    pub(super) warnings: Vec<SchemaWarning>,
    pub(super) without_members: HashSet<TypeId>,
    directives: HashMap<String, Box<[Arc<str>]>>,
    directive_definitions: Vec<DirectiveDefinition>,
}

impl SchemaBuilder {
    /// Adds a directive that the source declares; the first of a name counts.
    pub(crate) fn define_directive(&mut self, directive: DirectiveDefinition) {
        if self.directive_definitions.iter().all(|known| known.name != directive.name) {
            self.directive_definitions.push(directive);
        }
    }

    /// Notes something that was worked around.
    pub(crate) fn warn(&mut self, coordinate: Coordinate<'_>, problem: impl Into<String>) {
        let (coordinate, problem) = (coordinate.to_string(), problem.into());
        let warning = SchemaWarning { coordinate, position: None, problem };
        self.warnings.push(warning);
    }

    /// The shared copy of a valid name; nothing when it is no GraphQL name.
    pub(crate) fn name(&mut self, text: &str) -> Option<Arc<str>> {
        is_name(text).then(|| self.names.intern(text))
    }

    /// Announces a type. Nothing, with a warning, when its name is no name or already taken.
    pub(crate) fn declare(&mut self, name: &str) -> Option<TypeId> {
        let Some(shared) = self.name(name) else {
            self.warn(Coordinate::of_type(name), "not a GraphQL name; the type is ignored");
            return None;
        };
        if self.by_name.contains_key(&shared) {
            self.warn(Coordinate::of_type(name), "defined twice; the first definition counts");
            return None;
        }
        let kind = TypeKind::Broken { reason: "it is not defined".into() };
        Some(self.add(shared, kind))
    }

    fn add(&mut self, name: Arc<str>, kind: TypeKind) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).expect("fewer than 2^32 types"));
        self.by_name.insert(Arc::clone(&name), id);
        self.types.push(TypeDefinition { name, description: None, kind });
        id
    }

    /// Says what a declared type is.
    pub(crate) fn define(&mut self, id: TypeId, description: Option<Box<str>>, kind: TypeKind) {
        let definition = &mut self.types[id.index()];
        definition.description = description;
        definition.kind = kind;
    }

    /// Remembers the directives that a source applies at a place.
    pub(crate) fn apply_directives(&mut self, place: Coordinate<'_>, names: Vec<Arc<str>>) {
        if !names.is_empty() {
            self.directives.insert(place.to_string(), names.into());
        }
    }

    /// Marks an interface whose object types the source does not list; those that say they
    /// implement it are taken.
    pub(crate) fn derive_members(&mut self, id: TypeId) {
        self.without_members.insert(id);
    }

    /// The type of this name; a broken one, with a warning, when there is none.
    pub(crate) fn type_named(&mut self, name: &str, user: Coordinate<'_>) -> TypeId {
        if let Some(id) = self.by_name.get(name) {
            return *id;
        }
        if BUILT_IN.contains(&name) {
            let name = self.names.intern(name);
            return self.add(name, TypeKind::Scalar { specified_by: None });
        }
        self.broken(name, "it is not defined", user)
    }

    /// A type that cannot be used, for a reference that leads nowhere.
    pub(crate) fn broken(&mut self, name: &str, reason: &str, user: Coordinate<'_>) -> TypeId {
        self.warn(user, format!("the type `{name}` cannot be used: {reason}"));
        let shared = self.names.intern(name);
        if let Some(id) = self.by_name.get(&shared) {
            return *id;
        }
        self.add(shared, TypeKind::Broken { reason: reason.into() })
    }

    /// The items without those whose name came before.
    pub(crate) fn unique<T>(
        &mut self,
        owner: Coordinate<'_>,
        items: Vec<T>,
        name: impl Fn(&T) -> &Arc<str>,
    ) -> Vec<T> {
        let mut seen = HashSet::with_capacity(items.len());
        let mut repeated = Vec::new();
        let mut kept = Vec::with_capacity(items.len());
        for item in items {
            if seen.insert(Arc::clone(name(&item))) {
                kept.push(item);
            } else {
                repeated.push(Arc::clone(name(&item)));
            }
        }
        for name in repeated {
            self.warn(owner, format!("`{name}` is there twice; the first counts"));
        }
        kept
    }

    /// Finishes the schema.
    pub(crate) fn finish(mut self, roots: Roots<'_>) -> Result<Schema, SchemaError> {
        self.derive_possible_types();
        self.keep_object_members();
        self.warn_of_misplaced_types();
        self.warn_of_empty_types();
        let query = roots.query.ok_or(SchemaError::NoQueryType)?;
        let query = self.root(OperationKind::Query, query)?;
        let mutation = self.optional_root(OperationKind::Mutation, roots.mutation);
        let subscription = self.optional_root(OperationKind::Subscription, roots.subscription);
        let has_fields = |id: TypeId| !self.types[id.index()].fields().is_empty();
        if !has_fields(query) && !mutation.is_some_and(has_fields) {
            return Err(SchemaError::NoOperations);
        }
        let Self { types, by_name, warnings, directives, directive_definitions, .. } = self;
        Ok(Schema {
            types,
            by_name,
            query,
            mutation,
            subscription,
            warnings,
            directives,
            directive_definitions,
        })
    }

    fn root(&self, kind: OperationKind, name: &str) -> Result<TypeId, SchemaError> {
        let reason = match self.by_name.get(name) {
            None => "it is not defined".to_owned(),
            Some(id) => match &self.types[id.index()].kind {
                TypeKind::Object { .. } => return Ok(*id),
                TypeKind::Broken { reason } => reason.to_string(),
                _ => "it is not an object type".to_owned(),
            },
        };
        Err(SchemaError::BrokenRoot { kind, name: name.to_owned(), reason })
    }

    /// A root that a schema may do without: when it is broken, there is a warning and no root.
    fn optional_root(&mut self, kind: OperationKind, name: Option<&str>) -> Option<TypeId> {
        let name = name?;
        match self.root(kind, name) {
            Ok(id) => Some(id),
            Err(error) => {
                self.warn(Coordinate::of_type(name), error.to_string());
                None
            }
        }
    }
}
