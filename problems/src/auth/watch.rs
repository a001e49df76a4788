//! Whether users can still do what they could.
//!
//! Any call may end a login: one that logs out, changes a password, deletes the own token or account,
//! or brings the service into a state that refuses everybody. No list of names and statuses knows
//! them all. So calls that went well before are watched, and when they do not any more, a *witness*
//! decides: a read that went well as the user and is refused to strangers, sent again.

mod again;
mod login;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::name::{ends_session, leads_to_own, takes_or_locks};
use crate::http::HttpRequest;
use crate::word::words;
use again::Again;
use login::Login;

/// Witnesses of a user: one alone may have gone for a reason of its own.
const MOST_WITNESSES: usize = 3;
/// Calls that went well before and did not now, after which the witnesses are asked first.
const DOUBTS: u32 = 2;
/// The same, where asking never found a login lost: many services refuse what they granted before.
const MOST_DOUBTS: u32 = 64;
/// Calls of a user without proof of the login, after which one doubt is enough.
const QUIET: u32 = 8;
/// Operations refused in a row that never went well, after which each is a doubt.
const MOST_REFUSED: usize = 2;
/// Operations that went well before and fail in a row, nothing going well between them, after which the
/// witnesses are asked whatever the service's habits are.
const MOST_FAILED: usize = 5;
/// Rounds of doubts in which nothing may go well before a user is lost whom the service still knows: it
/// refuses him otherwise than a stranger.
const MOST_SUSPICIONS: u32 = 4;
/// Changes that are remembered since a login was last seen to be good.
const MOST_CHANGES: usize = 50;

/// A call of a user, or of a stranger, as the watch sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WatchedCall<'a> {
    pub(crate) user: Option<usize>,
    pub(crate) operation: &'a str,
    pub(crate) request: &'a HttpRequest,
    pub(crate) is_read: bool,
    pub(crate) went_well: bool,
    /// Whether the service said that the caller may not do this.
    pub(crate) is_refused: bool,
    /// Whether it said that it does not know who calls.
    pub(crate) is_unknown: bool,
    /// 0 where there was no answer.
    pub(crate) status: u16,
    /// What its answer shows of what was changed.
    pub(crate) effect: ShownEffect,
}

/// What the answer to a change shows of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ShownEffect {
    /// No more than that it went well.
    #[default]
    Unknown,
    /// What was changed is a user's own.
    Own,
    /// Nothing was changed: an empty list.
    None,
}

/// A call that is not made any more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Barred {
    operation: Box<str>,
    /// One request; all of the operation where there is none.
    request: Option<Box<str>>,
}

/// A call that changed something.
#[derive(Debug, Clone)]
struct Change {
    user: Option<usize>,
    call: Barred,
    effect: ShownEffect,
}

/// How likely it is that a change ended the login of a user, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Suspicion {
    /// Nothing tells.
    Any,
    /// It takes something away, or changes what a login needs.
    Taking,
    /// It does so to what is the user's own.
    Own,
    /// Its answer shows that it did.
    Shown,
    /// Its operation ended a login before.
    Again,
    /// It ends sessions by its name.
    Named,
}

/// A read that went well as the user and is refused to strangers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Witness {
    pub(crate) request: HttpRequest,
    /// The status that strangers got; 0 where there was no answer.
    pub(crate) refusal: u16,
}

/// Watches over the logins of a run.
#[derive(Debug, Default)]
pub(crate) struct LoginWatch {
    logins: BTreeMap<usize, Login>,
    /// Operations that strangers were refused.
    closed: BTreeSet<Box<str>>,
    /// Operations that went well for strangers.
    open: BTreeSet<Box<str>>,
    barred: BTreeSet<Barred>,
}

impl LoginWatch {
    /// Watches over this many users.
    pub(crate) fn of(users: usize) -> Self {
        let logins = (0..users).map(|user| (user, Login::default())).collect();
        Self { logins, ..Self::default() }
    }

