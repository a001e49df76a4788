//! How baselines make tests: the sampler and the mutator of the search, without what adapts.

use wallace_genes::Draw;

use crate::archive::Archive;
use crate::individual::Individual;
use crate::operator::helper::Helpers;
use crate::operator::impact::Tally;
use crate::operator::mutation::Mutation;
use crate::problem::{Learnt, Problem};
use crate::settings::SearchSettings;

/// What baselines make tests with.
pub(crate) struct Breeding<'a, P: Problem> {
    pub(crate) problem: &'a P,
    pub(crate) learnt: &'a Learnt<P::Memory>,
    pub(crate) settings: &'a SearchSettings,
    pub(crate) archive: &'a Archive<P::Action>,
    /// Used share of the budget.
    pub(crate) used: f64,
    pub(crate) draw: &'a mut Draw,
}

impl<P: Problem> Breeding<'_, P> {
    /// A random test.
    pub(crate) fn sample(&mut self) -> Individual<P::Action> {
        self.problem.sample(self.learnt, self.draw)
    }

    /// A mutant of a test, without anything adaptive: its structure, or each gene with a
    /// probability of one in their number.
    pub(crate) fn mutant(&mut self, parent: &Individual<P::Action>) -> Individual<P::Action> {
        let mutation = Mutation {
            problem: self.problem,
            learnt: self.learnt,
            settings: self.settings,
            impact: None,
            archive: self.archive,
            helpers: &Helpers::default(),
            overall_trim: Tally::default(),
            draw: self.draw,
        };
        mutation.plain(parent)
    }

    /// The first `head` actions of one test and those of another from `tail` on, no more than a
    /// test may have.
    pub(crate) fn joined(
        &self,
        one: &Individual<P::Action>,
        head: usize,
        other: &Individual<P::Action>,
        tail: usize,
    ) -> Individual<P::Action> {
        let mut child = one.joined(head, other, tail);
        while child.size() > self.settings.max_size.max(1) {
            child.remove(child.actions().len() - 1);
        }
        child
    }
}
