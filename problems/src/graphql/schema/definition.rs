//! What a schema declares: types, fields, arguments and enum values.

use std::sync::Arc;

use super::type_ref::{TypeId, TypeRef, Wrapper};

/// A type of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeDefinition {
    /// Its name.
    pub name: Arc<str>,
    /// What the schema says about it.
    pub description: Option<Box<str>>,
    /// What it is.
    pub kind: TypeKind,
}

/// What a type is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeKind {
    /// A leaf value, built in or the schema's own.
    Scalar {
        /// Address of the text that defines it.
        specified_by: Option<Box<str>>,
    },
    /// An object with fields.
    Object {
        /// Its fields in schema order.
        fields: Vec<FieldDefinition>,
        /// The interfaces it implements.
        interfaces: Vec<TypeId>,
    },
    /// Fields that several object types have in common.
    Interface {
        /// Its fields in schema order.
        fields: Vec<FieldDefinition>,
        /// The interfaces it implements.
        interfaces: Vec<TypeId>,
        /// The object types that implement it.
        possible_types: Vec<TypeId>,
    },
    /// One of several object types.
    Union {
        /// The object types.
        possible_types: Vec<TypeId>,
    },
    /// One of several names.
    Enum {
        /// The names in schema order.
        values: Vec<EnumValue>,
    },
    /// An object that arguments are given as.
    InputObject {
        /// Its fields in schema order.
        fields: Vec<InputValue>,
        /// Whether exactly one field must be given.
        is_one_of: bool,
    },
    /// A type that the schema mentions and does not usably define.
    Broken {
        /// What is wrong with it.
        reason: Box<str>,
    },
}

/// A field of an object or interface type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDefinition {
    /// Its name.
    pub name: Arc<str>,
    /// What the schema says about it.
    pub description: Option<Box<str>>,
    /// Its arguments in schema order.
    pub arguments: Vec<InputValue>,
    /// What it returns.
    pub type_ref: TypeRef,
    /// Why it should not be used any more, if so; may be empty.
    pub deprecation: Option<Box<str>>,
}

/// An argument, or a field of an input object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValue {
    /// Its name.
    pub name: Arc<str>,
    /// What the schema says about it.
    pub description: Option<Box<str>>,
    /// The values it takes.
    pub type_ref: TypeRef,
    /// The value it has when left out, as a GraphQL literal.
    pub default: Option<Box<str>>,
    /// Why it should not be used any more, if so; may be empty.
    pub deprecation: Option<Box<str>>,
}

impl FieldDefinition {
    /// Whether some argument must be given.
    #[must_use]
    pub fn needs_arguments(&self) -> bool {
        self.arguments.iter().any(InputValue::is_required)
    }

    /// Whether it returns a list.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self.type_ref.wrappers().contains(&Wrapper::List)
    }
}

impl InputValue {
    /// Whether a call must give a value.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.type_ref.is_non_null() && self.default.is_none()
    }
}

/// One name of an enum type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnumValue {
    /// The name.
    pub name: Arc<str>,
    /// What the schema says about it.
    pub description: Option<Box<str>>,
    /// Why it should not be used any more, if so; may be empty.
    pub deprecation: Option<Box<str>>,
}

impl TypeDefinition {
    /// The fields of an object or interface; none for other types.
    #[must_use]
    pub fn fields(&self) -> &[FieldDefinition] {
        match &self.kind {
            TypeKind::Object { fields, .. } | TypeKind::Interface { fields, .. } => fields,
            _ => &[],
        }
    }

    /// The object types that a value of an interface or union may have; none for other types.
    #[must_use]
    pub fn possible_types(&self) -> &[TypeId] {
        match &self.kind {
            TypeKind::Interface { possible_types, .. } | TypeKind::Union { possible_types } => {
                possible_types
            }
            _ => &[],
        }
    }

    /// Whether fields are selected on values of this type.
    #[must_use]
    pub fn is_composite(&self) -> bool {
        matches!(
            self.kind,
            TypeKind::Object { .. } | TypeKind::Interface { .. } | TypeKind::Union { .. }
        )
    }

    /// Whether the type may stand where a value is given.
    #[must_use]
    pub fn is_input(&self) -> bool {
        matches!(
            self.kind,
            TypeKind::Scalar { .. } | TypeKind::Enum { .. } | TypeKind::InputObject { .. }
        )
    }
}

/// A directive that the schema declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectiveDefinition {
    /// Its name, without the `@`.
    pub name: Arc<str>,
    /// Whether it may stand several times at one place.
    pub is_repeatable: bool,
    /// Where it may stand, such as `FIELD`.
    pub locations: Vec<Box<str>>,
}
