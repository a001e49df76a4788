//! The ledger of a run: every call that went out, by what it was made for and by its operation.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use wallace_engine::{
    Action, Evaluated, Individual, Problem, archive::Added, search::Cause, target::TargetId,
};
use wallace_problems::HttpOutcome;
use wallace_suite::record::{LedgerRow, Phase};

use crate::service_family::ServiceFamily;

/// What a call was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Purpose {
    /// To read the description and to try the users, before the search.
    Description,
    /// A test of the engine.
    Test(Cause),
    /// To let tests of the result notice more.
    Sharpen,
    /// To see what of the result holds on a fresh start of the service.
    FreshStart,
    /// To learn what decided against open targets.
    Explain,
    /// To compare with another version of the service.
    Compare,
    /// Whatever no test asked for: logins, calls sent again, calls whose result was lost.
    Beside,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::Description => "description",
            Self::Test(cause) => cause.as_str(),
            Self::Sharpen => "sharpen",
            Self::FreshStart => "fresh start",
            Self::Explain => "explain",
            Self::Compare => "compare",
            Self::Beside => "logins and calls sent again",
        }
    }

    fn phase(self) -> Phase {
        match self {
            Self::Description => Phase::Before,
            Self::Test(cause) if cause.is_search() => Phase::Search,
            Self::Test(_) | Self::Sharpen | Self::FreshStart | Self::Explain | Self::Compare => {
                Phase::After
            }
            Self::Beside => Phase::Beside,
        }
    }
}

/// What came of the calls of one operation that were made for one thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) calls: u64,
    /// Answered with what was asked for, with errors, with both.
    pub(crate) data: u64,
    pub(crate) errors: u64,
    pub(crate) data_and_errors: u64,
    covered: u64,
    improved: u64,
    seconds: f64,
}

/// Entries by the number of their operation, where there is one, and by what calls were made for.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    entries: BTreeMap<(Option<u32>, Purpose), Entry>,
    /// Calls that earlier parts of a resumed run made.
    earlier: u64,
}

impl Ledger {
    /// Books the calls of a test that ran, each with its share of the time that the test took.
    pub(crate) fn book<P: ServiceFamily>(
        &mut self,
        purpose: Purpose,
        test: &Individual<<P as Problem>::Action>,
        outcomes: &[HttpOutcome],
        time: Duration,
    ) {
        let seconds = time.as_secs_f64();
        if outcomes.is_empty() {
            self.entry(purpose, None).seconds += seconds;
        }
        for ((_, action), outcome) in test.actions().iter().zip(outcomes) {
            let entry = self.entry(purpose, Some(action.template().0));
            entry.calls += 1;
            entry.seconds += seconds / outcomes.len() as f64;
            if !P::is_of_operation(action) {
                continue;
            }
            match P::result(outcome) {
                (true, false) => entry.data += 1,
                (false, true) => entry.errors += 1,
                (true, true) => entry.data_and_errors += 1,
                (false, false) => {}
            }
        }
    }

    /// Books what a test changed on the operation whose call did it; on that of the last call where
    /// it was none in particular.
    pub(crate) fn credit<A: Action>(&mut self, cause: Cause, test: &Evaluated<A>, added: &Added) {
        let actions = test.individual.actions();
        let ran = &actions[..test.outcomes.len().min(actions.len())];
        let operation = |target: &TargetId| {
            let action = test.reach(*target).and_then(|reach| reach.action);
            let place = action.and_then(|action| test.individual.position(action));
            let called = place.and_then(|place| actions.get(place)).or(ran.last());
            called.map(|(_, action)| action.template().0)
        };
        for target in &added.covered {
            self.entry(Purpose::Test(cause), operation(target)).covered += 1;
        }
        for target in &added.improved {
            self.entry(Purpose::Test(cause), operation(target)).improved += 1;
        }
    }

    /// Books the calls that were made before the search of this process; what is booked already
    /// belongs to an earlier one.
    pub(crate) fn begin(&mut self, calls: u64) {
        self.earlier = self.calls();
        self.entry(Purpose::Description, None).calls += calls;
    }

    /// Books calls of tests as they are written.
    pub(crate) fn book_fresh(&mut self, calls: u64) {
        self.entry(Purpose::FreshStart, None).calls += calls;
    }

    /// Books what went out besides, of `sent` calls of this process.
    pub(crate) fn settle(&mut self, sent: u64) {
        self.entries.remove(&(None, Purpose::Beside));
        let beside = (self.earlier + sent).saturating_sub(self.calls());
        if beside > 0 {
            self.entry(Purpose::Beside, None).calls = beside;
        }
    }

    /// All calls.
    pub(crate) fn calls(&self) -> u64 {
        self.entries.values().map(|entry| entry.calls).sum()
    }

    /// Calls of a part of the run.
    pub(crate) fn calls_of(&self, phase: Phase) -> u64 {
        let entries = self.entries.iter().filter(|((_, purpose), _)| purpose.phase() == phase);
        entries.map(|(_, entry)| entry.calls).sum()
    }

    /// What came of the calls of the search to an operation.
    pub(crate) fn operation(&self, number: u32) -> Entry {
        let mut sum = Entry::default();
        let own = (Some(number), Purpose::Description)..=(Some(number), Purpose::Beside);
        for ((_, purpose), entry) in self.entries.range(own) {
            if purpose.phase() == Phase::Search {
                sum.calls += entry.calls;
                sum.data += entry.data;
                sum.errors += entry.errors;
                sum.data_and_errors += entry.data_and_errors;
            }
        }
        sum
    }

    /// The entries as reports show them, their operations by name.
    pub(crate) fn rows(&self, operations: &[String]) -> Vec<LedgerRow> {
        let name = |number: u32| operations.get(number as usize).cloned().unwrap_or_default();
        let row = |((operation, purpose), entry): (&(Option<u32>, Purpose), &Entry)| LedgerRow {
            phase: purpose.phase(),
            cause: purpose.as_str().to_owned(),
            operation: operation.map(name).unwrap_or_default(),
            calls: entry.calls,
            covered: entry.covered,
            improved: entry.improved,
            seconds: entry.seconds,
        };
        self.entries.iter().map(row).collect()
    }

    fn entry(&mut self, purpose: Purpose, operation: Option<u32>) -> &mut Entry {
        self.entries.entry((operation, purpose)).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_booked_is_booked_beside_also_when_a_run_is_resumed() {
        let mut ledger = Ledger::default();
        ledger.begin(2);
        ledger.entry(Purpose::Test(Cause::Values), Some(7)).calls = 10;
        ledger.settle(15);
        ledger.settle(13);
        assert_eq!((ledger.calls(), ledger.calls_of(Phase::Beside)), (13, 1));
        // Another process goes on, and sees its own calls only.
        ledger.begin(1);
        ledger.entry(Purpose::Test(Cause::Repeat), Some(7)).calls += 4;
        ledger.settle(6);
        assert_eq!((ledger.calls(), ledger.calls_of(Phase::Beside)), (19, 2));
        assert_eq!((ledger.calls_of(Phase::Search), ledger.calls_of(Phase::After)), (10, 4));
        assert_eq!(ledger.operation(7).calls, 10, "of the search");
    }
}
