//! Sites: the places of a tree where a decision can be changed.
//!
//! The sites of a tree stand in the order of a walk, and are numbered by it. Whoever mutates
//! weighs and chooses among them; what a site is worth to it may depend on where it is
//! ([`visit_sites`]), on how much there is to decide ([`weigh_sites`]) or on neither
//! ([`collect_sites`]).

use crate::gene::Gene;
use crate::knowledge::{Knowledge, TemplateId};
use crate::object::is_selection;
use crate::path::PathStep;
use crate::spec::{GeneSpec, OptionalSpec, SpecGraph, SpecId, SpecRef};
use crate::wrapper::SeededSpec;

/// One site of a tree.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// Where it is, from the root gene. Not unique: an optional composite value and a list in it
    /// are decided at one place.
    pub path: &'a [PathStep],
    /// The value there; [`Gene::Absent`] for a field that is left out.
    pub gene: &'a Gene,
    spec: SpecId,
}

/// Calls `visit` with every site of the tree, in the order in which [`mutate`](crate::mutate)
/// numbers them.
///
/// ```
/// use wallace_genes::{site::*, spec::*, *};
///
/// let mut builder = SpecBuilder::new();
/// let flag = builder.add(GeneSpec::Boolean);
/// let list = builder.add(GeneSpec::Array(ArraySpec { element: flag, min: 0, max: 9 }));
/// let spec = SpecRef::new(builder.build(), list);
/// let gene = Gene::Array(vec![Gene::Boolean(true); 2]);
/// let mut places = Vec::new();
/// visit_sites(&spec, &gene, &mut |site| {
///     places.push(GenePath(site.path.to_vec()).normalised().to_string());
/// });
/// assert_eq!(places, ["", "/*", "/*"]); // the length, and each element
/// ```
pub fn visit_sites(spec: &SpecRef, gene: &Gene, visit: &mut dyn FnMut(Site<'_>)) {
    visit_below(spec.graph(), spec.id(), gene, &mut Vec::new(), visit);
}

fn visit_below(
    graph: &SpecGraph,
    id: SpecId,
    gene: &Gene,
    path: &mut Vec<PathStep>,
    visit: &mut dyn FnMut(Site<'_>),
) {
    if has_site(graph, id, gene) {
        visit(Site { path, gene, spec: id });
    }
    for_parts(graph, id, gene, &mut |step, part_id, part| {
        path.push(step);
        visit_below(graph, part_id, part, path, visit);
        path.pop();
    });
}

/// Appends the weight of every site of the tree by how much there is to decide
/// (docs/reference/search.md#genes-to-mutate): 1 for a plain value, a length, a branch or a
/// selection; for a text of a format 1 for each of its parts, such as 3 for a day; 1 more where the
/// value may also be left out; 0.1 more for each thing learnt of a text.
pub fn weigh_sites(
    spec: &SpecRef,
    template: TemplateId,
    gene: &Gene,
    knowledge: &Knowledge,
    weights: &mut Vec<f64>,
) {
    let graph = spec.graph();
    visit_sites(spec, gene, &mut |site| {
        let own = own_weight(graph, site.spec, site.gene);
        let learnt = match site.gene {
            Gene::String(_) => knowledge.specialisations(template, site.path).len(),
            _ => 0,
        };
        weights.push(own + 0.1 * learnt as f64);
    });
}

fn own_weight(graph: &SpecGraph, id: SpecId, gene: &Gene) -> f64 {
    match (graph.spec(id), gene) {
        (GeneSpec::Optional(_) | GeneSpec::Nullable(_), Gene::Absent | Gene::Null) => 1.0,
        (GeneSpec::Optional(OptionalSpec { inner, .. }) | GeneSpec::Nullable(inner), present) => {
            let is_apart = is_composite(graph, *inner, present);
            if is_apart { 1.0 } else { 1.0 + own_weight(graph, *inner, present) }
        }
        (GeneSpec::Disruptive(inner), gene) => own_weight(graph, *inner, gene),
        (GeneSpec::Seeded(seeded), gene) => own_weight(graph, seeded.inner, gene),
        (GeneSpec::Format(format), _) => format.weight(),
        _ => 1.0,
    }
}

/// Appends the weight of every site of the tree, in walk order: 1 each
/// (docs/reference/search.md#genes-to-mutate), since composite genes list their parts as sites of
/// their own.
pub fn collect_sites(spec: &SpecRef, gene: &Gene, weights: &mut Vec<f64>) {
    count_sites(spec.graph(), spec.id(), gene, weights);
}

pub(crate) fn count_sites(graph: &SpecGraph, id: SpecId, gene: &Gene, weights: &mut Vec<f64>) {
    if has_site(graph, id, gene) {
        weights.push(1.0);
    }
    for_parts(graph, id, gene, &mut |_, part_id, part| count_sites(graph, part_id, part, weights));
}

/// Whether the position itself holds a decision that can be changed.
pub(crate) fn has_site(graph: &SpecGraph, id: SpecId, gene: &Gene) -> bool {
    match graph.spec(id) {
        GeneSpec::Tuple(_) | GeneSpec::Constant | GeneSpec::Immutable(_) => false,
        GeneSpec::Object(object) => is_selection(graph.spec(id)) && object.fields.len() > 1,
        // A present optional and the leaf in it are one decision.
        GeneSpec::Optional(_) | GeneSpec::Nullable(_) => true,
        GeneSpec::Disruptive(inner) => has_site(graph, *inner, gene),
        GeneSpec::Seeded(seeded) => {
            seeded.examples.len() > 1 || has_site(graph, seeded.inner, gene)
        }
        GeneSpec::Map(map) => map.max > map.min,
        GeneSpec::Decimal(range) => range.has_choice(),
        GeneSpec::Array(array) | GeneSpec::UniqueArray(array) => {
            array.max > array.min || matches!(gene, Gene::Array(elements) if elements.len() > 1)
        }
        GeneSpec::Choice(choice) => choice.branches.len() > 1,
        GeneSpec::Enum(names) => names.values.len() > 1,
        GeneSpec::Integer(range) => range.min < range.max,
        GeneSpec::Long(range) => range.min < range.max,
        GeneSpec::Float(range) => range.min < range.max,
        GeneSpec::String(range) => range.max > 0,
        GeneSpec::Boolean | GeneSpec::Format(_) => true,
    }
}

/// Calls `visit` with the parts of a gene that hold sites of their own.
fn for_parts(
    graph: &SpecGraph,
    id: SpecId,
    gene: &Gene,
    visit: &mut dyn FnMut(PathStep, SpecId, &Gene),
) {
    match (graph.spec(id), gene) {
        (GeneSpec::Object(object), Gene::Object(value)) => {
            let is_selection = is_selection(graph.spec(id));
            for (position, part) in &value.fields {
                let spec = object.fields[*position as usize].spec;
                let spec = if is_selection { present(graph, spec) } else { spec };
                visit(PathStep::Field(*position), spec, part);
            }
            if !is_selection {
                // Absent fields of an input are not stored, but switching them on is a decision.
                for (position, field) in object.fields.iter().enumerate() {
                    if value.get(position as u32).is_none() {
                        visit(PathStep::Field(position as u32), field.spec, &Gene::Absent);
                    }
                }
            }
        }
        (
            GeneSpec::Optional(OptionalSpec { inner, .. })
            | GeneSpec::Nullable(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. }),
            present,
        ) if is_composite(graph, *inner, present) => for_parts(graph, *inner, present, visit),
        (GeneSpec::Disruptive(inner), gene) => for_parts(graph, *inner, gene, visit),
        (GeneSpec::Map(map), Gene::Map(entries)) => {
            for (index, (key, value)) in entries.iter().enumerate() {
                visit(PathStep::Key(index as u32), map.key, key);
                visit(PathStep::Element(index as u32), map.value, value);
            }
        }
        (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
            for (position, (field, part)) in tuple.elements.iter().zip(elements).enumerate() {
                visit(PathStep::Field(position as u32), field.spec, part);
            }
        }
        (GeneSpec::Array(array) | GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
            for (index, part) in elements.iter().enumerate() {
                visit(PathStep::Element(index as u32), array.element, part);
            }
        }
        (GeneSpec::Choice(choice), Gene::Choice(value)) => {
            let spec = choice.branches[value.branch as usize].spec;
            visit(PathStep::Branch(value.branch), spec, &value.value);
        }
        _ => {}
    }
}

pub(crate) fn present(graph: &SpecGraph, id: SpecId) -> SpecId {
    match graph.spec(id) {
        GeneSpec::Optional(optional) => optional.inner,
        _ => id,
    }
}

pub(crate) fn is_composite(graph: &SpecGraph, id: SpecId, gene: &Gene) -> bool {
    let is_part = match gene {
        Gene::Object(_) => |spec: &GeneSpec| matches!(spec, GeneSpec::Object(_)),
        Gene::Tuple(_) => |spec: &GeneSpec| matches!(spec, GeneSpec::Tuple(_)),
        Gene::Array(_) => {
            |spec: &GeneSpec| matches!(spec, GeneSpec::Array(_) | GeneSpec::UniqueArray(_))
        }
        Gene::Map(_) => |spec: &GeneSpec| matches!(spec, GeneSpec::Map(_)),
        Gene::Choice(_) => |spec: &GeneSpec| matches!(spec, GeneSpec::Choice(_)),
        _ => return false,
    };
    is_part(graph.spec(graph.value(id)))
}
