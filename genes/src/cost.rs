//! What the cheapest value of each position costs.
//!
//! The sampler uses it twice: a selection that must hold at least one field prefers cheap
//! completions, and a position whose cheapest value is deeper than what is left of the depth limit
//! is not entered at all.

use crate::spec::{Field, GeneSpec, ObjectPurpose, SpecId};

/// Cost of the cheapest value of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Number of genes in it; [`Cost::NEVER`] when no finite value exists.
    pub nodes: u32,
    /// Number of object levels in it.
    pub depth: u32,
}

impl Cost {
    /// Marks a position that has no value, such as an input type that requires itself, a list of
    /// more different elements than there are, or a text of over a million characters.
    pub const NEVER: u32 = u32::MAX;

    const NONE: Self = Self { nodes: Self::NEVER, depth: Self::NEVER };

    /// Whether a finite value exists.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.nodes != Self::NEVER
    }

    /// Costs of all positions, by repeated relaxation until nothing changes.
    ///
    /// Each pass lowers at least one cost and costs are positive integers, so it ends; real
    /// schemas need a handful of passes.
    pub(crate) fn of_all(nodes: &[GeneSpec]) -> Vec<Self> {
        let mut costs = vec![Self::NONE; nodes.len()];
        loop {
            let mut has_changed = false;
            // Children are usually added before their parents, so one pass settles most.
            for (index, node) in nodes.iter().enumerate() {
                let cost = cost_of(node, nodes, &costs);
                if cost != costs[index] {
                    costs[index] = cost;
                    has_changed = true;
                }
            }
            if !has_changed {
                return costs;
            }
        }
    }

    fn plus(self, other: Self) -> Self {
        if !self.is_finite() || !other.is_finite() {
            return Self::NONE;
        }
        Self {
            nodes: self.nodes.saturating_add(other.nodes).min(Self::NEVER - 1),
            depth: self.depth.max(other.depth),
        }
    }

    fn cheaper(self, other: Self) -> Self {
        Self { nodes: self.nodes.min(other.nodes), depth: self.depth.min(other.depth) }
    }

    fn deeper(self) -> Self {
        if self.is_finite() {
            Self { nodes: self.nodes.saturating_add(1).min(Self::NEVER - 1), depth: self.depth + 1 }
        } else {
            self
        }
    }
}

/// Most elements that a list or map may require: more would be no test but a load.
pub(crate) const MOST_PARTS: u32 = 10_000;
/// Most characters that a text may require.
const MOST_CHARACTERS: u32 = 1_000_000;

/// Whether there are fewer values than the list requires.
fn has_too_few(array: &crate::spec::ArraySpec, nodes: &[GeneSpec]) -> bool {
    let at = |id: SpecId| &nodes[id.index()];
    crate::distinct::count_values(at(array.element), at, 0) < u64::from(array.min)
}

fn cost_of(node: &GeneSpec, nodes: &[GeneSpec], costs: &[Cost]) -> Cost {
    let leaf = Cost { nodes: 1, depth: 0 };
    let at = |id: SpecId| costs[id.index()];
    let all = |fields: &[Field]| fields.iter().fold(leaf, |sum, field| sum.plus(at(field.spec)));
    let cheapest = |fields: &[Field]| {
        fields.iter().fold(Cost::NONE, |best, field| best.cheaper(at(field.spec)))
    };
    match node {
        GeneSpec::Object(object) => match object.purpose {
            ObjectPurpose::Input => all(&object.fields).deeper(),
            ObjectPurpose::Selection => {
                // Leaving a field out costs nothing, but here at least one must be present.
                let present = |field: &Field| match &nodes[field.spec.index()] {
                    GeneSpec::Optional(optional) => at(optional.inner),
                    _ => at(field.spec),
                };
                object.fields.iter().map(present).fold(Cost::NONE, Cost::cheaper).deeper()
            }
        },
        GeneSpec::Array(array) | GeneSpec::UniqueArray(array) if array.min > MOST_PARTS => {
            Cost::NONE
        }
        GeneSpec::Map(map) if map.min > MOST_PARTS => Cost::NONE,
        GeneSpec::String(range) if range.min > MOST_CHARACTERS => Cost::NONE,
        GeneSpec::UniqueArray(array) if has_too_few(array, nodes) => Cost::NONE,
        GeneSpec::UniqueArray(array) if array.min == 0 => leaf,
        GeneSpec::UniqueArray(array) => leaf.plus(at(array.element)),
        GeneSpec::Map(map) if map.min == 0 => leaf,
        GeneSpec::Map(map) => leaf.plus(at(map.key)).plus(at(map.value)),
        GeneSpec::Disruptive(inner) | GeneSpec::Immutable(inner) => at(*inner),
        GeneSpec::Seeded(seeded) => at(seeded.inner),
        GeneSpec::Tuple(tuple) => all(&tuple.elements),
        GeneSpec::Array(array) if array.min == 0 => leaf,
        GeneSpec::Array(array) => leaf.plus(at(array.element)),
        GeneSpec::Choice(choice) => leaf.plus(cheapest(&choice.branches)),
        GeneSpec::Optional(_)
        | GeneSpec::Nullable(_)
        | GeneSpec::Decimal(_)
        | GeneSpec::Format(_)
        | GeneSpec::String(_)
        | GeneSpec::Enum(_)
        | GeneSpec::Integer(_)
        | GeneSpec::Long(_)
        | GeneSpec::Float(_)
        | GeneSpec::Boolean
        | GeneSpec::Constant => leaf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{ObjectSpec, SpecBuilder};

    fn object(name: &str, purpose: ObjectPurpose, fields: Vec<Field>) -> GeneSpec {
        GeneSpec::Object(ObjectSpec { type_name: name.into(), purpose, fields })
    }

    #[test]
    fn a_selection_costs_its_cheapest_field() {
        let mut builder = SpecBuilder::new();
        let outer = builder.reserve();
        let leaf = builder.add(GeneSpec::Constant);
        let leaf_field = builder.optional(leaf, false);
        let inner = builder.add(object(
            "Inner",
            ObjectPurpose::Selection,
            vec![Field::new("leaf", leaf_field)],
        ));
        let inner_field = builder.optional(inner, false);
        let itself = builder.optional(outer, false);
        let fields = vec![Field::new("itself", itself), Field::new("inner", inner_field)];
        builder.fill(outer, object("Outer", ObjectPurpose::Selection, fields));
        let graph = builder.build();
        assert_eq!(graph.cost(inner), Cost { nodes: 2, depth: 1 });
        assert_eq!(graph.cost(outer), Cost { nodes: 3, depth: 2 });
    }

    #[test]
    fn an_input_that_requires_itself_has_no_value() {
        let mut builder = SpecBuilder::new();
        let outer = builder.reserve();
        let fields = vec![Field::new("itself", outer)];
        builder.fill(outer, object("Outer", ObjectPurpose::Input, fields));
        assert!(!builder.build().cost(outer).is_finite());
    }
}
