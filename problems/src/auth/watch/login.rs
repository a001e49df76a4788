//! What is known of one user's login.

use std::collections::{BTreeSet, VecDeque};

use super::again::Again;
use super::{Barred, Change, WatchedCall, Witness, text_of};
use crate::http::HttpRequest;

/// Reads that are sent without credentials to find witnesses, for each user.
const MOST_CANDIDATES: usize = 10;

/// What is known of one user's login.
#[derive(Debug, Default)]
pub(super) struct Login {
    /// Operations that went well as this user.
    pub(super) good: BTreeSet<Box<str>>,
    pub(super) witnesses: Vec<Witness>,
    /// Whether a witness is about nothing in particular, which cannot be gone.
    pub(super) has_lasting: bool,
    /// Rounds in which all witnesses were refused since a call went well: they may be gone, or the
    /// login.
    pub(super) suspicions: u32,
    /// Reads that may be witnesses, by operation.
    pub(super) candidates: VecDeque<HttpRequest>,
    /// Those of them that are about nothing in particular.
    pub(super) lasting: BTreeSet<String>,
    pub(super) tried: BTreeSet<Box<str>>,
    pub(super) doubts: u32,
    /// Operations that were refused since a call went well.
    pub(super) refused: BTreeSet<Box<str>>,
    /// Operations that went well before and did not since a call went well.
    pub(super) failed: BTreeSet<Box<str>>,
    /// Calls since the login was last seen to be good.
    pub(super) quiet: u32,
    /// Doubts after which the witnesses are asked.
    pub(super) patience: u32,
    /// Changes by anybody since then, oldest first, and how many came before the first doubt.
    pub(super) changes: VecDeque<Change>,
    pub(super) before_doubt: Option<usize>,
    /// The same of the first refusal since a call went well.
    pub(super) before_refusal: Option<usize>,
    /// The call that was left alone for the last loss.
    pub(super) blamed: Option<Barred>,
    /// Set while the user cannot log in.
    pub(super) again: Option<Again>,
}

impl Login {
    pub(super) fn prove(&mut self) {
        self.doubts = 0;
        self.refused.clear();
        self.failed.clear();
        self.quiet = 0;
        self.before_doubt = None;
        self.before_refusal = None;
        self.changes.clear();
    }

    /// Offers a read as a candidate; those about nothing in particular come first, since a thing may
    /// be gone without the login being lost.
    pub(super) fn propose(&mut self, call: &WatchedCall<'_>) {
        if !call.is_read
            || self.tried.len() >= MOST_CANDIDATES
            || self.tried.contains(call.operation)
        {
            return;
        }
        self.tried.insert(call.operation.into());
        if call.operation.contains('{') {
            self.candidates.push_back(call.request.clone());
        } else {
            self.lasting.insert(text_of(call.request));
            self.candidates.push_front(call.request.clone());
        }
    }
}
