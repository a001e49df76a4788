//! What the calls of a run used of the schema, and what came back
//! (docs/reference/graphql.md#schema-coverage).
//!
//! Counts are of occurrences: a list of ten objects counts each of their fields ten times.

mod index;
mod record;
mod total;

use serde::{Deserialize, Serialize};

use super::schema::{FieldDefinition, InputValue, Schema, TypeDefinition, TypeKind};
use index::Index;

pub use total::CoverageTotal;

/// What was used of a schema: its types in schema order, without scalars and introspection types.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct SchemaCoverage {
    /// The types.
    pub types: Vec<TypeCoverage>,
    #[serde(skip)]
    index: Index,
}

/// What was used of a type; lists that its kind does not have are empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeCoverage {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: CoveredKind,
    /// Fields of an object or interface type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldCoverage>,
    /// Fields of an input object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<ArgumentCoverage>,
    /// Values of an enum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<ValueCoverage>,
    /// Possible types of an interface or union.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<MemberCoverage>,
}

/// Kinds of types that have parts to cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoveredKind {
    /// An object type.
    Object,
    /// An interface.
    Interface,
    /// A union.
    Union,
    /// An enum.
    Enum,
    /// An input object.
    InputObject,
}

/// What was used of a field. Selected on an interface, a field counts there, and at the object
/// type that came.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldCoverage {
    /// Its name.
    pub name: String,
    /// How often it was selected.
    pub queried: u64,
    /// Values that came and were not null, empty ones included; a list and its elements each count.
    pub non_null: u64,
    /// Nulls that came.
    pub null: u64,
    /// Lists without elements and empty texts that came.
    pub empty: u64,
    /// Errors whose path ends at the field.
    pub error: u64,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<ArgumentCoverage>,
}

/// What was given for an argument or input field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArgumentCoverage {
    /// Its name.
    pub name: String,
    /// How often it was left out where it could stand.
    pub omitted: u64,
    /// How often it was null.
    pub null: u64,
    /// How often it had a value.
    pub value: u64,
    /// How often it had a value in a call that gave data and no error.
    pub accepted: u64,
}

/// What was seen of an enum value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ValueCoverage {
    /// Its name.
    pub name: String,
    /// How often it was sent.
    pub sent: u64,
    /// How often it came back.
    pub received: u64,
}

/// What was seen of a possible type.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberCoverage {
    /// Its name.
    pub name: String,
    /// How often an object of it came where the interface or union is declared.
    pub received: u64,
}

impl SchemaCoverage {
    /// Nothing is covered yet.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        let types = schema.types().filter_map(|(_, definition)| type_coverage(schema, definition));
        Self { types: types.collect(), index: Index::default() }
    }

    /// The coverage as a JSON document: `totals`, then `types`.
    #[must_use]
    pub fn to_json(&self) -> String {
        let document = serde_json::json!({ "totals": self.totals(), "types": self.types });
        serde_json::to_string_pretty(&document).expect("all keys are texts") + "\n"
    }
}

fn type_coverage(schema: &Schema, definition: &TypeDefinition) -> Option<TypeCoverage> {
    if definition.name.starts_with("__") {
        return None;
    }
    let (kind, inputs, values) = match &definition.kind {
        TypeKind::Object { .. } => (CoveredKind::Object, &[][..], &[][..]),
        TypeKind::Interface { .. } => (CoveredKind::Interface, &[][..], &[][..]),
        TypeKind::Union { .. } => (CoveredKind::Union, &[][..], &[][..]),
        TypeKind::Enum { values } => (CoveredKind::Enum, &[][..], &values[..]),
        TypeKind::InputObject { fields, .. } => (CoveredKind::InputObject, &fields[..], &[][..]),
        TypeKind::Scalar { .. } | TypeKind::Broken { .. } => return None,
    };
    let members = match kind {
        CoveredKind::Interface | CoveredKind::Union => definition.possible_types(),
        CoveredKind::Object | CoveredKind::Enum | CoveredKind::InputObject => &[],
    };
    let member = |id: &super::schema::TypeId| MemberCoverage {
        name: schema.definition(*id).name.to_string(),
        ..MemberCoverage::default()
    };
    let value = |value: &super::schema::EnumValue| ValueCoverage {
        name: value.name.to_string(),
        ..ValueCoverage::default()
    };
    Some(TypeCoverage {
        name: definition.name.to_string(),
        kind,
        fields: definition.fields().iter().map(field_coverage).collect(),
        inputs: inputs.iter().map(argument_coverage).collect(),
        values: values.iter().map(value).collect(),
        members: members.iter().map(member).collect(),
    })
}

fn field_coverage(field: &FieldDefinition) -> FieldCoverage {
    FieldCoverage {
        name: field.name.to_string(),
        arguments: field.arguments.iter().map(argument_coverage).collect(),
        ..FieldCoverage::default()
    }
}

fn argument_coverage(argument: &InputValue) -> ArgumentCoverage {
    ArgumentCoverage { name: argument.name.to_string(), ..ArgumentCoverage::default() }
}

#[cfg(test)]
mod tests;
