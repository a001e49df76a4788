//! What was recorded at a site already, so that a loop costs little.
//!
//! A recorder numbers its tests with stamps that are unique in the process. A site remembers,
//! in one word, the stamp under which it recorded last and what: within that test, an evaluation
//! that is no better needs no recorder. Instances that run the same code at once overwrite
//! each other's words, which costs time and nothing else.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Stamp of nobody: nothing is remembered under it.
pub(crate) const NO_STAMP: u32 = 0;

/// Stamp of code that is not to be recorded.
pub(crate) const SILENCE: u32 = 1;

/// A stamp that was not given out before.
pub(crate) fn fresh_stamp() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(SILENCE);
    // After 2^32 tests a stamp could return; those of nobody must not.
    LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(SILENCE + 1)
}

/// What an evaluation of a condition adds to what was recorded of it in this test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    Nothing,
    /// The side that was missed came nearer; the other was recorded.
    Missed,
    Both,
}

/// The word of one target: the stamp above, the score of the missed side below, as the bits of
/// an `f32` whose sign says which side was reached.
#[derive(Debug)]
pub struct Memo(AtomicU64);

impl Memo {
    /// Remembers nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// Whether nothing more can be learnt here in the test of `stamp`.
    #[inline]
    pub(crate) fn is_settled(&self, stamp: u32) -> bool {
        let settled = word(stamp, 1.0, true);
        stamp != NO_STAMP && self.0.load(Ordering::Relaxed) == settled
    }

    /// What is new of a condition that gave `outcome` with this score of the other side.
    #[inline]
    pub(crate) fn news(&self, stamp: u32, outcome: bool, opposite: f64) -> News {
        let known = self.0.load(Ordering::Relaxed);
        let score = f32::from_bits(known as u32);
        if stamp == NO_STAMP || (known >> 32) as u32 != stamp {
            News::Both
        } else if score == 1.0 {
            News::Nothing
        } else if score.is_sign_positive() != outcome {
            News::Both
        } else if opposite > f64::from(score.abs()) {
            News::Missed
        } else {
            News::Nothing
        }
    }

    /// Remembers that everything here is recorded.
    pub(crate) fn settle(&self, stamp: u32) {
        self.0.store(word(stamp, 1.0, true), Ordering::Relaxed);
    }

    /// Remembers that the side of `outcome` is recorded, and the other one with this score.
    pub(crate) fn remember(&self, stamp: u32, outcome: bool, opposite: f64) {
        // Rounded down: what is remembered must not exceed what is recorded.
        let rounded = opposite as f32;
        let score = if f64::from(rounded) > opposite { rounded.next_down() } else { rounded };
        self.0.store(word(stamp, score, outcome), Ordering::Relaxed);
    }
}

impl Default for Memo {
    fn default() -> Self {
        Self::new()
    }
}

const fn word(stamp: u32, score: f32, outcome: bool) -> u64 {
    let score = if outcome { score } else { -score };
    (stamp as u64) << 32 | score.to_bits() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_no_better_is_known() {
        let (memo, stamp) = (Memo::new(), fresh_stamp());
        assert_eq!((memo.news(stamp, true, 0.1), memo.is_settled(NO_STAMP)), (News::Both, false));
        let third = 1.0 / 3.0;
        memo.remember(stamp, false, third);
        assert_eq!(memo.news(stamp, false, 0.3), News::Nothing);
        assert_eq!(memo.news(stamp, false, third + 1e-9), News::Missed);
        assert_eq!((memo.news(stamp, true, 0.3), memo.is_settled(stamp)), (News::Both, false));
        assert_eq!(memo.news(fresh_stamp(), false, 0.3), News::Both);
        assert_eq!(memo.news(NO_STAMP, false, 0.3), News::Both);
        memo.remember(stamp, true, f64::MIN_POSITIVE);
        let news = memo.news(stamp, true, f64::MIN_POSITIVE);
        assert_eq!(news, News::Missed, "it is too small for the word");
        memo.settle(stamp);
        assert!(memo.is_settled(stamp) && !memo.is_settled(fresh_stamp()));
        assert_eq!([false, true].map(|it| memo.news(stamp, it, 0.9)), [News::Nothing; 2]);
    }

    #[test]
    fn a_score_just_below_one_does_not_settle() {
        let (memo, stamp) = (Memo::new(), fresh_stamp());
        memo.remember(stamp, true, 1.0 - f64::EPSILON);
        assert!(!memo.is_settled(stamp));
        assert_eq!(memo.news(stamp, false, 0.1), News::Both);
    }
}
