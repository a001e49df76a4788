//! Documents as trees.
//!
//! Whatever is done to a document is done here, before it is printed: the forms of a call, queries
//! made smaller, production operations. An answer is read beside the same tree, which knows the
//! field of the schema behind every response name.

mod build;
mod value;

use std::sync::Arc;

use super::schema::{FieldId, OperationKind, TypeId};

pub use value::Literal;

/// An operation, and the named fragments that it uses.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Whether it reads, writes or listens.
    pub kind: OperationKind,
    /// Variables in the order of their declaration.
    pub variables: Vec<Variable>,
    /// What is selected of the root type.
    pub selections: Vec<Selection>,
    /// Named fragments.
    pub fragments: Vec<FragmentDefinition>,
}

/// A variable with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Its name, without the sign.
    pub name: Arc<str>,
    /// Its type as GraphQL writes it.
    pub type_text: Arc<str>,
    /// Its value.
    pub value: serde_json::Value,
}

/// A fragment with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct FragmentDefinition {
    /// Its name.
    pub name: Arc<str>,
    /// Name of the type that it is about.
    pub on: Arc<str>,
    /// What it selects.
    pub selections: Vec<Selection>,
}

/// A part of a selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// What it is.
    pub part: Part,
    /// Directives, in their order.
    pub directives: Vec<Directive>,
    /// What is selected below: of the object that a field returns, or by a fragment.
    pub selections: Vec<Selection>,
}

/// What a part of a selection is.
#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    /// A field.
    Field(Field),
    /// What is selected where the object is of a type.
    Fragment {
        /// The type.
        on: TypeId,
        /// Its name.
        name: Arc<str>,
    },
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
    /// The field of the schema; nothing for `__typename` and what no schema declares.
    pub id: Option<FieldId>,
    /// Arguments that are given: name and value.
    pub arguments: Vec<(Arc<str>, Literal)>,
}

/// A directive.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    /// Its name, without the sign.
    pub name: Arc<str>,
    /// Name and value of its arguments.
    pub arguments: Vec<(Arc<str>, Literal)>,
}

impl Document {
    /// A query of these selections.
    #[must_use]
    pub fn query(selections: Vec<Selection>) -> Self {
        Self::of(OperationKind::Query, selections)
    }

    /// An operation of these selections.
    #[must_use]
    pub fn of(kind: OperationKind, selections: Vec<Selection>) -> Self {
        Self { kind, variables: Vec::new(), selections, fragments: Vec::new() }
    }
}

impl Directive {
    /// `include` or `skip`, by this condition.
    #[must_use]
    pub fn conditional(name: &str, condition: Literal) -> Self {
        Self { name: name.into(), arguments: vec![("if".into(), condition)] }
    }
}

impl Field {
    /// Its name in the answer.
    #[must_use]
    pub fn key(&self) -> &str {
        self.alias.as_ref().unwrap_or(&self.name)
    }
}

impl Selection {
    /// A part without directives.
    #[must_use]
    pub fn new(part: Part, selections: Vec<Self>) -> Self {
        Self { part, directives: Vec::new(), selections }
    }

    /// A field under its own name, without arguments.
    #[must_use]
    pub fn field(name: Arc<str>, id: Option<FieldId>, selections: Vec<Self>) -> Self {
        Self::new(Part::Field(Field { alias: None, name, id, arguments: Vec::new() }), selections)
    }

    /// `__typename`.
    #[must_use]
    pub fn typename() -> Self {
        Self::field("__typename".into(), None, Vec::new())
    }

    /// The field, where it is one.
    #[must_use]
    pub fn as_field(&self) -> Option<&Field> {
        match &self.part {
            Part::Field(field) => Some(field),
            Part::Fragment { .. } | Part::Spread(_) => None,
        }
    }

    /// As [`Selection::as_field`], for change.
    pub fn as_field_mut(&mut self) -> Option<&mut Field> {
        match &mut self.part {
            Part::Field(field) => Some(field),
            Part::Fragment { .. } | Part::Spread(_) => None,
        }
    }

    /// The field of the schema, where it is one.
    #[must_use]
    pub fn id(&self) -> Option<FieldId> {
        self.as_field()?.id
    }

    /// Its name in the answer; nothing where it is no field.
    #[must_use]
    pub fn key(&self) -> &str {
        self.as_field().map_or("", Field::key)
    }

    /// The field under another name in the answer.
    #[must_use]
    pub fn renamed(mut self, alias: impl Into<Arc<str>>) -> Self {
        if let Some(field) = self.as_field_mut() {
            field.alias = Some(alias.into());
        }
        self
    }

    /// Number of parts, itself included.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.selections.iter().map(Self::size).sum::<usize>()
    }
}
