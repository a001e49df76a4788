//! After each test of a black-box service: whether what went well before still does.

use super::guard::Care;
use super::run::Run;
use super::{HttpEvaluator, HttpProblem};
use crate::auth::{LoginGuard, Touch};
use crate::http::HttpRequest;
use crate::spoil::{Change, Doubt, Sent};

impl<P: HttpProblem> HttpEvaluator<P> {
    /// Looks for changes that spoiled the service, and takes them back. What a test itself changed it shows
    /// with what came of it; where another test did, what this one saw says nothing.
    pub(super) fn restore(&mut self, run: &Run<'_, P::Action>, care: &mut Care) {
        let Some(guard) = self.guard.clone() else { return };
        guard.count(care.calls);
        while let Some(doubt) = guard.spoil_doubt() {
            let before = care.calls;
            let found = self.culprit(&guard, &doubt, care);
            guard.count(care.calls - before);
            if let Some((change, _)) = &found {
                let mut requests =
                    run.outcomes.iter().filter_map(|outcome| outcome.request.as_deref());
                let is_own = requests.any(|request| *request == change.sent.request);
                care.has_lost |= !is_own || doubt.symptom.is_mode();
            }
            guard.settle(&doubt, found.as_ref().map(|(change, undo)| (&change.sent, undo)));
        }
    }

    /// The change without which a call goes well again, and the call that took it back.
    fn culprit(
        &mut self,
        guard: &LoginGuard,
        doubt: &Doubt,
        care: &mut Care,
    ) -> Option<(Change, HttpRequest)> {
        if !self.is_shown(doubt, care) {
            return None;
        }
        for change in &doubt.suspects {
            let Sent { user, operation, request } = &change.sent;
            for undo in self.problem.undoing(operation, request, &change.response) {
                let touch = Touch::of_request(&undo);
                if guard.leaves_alone(operation, &undo, touch.as_ref()) {
                    continue;
                }
                care.calls += 1;
                let is_taken = self.ask(*user, &undo).is_ok_and(|it| self.problem.went_well(&it));
                if is_taken && self.goes_well(doubt, care) {
                    let is_proven = self.is_proven(doubt, &change.sent, &undo, care);
                    return is_proven.then(|| (change.clone(), undo));
                }
                // A mode that was set the other way for nothing would be the next that spoils all.
                if is_taken
                    && undo.path.path() == request.path.path()
                    && undo.method == request.method
                {
                    care.calls += 1;
                    let _ = self.ask(*user, request);
                }
            }
        }
        None
    }

    /// Whether a change brings the failure back: a service that was busy for a while goes well again whatever
    /// was taken back. Asked of modes alone, and where the same thing is set back: what is made anew would stay.
    fn is_proven(
        &mut self,
        doubt: &Doubt,
        change: &Sent,
        undo: &HttpRequest,
        care: &mut Care,
    ) -> bool {
        if !doubt.symptom.is_mode() || undo.path.path() != change.request.path.path() {
            return true;
        }
        care.calls += 2;
        let _ = self.ask(change.user, &change.request);
        let is_back = self.is_shown(doubt, care);
        let _ = self.ask(change.user, undo);
        is_back
    }

    /// Whether what went well before does so again.
    fn goes_well(&mut self, doubt: &Doubt, care: &mut Care) -> bool {
        care.calls += 1;
        let outcome = self.ask(doubt.witness.user, &doubt.witness.request);
        outcome.is_ok_and(|outcome| {
            let status = outcome.status().unwrap_or_default();
            let is_shown = outcome.response.as_ref().is_ok_and(|it| doubt.is_shown_by(it));
            // What was made before is there twice now, or gone.
            self.problem.went_well(&outcome) || !is_shown && matches!(status, 400..=410 | 422)
        })
    }

    /// Whether what went well before still fails.
    fn is_shown(&mut self, doubt: &Doubt, care: &mut Care) -> bool {
        care.calls += 1;
        let outcome = self.ask(doubt.witness.user, &doubt.witness.request);
        let response = outcome.ok().and_then(|outcome| outcome.response.ok());
        response.is_some_and(|response| doubt.is_shown_by(&response))
    }
}
