//! What names the things that the calls of a plan are about.

use std::sync::Arc;

use wallace_engine::{Binding, BindingSource, Individual};
use wallace_genes::Draw;

use crate::rest::action::RestAction;
use crate::rest::operations::Operations;

/// Things of a kind that are enough for a test about few.
const FEW: usize = 2;

/// What names the things that the calls of a plan are about, by their path.
#[derive(Debug, Default)]
pub(in crate::rest) struct Known {
    sources: Vec<(Arc<str>, BindingSource)>,
    /// Whether [`FEW`] things of a kind are enough.
    is_of_few: bool,
}

impl Known {
    /// What the calls of a plan name already.
    pub(super) fn of(plan: &Individual<RestAction>, operations: &Operations) -> Self {
        let mut known = Self::default();
        for (action, call) in plan.actions() {
            for need in operations.resources.needs(call.template) {
                let source = BindingSource::Gene { action: *action, path: need.path() };
                known.add(&need.thing.place, source);
            }
        }
        known
    }

    /// Of a test about few things.
    pub(super) fn of_few() -> Self {
        Self { is_of_few: true, ..Self::default() }
    }

    pub(super) fn is_of_few(&self) -> bool {
        self.is_of_few
    }

    /// Whether no more of these need be made.
    pub(super) fn has_enough(&self, plan: &Individual<RestAction>, wanted: &Arc<str>) -> bool {
        self.is_of_few && self.others(plan, wanted, &[]).len() >= FEW
    }

    pub(super) fn add(&mut self, place: &Arc<str>, source: BindingSource) {
        self.sources.push((Arc::clone(place), source));
    }

    /// What names one of these things: with the probability `last` the last one, otherwise any.
    pub(super) fn find(
        &self,
        wanted: &Arc<str>,
        last: f64,
        draw: &mut Draw,
    ) -> Option<BindingSource> {
        let fitting: Vec<&BindingSource> = self.all(|place| place == wanted).collect();
        let latest = *fitting.last()?;
        if !self.is_of_few && draw.rng.chance(last) {
            return Some(latest.clone());
        }
        draw.rng.pick(&fitting).map(|source| (*source).clone())
    }

    /// What names a thing that a value refers to, and is not among `taken`: values of one call that
    /// refer to things of one kind mostly mean different ones. The more there are, the rarer is
    /// another one needed. What is bound to another source in `plan` means the same as that.
    pub(super) fn find_other(
        &self,
        plan: &Individual<RestAction>,
        wanted: &Arc<str>,
        taken: &[BindingSource],
        draw: &mut Draw,
    ) -> Option<BindingSource> {
        let fitting = self.others(plan, wanted, taken);
        let is_enough = self.is_of_few && taken.len() + fitting.len() >= FEW
            || !draw.rng.chance(0.5_f64.powi(fitting.len().min(30) as i32));
        draw.rng.pick(&fitting).filter(|_| is_enough).map(|source| (*source).clone())
    }

    /// What names each of these things, once, but for those among `taken`.
    fn others(
        &self,
        plan: &Individual<RestAction>,
        wanted: &Arc<str>,
        taken: &[BindingSource],
    ) -> Vec<&BindingSource> {
        let mut seen = taken.to_vec();
        let mut others = Vec::new();
        for source in self.all(|place| place == wanted) {
            let root = root(plan, source);
            if !seen.contains(&root) {
                seen.push(root);
                others.push(source);
            }
        }
        others
    }

    /// All that is known of places, in the order in which it became known.
    pub(super) fn all(
        &self,
        is_wanted: impl Fn(&Arc<str>) -> bool,
    ) -> impl Iterator<Item = &BindingSource> {
        self.sources.iter().filter(move |(place, _)| is_wanted(place)).map(|(_, source)| source)
    }

    /// Forgets what does not hold.
    pub(in crate::rest) fn retain(&mut self, holds: impl Fn(&BindingSource) -> bool) {
        self.sources.retain(|(_, source)| holds(source));
    }
}

/// Where a value comes from in the end: a gene that is bound has the value of another.
pub(super) fn root(plan: &Individual<RestAction>, source: &BindingSource) -> BindingSource {
    let mut root = source;
    // Sources come first, so this ends.
    while let BindingSource::Gene { action, path } = root {
        let is_it = |binding: &&Binding| binding.action == *action && binding.path == *path;
        let Some(bound) = plan.bindings().iter().find(is_it) else { break };
        root = &bound.source;
    }
    root.clone()
}
