//! Algorithms: MIO, and what it is compared with.

use serde::{Deserialize, Serialize};

/// Which algorithm proposes tests. All of them use the same sampler, the same mutation of genes,
/// the same archive and the same budget, so that a difference between two runs is one between the
/// algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Many Independent Objective (Arcuri, 2017 and 2019), with what this crate adds to it.
    #[default]
    Mio,
    /// Random search: every test is sampled.
    Random,
    /// A (1+1) EA for one target at a time: the best test known for it is mutated, and replaced by
    /// each mutant that is not worse. Every open target gets an equal share of what is left of the
    /// budget; what is covered by the way counts.
    OnePlusOne,
    /// Whole test suites evolve: a genetic algorithm over suites, whose fitness is the sum over all
    /// targets (Fraser and Arcuri, *Whole Test Suite Generation*, IEEE TSE 39(2), 2013).
    WholeSuite,
    /// MOSA, the many-objective sorting algorithm (Panichella, Kifetew and Tonella, *Reformulating
    /// Branch Coverage as a Many-Objective Optimization Problem*, ICST 2015).
    ManyObjective,
}

/// Of which tests it is told which action reached what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attribution {
    /// Of every test.
    #[default]
    Always,
    /// Of tests that are better for some target than any before, which are run a second time for
    /// it. Of others it is taken over from the test that they are a mutant of.
    OnDemand,
}
