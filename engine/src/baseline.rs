//! Baselines: the algorithms that MIO is measured against.
//!
//! Each keeps what it needs between tests and nothing else; sampling, mutation, evaluation and the
//! archive are those of the search. Tests are proposed one by one, also where an algorithm works in
//! generations: whoever is asked for a test while results of a generation are still out breeds from
//! the parents it has.

mod breeding;
mod dominance;
mod many_objective;
mod one_plus_one;
mod whole_suite;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub(crate) use self::breeding::Breeding;
use self::many_objective::ManyObjective;
use self::one_plus_one::OnePlusOne;
use self::whole_suite::WholeSuite;
use crate::algorithm::Algorithm;
use crate::archive::Archive;
use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::Problem;
use crate::problem::evaluated::Evaluated;

/// The state of a baseline.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) enum Baseline<A: Action> {
    Random,
    OnePlusOne(OnePlusOne<A>),
    WholeSuite(WholeSuite<A>),
    ManyObjective(ManyObjective<A>),
}

impl<A: Action> Baseline<A> {
    /// The baseline of an algorithm; `None` for MIO.
    pub(crate) fn of(algorithm: Algorithm) -> Option<Self> {
        match algorithm {
            Algorithm::Mio => None,
            Algorithm::Random => Some(Self::Random),
            Algorithm::OnePlusOne => Some(Self::OnePlusOne(OnePlusOne::default())),
            Algorithm::WholeSuite => Some(Self::WholeSuite(WholeSuite::default())),
            Algorithm::ManyObjective => Some(Self::ManyObjective(ManyObjective::default())),
        }
    }

    /// The next test.
    pub(crate) fn propose<P: Problem<Action = A>>(
        &mut self,
        breeding: &mut Breeding<'_, P>,
    ) -> Individual<A> {
        match self {
            Self::Random => breeding.sample(),
            Self::OnePlusOne(state) => state.propose(breeding),
            Self::WholeSuite(state) => state.propose(breeding),
            Self::ManyObjective(state) => state.propose(breeding),
        }
    }

    /// Takes in the oldest test proposed; `None` when it could not be evaluated.
    pub(crate) fn commit(&mut self, test: Option<&Arc<Evaluated<A>>>, archive: &Archive<A>) {
        match self {
            Self::Random => {}
            Self::OnePlusOne(state) => state.commit(test),
            Self::WholeSuite(state) => state.commit(test),
            Self::ManyObjective(state) => state.commit(test, archive),
        }
    }
}