    /// Whether the user lost a login, and could not log in again yet.
    pub(crate) fn is_lost(&self, user: Option<usize>) -> bool {
        user.and_then(|user| self.logins.get(&user)).is_some_and(|login| login.again.is_some())
    }

    /// Whether the call is not to be made, since it ended a login before.
    pub(crate) fn bars(&self, operation: &str, request: &HttpRequest) -> bool {
        if self.barred.is_empty() {
            return false;
        }
        let text = text_of(request);
        let is_this = |barred: &Barred| {
            *barred.operation == *operation
                && barred.request.as_deref().is_none_or(|known| known == text)
        };
        self.barred.iter().any(is_this)
    }

    /// Leaves a call alone from here on; its operation where that was so of another one before.
    pub(crate) fn bar(&mut self, operation: &str, request: &HttpRequest) {
        let request = (!self.has_barred(operation)).then(|| text_of(request).into());
        self.barred.insert(Barred { operation: operation.into(), request });
    }

    /// Whether some call of an operation is left alone.
    fn has_barred(&self, operation: &str) -> bool {
        self.barred.iter().any(|known| *known.operation == *operation)
    }

    /// Notes a call that was made.
    pub(crate) fn note(&mut self, call: &WatchedCall<'_>) {
        self.note_result(call);
        // After its own result: what ends a login goes well itself.
        let is_done = call.went_well || matches!(call.status, 300..400);
        if is_done && (!call.is_read || ends_session(&words(call.operation))) {
            self.note_change(call);
        }
    }

    fn note_result(&mut self, call: &WatchedCall<'_>) {
        let Some(user) = call.user else {
            if call.is_refused {
                self.closed.insert(call.operation.into());
            } else if call.went_well {
                self.open.insert(call.operation.into());
            }
            return;
        };
        let is_closed = self.closed.contains(call.operation);
        let is_open = self.open.contains(call.operation);
        let login = self.logins.entry(user).or_default();
        if call.went_well {
            if login.suspicions > 0 && !is_open {
                // The user is there, and what the witnesses were about is not.
                login.witnesses.clear();
                login.tried.clear();
                login.suspicions = 0;
            }
            login.good.insert(call.operation.into());
            login.refused.clear();
            login.before_refusal = None;
            login.failed.clear();
            if is_closed {
                login.prove();
            }
            login.propose(call);
            return;
        }
        login.quiet += 1;
        let is_new = call.is_refused && login.refused.insert(call.operation.into());
        if is_new {
            login.before_refusal.get_or_insert(login.changes.len());
        }
        // Operations that never went well tell of a loss by their number.
        let are_many = is_new && login.refused.len() > MOST_REFUSED;
        if login.good.contains(call.operation) {
            login.failed.insert(call.operation.into());
        }
        if login.good.contains(call.operation) || are_many {
            login.doubts += if call.is_unknown { login.patience.max(DOUBTS) } else { 1 };
            // Values that an operation does not take say nothing of who asks.
            if call.is_refused || call.is_unknown || matches!(call.status, 0 | 404 | 410) {
                let first = login.before_refusal.unwrap_or(login.changes.len());
                login.before_doubt.get_or_insert(first);
            }
        }
    }

    fn note_change(&mut self, call: &WatchedCall<'_>) {
        // All calls of GraphQL have one verb and one path, and other fields make another request of
        // the same change: there it is the operation.
        let is_told = call.operation.contains('/');
        let request = is_told.then(|| text_of(call.request).into());
        let change = Barred { operation: call.operation.into(), request };
        let change = Change { user: call.user, call: change, effect: call.effect };
        for login in self.logins.values_mut() {
            if login.changes.len() == MOST_CHANGES {
                login.changes.pop_front();
                for count in [&mut login.before_doubt, &mut login.before_refusal] {
                    *count = count.map(|count| count.saturating_sub(1));
                }
            }
            login.changes.push_back(change.clone());
        }
    }

