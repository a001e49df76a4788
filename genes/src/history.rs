//! What earlier changes of a test did, and the changes that follow from it.
//!
//! Blind mutation forgets that adding 64 to this number was what helped last time. A [`History`]
//! remembers, for the numbers and texts that were changed in one lineage, the last step and
//! whether it helped on the target that is followed, and takes the next step accordingly: twice as
//! far after success; back, then half as far, after failure. Texts are changed one character at a
//! time, as the distance of two texts is computed, then in their length; floats on decimal grids,
//! 1, 0.1, 0.01, since conditions compare with numbers that people wrote.
//!
//! It is off where [`GeneSettings::guided`](crate::GeneSettings) is 0. Otherwise whoever
//! evaluates tests carries the history of a lineage through its proposals:
//!
//! ```
//! use std::sync::Arc;
//! use wallace_genes::{history::*, spec::*, *};
//!
//! let mut builder = SpecBuilder::new();
//! let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
//! let spec = SpecRef::new(builder.build(), number);
//! let distance = |gene: &Gene| match gene {
//!     Gene::Integer(value) => (i64::from(*value) - 1_234_567).abs(),
//!     _ => i64::MAX,
//! };
//!
//! let settings = Arc::new(GeneSettings { guided: 0.9, ..GeneSettings::default() });
//! let mut history = History::default();
//! let mut gene = Gene::Integer(0);
//! for evaluation in 0..500 {
//!     let mut draw = Draw::new(42, evaluation, Arc::clone(&settings));
//!     draw.history = std::mem::take(&mut history);
//!     draw.history.enter_action(0);
//!     let mut mutant = gene.clone();
//!     mutate(&spec, TemplateId(0), &mut mutant, &[0], &Knowledge::default(), &mut draw);
//!     history = draw.history;
//!     let outcome = Outcome::of(distance(&gene).cmp(&distance(&mutant)));
//!     history.report(outcome);
//!     if outcome != Outcome::Worse {
//!         gene = mutant;
//!     }
//! }
//! assert_eq!(gene, Gene::Integer(1_234_567));
//! ```

use std::cmp::Ordering;
use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::path::{GenePath, PathStep};
use crate::trend::Trend;

/// How a mutant did on the target of its lineage, compared with what it was made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Nearer.
    Improved,
    /// Equally near.
    Same,
    /// Farther.
    Worse,
    /// Not known: the evaluation failed, or the target was not asked for.
    Unknown,
}

impl Outcome {
    /// The outcome of a mutant whose score compares so with its parent's, greater being better.
    #[must_use]
    pub fn of(order: Ordering) -> Self {
        match order {
            Ordering::Greater => Self::Improved,
            Ordering::Equal => Self::Same,
            Ordering::Less => Self::Worse,
        }
    }
}

/// The last steps at the places of one lineage's test, at most [`History::LIMIT`]; the longest
/// unused are forgotten. Plain data, part of the state of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    action: u32,
    places: VecDeque<Place>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    action: u32,
    path: GenePath,
    trend: Trend,
    /// The trend of a change that did not follow `trend`, until it is known how it did.
    other: Option<Trend>,
    /// Whether a change here was ever seen to matter.
    is_proven: bool,
    /// Whether it was changed since the last report.
    is_pending: bool,
}

impl History {
    /// Most places remembered.
    pub const LIMIT: usize = 32;

    /// Says which action of the test is mutated next, by its number.
    pub fn enter_action(&mut self, action: u32) {
        self.action = action;
    }

    /// Tells how the test did whose places were changed since the last report.
    ///
    /// When several places were changed, success is credited to all of them, but failure to none:
    /// which one failed is not known.
    pub fn report(&mut self, outcome: Outcome) {
        let pending = self.places.iter().filter(|place| place.is_pending).count();
        self.places.retain_mut(|place| {
            !std::mem::take(&mut place.is_pending) || place.learn(outcome, pending == 1)
        });
    }

    /// Whether the next change at a place of the entered action follows from earlier ones that
    /// mattered: a reason to choose that place more often.
    #[must_use]
    pub fn is_promising(&self, path: &[PathStep]) -> bool {
        self.find(path).is_some_and(|index| self.places[index].is_proven)
    }

    /// Number of places remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    fn find(&self, path: &[PathStep]) -> Option<usize> {
        let is_there = |place: &Place| place.action == self.action && place.path.0 == path;
        self.places.iter().position(is_there)
    }

    /// What is known of a place. It becomes the newest.
    pub(crate) fn trend(&mut self, path: &[PathStep]) -> Option<Trend> {
        let place = self.places.remove(self.find(path)?)?;
        let trend = place.trend.clone();
        self.places.push_back(place);
        Some(trend)
    }

    /// Remembers a step that was guided.
    pub(crate) fn follow(&mut self, path: &[PathStep], trend: Option<Trend>) {
        let Some(index) = self.find(path) else { return };
        match trend {
            Some(trend) => {
                self.places[index].trend = trend;
                self.places[index].is_pending = true;
            }
            None => {
                self.places.remove(index);
            }
        }
    }

    /// Remembers a step that was not guided, if it is one of a kind that can be followed.
    pub(crate) fn note(&mut self, path: &[PathStep], other: Option<Trend>) {
        let known = self.find(path).and_then(|index| self.places.remove(index));
        let place = match (known, other) {
            // One blind failure does not end what was on its way.
            (Some(known), other) if known.is_proven => {
                Place { is_pending: other.is_some(), other, ..known }
            }
            (_, Some(trend)) => {
                let (path, action) = (GenePath(path.to_vec()), self.action);
                Place { action, path, trend, other: None, is_proven: false, is_pending: true }
            }
            (_, None) => return,
        };
        if self.places.len() == Self::LIMIT {
            self.places.pop_front();
        }
        self.places.push_back(place);
    }
}

impl Place {
    /// Learns from an outcome. Returns whether the place is still worth remembering.
    fn learn(&mut self, outcome: Outcome, is_alone: bool) -> bool {
        match (outcome, self.other.take()) {
            (Outcome::Improved, Some(other)) => self.trend = other,
            (_, Some(_)) => return true,
            (_, None) => {}
        }
        match outcome {
            Outcome::Improved => {
                self.is_proven = true;
                self.trend.helped();
                true
            }
            Outcome::Unknown => true,
            Outcome::Same | Outcome::Worse if !is_alone => true,
            // What changes nothing is no way anywhere, unless it was one.
            Outcome::Same if !self.is_proven => false,
            Outcome::Same | Outcome::Worse => {
                self.is_proven = true;
                self.trend.failed()
            }
        }
    }
}
