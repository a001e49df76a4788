//! What values may be: gene specifications.
//!
//! A [`GeneSpec`] describes the values of one position. Specifications live in an arena and refer
//! to each other by [`SpecId`], so a schema whose types mention each other is a graph with as many
//! nodes as the schema has types and fields; nothing is expanded in advance. The rejected
//! alternative, one expanded tree per operation, costs time and memory by the size of the schema
//! (155,238 genes for Saleor 2.11 in the field's reference engine) where an operation uses ten.

use std::sync::Arc;

use serde_json::Value;

use crate::wrapper::Seed;
use crate::{Gene, GeneSettings};

pub use crate::cost::Cost;
pub use crate::format::{
    DateSpec, DateTimeSpec, FormatSpec, IpVersion, Notation, RegexError, RegexSpec, RuleSpec,
    TimeSpec, is_of_format,
};
pub use crate::map::MapSpec;
pub use crate::number::{DecimalSpec, EmptyRange, NumberBounds};
pub use crate::wrapper::SeededSpec;

/// Position of a specification in its [`SpecGraph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpecId(pub(crate) u32);

impl SpecId {
    /// Position in the graph, from 0: for tables with an entry for each specification.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The values that one position may hold.
#[derive(Debug, Clone, PartialEq)]
pub enum GeneSpec {
    /// Named fields.
    Object(ObjectSpec),
    /// A value that may be left out.
    Optional(OptionalSpec),
    /// A field with arguments; the last element may be the returned object.
    Tuple(TupleSpec),
    /// A list of like values.
    Array(ArraySpec),
    /// One of several alternatives.
    Choice(ChoiceSpec),
    /// Text.
    String(StringSpec),
    /// One of a fixed list of values.
    Enum(EnumSpec),
    /// A 32-bit integer.
    Integer(IntegerSpec),
    /// A 64-bit integer.
    Long(LongSpec),
    /// A finite double.
    Float(FloatSpec),
    /// True or false.
    Boolean,
    /// An exact decimal, or an integer of any size.
    Decimal(Arc<DecimalSpec>),
    /// Text of a stated format.
    Format(FormatSpec),
    /// A list of like values that all differ.
    UniqueArray(ArraySpec),
    /// Values under keys that are not fixed.
    Map(MapSpec),
    /// A value or null.
    Nullable(SpecId),
    /// Values whose change changes much, such as a mode or a tenant: mutated rarely, with the
    /// probability [`GeneSettings::disruptive`](crate::GeneSettings).
    Disruptive(SpecId),
    /// Values of which examples are known.
    Seeded(SeededSpec),
    /// A value that no mutation changes.
    Immutable(SpecId),
    /// The single value of a position that has no choice, such as a selected scalar field.
    Constant,
}

/// What an object's fields are for; decides the rule of validity and the limit on depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectPurpose {
    /// Fields to ask for: at least one must be selected.
    Selection,
    /// Fields of an input value: optional ones may all be left out.
    Input,
}

/// A named value inside an object, tuple or choice.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Name as the schema writes it.
    pub name: Arc<str>,
    /// Its values.
    pub spec: SpecId,
}

impl Field {
    /// A field.
    pub fn new(name: impl Into<Arc<str>>, spec: SpecId) -> Self {
        Self { name: name.into(), spec }
    }
}

/// Specification of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectSpec {
    /// Name of the type; equal names count as the same type when cycles are looked for.
    pub type_name: Arc<str>,
    /// What the fields are for.
    pub purpose: ObjectPurpose,
    /// Fields in schema order.
    pub fields: Vec<Field>,
}

/// Specification of a value that may be left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OptionalSpec {
    /// Values when present. Never itself optional.
    pub inner: SpecId,
    /// Whether an explicit null is allowed besides leaving the value out.
    pub is_nullable: bool,
}

/// Specification of a field with arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct TupleSpec {
    /// Arguments in schema order, then the returned object if there is one.
    pub elements: Vec<Field>,
    /// Whether the last element is the returned object, on which fields are selected.
    pub has_selection: bool,
}

/// Specification of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArraySpec {
    /// Values of the elements.
    pub element: SpecId,
    /// Smallest length.
    pub min: u32,
    /// Largest length.
    pub max: u32,
}

/// Specification of a choice among alternatives.
#[derive(Debug, Clone, PartialEq)]
pub struct ChoiceSpec {
    /// The alternatives; at least one.
    pub branches: Vec<Field>,
}

/// Specification of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StringSpec {
    /// Smallest length in characters.
    pub min: u32,
    /// Largest length in characters.
    pub max: u32,
}

impl Default for StringSpec {
    /// Any text of up to 1,024 characters, the usual bound of the field
    /// (docs/reference/genes.md#text).
    fn default() -> Self {
        Self { min: 0, max: 1024 }
    }
}

/// Specification of an enumeration.
#[derive(Debug, Clone, PartialEq)]
pub struct EnumSpec {
    /// The values, mostly names; at least one.
    pub values: Arc<[Value]>,
}

impl EnumSpec {
    /// The name at a position; nothing where there is none, or a value that is no text.
    #[must_use]
    pub fn name(&self, index: u32) -> Option<&str> {
        self.values.get(index as usize)?.as_str()
    }
}

/// Specification of a 32-bit integer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntegerSpec {
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
}

impl Default for IntegerSpec {
    fn default() -> Self {
        Self { min: i32::MIN, max: i32::MAX }
    }
}

/// Specification of a 64-bit integer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LongSpec {
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
}

