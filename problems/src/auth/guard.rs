//! Keeps what a run stands on: its users' logins, the things that are theirs, and a service that does what
//! it did before.

mod spoil;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use wallace_engine::StopSignal;

use super::own::OwnThings;
use super::secret::Secrets;
use super::touch::Touch;
use super::user::User;
use super::watch::{LoginWatch, ShownEffect, WatchedCall, Witness};
use crate::http::{HttpRequest, HttpResponse};
use crate::spoil::SpoilWatch;

/// Most notes about logins that were lost.
const MOST_NOTES: usize = 20;
/// Most operations that one note names.
const MOST_NAMES: usize = 8;

/// What all workers of a run know about its logins; clones share it.
#[derive(Debug, Clone, Default)]
pub struct LoginGuard(Arc<Mutex<Guarded>>);

#[derive(Debug, Default)]
struct Guarded {
    watch: LoginWatch,
    spoil: SpoilWatch,
    /// Operations whose calls spoiled the service, and how: each is told once.
    spoilers: BTreeSet<(Box<str>, u16)>,
    own: OwnThings,
    notes: Vec<String>,
    /// What was told of the last loss of each user.
    blames: BTreeMap<usize, String>,
    /// What was told of users who cannot log in.
    out: BTreeMap<usize, String>,
    /// Operations of which calls were left out, since what they change is a user's own.
    left_alone: BTreeSet<Box<str>>,
    /// Operations that took something away.
    taken: BTreeSet<Box<str>>,
    /// Operations that changed something.
    changed: BTreeSet<Box<str>>,
    /// Calls that were made, and from how many on what nothing makes again is taken away.
    calls: u64,
    late: u64,
    /// Most calls, where there is such a number.
    most: Option<u64>,
    has_looked: bool,
    stop: StopSignal,
}

impl LoginGuard {
    /// Guards the logins of these users.
    #[must_use]
    pub fn new(users: &[User]) -> Self {
        let watch = LoginWatch::of(users.len());
        let guarded = Guarded { watch, own: OwnThings::of(users), ..Guarded::default() };
        Self(Arc::new(Mutex::new(guarded)))
    }

    /// Lets what nothing makes again be taken away only after so many calls: the rest of a run is about
    /// it.
    #[must_use]
    pub fn taking_after(self, calls: u64) -> Self {
        self.lock().late = calls;
        self
    }

    /// Lets the service be looked after as long as this many calls are not nearly made.
    #[must_use]
    pub fn within(self, calls: Option<u64>) -> Self {
        self.lock().most = calls;
        self
    }

    /// Ends waits for users who are locked out when this is set.
    #[must_use]
    pub fn ending_with(self, stop: &StopSignal) -> Self {
        self.lock().stop = stop.clone();
        self
    }

