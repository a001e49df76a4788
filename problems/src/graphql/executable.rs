//! Documents as clients write them: operations and fragments, before any schema is asked.
//!
//! [`parse`](ExecutableDocument::parse) reads the text, [`problems`](ExecutableDocument::problems)
//! says what is not valid for a schema, by the rules of the GraphQL specification (October 2021,
//! section 5). Values and directives are those of the [tree](super::Document) that is printed.

mod coerce;
mod judge;
mod parse;

use std::fmt;
use std::sync::Arc;

use super::document::{Directive, Literal};
use super::schema::{OperationKind, SchemaPosition, SchemaProblem, Wrapper};

/// A document that can be read; whether it is valid only a schema tells.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutableDocument {
    /// At least one definition, in the order of the text.
    pub definitions: Vec<Definition>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Definition {
    /// An operation.
    Operation(Operation),
    /// A fragment with a name.
    Fragment(Fragment),
}

/// An operation.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Whether it reads, writes or listens.
    pub kind: OperationKind,
    /// Its name, where it has one.
    pub name: Option<Arc<str>>,
    /// Variables in the order of their declaration.
    pub variables: Vec<VariableDefinition>,
    /// Directives, in their order.
    pub directives: Vec<Directive>,
    /// What it selects of the root type.
    pub selections: Vec<Selection>,
    /// Where it begins.
    pub position: SchemaPosition,
}

/// The declaration of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct VariableDefinition {
    /// Its name, without the sign.
    pub name: Arc<str>,
    /// Name of the type inside the marks.
    pub type_name: Arc<str>,
    /// The marks around it, outermost first.
    pub wrappers: Box<[Wrapper]>,
    /// The value it has where a request gives none.
    pub default: Option<Literal>,
    /// Directives, in their order.
    pub directives: Vec<Directive>,
    /// Where it is declared.
    pub position: SchemaPosition,
}

/// A fragment with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragment {
    /// Its name.
    pub name: Arc<str>,
    /// Name of the type that it is about.
    pub on: Arc<str>,
    /// Directives, in their order.
    pub directives: Vec<Directive>,
    /// What it selects.
    pub selections: Vec<Selection>,
    /// Where it begins.
    pub position: SchemaPosition,
}

/// A part of a selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// What it is.
    pub part: Part,
    /// Directives, in their order.
    pub directives: Vec<Directive>,
    /// What is selected below; nothing for scalars and for fragments by name.
    pub selections: Vec<Selection>,
    /// Where it begins.
    pub position: SchemaPosition,
}

/// What a part of a selection is.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A field.
    Field(Field),
    /// What is selected where the object is of a type; of any type when none is named.
    Inline(Option<Arc<str>>),
    /// A fragment by its name.
    Spread(Arc<str>),
}

/// A field, as it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name in the answer, where that is not its own.
    pub alias: Option<Arc<str>>,
    /// Its name.
    pub name: Arc<str>,
    /// Name and value of its arguments.
    pub arguments: Vec<(Arc<str>, Literal)>,
}

/// Why a document cannot be used, and where.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Invalid {
    /// Where.
    pub position: SchemaPosition,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.position, self.reason)
    }
}

impl std::error::Error for Invalid {}

impl From<SchemaProblem> for Invalid {
    fn from(problem: SchemaProblem) -> Self {
        Self { position: problem.position, reason: problem.message }
    }
}

impl ExecutableDocument {
    /// The operations in the order of the text.
    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.definitions.iter().filter_map(|definition| match definition {
            Definition::Operation(operation) => Some(operation),
            Definition::Fragment(_) => None,
        })
    }

    /// The fragments in the order of the text.
    pub fn fragments(&self) -> impl Iterator<Item = &Fragment> {
        self.definitions.iter().filter_map(|definition| match definition {
            Definition::Fragment(fragment) => Some(fragment),
            Definition::Operation(_) => None,
        })
    }

    /// The operation of a name, or the only one.
    #[must_use]
    pub fn operation(&self, name: Option<&str>) -> Option<&Operation> {
        let mut operations = self.operations();
        match name {
            Some(name) => operations.find(|it| it.name.as_deref() == Some(name)),
            None => operations.next().filter(|_| operations.next().is_none()),
        }
    }

    /// The fragment of a name.
    #[must_use]
    pub fn fragment(&self, name: &str) -> Option<&Fragment> {
        self.fragments().find(|fragment| *fragment.name == *name)
    }
}

impl VariableDefinition {
    /// Whether a request must give a value.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.wrappers.first() == Some(&Wrapper::NonNull) && self.default.is_none()
    }
}

impl Selection {
    /// The field, where it is one.
    #[must_use]
    pub fn as_field(&self) -> Option<&Field> {
        match &self.part {
            Part::Field(field) => Some(field),
            Part::Inline(_) | Part::Spread(_) => None,
        }
    }
}

impl Field {
    /// Its name in the answer.
    #[must_use]
    pub fn key(&self) -> &str {
        self.alias.as_ref().unwrap_or(&self.name)
    }
}
