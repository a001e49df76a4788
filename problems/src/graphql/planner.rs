//! Planning of tests: calls in an order in which they feed each other, and the sweep that a run
//! begins with.

mod chain;
mod prelude;
mod sign_in;
mod sweep;

use wallace_engine::Learnt;
use wallace_genes::Draw;

use super::memory::GraphqlMemory;
use super::sampler::Sampler;
use super::scope::Scope;

/// Makes tests of several calls.
pub(crate) struct Planner<'a, 'd> {
    pub(crate) scope: &'a Scope,
    pub(crate) learnt: &'a Learnt<GraphqlMemory>,
    pub(crate) draw: &'d mut Draw,
}

impl<'a> Planner<'a, '_> {
    /// What samples single calls.
    pub(crate) fn sampler(&mut self) -> Sampler<'a, '_> {
        Sampler { scope: self.scope, learnt: self.learnt, draw: self.draw }
    }
}