impl Default for LongSpec {
    fn default() -> Self {
        Self { min: i64::MIN, max: i64::MAX }
    }
}

/// Specification of a finite double.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FloatSpec {
    /// Smallest value; finite.
    pub min: f64,
    /// Largest value; finite.
    pub max: f64,
}

impl Default for FloatSpec {
    fn default() -> Self {
        Self { min: f64::MIN, max: f64::MAX }
    }
}

/// Specifications under construction.
///
/// Objects may be reserved first and filled later, which is how cycles come about.
#[derive(Debug, Default)]
pub struct SpecBuilder {
    nodes: Vec<GeneSpec>,
    /// Examples that become genes when all specifications are known.
    seeds: Vec<Seed>,
}

impl SpecBuilder {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a specification.
    pub fn add(&mut self, spec: GeneSpec) -> SpecId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 specifications");
        self.nodes.push(spec);
        SpecId(id)
    }

    /// Reserves a place for a specification that others refer to before it is known.
    pub fn reserve(&mut self) -> SpecId {
        self.add(GeneSpec::Constant)
    }

    /// Fills a reserved place.
    pub fn fill(&mut self, id: SpecId, spec: GeneSpec) {
        self.nodes[id.index()] = spec;
    }

    /// A value that may be left out; an optional value stays as it is, so that wrapping twice
    /// does no harm. A nullable value becomes one of three states: left out, null, or a value.
    pub fn optional(&mut self, inner: SpecId, is_nullable: bool) -> SpecId {
        match self.nodes[inner.index()] {
            GeneSpec::Optional(_) => inner,
            GeneSpec::Nullable(inner) => {
                self.add(GeneSpec::Optional(OptionalSpec { inner, is_nullable: true }))
            }
            _ => self.add(GeneSpec::Optional(OptionalSpec { inner, is_nullable })),
        }
    }

    /// A value or null; an optional value gets null as a third state.
    pub fn nullable(&mut self, inner: SpecId) -> SpecId {
        match self.nodes[inner.index()] {
            GeneSpec::Nullable(_) => inner,
            GeneSpec::Optional(optional) => {
                self.add(GeneSpec::Optional(OptionalSpec { is_nullable: true, ..optional }))
            }
            _ => self.add(GeneSpec::Nullable(inner)),
        }
    }

    /// Makes a reserved place one of values of which examples are known, as JSON; those that are no
    /// values of `inner` do not count.
    pub fn fill_seeded(&mut self, id: SpecId, inner: SpecId, values: Vec<Value>, probability: f64) {
        self.fill(
            id,
            GeneSpec::Seeded(SeededSpec { inner, examples: Arc::default(), probability }),
        );
        self.seeds.push(Seed { id, inner, values });
    }

    /// Finishes the graph and computes what the cheapest value of each position costs.
    #[must_use]
    pub fn build(self) -> Arc<SpecGraph> {
        let costs = Cost::of_all(&self.nodes);
        let mut graph = Arc::new(SpecGraph { nodes: self.nodes, costs });
        let seen: Vec<Arc<[Gene]>> = self.seeds.iter().map(|seed| examples(&graph, seed)).collect();
        let nodes = &mut Arc::get_mut(&mut graph).expect("nobody else has it yet").nodes;
        for (seed, known) in self.seeds.iter().zip(seen) {
            if let GeneSpec::Seeded(seeded) = &mut nodes[seed.id.index()] {
                seeded.examples = known;
            }
        }
        graph
    }
}

/// The values of a seed that its specification has. One that does not follow it in all is as near to it
/// as it comes: what an author shows rather works than what chance makes.
fn examples(graph: &Arc<SpecGraph>, seed: &Seed) -> Arc<[Gene]> {
    let spec = SpecRef::new(Arc::clone(graph), seed.inner);
    let near = |value: &Value| {
        let mut gene = graph.read_in_part(seed.inner, value)?;
        crate::repair(&spec, &mut gene, &GeneSettings::default());
        (!gene.is_placeholder()).then_some(gene)
    };
    let read = |value: &Value| graph.read(seed.inner, value).or_else(|| near(value));
    seed.values.iter().filter_map(read).collect()
}

/// All specifications of a schema; immutable and shared.
#[derive(Debug)]
pub struct SpecGraph {
    nodes: Vec<GeneSpec>,
    costs: Vec<Cost>,
}

impl SpecGraph {
    /// The specification at a position.
    #[must_use]
    pub fn spec(&self, id: SpecId) -> &GeneSpec {
        &self.nodes[id.index()]
    }

    /// What the cheapest value of a position costs.
    #[must_use]
    pub fn cost(&self, id: SpecId) -> Cost {
        self.costs[id.index()]
    }

    /// Number of specifications.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no specification.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

/// A position in a shared graph: the specification of one operation, say.
#[derive(Debug, Clone)]
pub struct SpecRef {
    graph: Arc<SpecGraph>,
    id: SpecId,
}

impl SpecRef {
    /// The position `id` of `graph`.
    #[must_use]
    pub fn new(graph: Arc<SpecGraph>, id: SpecId) -> Self {
        Self { graph, id }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &SpecGraph {
        &self.graph
    }

    /// The position.
    #[must_use]
    pub fn id(&self) -> SpecId {
        self.id
    }

    /// The specification at this position.
    #[must_use]
    pub fn spec(&self) -> &GeneSpec {
        self.graph.spec(self.id)
    }

    /// Another position of the same graph.
    #[must_use]
    pub fn at(&self, id: SpecId) -> Self {
        Self { graph: Arc::clone(&self.graph), id }
    }
}
