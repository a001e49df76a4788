//! The agenda: which tests come next, and which are out.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::operator::follow_up::FollowUps;
use crate::search::attribution::Unattributed;
use crate::search::lineage::Proposal;

/// Tests that wait to be proposed, and those that are proposed and not committed; part of the state
/// of a search.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Agenda<A: Action> {
    /// Tests of earlier runs that come before all others.
    pub(super) seeds: VecDeque<Individual<A>>,
    /// The next of the problem's own tests to begin with; `None` when there are no more.
    pub(super) initial: Option<u64>,
    pub(super) follow_ups: FollowUps<A>,
    pub(super) unattributed: Unattributed<A>,
    /// Tests proposed and not committed, oldest first.
    pub(super) open: VecDeque<Proposal<A>>,
    /// How many of the open tests, the last ones, were open in a snapshot and go out again.
    #[serde(skip)]
    again: usize,
    pub(super) proposed: u64,
}

impl<A: Action> Default for Agenda<A> {
    fn default() -> Self {
        Self {
            seeds: VecDeque::new(),
            initial: Some(0),
            follow_ups: FollowUps::default(),
            unattributed: Unattributed::default(),
            open: VecDeque::new(),
            again: 0,
            proposed: 0,
        }
    }
}

impl<A: Action> Agenda<A> {
    /// The agenda of a snapshot: what was out goes out again.
    pub(super) fn restored(self) -> Self {
        Self { again: self.open.len(), ..self }
    }

    /// Whether another test may go out where `most` may be out at a time, and so many calls are `left`:
    /// several workers make those of all tests that are out.
    pub(super) fn has_room(&self, most: usize, left: u64) -> bool {
        let calls: u64 = self.open.iter().map(|open| open.individual.size() as u64).sum();
        let is_spoken_for = calls >= left && !self.open.is_empty();
        self.again > 0 || self.open.len() < most && !is_spoken_for
    }

    /// The oldest test that has to go out again.
    pub(super) fn once_more(&mut self) -> Option<Proposal<A>> {
        let place = self.open.len() - self.again;
        self.again = self.again.saturating_sub(1);
        self.open.get(place).cloned()
    }

    /// The number of the next test.
    pub(super) fn number(&mut self) -> u64 {
        self.proposed += 1;
        self.proposed - 1
    }

    /// Notes that a test is out.
    pub(super) fn sent(&mut self, proposal: Proposal<A>) -> Proposal<A> {
        self.open.push_back(proposal.clone());
        proposal
    }

    /// Notes that a test is back; only the oldest may be.
    pub(super) fn back(&mut self, given: u64) -> Result<(), OutOfOrder> {
        let expected = self.open.front().map(|open| open.number);
        if expected != Some(given) || self.again == self.open.len() {
            return Err(OutOfOrder { given, expected });
        }
        self.open.pop_front();
        Ok(())
    }
}

/// A result was committed before those of earlier tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "results are committed in the order of their proposals: {given} was given, {expected:?} comes next"
)]
pub struct OutOfOrder {
    /// Number of the proposal that was given.
    pub given: u64,
    /// Number of the oldest open proposal; `None` when none is open.
    pub expected: Option<u64>,
}
