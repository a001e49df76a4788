//! Suspicion: early signs that the search has nothing to work with (search-mio.md 14.14).
//!
//! A wrong address, a missing login or instrumentation that is switched off look like a search that
//! finds nothing. That shows after a few dozen tests, long before a budget is spent.

use serde::{Deserialize, Serialize};

use crate::individual::action::Action;
use crate::individual::fingerprint::fingerprint;
use crate::problem::evaluated::{Evaluated, Reach};

/// Something about the set-up that is probably wrong. Each is told at most once in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Suspicion {
    /// No test reached any target.
    NothingReached {
        /// Evaluations so far.
        evaluations: u64,
    },
    /// Different tests reached the same targets with the same scores, all of them.
    NothingChanges {
        /// Evaluations so far.
        evaluations: u64,
    },
    /// More tests failed than ran.
    MostFail {
        /// Evaluations that failed.
        failures: u64,
        /// Evaluations so far.
        evaluations: u64,
    },
}

impl std::fmt::Display for Suspicion {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NothingReached { evaluations } => {
                write!(formatter, "none of the first {evaluations} tests reached any target")
            }
            Self::NothingChanges { evaluations } => write!(
                formatter,
                "the first {evaluations} tests differ, and all of them scored the same"
            ),
            Self::MostFail { failures, evaluations } => {
                write!(formatter, "{failures} of the first {evaluations} tests could not be run")
            }
        }
    }
}

/// Watches the first tests of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Watch {
    evaluations: u64,
    failures: u64,
    has_reached: bool,
    has_changed: bool,
    first: Option<(u64, u64)>,
    distinct: u64,
}

impl Watch {
    /// Tests after which it is told that nothing is reached, or that most fail.
    const SOME: u64 = 50;
    /// Tests after which it is told that nothing changes: some services hide what they do behind
    /// few arguments.
    const MANY: u64 = 200;

    /// Counts an evaluation, failed where there is no test.
    pub(crate) fn count<A: Action>(&mut self, test: Option<&Evaluated<A>>) -> Option<Suspicion> {
        if self.evaluations >= Self::MANY {
            return None;
        }
        self.evaluations += 1;
        match test {
            None => self.failures += 1,
            Some(test) => self.compare(test),
        }
        let evaluations = self.evaluations;
        match evaluations {
            Self::SOME if self.failures * 2 > evaluations => {
                Some(Suspicion::MostFail { failures: self.failures, evaluations })
            }
            Self::SOME if !self.has_reached => Some(Suspicion::NothingReached { evaluations }),
            Self::MANY
                if self.has_reached && !self.has_changed && self.distinct > evaluations / 2 =>
            {
                Some(Suspicion::NothingChanges { evaluations })
            }
            _ => None,
        }
    }

    fn compare<A: Action>(&mut self, test: &Evaluated<A>) {
        self.has_reached |= !test.fitness.is_empty();
        if self.has_changed {
            return;
        }
        let (text, scores) = (fingerprint(&test.individual), scores(&test.fitness));
        let (first_text, first_scores) = *self.first.get_or_insert((text, scores));
        self.distinct += u64::from(text != first_text);
        self.has_changed = scores != first_scores;
    }
}

/// A number that is the same for equal scores of equal targets (FNV-1a over words).
fn scores(fitness: &[Reach]) -> u64 {
    let words = fitness.iter().flat_map(|reach| {
        [reach.target.index() as u64, reach.score.get().to_bits(), reach.secondary.to_bits()]
    });
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    words.fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::individual::Individual;
    use crate::target::{Score, TargetId};
    use crate::testing::Step;

    fn test(value: i32, score: f64) -> Evaluated<Step> {
        let reach =
            Reach { target: TargetId(0), score: Score::new(score), secondary: 0.0, action: None };
        let fitness = if score > 0.0 { vec![reach] } else { Vec::new() };
        Evaluated::new(Individual::new([Step::integer(value)]), fitness, Vec::new(), 0, 1, true)
    }

    fn told(tests: impl Fn(i32) -> Option<Evaluated<Step>>) -> Vec<Suspicion> {
        let mut watch = Watch::default();
        (0..500).filter_map(|number| watch.count(tests(number).as_ref())).collect()
    }

    #[test]
    fn a_search_without_anything_to_work_with_is_suspicious_once() {
        let reached = Suspicion::NothingReached { evaluations: 50 };
        assert_eq!(told(|number| Some(test(number, 0.0))), [reached]);
        let changes = Suspicion::NothingChanges { evaluations: 200 };
        assert_eq!(told(|number| Some(test(number, 0.5))), [changes]);
        let fails = Suspicion::MostFail { failures: 34, evaluations: 50 };
        let third = |number: i32| (number % 3 == 2).then(|| test(number, 0.2));
        // With two of three failing, too few are left to say that nothing changes.
        assert_eq!(told(third), [fails]);
        assert_eq!(told(|number| (number % 3 != 2).then(|| test(number, f64::from(number)))), []);
    }

    #[test]
    fn a_search_that_works_is_not() {
        assert_eq!(told(|number| Some(test(number, f64::from(number + 1) / 500.0))), []);
        // The same test again and again says nothing.
        assert_eq!(told(|_| Some(test(1, 0.5))), []);
    }
}
