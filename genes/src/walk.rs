//! Walking a specification and a gene together.
//!
//! Sampling and mutation need to know where they are: the path, for what was learnt of it, and the
//! object types entered so far, for the limits. A [`Walk`] carries that; what each kind of gene
//! does with it stands in the file of that kind.

use crate::draw::Draw;
use crate::gene::Gene;
use crate::knowledge::{Knowledge, Learnt, TemplateId};
use crate::path::PathStep;
use crate::spec::{GeneSpec, ObjectPurpose, ObjectSpec, SpecGraph, SpecId, SpecRef};

/// Where a sampler or mutator is, and what it works with.
pub(crate) struct Walk<'a> {
    pub(crate) graph: &'a SpecGraph,
    pub(crate) draw: &'a mut Draw,
    template: TemplateId,
    knowledge: &'a Knowledge,
    pub(crate) path: Vec<PathStep>,
    entered: Vec<SpecId>,
    pub(crate) nodes: u32,
    /// Probability that a chosen site here is mutated.
    pub(crate) rate: f64,
    root: &'a SpecRef,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        spec: &'a SpecRef,
        template: TemplateId,
        knowledge: &'a Knowledge,
        draw: &'a mut Draw,
    ) -> Self {
        let graph = spec.graph();
        let (path, entered) = (Vec::new(), Vec::new());
        Self { graph, draw, template, knowledge, path, entered, nodes: 0, rate: 1.0, root: spec }
    }

    /// Runs `inside` one step deeper.
    pub(crate) fn step<T>(&mut self, step: PathStep, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = inside(self);
        self.path.pop();
        result
    }

    /// A position of the walked graph on its own.
    pub(crate) fn spec_at(&self, id: SpecId) -> SpecRef {
        self.root.at(id)
    }

    /// Runs `inside` where mutations happen with a probability of their own.
    pub(crate) fn rated<T>(&mut self, rate: f64, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.rate;
        self.rate *= rate;
        let result = inside(self);
        self.rate = outside;
        result
    }

    /// Runs `inside` with the object type entered.
    pub(crate) fn enter<T>(&mut self, id: SpecId, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.entered.push(id);
        let result = inside(self);
        self.entered.pop();
        result
    }

    /// The placeholder that stands here instead of the object, when a limit forbids to enter it.
    pub(crate) fn placeholder(&self, object: &ObjectSpec) -> Option<Gene> {
        if self.remaining_depth(object.purpose) == 0 {
            return Some(Gene::LimitObject);
        }
        let is_same = |id: &&SpecId| match self.graph.spec(**id) {
            GeneSpec::Object(entered) => entered.type_name == object.type_name,
            _ => false,
        };
        let occurrences = self.entered.iter().filter(is_same).count();
        (occurrences >= self.draw.settings.same_type as usize).then_some(Gene::CycleObject)
    }

    /// Object levels that may still be entered here.
    pub(crate) fn remaining_depth(&self, purpose: ObjectPurpose) -> u32 {
        let is_same = |id: &&SpecId| match self.graph.spec(**id) {
            GeneSpec::Object(entered) => entered.purpose == purpose,
            _ => false,
        };
        let depth = self.entered.iter().filter(is_same).count() as u32;
        let limit = match purpose {
            ObjectPurpose::Selection => self.draw.settings.selection_depth,
            ObjectPurpose::Input => self.draw.settings.input_depth,
        };
        limit.saturating_sub(depth)
    }

    /// Whether the action already holds as many genes as it should.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes >= self.draw.settings.nodes
    }

    /// Remembers a part that is switched off here.
    pub(crate) fn put_to_sleep(&mut self, part: Gene) {
        self.draw.dormant.remember(self.template, &self.path, part);
    }

    /// The part that was last switched off here, half of the time.
    pub(crate) fn awaken(&mut self) -> Option<Gene> {
        let part = self.draw.dormant.take(self.template, &self.path)?;
        self.draw.rng.chance(0.5).then_some(part)
    }

    /// What was learnt of the text at this place.
    pub(crate) fn specialisations(&self) -> &'a [Learnt] {
        if self.knowledge.is_empty() {
            return &[];
        }
        self.knowledge.specialisations(self.template, &self.path)
    }

    /// The values behind an optional position; the position itself otherwise.
    pub(crate) fn present(&self, id: SpecId) -> SpecId {
        match self.graph.spec(id) {
            GeneSpec::Optional(optional) => optional.inner,
            _ => id,
        }
    }
}
