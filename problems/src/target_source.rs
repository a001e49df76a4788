//! Targets of the user's own on a service: what tests should come near besides its code and answers.

use wallace_engine::{ActionId, Score, TargetKind, TargetName};

use crate::oracle::Call;

/// Targets of your own: says how near each test came to what you look for.
///
/// A source is shown every test that was evaluated, with the requests, answers and times of its calls.
/// The search keeps the tests that come nearest to each target, and changes those. A function over the
/// calls is a source:
///
/// ```
/// use wallace_problems::{Call, OwnTarget, TargetSource};
///
/// let slow = |calls: &[Call<'_>]| {
///     let slowest = calls.iter().map(|call| call.elapsed.as_secs_f64()).fold(0.0, f64::max);
///     vec![OwnTarget::at_least("a call of 50 ms", slowest, 0.05)]
/// };
/// assert_eq!(slow.targets(&[])[0].score.get(), 0.0);
/// ```
///
/// Several workers ask at the same time. What is measured, like a time, makes a run one that cannot be
/// repeated exactly.
pub trait TargetSource: Send + Sync {
    /// The targets that a test came near, by its calls in order. One that is left out was not reached;
    /// of several with one name the nearest counts.
    fn targets(&self, calls: &[Call<'_>]) -> Vec<OwnTarget>;
}

impl<F> TargetSource for F
where
    F: Fn(&[Call<'_>]) -> Vec<OwnTarget> + Send + Sync,
{
    fn targets(&self, calls: &[Call<'_>]) -> Vec<OwnTarget> {
        self(calls)
    }
}

/// How near a test came to a target of the user's own.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OwnTarget {
    /// What it is called in reports, after `own:`. The same over runs.
    pub name: String,
    /// How near the test came: 0 is not reached, 1 is covered, and more is nearer.
    pub score: Score,
    /// Position of the call that came near; the last where none is named.
    pub call: Option<usize>,
}

impl OwnTarget {
    /// A target with its heuristic, a number from 0 (not reached) to 1 (covered).
    pub fn new(name: impl Into<String>, heuristic: f64) -> Self {
        Self { name: name.into(), score: Score::new(heuristic), call: None }
    }

    /// A target that is covered when a value that is not negative is `goal` or more, and the nearer
    /// the greater the value is: `value / goal`. A goal that is not positive is always covered.
    ///
    /// For "as much as possible" give a ladder of goals, each a target of its own: a search leaves a
    /// target alone once it is covered.
    pub fn at_least(name: impl Into<String>, value: f64, goal: f64) -> Self {
        Self::new(name, if goal > 0.0 { value / goal } else { 1.0 })
    }

    /// Names the call that came near, by its position in the test: what comes after it need not be kept.
    #[must_use]
    pub fn by_call(mut self, call: usize) -> Self {
        self.call = Some(call);
        self
    }
}

/// The sources of a problem.
#[derive(Default)]
pub(crate) struct TargetSources(pub(crate) Vec<Box<dyn TargetSource>>);

impl TargetSources {
    /// Tells what the calls of a test came near; `ids` are those of its actions.
    pub(crate) fn judge(
        &self,
        calls: &[Call<'_>],
        ids: &[ActionId],
        reach: &mut dyn FnMut(ActionId, TargetName, Score),
    ) {
        let Some(last) = ids.last() else { return };
        for target in self.0.iter().flat_map(|source| source.targets(calls)) {
            let id = target.call.and_then(|call| ids.get(call)).unwrap_or(last);
            // The prefix keeps it apart from what a driver names.
            let name = TargetName::of(format!("own:{}", target.name), TargetKind::Own);
            reach(*id, name, target.score);
        }
    }
}

impl std::fmt::Debug for TargetSources {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} sources of targets", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_nearer_to_their_goal() {
        let score = |value, goal| OwnTarget::at_least("a", value, goal).score.get();
        assert_eq!([score(0.0, 4.0), score(1.0, 4.0), score(9.0, 4.0)], [0.0, 0.25, 1.0]);
        assert_eq!([score(0.0, 0.0), score(f64::NAN, 1.0), score(-1.0, 2.0)], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn targets_are_of_the_call_that_is_named_or_of_the_last() {
        let source = |_: &[Call<'_>]| {
            let near = OwnTarget::new("near", 0.5);
            vec![near.clone(), near.clone().by_call(0), near.by_call(7)]
        };
        let sources = TargetSources(vec![Box::new(source)]);
        let ids = [ActionId(3), ActionId(4)];
        let mut found = Vec::new();
        sources.judge(&[], &ids, &mut |id, name, score| {
            found.push((id.0, name.to_string(), name.kind(), score.get()));
        });
        let told = |id| (id, "own:near".to_owned(), TargetKind::Own, 0.5);
        assert_eq!(found, [told(4), told(3), told(4)]);
        sources.judge(&[], &[], &mut |_, _, _| panic!("a test without calls reaches nothing"));
    }
}
