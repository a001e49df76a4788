//! Budgets: what a run may use, what it has used, and why it ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Tells the time since the run began. Passed in, since the engine reads no clock of its own.
pub trait Clock: Send + Sync {
    /// Time since the run began; never goes back.
    fn elapsed(&self) -> Duration;
}

/// What a run may use. The first limit that is reached ends it.
///
/// Only limits in calls and evaluations make a run repeatable.
#[derive(Clone, Default)]
pub struct Budget {
    /// Most calls of the search to the system under test.
    pub calls: Option<u64>,
    /// Most calls of the search and of what comes after it, minimising and repeats, together; what
    /// comes after it has no limit of this kind where there is none.
    pub total: Option<u64>,
    /// Calls that no evaluation counts, such as those that were sent again: they are used with the others.
    pub beside: Option<Arc<AtomicU64>>,
    /// Most evaluations.
    pub evaluations: Option<u64>,
    /// Most time; needs a clock.
    pub time: Option<Duration>,
    /// How long the search goes on without progress; for ever where there is none.
    pub idle: Option<Idle>,
    /// Tells the time.
    pub clock: Option<Arc<dyn Clock>>,
    /// Ends the run when it is set, after the evaluation under way.
    pub stop: StopSignal,
}

impl std::fmt::Debug for Budget {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Budget")
            .field("calls", &self.calls)
            .field("total", &self.total)
            .field("evaluations", &self.evaluations)
            .field("time", &self.time)
            .field("idle", &self.idle)
            .finish_non_exhaustive()
    }
}

impl Budget {
    /// At most `calls` calls.
    #[must_use]
    pub fn calls(calls: u64) -> Self {
        Self { calls: Some(calls), ..Self::default() }
    }

    /// At most `evaluations` evaluations.
    #[must_use]
    pub fn evaluations(evaluations: u64) -> Self {
        Self { evaluations: Some(evaluations), ..Self::default() }
    }

    /// Calls that are left of the total after this many.
    #[must_use]
    pub fn left(&self, calls: u64) -> u64 {
        self.total.map_or(u64::MAX, |total| total.saturating_sub(calls + self.beside()))
    }

    fn beside(&self) -> u64 {
        self.beside.as_ref().map_or(0, |beside| beside.load(Ordering::Relaxed))
    }

    /// The used share in `[0, 1]`: the largest among the limits; 0 without limits.
    #[must_use]
    pub fn used(&self, calls: u64, evaluations: u64) -> f64 {
        let share = |used: f64, limit: f64| if limit > 0.0 { used / limit } else { 1.0 };
        let calls = calls + self.beside();
        let calls = self.calls.map(|limit| share(calls as f64, limit as f64));
        let evaluations = self.evaluations.map(|limit| share(evaluations as f64, limit as f64));
        let time = self.time.map(|limit| share(self.elapsed().as_secs_f64(), limit.as_secs_f64()));
        [calls, evaluations, time].into_iter().flatten().fold(0.0_f64, f64::max).min(1.0)
    }

    fn elapsed(&self) -> Duration {
        self.clock.as_ref().map_or(Duration::ZERO, |clock| clock.elapsed())
    }

    /// How much of it is used.
    pub(crate) fn usage(&self, calls: u64, evaluations: u64) -> Usage {
        Usage { calls, share: self.used(calls, evaluations), elapsed: self.elapsed() }
    }

    /// Whether a search that last made progress at `last` has gone on without for too long.
    pub(crate) fn is_idle(&self, last: Usage, now: Usage) -> bool {
        self.idle.is_some_and(|idle| match idle {
            Idle::Calls(most) => now.calls.saturating_sub(last.calls) >= most,
            Idle::Share(most) => now.share - last.share >= most,
            Idle::Time(most) => now.elapsed.saturating_sub(last.elapsed) >= most,
        })
    }
}

/// How long a search goes on without progress: without a target that is covered or that a test came
/// nearer to than any before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Idle {
    /// So many calls.
    Calls(u64),
    /// So large a share of the budget, in `(0, 1]`.
    Share(f64),
    /// So long; only the others make a run repeatable.
    Time(Duration),
}

