//! Schema coverage: which fields of which types a set of operations asks for.
//!
//! A *tuple* is a pair of a type and one of its fields. The two studies of the field differ in what
//! they count, so both rules are here: Karlsson, Causevic and Sundmark, "Automatic Property-based
//! Testing of GraphQL APIs" (AST 2021), and Zetterlund, Tiwari, Monperrus and Baudry, "Harvesting
//! Production GraphQL Queries to Detect Schema Faults" (ICST 2022).

use super::schema::{FieldId, OperationKind, Schema, TypeId, TypeKind};

/// What is no tuple.
const NONE: u32 = u32::MAX;

/// The tuples of a schema: the denominator of schema coverage.
#[derive(Debug, Clone)]
pub struct SchemaTuples {
    fields: Vec<FieldId>,
    /// Of each type, where its fields begin in `positions`.
    first: Vec<u32>,
    /// Of each field, the number of its tuple.
    positions: Vec<u32>,
}

impl SchemaTuples {
    /// The rule of Karlsson et al.: the fields, deprecated ones included, of every object type that
    /// queries can reach through the types of fields. Interfaces, unions and introspection do not
    /// count, and lead nowhere.
    #[must_use]
    pub fn reachable(schema: &Schema) -> Self {
        let mut is_reached = vec![false; schema.types().len()];
        let mut open: Vec<TypeId> = schema.root(OperationKind::Query).into_iter().collect();
        while let Some(id) = open.pop() {
            let definition = schema.definition(id);
            let is_object = matches!(definition.kind, TypeKind::Object { .. });
            if is_object && !std::mem::replace(&mut is_reached[id.index()], true) {
                open.extend(definition.fields().iter().map(|field| field.type_ref.named()));
            }
        }
        Self::of(schema, |id| is_reached[id.owner.index()])
    }

    /// The rule of Zetterlund et al.: the fields that are not deprecated, of every object and
    /// interface type whose name has no underscore, the types of operations included.
    #[must_use]
    pub fn declared(schema: &Schema) -> Self {
        let counts = |id: FieldId| {
            let is_plain = !schema.definition(id.owner).name.contains('_');
            is_plain && schema.field(id).deprecation.is_none()
        };
        Self::of(schema, counts)
    }

    fn of(schema: &Schema, counts: impl Fn(FieldId) -> bool) -> Self {
        let (mut fields, mut first, mut positions) = (Vec::new(), Vec::new(), Vec::new());
        for (id, _) in schema.types() {
            first.push(positions.len() as u32);
            for field in schema.fields(id) {
                let position = if counts(field) { fields.len() as u32 } else { NONE };
                positions.push(position);
                fields.extend((position != NONE).then_some(field));
            }
        }
        Self { fields, first, positions }
    }

    /// Number of tuples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The tuples in schema order.
    #[must_use]
    pub fn fields(&self) -> &[FieldId] {
        &self.fields
    }

    /// Number of the tuple of a field, from 0; nothing when the field is none.
    ///
    /// # Panics
    /// When the field belongs to another schema.
    #[must_use]
    pub fn position(&self, field: FieldId) -> Option<usize> {
        let place = self.first[field.owner.index()] + field.index;
        Some(self.positions[place as usize]).filter(|it| *it != NONE).map(|it| it as usize)
    }
}

/// A set of tuples: the numerator of schema coverage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TupleCoverage {
    words: Vec<u64>,
    covered: usize,
}

impl TupleCoverage {
    /// No tuple of these.
    #[must_use]
    pub fn new(tuples: &SchemaTuples) -> Self {
        Self { words: vec![0; tuples.len().div_ceil(64)], covered: 0 }
    }

    /// Adds a tuple by its number; whether it is new.
    ///
    /// # Panics
    /// When there is no such tuple.
    pub fn cover(&mut self, tuple: usize) -> bool {
        let word = &mut self.words[tuple / 64];
        let bit = 1 << (tuple % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        self.covered += usize::from(is_new);
        is_new
    }

    /// Adds all tuples of another set.
    pub fn union(&mut self, other: &Self) {
        for (word, others) in self.words.iter_mut().zip(&other.words) {
            *word |= others;
        }
        self.covered = self.words.iter().map(|word| word.count_ones() as usize).sum();
    }

    /// Whether a tuple is in the set.
    #[must_use]
    pub fn is_covered(&self, tuple: usize) -> bool {
        self.words.get(tuple / 64).is_some_and(|word| word >> (tuple % 64) & 1 == 1)
    }

    /// Number of tuples in the set.
    #[must_use]
    pub fn covered(&self) -> usize {
        self.covered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = "interface Node { id: ID! } \
        type Query { a: A old: Int @deprecated node: Node } \
        type A implements Node { id: ID! a: A } \
        type Hidden { x: Int } type With_Line { x: Int }";

    fn names(rule: fn(&Schema) -> SchemaTuples) -> Vec<String> {
        let schema = Schema::from_sdl(SCHEMA).unwrap();
        rule(&schema).fields().iter().map(|field| schema.coordinate(*field)).collect()
    }

    #[test]
    fn the_two_rules_differ() {
        assert_eq!(
            names(SchemaTuples::reachable),
            ["Query.a", "Query.old", "Query.node", "A.id", "A.a"]
        );
        assert_eq!(
            names(SchemaTuples::declared),
            ["Node.id", "Query.a", "Query.node", "A.id", "A.a", "Hidden.x"]
        );
    }

    #[test]
    fn tuples_are_counted_once() {
        let schema = Schema::from_sdl(SCHEMA).unwrap();
        let tuples = SchemaTuples::declared(&schema);
        let position = |field| tuples.position(schema.field_at(field).unwrap());
        let (mut one, mut other) = (TupleCoverage::new(&tuples), TupleCoverage::new(&tuples));
        assert!(one.cover(position("A.a").unwrap()));
        assert!(!one.cover(position("A.a").unwrap()));
        assert!(other.cover(position("Hidden.x").unwrap()));
        one.union(&other);
        assert_eq!((one.covered(), other.covered()), (2, 1));
        assert!(one.is_covered(position("Hidden.x").unwrap()));
        assert_eq!(position("Query.old"), None);
    }
}