    /// Users whose witnesses should be asked now.
    pub(crate) fn doubted(&self) -> Vec<usize> {
        let is_doubted = |(_, login): &(&usize, &Login)| {
            let is_due = login.doubts >= login.patience.max(DOUBTS);
            let is_due = is_due || login.failed.len() >= MOST_FAILED;
            let is_quiet = login.doubts > 0 && login.quiet >= QUIET.max(login.patience);
            login.again.is_none() && !login.witnesses.is_empty() && (is_due || is_quiet)
        };
        self.logins.iter().filter(is_doubted).map(|(user, _)| *user).collect()
    }

    /// The witnesses of a user, to be sent as the user: one that goes well is proof.
    pub(crate) fn witnesses(&self, user: usize) -> Vec<Witness> {
        self.logins.get(&user).map(|login| login.witnesses.clone()).unwrap_or_default()
    }

    /// A read that may become a witness: it is one if strangers are refused it.
    pub(crate) fn candidate(&mut self) -> Option<(usize, HttpRequest)> {
        let wants = |login: &&mut Login| login.witnesses.len() < MOST_WITNESSES;
        let mut logins = self.logins.iter_mut().filter(|(_, login)| wants(login));
        logins.find_map(|(user, login)| Some((*user, login.candidates.pop_front()?)))
    }

    /// Offers a read that shows whoever asks, and went well, to become a witness.
    pub(crate) fn propose(&mut self, user: usize, request: &HttpRequest) {
        let login = self.logins.entry(user).or_default();
        login.lasting.insert(text_of(request));
        login.candidates.push_front(request.clone());
    }

    /// Whether nothing would show that a user lost the login.
    pub(crate) fn is_blind(&self, user: usize) -> bool {
        self.logins.get(&user).is_some_and(|login| login.witnesses.is_empty())
    }

    /// Takes a read as a witness.
    pub(crate) fn accept(&mut self, user: usize, witness: Witness) {
        let login = self.logins.entry(user).or_default();
        login.has_lasting |= login.lasting.contains(&text_of(&witness.request));
        login.witnesses.push(witness);
    }

    /// No witness went well. Whether that may be since what all of them are about is gone: then the
    /// next doubts decide, unless a call goes well before; more of them where the service `knows` the
    /// user, whom it refuses otherwise than strangers.
    pub(crate) fn suspect(&mut self, user: usize, knows: bool) -> bool {
        let login = self.logins.entry(user).or_default();
        let most = if knows { MOST_SUSPICIONS } else { 1 };
        if login.has_lasting || login.suspicions >= most {
            return false;
        }
        login.suspicions += 1;
        login.doubts = 0;
        login.failed.clear();
        true
    }

    /// The witnesses went well after all.
    pub(crate) fn prove(&mut self, user: usize) {
        let login = self.logins.entry(user).or_default();
        login.patience = (login.patience.max(DOUBTS) * 2).min(MOST_DOUBTS);
        login.prove();
    }

    /// The service was started anew: nobody is lost there.
    pub(crate) fn begin_anew(&mut self) {
        for login in self.logins.values_mut() {
            login.again = None;
            login.suspicions = 0;
            login.prove();
        }
    }

    /// Users who are out and for whom it is time to try again.
    pub(crate) fn due(&mut self) -> Vec<usize> {
        let now = Instant::now();
        let is_due = |login: &mut Login| login.again.as_mut().is_some_and(|it| it.is_due(now));
        let due = self.logins.iter_mut().filter_map(|(user, login)| is_due(login).then_some(*user));
        due.collect()
    }

    /// A user who is out is not to try before so long.
    pub(crate) fn wait(&mut self, user: usize, wanted: Duration) {
        let again = self.logins.get_mut(&user).and_then(|login| login.again.as_mut());
        again.into_iter().for_each(|again| again.wait(Instant::now(), wanted));
    }

