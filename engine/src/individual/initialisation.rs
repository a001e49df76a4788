//! Initialisation: what brings the system into the state that a test wants, before its actions.
//!
//! Rows of a database, say. Such steps have one shape in every problem, a template and a gene, so
//! that they are no matter of the problem's own actions: they stand in a list of their own before
//! them, are not counted in the size of a test and have no outcome.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, GenePath, TemplateId};

use crate::individual::action::Action;
use crate::individual::{ActionId, Individual};

/// One step of initialisation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Initialisation {
    /// Template that the gene is a value of; see
    /// [`Problem::initialisation_spec`](crate::Problem::initialisation_spec).
    pub template: TemplateId,
    /// The decisions in the step.
    pub gene: Gene,
    /// In which round of initialisation the step was added to its test, from 1.
    pub round: u8,
    /// Genes of actions that hold the same value as one of this step.
    #[serde(default)]
    pub feeds: Vec<Feed>,
}

/// Says that a gene of an action has the value of a gene of an initialisation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Feed {
    /// Where the value is in the initialisation.
    pub from: GenePath,
    /// The action that uses it.
    pub action: ActionId,
    /// The gene there.
    pub path: GenePath,
}

impl<A: Action> Individual<A> {
    /// Steps of initialisation that a test may have.
    pub const MOST_INITIALISATIONS: usize = 60;

    /// The steps of initialisation, in order.
    #[must_use]
    pub fn initialisation(&self) -> &[Arc<Initialisation>] {
        &self.initialisation
    }

    /// Puts these steps in the place of all others. Feeds of actions that are gone go too, and so
    /// do steps beyond [`MOST_INITIALISATIONS`](Self::MOST_INITIALISATIONS).
    pub fn set_initialisation(&mut self, steps: Vec<Initialisation>) {
        let mut steps = steps;
        steps.truncate(Self::MOST_INITIALISATIONS);
        for step in &mut steps {
            step.feeds.retain(|feed| self.position(feed.action).is_some());
        }
        self.initialisation = steps.into_iter().map(Arc::new).collect();
    }

    /// The gene of the step at a position for change; copied first when it is shared.
    ///
    /// # Panics
    /// When there is no such position.
    pub fn initialisation_mut(&mut self, place: usize) -> &mut Initialisation {
        Arc::make_mut(&mut self.initialisation[place])
    }

    /// The last round in which initialisation was added; 0 without any.
    #[must_use]
    pub fn round(&self) -> u8 {
        self.initialisation.iter().map(|step| step.round).max().unwrap_or(0)
    }

    /// The test without the steps of initialisation at the given positions; `None` when there are
    /// none.
    #[must_use]
    pub fn without_initialisation(&self, places: std::ops::Range<usize>) -> Option<Self> {
        let is_there = places.start < places.end.min(self.initialisation.len());
        is_there.then(|| {
            let mut rest = self.clone();
            rest.initialisation.drain(places.start..places.end.min(self.initialisation.len()));
            rest
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    fn step(value: i32, feeds: Vec<Feed>) -> Initialisation {
        Initialisation { template: TemplateId(9), gene: Gene::Integer(value), round: 2, feeds }
    }

    #[test]
    fn initialisation_counts_as_length_and_not_as_size() {
        let mut test = Individual::new([Step::integer(1)]);
        let (size, length, plain) = (test.size(), test.length(), test.clone());
        let feed = |action| Feed { from: GenePath::default(), action, path: GenePath::default() };
        let own = test.actions()[0].0;
        test.set_initialisation(vec![
            step(1, vec![feed(own), feed(ActionId(77))]),
            step(2, vec![]),
        ]);
        assert_eq!((test.size(), test.length(), test.round()), (size, length + 2, 2));
        assert_eq!(test.initialisation()[0].feeds.len(), 1, "a feed of no action is dropped");
        let rest = test.without_initialisation(0..1).unwrap();
        assert_eq!(rest.initialisation()[0].gene, Gene::Integer(2));
        assert_eq!(rest.without_initialisation(1..2), None);
        assert_eq!(rest.without_initialisation(0..5), Some(plain));
    }

    #[test]
    fn joined_and_trimmed_tests_keep_initialisation() {
        let mut test = Individual::new([Step::integer(1), Step::integer(2)]);
        let own = test.actions()[1].0;
        let feed = Feed { from: GenePath::default(), action: own, path: GenePath::default() };
        test.set_initialisation(vec![step(7, vec![feed])]);
        assert_eq!(test.trimmed_to(own).initialisation().len(), 1);
        let joined = test.joined(2, &test, 0);
        let last = joined.actions()[3].0;
        assert_eq!(joined.initialisation().len(), 2);
        assert_eq!(joined.initialisation()[1].feeds[0].action, last, "feeds follow new ids");
    }
}
