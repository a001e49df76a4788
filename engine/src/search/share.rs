//! Shares: what each operation took of the calls, and what it earned for them.
//!
//! An operation may go on showing constants, each of which asks for a follow-up, and take most of a
//! budget without earning anything. So one that took several times the average, and has earned
//! nothing for long, is not followed up until the others have caught up.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wallace_genes::TemplateId;

use crate::individual::Individual;
use crate::individual::action::Action;
use crate::problem::evaluated::Evaluated;

/// Calls that an operation may take without earning anything, whatever it took before: enough to go
/// through its values.
const FREE: u64 = 60;
/// Share of all its calls that were in vain at last, from which on an operation counts as idle: one
/// that earned much is waited for longer.
const IDLE: f64 = 0.2;

/// What calls of each template took and earned. A test counts for the template of its last action,
/// which it is about.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shares {
    of: BTreeMap<TemplateId, Share>,
    calls: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Share {
    calls: u64,
    /// Calls since a test covered a target or came nearer to one.
    in_vain: u64,
}

impl Shares {
    /// Counts a test.
    pub(crate) fn count<A: Action>(&mut self, test: &Evaluated<A>, is_progress: bool) {
        let Some(template) = about(&test.individual) else { return };
        let share = self.of.entry(template).or_default();
        share.calls = share.calls.saturating_add(test.calls);
        share.in_vain = if is_progress { 0 } else { share.in_vain.saturating_add(test.calls) };
        self.calls = self.calls.saturating_add(test.calls);
    }

    /// Whether what a test is about took more than `most` times the average, and earns nothing; 0
    /// is no limit.
    pub(crate) fn has_had_enough<A: Action>(&self, test: &Individual<A>, most: f64) -> bool {
        let share = about(test).and_then(|template| self.of.get(&template));
        share.is_some_and(|Share { calls, in_vain }| {
            let average = self.calls as f64 / self.of.len() as f64;
            most > 0.0
                && *in_vain > FREE
                && *in_vain as f64 > IDLE * *calls as f64
                && *calls as f64 > most * average
        })
    }
}

fn about<A: Action>(test: &Individual<A>) -> Option<TemplateId> {
    test.actions().last().map(|(_, action)| action.template())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Step;

    /// What 60 calls of each of three others leave to one operation.
    fn is_enough(calls: u64, in_vain: u64, most: f64) -> bool {
        let test =
            |template| Individual::new([Step::integer(1).of(0), Step::integer(1).of(template)]);
        let mut shares = Shares::default();
        let mut count = |template, calls, is_progress| {
            let test = Evaluated::new(test(template), Vec::new(), Vec::new(), 0, calls, true);
            shares.count(&test, is_progress);
        };
        (1..=3).for_each(|template| count(template, 60, false));
        count(4, calls - in_vain, true);
        count(4, in_vain, false);
        shares.has_had_enough(&test(4), most)
    }

    #[test]
    fn what_earns_nothing_and_took_several_shares_makes_room() {
        assert!(is_enough(1_000, 400, 3.0));
        assert!(!is_enough(1_000, 400, 0.0), "there is no limit");
        assert!(!is_enough(1_000, 190, 3.0), "it earned something not long ago");
        assert!(!is_enough(400, 400, 3.0), "it took no more than three shares");
        assert!(!is_enough(60, 60, 0.1), "everything is tried for a while");
    }
}
