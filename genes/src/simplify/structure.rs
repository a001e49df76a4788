//! Ideas for smaller trees: parts left out, emptied, or replaced by a part of their own.

use super::change::{Change, Edit};
use super::leaf::simpler_leaves;
use crate::gene::{ChoiceGene, Gene, ObjectGene};
use crate::map::MapSpec;
use crate::object::is_selection;
use crate::path::{GenePath, PathStep};
use crate::settings::GeneSettings;
use crate::spec::{ArraySpec, ChoiceSpec, GeneSpec, ObjectSpec, SpecId, SpecRef};
use crate::wrapper::SeededSpec;

/// Most ideas collected before they are ordered.
const MOST: usize = 20_000;

/// Collects ideas in one walk.
pub(super) struct Collection<'a> {
    pub(super) edits: Vec<Edit>,
    spec: &'a SpecRef,
    settings: &'a GeneSettings,
    path: GenePath,
    /// Objects, lists and choices entered: their specification, how deep, and their size.
    entered: Vec<(SpecId, usize, usize)>,
}

impl<'a> Collection<'a> {
    pub(super) fn new(spec: &'a SpecRef, gene: &Gene, settings: &'a GeneSettings) -> Self {
        let (path, entered) = (GenePath::default(), Vec::new());
        let edits = Vec::with_capacity(4 * gene.size());
        Self { edits, spec, settings, path, entered }
    }

    fn add(&mut self, removed: usize, order: u32, change: Change) {
        if self.edits.len() < MOST {
            self.edits.push(Edit { removed, order, change });
        }
    }

    fn put(&mut self, removed: usize, order: u32, value: Gene) {
        self.add(removed, order, Change::Put(self.path.clone(), value));
    }

    /// Ideas for a gene of the specification `id` and for its parts.
    pub(super) fn visit(&mut self, id: SpecId, gene: &Gene) {
        let spec = self.spec;
        match spec.graph().spec(id) {
            GeneSpec::Optional(optional) => {
                self.visit_optional(gene, optional.is_nullable);
                if !matches!(gene, Gene::Absent | Gene::Null) {
                    self.visit(optional.inner, gene);
                }
            }
            GeneSpec::Nullable(inner) => {
                if *gene != Gene::Null {
                    self.put(gene.size() - 1, 1, Gene::Null);
                    self.visit(*inner, gene);
                }
            }
            GeneSpec::Disruptive(inner)
            | GeneSpec::Seeded(SeededSpec { inner, .. })
            | GeneSpec::Immutable(inner) => self.visit(*inner, gene),
            GeneSpec::Object(_)
            | GeneSpec::Array(_)
            | GeneSpec::UniqueArray(_)
            | GeneSpec::Map(_)
            | GeneSpec::Choice(_)
            | GeneSpec::Tuple(_) => self.visit_composite(id, gene),
            leaf => {
                let simplest = crate::simplest(&spec.at(id), self.settings);
                for (order, value) in simpler_leaves(leaf, gene, &simplest).into_iter().enumerate()
                {
                    if value != *gene {
                        self.put(0, order as u32 + 1, value);
                    }
                }
            }
        }
    }

    fn visit_optional(&mut self, gene: &Gene, is_nullable: bool) {
        if *gene == Gene::Absent {
            return;
        }
        let size = gene.size();
        let is_field = matches!(self.path.0.last(), Some(PathStep::Field(_)));
        // The gene of an absent field goes too; elsewhere it takes the place.
        self.put(if is_field { size } else { size - 1 }, 0, Gene::Absent);
        if is_nullable && *gene != Gene::Null {
            self.put(size - 1, 1, Gene::Null);
        }
    }

    fn visit_composite(&mut self, id: SpecId, gene: &Gene) {
        let size = gene.size();
        let simplest = crate::simplest(&self.spec.at(id), self.settings);
        if !simplest.is_placeholder() && simplest != *gene {
            self.put(size.saturating_sub(simplest.size()), 0, simplest);
        }
        let above = self.entered.iter().filter(|(other, _, _)| *other == id);
        for (_, depth, above_size) in above.copied().collect::<Vec<_>>() {
            let (from, to) = (self.path.clone(), GenePath(self.path.0[..depth].to_vec()));
            self.add(above_size - size, 0, Change::Lift { from, to });
        }
        self.entered.push((id, self.path.0.len(), size));
        self.visit_parts(id, gene);
        self.entered.pop();
    }

