//! What was recorded at a site already, so that a loop costs little.
//!
//! A recorder numbers its tests with stamps that are unique in the process. A site remembers the
//! stamp under which it recorded last and what: within that test, an evaluation that is no better
//! needs no recorder. Instances that run the same code at once overwrite each other's words, which
//! costs time and nothing else.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Stamp of nobody: nothing is remembered under it.
pub(crate) const NO_STAMP: u32 = 0;

/// Stamp of code that is not to be recorded.
pub(crate) const SILENCE: u32 = 1;

/// Stamp of what the thread of `main` runs before there is any recorder.
pub(crate) const START: u32 = 2;

/// A stamp that was not given out before.
pub(crate) fn fresh_stamp() -> u32 {
    static LAST: AtomicU32 = AtomicU32::new(START);
    // After 2^32 tests a stamp could return; those of nobody must not.
    LAST.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(START + 1)
}

/// What an evaluation of a condition adds to what was recorded of it in this test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum News {
    Nothing,
    /// The side that was missed came nearer; the other was recorded.
    Missed,
    Both,
}

/// What is remembered of one target.
#[derive(Debug)]
pub(crate) struct Memo {
    /// The stamp above; below [`SETTLED`], or a digest of the score.
    word: AtomicU64,
    /// Bits of the score of the missed side, whose sign says which side was reached. It counts where
    /// the word holds its digest: threads that write at once leave words of one and scores of another.
    score: AtomicU64,
}

/// Stands below the stamp where everything is recorded.
const SETTLED: u32 = u32::MAX;

impl Memo {
    /// Remembers nothing.
    #[must_use]
    pub(crate) const fn new() -> Self {
        Self { word: AtomicU64::new(0), score: AtomicU64::new(0) }
    }

    /// Whether nothing more can be learnt here in the test of `stamp`.
    #[inline]
    pub(crate) fn is_settled(&self, stamp: u32) -> bool {
        stamp != NO_STAMP && self.word.load(Ordering::Relaxed) == word(stamp, SETTLED)
    }

    /// What is new of a condition that gave `outcome` with this score of the other side.
    #[inline]
    pub(crate) fn news(&self, stamp: u32, outcome: bool, opposite: f64) -> News {
        let known = self.word.load(Ordering::Relaxed);
        if stamp == NO_STAMP || (known >> 32) as u32 != stamp {
            return News::Both;
        }
        if known as u32 == SETTLED {
            return News::Nothing;
        }
        let score = self.score.load(Ordering::Relaxed);
        if known as u32 != digest(score) {
            return News::Both;
        }
        let score = f64::from_bits(score);
        if score.is_sign_positive() != outcome {
            News::Both
        } else if opposite > score.abs() {
            News::Missed
        } else {
            News::Nothing
        }
    }

    /// Remembers that everything here is recorded.
    pub(crate) fn settle(&self, stamp: u32) {
        self.word.store(word(stamp, SETTLED), Ordering::Relaxed);
    }

    /// Remembers that the side of `outcome` is recorded, and the other one with this score.
    pub(crate) fn remember(&self, stamp: u32, outcome: bool, opposite: f64) {
        let score = (if outcome { opposite } else { -opposite }).to_bits();
        self.score.store(score, Ordering::Relaxed);
        self.word.store(word(stamp, digest(score)), Ordering::Relaxed);
    }
}

impl Default for Memo {
    fn default() -> Self {
        Self::new()
    }
}

const fn word(stamp: u32, below: u32) -> u64 {
    (stamp as u64) << 32 | below as u64
}

/// A digest of a score: the upper half of a product with the golden ratio (Knuth, The Art of Computer
/// Programming 3, 6.4), which is never [`SETTLED`].
const fn digest(score: u64) -> u32 {
    let digest = (score.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32;
    if digest == SETTLED { 0 } else { digest }
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
        for same in [0.1, f64::MIN_POSITIVE, 0.0] {
            memo.remember(stamp, true, same);
            assert_eq!(memo.news(stamp, true, same), News::Nothing, "again as near");
        }
        memo.settle(stamp);
        assert!(memo.is_settled(stamp) && !memo.is_settled(fresh_stamp()));
        assert_eq!([false, true].map(|it| memo.news(stamp, it, 0.9)), [News::Nothing; 2]);
    }

    #[test]
    fn a_word_beside_the_score_of_another_is_no_memo() {
        let (memo, stamp) = (Memo::new(), fresh_stamp());
        memo.remember(stamp, true, 0.25);
        memo.score.store(0.75_f64.to_bits(), Ordering::Relaxed);
        assert_eq!(memo.news(stamp, true, 0.5), News::Both);
    }

    #[test]
    fn a_score_just_below_one_does_not_settle() {
        let (memo, stamp) = (Memo::new(), fresh_stamp());
        memo.remember(stamp, true, 1.0 - f64::EPSILON);
        assert!(!memo.is_settled(stamp));
        assert_eq!(memo.news(stamp, false, 0.1), News::Both);
    }
}
