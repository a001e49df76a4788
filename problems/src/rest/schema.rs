//! Schemas of values, as descriptions tell them.
//!
//! Schemas live in an arena and refer to each other by [`SchemaId`], so that what mentions itself
//! is a graph with a cycle and nothing is expanded.

mod flat;
mod kind;
mod validate;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Number, Value};

pub use flat::{Flat, Part};
pub use kind::{Kind, Kinds};
pub(crate) use validate::readable;
pub use validate::{Direction, Mismatch};

/// Number of a schema in its [`Schemas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub(crate) u32);

/// What values may be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    /// Title, where the description gives it one.
    pub name: Option<Arc<str>>,
    /// Name under which references find it, among the components of the description.
    pub component: Option<Arc<str>>,
    /// Kinds of values; all where none are told.
    pub kinds: Kinds,
    /// The only values, where they are listed.
    pub values: Option<Vec<Value>>,
    /// Format of texts and numbers.
    pub format: Option<Arc<str>>,
    /// Pattern that a part of each text matches.
    pub pattern: Option<Arc<str>>,
    /// Bounds on texts, lists and objects.
    pub lengths: Lengths,
    /// Bounds on numbers.
    pub bounds: Bounds,
    /// Elements of lists.
    pub items: Option<SchemaId>,
    /// The first elements of lists.
    pub first_items: Vec<SchemaId>,
    /// Whether the elements of lists differ.
    pub has_unique_items: bool,
    /// Members of objects.
    pub properties: Vec<(Arc<str>, SchemaId)>,
    /// Names of the members that must be there.
    pub required: Vec<Arc<str>>,
    /// Members besides the properties.
    pub additional: Additional,
    /// Names of members.
    pub names: Option<SchemaId>,
    /// All of these hold too.
    pub all_of: Vec<SchemaId>,
    /// Exactly one of these holds too.
    pub one_of: Vec<SchemaId>,
    /// At least one of these holds too.
    pub any_of: Vec<SchemaId>,
    /// This does not hold.
    pub not: Option<SchemaId>,
    /// Member that tells which alternative an object is, and its value for each.
    pub discriminator: Option<Discriminator>,
    /// Whether the value is only received.
    pub is_read_only: bool,
    /// Whether the value is only sent.
    pub is_write_only: bool,
    /// Value that stands for a missing one.
    pub default: Option<Value>,
    /// Values that the description shows.
    pub examples: Vec<Value>,
    /// How it is written in XML.
    pub xml: Xml,
    /// Whether no value is right.
    pub is_never: bool,
}

/// Bounds on the sizes of texts, lists and objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lengths {
    /// Characters of texts.
    pub text: (Option<u64>, Option<u64>),
    /// Elements of lists.
    pub items: (Option<u64>, Option<u64>),
    /// Members of objects.
    pub members: (Option<u64>, Option<u64>),
}

/// Bounds on numbers; numbers are kept as they are written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bounds {
    /// Smallest.
    pub minimum: Option<Number>,
    /// Largest.
    pub maximum: Option<Number>,
    /// Every number is larger.
    pub above: Option<Number>,
    /// Every number is smaller.
    pub below: Option<Number>,
    /// Every number is a multiple of each of these.
    pub multiples: Vec<Number>,
}

/// Members besides the properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Additional {
    /// Any.
    #[default]
    Allowed,
    /// None.
    Denied,
    /// Of this schema.
    Schema(SchemaId),
}

impl Schema {
    /// The alternative that an object says it is.
    pub(crate) fn told_alternative(&self, value: &Value) -> Option<SchemaId> {
        let discriminator = self.discriminator.as_ref()?;
        let told = value.get(&*discriminator.property)?.as_str()?;
        let mut mapping = discriminator.mapping.iter();
        mapping.find(|(name, _)| **name == *told).map(|(_, alternative)| *alternative)
    }
}

/// The member that tells which alternative an object is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discriminator {
    /// Its name.
    pub property: Arc<str>,
    /// Its values, and the alternative of each.
    pub mapping: Vec<(Arc<str>, SchemaId)>,
}

/// How a value is written in XML.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Xml {
    /// Name of its element or attribute.
    pub name: Option<Arc<str>>,
    /// Whether it is an attribute.
    pub is_attribute: bool,
    /// Whether a list has an element around it.
    pub is_wrapped: bool,
}

/// All schemas of a description.
#[derive(Debug, Clone)]
pub struct Schemas {
    all: Vec<Schema>,
}

impl Default for Schemas {
    fn default() -> Self {
        let never = Schema { is_never: true, ..Schema::default() };
        Self { all: vec![Schema::default(), never] }
    }
}

impl Schemas {
    /// Any value.
    pub const ANY: SchemaId = SchemaId(0);
    /// No value.
    pub const NEVER: SchemaId = SchemaId(1);

    /// All of them.
    pub(crate) fn all(&self) -> &[Schema] {
        &self.all
    }

    /// A schema by its number.
    ///
    /// # Panics
    /// When the number is of another description.
    #[must_use]
    pub fn get(&self, id: SchemaId) -> &Schema {
        &self.all[id.0 as usize]
    }

    /// Number of schemas.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Names of all members.
    pub(crate) fn member_names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flat_map(|schema| schema.properties.iter().map(|member| &*member.0))
    }

    /// Names of members that tell which alternative an object is: discriminators, and what can have one
    /// value only.
    pub(crate) fn markers(&self) -> BTreeSet<&str> {
        let has_one_value =
            |id: &SchemaId| self.get(*id).values.as_ref().is_some_and(|it| it.len() == 1);
        let mut markers = BTreeSet::new();
        for schema in &self.all {
            markers.extend(schema.discriminator.iter().map(|it| &*it.property));
            for member in &schema.properties {
                if has_one_value(&member.1) {
                    markers.insert(&*member.0);
                }
            }
        }
        markers
    }

    /// Whether there is none; there are always those of any value and of none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(crate) fn reserve(&mut self) -> SchemaId {
        self.all.push(Schema::default());
        SchemaId(self.all.len() as u32 - 1)
    }

    pub(crate) fn fill(&mut self, id: SchemaId, schema: Schema) {
        self.all[id.0 as usize] = schema;
    }

    pub(crate) fn add(&mut self, schema: Schema) -> SchemaId {
        let id = self.reserve();
        self.fill(id, schema);
        id
    }
}