    fn visit_parts(&mut self, id: SpecId, gene: &Gene) {
        let spec = self.spec;
        match (spec.graph().spec(id), gene) {
            (GeneSpec::Object(object), Gene::Object(value)) => {
                self.visit_object(id, object, value);
            }
            (GeneSpec::Array(array) | GeneSpec::UniqueArray(array), Gene::Array(elements)) => {
                self.visit_array(array, elements);
            }
            (GeneSpec::Map(map), Gene::Map(entries)) => self.visit_map(map, entries),
            (GeneSpec::Choice(choice), Gene::Choice(value)) => self.visit_choice(choice, value),
            (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) => {
                for (position, (field, part)) in tuple.elements.iter().zip(elements).enumerate() {
                    self.step(PathStep::Field(position as u32), field.spec, part);
                }
            }
            _ => {}
        }
    }

    fn step(&mut self, step: PathStep, id: SpecId, part: &Gene) {
        self.path.0.push(step);
        self.visit(id, part);
        self.path.0.pop();
    }

    fn visit_object(&mut self, id: SpecId, object: &ObjectSpec, gene: &ObjectGene) {
        let graph = self.spec.graph();
        let is_selection = is_selection(graph.spec(id));
        let specs = |position: u32| object.fields.get(position as usize).map(|field| field.spec);
        let is_optional = |position: u32| specs(position).is_some_and(|id| graph.is_optional(id));
        let can_go = |position: u32| is_selection || is_optional(position);
        let fields = gene.fields.iter().filter(|(position, _)| can_go(*position));
        let fields: Vec<(u32, usize)> = fields.map(|(at, part)| (*at, part.size())).collect();
        for range in chunks(fields.len(), usize::from(is_selection)) {
            let removed = fields[range.clone()].iter().map(|(_, size)| size).sum();
            let positions = fields[range].iter().map(|(position, _)| *position).collect();
            self.add(removed, 0, Change::RemoveFields(self.path.clone(), positions));
        }
        for (position, part) in &gene.fields {
            if let Some(spec) = specs(*position) {
                let spec = if is_selection { crate::site::present(graph, spec) } else { spec };
                self.step(PathStep::Field(*position), spec, part);
            }
        }
    }

    fn visit_array(&mut self, array: &ArraySpec, elements: &[Gene]) {
        for range in chunks(elements.len(), array.min as usize) {
            let removed = elements[range.clone()].iter().map(Gene::size).sum();
            self.add(removed, 0, Change::RemoveElements(self.path.clone(), range));
        }
        for (index, part) in elements.iter().enumerate() {
            self.step(PathStep::Element(index as u32), array.element, part);
        }
    }

    fn visit_map(&mut self, map: &MapSpec, entries: &[(Gene, Gene)]) {
        for range in chunks(entries.len(), map.min as usize) {
            let size = |(key, value): &(Gene, Gene)| key.size() + value.size();
            let removed = entries[range.clone()].iter().map(size).sum();
            self.add(removed, 0, Change::RemoveElements(self.path.clone(), range));
        }
        for (index, (key, value)) in entries.iter().enumerate() {
            self.step(PathStep::Key(index as u32), map.key, key);
            self.step(PathStep::Element(index as u32), map.value, value);
        }
    }

    fn visit_choice(&mut self, choice: &ChoiceSpec, gene: &ChoiceGene) {
        for (branch, field) in choice.branches.iter().enumerate() {
            let value = crate::simplest(&self.spec.at(field.spec), self.settings);
            let removed = gene.value.size().saturating_sub(value.size());
            let branch = branch as u32;
            if branch != gene.branch && !value.is_placeholder() {
                let value = Box::new(value);
                self.put(removed, branch + 1, Gene::Choice(ChoiceGene { branch, value }));
            }
        }
        if let Some(branch) = choice.branches.get(gene.branch as usize) {
            self.step(PathStep::Branch(gene.branch), branch.spec, &gene.value);
        }
    }
}

/// Ranges to remove from `length` things so that at least `least` remain: all that may go, halves,
/// quarters, down to single ones, each from the end.
fn chunks(length: usize, least: usize) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let mut chunk = length.saturating_sub(least);
    while chunk > 0 {
        let mut end = length;
        while end > 0 {
            let start = end.saturating_sub(chunk);
            ranges.push(start..end);
            end = start;
        }
        chunk /= 2;
    }
    ranges
}