    /// A user who was out can log in again. Returns for how long that was not so.
    pub(crate) fn back(&mut self, user: usize) -> Duration {
        let Some(login) = self.logins.get_mut(&user) else { return Duration::ZERO };
        login.prove();
        login.again.take().map_or(Duration::ZERO, |again| again.away(Instant::now()))
    }

    /// The login was lost, and is back or not. What did it is left alone from here on: of the changes
    /// before the first refusal the likeliest, and of equals the last; this request, and its operation
    /// where that did it before or is called so. Returns it as verb and path.
    pub(crate) fn lost(&mut self, user: usize, is_back: bool) -> Option<String> {
        let culprit = self.culprit(user);
        let login = self.logins.entry(user).or_default();
        login.again = (!is_back).then(|| Again::from(Instant::now()));
        login.suspicions = 0;
        login.patience = DOUBTS;
        login.prove();
        let (suspicion, culprit) = culprit?;
        let text = culprit.request.as_deref().unwrap_or(&culprit.operation).to_owned();
        let is_all = suspicion >= Suspicion::Again;
        let request = if is_all { None } else { culprit.request };
        let barred = Barred { request, ..culprit };
        login.blamed = Some(barred.clone()).filter(|_| suspicion < Suspicion::Named);
        self.barred.insert(barred);
        Some(text.lines().next().unwrap_or_default().to_owned())
    }

    /// The login was lost by its age, and is back: what was left alone for the loss before is called again,
    /// but for what ends sessions by its name.
    pub(crate) fn acquit(&mut self, user: usize) {
        let Some(login) = self.logins.get_mut(&user) else { return };
        login.suspicions = 0;
        login.prove();
        if let Some(blamed) = login.blamed.take() {
            self.barred.remove(&blamed);
        }
    }

    /// The change that most probably ended the login of a user. What ends sessions by its name may
    /// stand behind the first refusal, since that may have had a reason of its own.
    fn culprit(&self, user: usize) -> Option<(Suspicion, Barred)> {
        let login = self.logins.get(&user)?;
        let before = login.before_doubt.unwrap_or(login.changes.len());
        let changes = login.changes.iter().enumerate();
        let suspected =
            changes.map(|(place, change)| (self.suspicion(user, change), place, change));
        let fitting = suspected
            .filter(|(suspicion, place, _)| *place < before || *suspicion == Suspicion::Named);
        let culprit = fitting.max_by_key(|(suspicion, place, _)| (*suspicion, *place));
        culprit.map(|(suspicion, _, change)| (suspicion, change.call.clone()))
    }

    fn suspicion(&self, user: usize, change: &Change) -> Suspicion {
        let name = words(&change.call.operation);
        let is_of_whoever_asks = leads_to_own(&name);
        // What is about whoever asks leaves others alone.
        let is_of_other = is_of_whoever_asks && change.user != Some(user);
        let is_known = self.has_barred(&change.call.operation);
        match () {
            () if change.effect == ShownEffect::None => Suspicion::Any,
            () if ends_session(&name) => Suspicion::Named,
            () if takes_or_locks(&name) && change.effect == ShownEffect::Own => Suspicion::Shown,
            () if is_of_other => Suspicion::Any,
            () if is_known => Suspicion::Again,
            () if !takes_or_locks(&name) => Suspicion::Any,
            () if is_of_whoever_asks => Suspicion::Own,
            () => Suspicion::Taking,
        }
    }

    /// Whether no user is left who can log in.
    pub(crate) fn is_over(&self) -> bool {
        !self.logins.is_empty() && self.logins.values().all(|login| login.again.is_some())
    }
}

/// Verb and path of a request, then its body.
pub(in crate::auth) fn text_of(request: &HttpRequest) -> String {
    let body = String::from_utf8_lossy(&request.body);
    format!("{} {}\n{body}", request.method, request.path)
}

#[cfg(test)]
mod tests;