    /// What was lost, and what is not called because of it, in one sentence each.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let guarded = self.lock();
        let left_alone = guarded.left_alone.iter().map(|operation| &**operation);
        let mut names: Vec<&str> = left_alone.collect();
        let more = names.len().saturating_sub(MOST_NAMES);
        names.truncate(MOST_NAMES);
        let mut notes: Vec<String> =
            guarded.notes.iter().chain(guarded.out.values()).cloned().collect();
        if !names.is_empty() {
            let names = names.join(", ");
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            notes.push(format!(
                "calls that would change what is a user's own, or try passwords of theirs, were left \
                 out: of {names}{more}"
            ));
        }
        notes
    }

    /// The service was started anew: what was lost, or taken, is there again.
    pub(crate) fn begin_anew(&self) {
        let mut guarded = self.lock();
        guarded.watch.begin_anew();
        guarded.spoil.begin_anew();
        guarded.taken.clear();
        guarded.out.clear();
    }

    /// An operation took something away.
    pub(crate) fn take(&self, operation: &str) {
        self.lock().taken.insert(operation.into());
    }

    /// Whether an operation may take something away: where none of its `makers` ever made one, once
    /// shows that it does, and late.
    pub(crate) fn may_take(&self, operation: &str, makers: &[&str]) -> bool {
        let guarded = self.lock();
        guarded.makes(makers) || guarded.calls >= guarded.late && !guarded.taken.contains(operation)
    }

    /// Whether an operation took away what none of its `makers` ever made.
    #[must_use]
    pub fn has_taken(&self, operation: &str, makers: &[&str]) -> bool {
        let guarded = self.lock();
        guarded.taken.contains(operation) && !guarded.makes(makers)
    }

    /// Whether no user is left who can log in.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.lock().watch.is_over()
    }

    /// Whether the call must not be made.
    #[must_use]
    pub fn forbids(
        &self,
        user: Option<usize>,
        operation: &str,
        request: &HttpRequest,
        touch: Option<&Touch>,
    ) -> bool {
        let guarded = self.lock();
        let is_lost = guarded.watch.is_lost(user);
        let ends_session = touch.is_some_and(|touch| touch.ends_session);
        let is_blind = user.is_some_and(|user| guarded.watch.is_blind(user));
        let is_early = guarded.calls < guarded.late;
        drop(guarded);
        // Who logs out where nothing shows it is out for the rest of the run.
        is_lost
            || ends_session && is_blind && is_early
            || self.leaves_alone(operation, request, touch)
    }

    /// Whether nobody may make the call: it ended a login before, or would end one, or the service.
    #[must_use]
    pub fn leaves_alone(
        &self,
        operation: &str,
        request: &HttpRequest,
        touch: Option<&Touch>,
    ) -> bool {
        let mut guarded = self.lock();
        if guarded.watch.bars(operation, request) {
            return true;
        }
        if touch.is_some_and(|touch| touch.ends_service) {
            guarded.note(format!(
                "{operation} is not called: by its name it ends the service, or its login"
            ));
            return true;
        }
        if let Some(setting) = touch.and_then(|touch| touch.sets_login.as_deref()) {
            guarded.note(format!(
                "{operation} is not called with what is about {setting}: it may change how users log in"
            ));
            return true;
        }
        let is_threatened = touch.is_some_and(|touch| guarded.own.is_threatened(touch));
        if is_threatened {
            guarded.left_alone.insert(operation.into());
        }
        is_threatened
    }

    /// Notes a call that was made.
    pub(crate) fn note(&self, call: &WatchedCall<'_>, response: Option<&HttpResponse>) {
        let mut guarded = self.lock();
        let may_show = call.went_well && (call.user.is_some() || !call.is_read);
        let tree = response.filter(|_| may_show).and_then(HttpResponse::tree);
        let effect = match response.filter(|_| call.went_well && !call.is_read) {
            Some(response) if guarded.own.is_shown(&response.body) => ShownEffect::Own,
            Some(_) if tree.as_ref().is_some_and(is_of_nothing) => ShownEffect::None,
            _ => ShownEffect::Unknown,
        };
        guarded.watch.note(&WatchedCall { effect, ..*call });
        guarded.calls += 1;
        if call.went_well && !call.is_read && !guarded.changed.contains(call.operation) {
            guarded.changed.insert(call.operation.into());
        }
        let Some(response) = response else { return };
        guarded.spoil.note(call, response);
        let Some(tree) = tree else { return };
        guarded.own.learn_credentials(call.request, call.is_read, &tree);
        if !call.is_read {
            guarded.own.learn_owner(call.request, &tree);
        }
        if call.user.is_some() {
            guarded.own.learn(call.request, &response.body, &tree);
        }
    }

    /// Adds a note to those of the run.
    pub(crate) fn tell(&self, note: String) {
        self.lock().note(note);
    }

    /// Adds the tokens that logins gave.
    pub(crate) fn know(&self, secrets: &Secrets) {
        self.lock().own.know(secrets);
    }

    /// Looks at what a login answered.
    pub(crate) fn learn_login(&self, response: &HttpResponse) {
        self.lock().own.learn_login(response);
    }

    /// Whether nobody has looked yet at what shows the users' own things.
    pub(crate) fn begins(&self) -> bool {
        !std::mem::replace(&mut self.lock().has_looked, true)
    }

    /// A read that shows whoever asks went well.
    pub(crate) fn propose(&self, user: usize, request: &HttpRequest) {
        self.lock().watch.propose(user, request);
    }

    /// Looks for own things in an answer to a user.
    pub(crate) fn learn(&self, request: &HttpRequest, response: &HttpResponse) {
        if let Some(tree) = response.tree() {
            self.lock().own.learn(request, &response.body, &tree);
        }
    }

    pub(crate) fn doubted(&self) -> Vec<(usize, Vec<Witness>)> {
        let guarded = self.lock();
        let users = guarded.watch.doubted().into_iter();
        users.map(|user| (user, guarded.watch.witnesses(user))).collect()
    }

    /// The witnesses of a user.
    pub(crate) fn witnesses(&self, user: usize) -> Vec<Witness> {
        self.lock().watch.witnesses(user)
    }

    pub(crate) fn candidate(&self) -> Option<(usize, HttpRequest)> {
        self.lock().watch.candidate()
    }

    pub(crate) fn accept(&self, user: usize, witness: Witness) {
        self.lock().watch.accept(user, witness);
    }

    pub(crate) fn prove(&self, user: usize) {
        self.lock().watch.prove(user);
    }

    /// No witness went well; whether they may be gone, and not the login. Whether the service `knows`
    /// the user still.
    pub(crate) fn suspect(&self, user: usize, knows: bool) -> bool {
        self.lock().watch.suspect(user, knows)
    }

    /// A login was lost; whether it is back tells the note.
    pub(crate) fn lost(&self, user: usize, name: &str, is_back: bool) {
        let mut guarded = self.lock();
        let was_there = !guarded.watch.witnesses(user).is_empty();
        let culprit = guarded.watch.lost(user, is_back);
        if !was_there && !is_back {
            let note = format!(
                "the user {name:?} was refused its login: it cannot log in, and calls nothing: see its name \
                 and password, where its token is looked for, and whether the service has locked it out"
            );
            guarded.out.insert(user, note);
            return;
        }
        let after = culprit.as_ref().map(|call| format!(" after {call}")).unwrap_or_default();
        let outcome = match (is_back, culprit) {
            (true, Some(_)) => "it is logged in again, and that call is left alone",
            (true, None) => "it is logged in again",
            (false, _) => {
                "it cannot log in again, and calls no more: bring the service back to its start, \
                 and leave that operation out (--exclude)"
            }
        };
        let note = format!("the user {name:?} lost its login{after}: {outcome}");
        if is_back {
            guarded.blames.insert(user, note.clone());
            guarded.note(note);
        } else {
            guarded.out.insert(user, note);
        }
    }

    /// A login came to its end by its age, and is back: no call did that, nor the one that was thought to
    /// have done it before.
    pub(crate) fn ran_out(&self, user: usize) {
        let mut guarded = self.lock();
        guarded.watch.acquit(user);
        if let Some(note) = guarded.blames.remove(&user) {
            guarded.notes.retain(|known| *known != note);
        }
    }

    /// A user who is out is not to log in before so long: the service said so.
    pub(crate) fn wait(&self, user: usize, wanted: Duration) {
        self.lock().watch.wait(user, wanted);
    }

    /// Users who are out and for whom it is time to try again.
    pub(crate) fn due(&self) -> Vec<usize> {
        self.lock().watch.due()
    }

    /// A user who was out is logged in again.
    pub(crate) fn back(&self, user: usize) {
        let mut guarded = self.lock();
        let seconds = guarded.watch.back(user).as_secs();
        if let Some(note) = guarded.out.remove(&user) {
            let lost = note.split(": it cannot").next().unwrap_or_default();
            guarded.note(format!(
                "{lost}, and had it again after {seconds} s: perhaps it was locked out for a while"
            ));
        }
    }

    /// Whether the run is asked to stop.
    pub(crate) fn is_ended(&self) -> bool {
        self.lock().stop.is_set()
    }

    fn lock(&self) -> MutexGuard<'_, Guarded> {
        // Nothing is left half-done in there when a worker panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an answer is an empty list, or that of a mutation of several things: none was changed.
fn is_of_nothing(tree: &Value) -> bool {
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    let data = tree.get("data").and_then(Value::as_object);
    let mut members = data.into_iter().flatten().peekable();
    is_empty(tree) || members.peek().is_some() && members.all(|(_, member)| is_empty(member))
}

impl Guarded {
    /// Whether one of these operations was seen to change something.
    fn makes(&self, makers: &[&str]) -> bool {
        makers.iter().any(|maker| self.changed.contains(*maker))
    }

    fn note(&mut self, note: String) {
        if self.notes.len() < MOST_NOTES && !self.notes.contains(&note) {
            tracing::debug!("{note}");
            self.notes.push(note);
        }
    }
}

#[cfg(test)]
mod tests;