/// How much of a budget was used at some moment.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Usage {
    calls: u64,
    share: f64,
    elapsed: Duration,
}

/// Counters of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Evaluations committed, failed ones included.
    pub evaluations: u64,
    /// Calls made to the system under test.
    pub calls: u64,
    /// Evaluations that failed.
    pub failures: u64,
    /// Number of the evaluation that last covered a target or came nearer to one.
    pub last_progress: u64,
}

/// Asks a run to end; shared with whoever may ask, such as a handler of Ctrl-C.
#[derive(Debug, Clone, Default)]
pub struct StopSignal {
    flag: Arc<AtomicBool>,
    /// Whoever asks there asks here too.
    above: Option<Box<StopSignal>>,
}

impl StopSignal {
    /// A signal of its own that is also set when this one is: to end one part of a run.
    #[must_use]
    pub fn below(&self) -> Self {
        Self { flag: Arc::default(), above: Some(Box::new(self.clone())) }
    }

    /// The flag behind the signal, for who waits where no signal is known; only its own, and not
    /// that of the signal above.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Asks the run to end.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to end.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.above.as_ref().is_some_and(|above| above.is_set())
    }
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// The budget is used up.
    BudgetUsed,
    /// There was no progress for as long as [`Budget::idle`] says.
    Idle,
    /// Every target that was reached is covered, and the problem says there are no others.
    AllCovered,
    /// Somebody asked for it.
    Interrupted,
    /// The system under test or its driver is gone.
    Unreachable(String),
    /// The problem, a target source or an observer panicked, with this message.
    Broken(String),
}

impl StopReason {
    /// Whether the run came to its end, rather than being cut short.
    #[must_use]
    pub fn is_end(&self) -> bool {
        matches!(self, Self::BudgetUsed | Self::Idle | Self::AllCovered)
    }
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BudgetUsed => formatter.write_str("the budget is used up"),
            Self::Idle => formatter.write_str("nothing new was found for as long as was asked for"),
            Self::AllCovered => formatter.write_str("every target is covered"),
            Self::Interrupted => formatter.write_str("it was interrupted"),
            Self::Unreachable(reason) => write!(formatter, "{reason}"),
            Self::Broken(message) => write!(formatter, "a part of it panicked: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_share_counts() {
        let budget = Budget { evaluations: Some(10), ..Budget::calls(100) };
        assert_eq!(budget.used(50, 1), 0.5);
        assert_eq!(budget.used(50, 9), 0.9);
        assert_eq!(budget.used(500, 9), 1.0);
        assert_eq!(Budget::calls(0).used(0, 0), 1.0);
    }

    #[test]
    fn each_kind_of_patience_ends() {
        let ends = |idle, calls, share, seconds| {
            let last = Usage { calls: 100, share: 0.25, elapsed: Duration::from_secs(9) };
            let now = Usage { calls, share, elapsed: Duration::from_secs(seconds) };
            Budget { idle: Some(idle), ..Budget::default() }.is_idle(last, now)
        };
        assert!(!ends(Idle::Calls(50), 149, 1.0, 999) && ends(Idle::Calls(50), 150, 0.25, 9));
        assert!(!ends(Idle::Share(0.5), 999, 0.74, 999) && ends(Idle::Share(0.5), 100, 0.75, 9));
        let minute = Idle::Time(Duration::from_secs(60));
        assert!(!ends(minute, 999, 1.0, 68) && ends(minute, 100, 0.25, 69));
        assert!(!Budget::default().is_idle(Usage::default(), Budget::default().usage(9, 9)));
    }

    #[test]
    fn a_signal_below_another_is_set_with_it_and_not_the_other_way_round() {
        let whole = StopSignal::default();
        let part = whole.below().below();
        part.stop();
        assert!(part.is_set() && !whole.is_set());
        let other = whole.below().below();
        assert!(!other.is_set());
        whole.stop();
        assert!(other.is_set());
    }

    #[test]
    fn what_is_left_of_a_total_is_counted() {
        let budget = Budget { total: Some(10), ..Budget::calls(7) };
        assert_eq!((budget.left(7), budget.left(12)), (3, 0));
        assert_eq!(Budget::calls(7).left(7), u64::MAX);
    }
}
