//! Keeps a service doing what it did before: what was found to spoil it is told, and a mode is left alone.

use super::LoginGuard;
use crate::auth::watch::text_of;
use crate::http::HttpRequest;
use crate::spoil::{Doubt, MOST_ASKED, Sent};

/// Longest text of a change in a note, in characters.
const LONGEST_CHANGE: usize = 120;

impl LoginGuard {
    /// A failure that an earlier change may have led to, where calls are left to look into it.
    pub(crate) fn spoil_doubt(&self) -> Option<Doubt> {
        let mut guarded = self.lock();
        let is_late = guarded.most.is_some_and(|most| guarded.calls + 2 * MOST_ASKED > most);
        if is_late { None } else { guarded.spoil.doubt() }
    }

    /// Counts calls that were made beside tests.
    pub(crate) fn count(&self, calls: u64) {
        self.lock().calls += calls;
    }

    /// A doubt was looked into: the change that did it, where one was found, and what took it back.
    pub(crate) fn settle(&self, doubt: &Doubt, culprit: Option<(&Sent, &HttpRequest)>) {
        let mut guarded = self.lock();
        guarded.spoil.settle(doubt, culprit.is_some());
        let Some((culprit, undo)) = culprit else { return };
        let Doubt { operation, symptom, .. } = doubt;
        // A value that cannot be read back is a defect, and may be met again.
        let left_alone = if symptom.is_mode() {
            guarded.watch.bar(&culprit.operation, &culprit.request);
            ", and that call is left alone"
        } else {
            ""
        };
        if !guarded.spoilers.insert((culprit.operation.clone(), symptom.status)) {
            return;
        }
        let (status, change) = (symptom.status, text_of(&culprit.request));
        let change = change.trim_end().replace('\n', " ");
        let change: String = change.chars().take(LONGEST_CHANGE).collect();
        guarded.note(format!(
            "after {change}, {operation} answered {status} to what had gone well: {} {} took that \
             back{left_alone}",
            undo.method, undo.path
        ));
    }
}
