//! Calls that spoil a service for those that follow: a mode in which it refuses every change, or a value
//! that it took and cannot read back.
//!
//! Nobody resets such a service, and one call decides about the rest of the run. So what went well before
//! and ends with a server error is sent again as it was. Where it fails likewise, one of the changes since
//! then did it: the likeliest are taken back one by one, until it goes well again.

mod undo;

use std::collections::{BTreeMap, VecDeque};

use crate::auth::WatchedCall;
use crate::http::{HttpRequest, HttpResponse};
use crate::telling::is_telling;

pub(crate) use undo::{flipped, sets_mode};

/// Changes that are remembered.
const MOST_CHANGES: usize = 50;
/// Changes that are taken back for one doubt: each costs two calls and more.
const MOST_SUSPECTS: usize = 5;
/// Shortest name of a switch that a failure is taken to say.
const SHORTEST_NAME: usize = 5;
/// Changes of one operation among them.
const MOST_ALIKE: usize = 2;
/// Calls that one doubt takes at most: two ways to take each change back, a look after each, and one of them
/// back again; then the change once more, a look, and taking it back.
pub(crate) const MOST_ASKED: u64 = 1 + 5 * MOST_SUSPECTS as u64 + 3;
/// Operations that never went well and say the same, after which a change may be why.
const MANY: usize = 3;
/// How many times as many failures it takes to ask again, where asking found nothing.
const PATIENCE: u32 = 4;
/// Longest body that is kept to be sent again, or to be looked into, in bytes.
const LONGEST_BODY: usize = 64 << 10;
/// What many operations said that is looked into: a failure once, a refusal some times.
const MOST_JUDGED: usize = 200;
/// Times that one refusal of many operations is looked into in vain.
const MOST_TRIED: u32 = 4;
/// Characters of an error that are compared.
const COMPARED: usize = 200;

/// Statuses that say of who asks, or of what is asked for, and not of a mode; 423 is that of a failure.
const OF_THINGS: [u16; 6] = [401, 404, 415, 422, 423, 429];
/// Words of refusals that are about what is there already, or is not.
const ABOUT_THINGS: [&str; 7] =
    ["already", "exist", "duplicate", "unique", "taken", "not found", "no such"];

/// Words of the form of an answer, and not of what it says.
const FORM: [&str; 18] = [
    "message",
    "detail",
    "error",
    "errors",
    "status",
    "code",
    "title",
    "type",
    "timestamp",
    "path",
    "html",
    "head",
    "body",
    "doctype",
    "h",
    "p",
    "lang",
    "en",
];

/// A call that was made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sent {
    pub(crate) user: Option<usize>,
    pub(crate) operation: Box<str>,
    pub(crate) request: HttpRequest,
}

impl Sent {
    fn of(call: &WatchedCall<'_>) -> Self {
        Self { user: call.user, operation: call.operation.into(), request: call.request.clone() }
    }
}

/// How a service fails: a status of server errors, or that of locked things, and its words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Symptom {
    pub(crate) status: u16,
    pub(crate) said: Box<str>,
}

impl Symptom {
    pub(crate) fn of(response: &HttpResponse) -> Option<Self> {
        let status = response.status;
        let is_failure = (500..600).contains(&status) && status != 501 || status == 423;
        is_failure.then(|| Self::saying(response))
    }

    /// The same of a refusal that says nothing of what is there already, or is not: many operations that
    /// went well before and say it now were switched off together, whatever the status of that.
    fn of_refusal(response: &HttpResponse) -> Option<Self> {
        let is_refusal =
            matches!(response.status, 400..=499) && !OF_THINGS.contains(&response.status);
        let symptom = is_refusal.then(|| Self::saying(response))?;
        let said = symptom.said.to_ascii_lowercase();
        let is_of_things = ABOUT_THINGS.iter().any(|words| said.contains(words));
        (!is_of_things && symptom.is_telling()).then_some(symptom)
    }

    fn saying(response: &HttpResponse) -> Self {
        // Numbers, ids and times are others each time.
        let words = response.body.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
        let said = words.flat_map(|word| word.chars().chain([' '])).take(COMPARED).collect();
        Self { status: response.status, said }
    }

    /// Whether its words are more than those of any failure.
    fn is_telling(&self) -> bool {
        let is_of_form = |word: &&str| FORM.iter().any(|known| word.eq_ignore_ascii_case(known));
        let words = self.said.split(' ').filter(|word| !is_of_form(word));
        is_telling(&words.collect::<Vec<_>>().join(" "))
    }

    /// Whether it is one of a service that was told to refuse: no defect.
    pub(crate) fn is_mode(&self) -> bool {
        matches!(self.status, 503 | 400..=499)
    }
}

/// A change that a service took, and its answer.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) sent: Sent,
    pub(crate) response: HttpResponse,
    /// Position among all changes.
    number: u64,
    /// Whether it switched something on or off.
    sets_mode: bool,
}

/// A call that fails although it, or others before it, went well: what may have done it, the likeliest
/// first.
#[derive(Debug, Clone)]
pub(crate) struct Doubt {
    pub(crate) operation: Box<str>,
    pub(crate) symptom: Symptom,
    pub(crate) witness: Sent,
    pub(crate) suspects: Vec<Change>,
}

impl Doubt {
    /// Whether an answer shows the same failure.
    pub(crate) fn is_shown_by(&self, response: &HttpResponse) -> bool {
        Symptom::saying(response) == self.symptom
    }
}

/// The last call of an operation that went well.
#[derive(Debug)]
struct Sound {
    sent: Sent,
    /// Changes before it.
    changes: u64,
}

/// Failures of an operation since a call of it went well.
#[derive(Debug)]
struct Failing {
    symptom: Symptom,
    last: Sent,
    count: u32,
    /// Changes before the first.
    changes: u64,
    /// Changes before the last.
    latest: u64,
}

/// Watches over what goes well.
#[derive(Debug, Default)]
pub(crate) struct SpoilWatch {
    sound: BTreeMap<Box<str>, Sound>,
    failing: BTreeMap<Box<str>, Failing>,
    /// Refusals of operations since a call of them went well.
    refused: BTreeMap<Box<str>, Failing>,
    changes: VecDeque<Change>,
    /// Changes so far.
    number: u64,
    /// Failures of an operation after which it is asked; 1 where nothing is said.
    patience: BTreeMap<Box<str>, u32>,
    /// How often what many operations said was looked into in vain.
    tried: BTreeMap<Symptom, u32>,
}

impl SpoilWatch {
    /// Notes a call and its answer.
    pub(crate) fn note(&mut self, call: &WatchedCall<'_>, response: &HttpResponse) {
        if call.went_well {
            self.failing.remove(call.operation);
            self.refused.remove(call.operation);
            if call.request.body.len() <= LONGEST_BODY {
                self.note_sound(call, response);
            }
            return;
        }
        let (all, symptom) = match (Symptom::of(response), Symptom::of_refusal(response)) {
            (Some(symptom), _) => (&mut self.failing, symptom),
            (None, Some(symptom)) => (&mut self.refused, symptom),
            (None, None) => return,
        };
        let known = all.get(call.operation).filter(|known| known.symptom == symptom);
        let (count, changes) =
            known.map_or((1, self.number), |it| (it.count.saturating_add(1), it.changes));
        let latest = self.number;
        let failing = Failing { symptom, last: Sent::of(call), count, changes, latest };
        all.insert(call.operation.into(), failing);
    }

    fn note_sound(&mut self, call: &WatchedCall<'_>, response: &HttpResponse) {
        let sound = Sound { sent: Sent::of(call), changes: self.number };
        self.sound.insert(call.operation.into(), sound);
        if call.is_read {
            return;
        }
        if self.changes.len() == MOST_CHANGES {
            // What switches something is suspected however long ago it was.
            let place = self.changes.iter().position(|change| !change.sets_mode);
            self.changes.remove(place.unwrap_or_default());
        }
        let sets_mode = sets_mode(call.operation, call.request);
        let is_long = response.body.len() > LONGEST_BODY;
        let response = if is_long { HttpResponse::default() } else { response.clone() };
        let sent = Sent::of(call);
        self.changes.push_back(Change { sent, response, number: self.number, sets_mode });
        self.number += 1;
    }

    /// The next doubt that calls can settle.
    pub(crate) fn doubt(&mut self) -> Option<Doubt> {
        let due: Vec<Box<str>> = self
            .failing
            .iter()
            .filter(|(operation, failing)| failing.count >= self.patience_with(operation))
            .filter(|(operation, _)| self.sound.contains_key(*operation))
            .map(|(operation, _)| operation.clone())
            .collect();
        for operation in due {
            let doubt = self.doubt_about(&operation);
            if doubt.suspects.is_empty() {
                self.settle(&doubt, false);
            } else {
                return Some(doubt);
            }
        }
        self.common_doubt().or_else(|| self.refused_doubt())
    }

    fn patience_with(&self, operation: &str) -> u32 {
        self.patience.get(operation).copied().unwrap_or(1)
    }

    fn doubt_about(&self, operation: &str) -> Doubt {
        let (failing, sound) = (&self.failing[operation], &self.sound[operation]);
        Doubt {
            operation: operation.into(),
            symptom: failing.symptom.clone(),
            witness: sound.sent.clone(),
            suspects: self.suspects(operation, &failing.symptom, sound.changes..failing.changes),
        }
    }

    /// Many operations that never went well say the same: a change may have done that before any of them
    /// could.
    fn common_doubt(&mut self) -> Option<Doubt> {
        if self.tried.len() >= MOST_JUDGED {
            return None;
        }
        let mut saying: BTreeMap<&Symptom, Vec<&Failing>> = BTreeMap::new();
        for (operation, failing) in &self.failing {
            if !self.sound.contains_key(operation) && !self.tried.contains_key(&failing.symptom) {
                saying.entry(&failing.symptom).or_default().push(failing);
            }
        }
        // A mode is seen at the first. What says nothing may have a cause of its own everywhere.
        let are_many = |(symptom, failing): &(&Symptom, Vec<&Failing>)| {
            symptom.is_mode() || symptom.is_telling() && failing.len() >= MANY
        };
        let (symptom, failing) = saying.into_iter().find(are_many)?;
        let before = failing.iter().map(|failing| failing.changes).min().unwrap_or_default();
        let witness = failing[0].last.clone();
        let doubt = Doubt {
            operation: witness.operation.clone(),
            symptom: symptom.clone(),
            suspects: self.suspects(&witness.operation, symptom, 0..before),
            witness,
        };
        if doubt.suspects.is_empty() {
            return None;
        }
        self.tried.insert(doubt.symptom.clone(), 1);
        Some(doubt)
    }

    /// Several operations are refused in the same words: a change may have switched them off. What went
    /// well before is sent again first, so that a wrong doubt costs one call; where none did, only what
    /// sets a mode is suspected.
    fn refused_doubt(&mut self) -> Option<Doubt> {
        if self.tried.len() >= MOST_JUDGED {
            return None;
        }
        let mut saying: BTreeMap<&Symptom, Vec<(&str, &Failing)>> = BTreeMap::new();
        for (operation, refused) in &self.refused {
            if self.tried.get(&refused.symptom).is_none_or(|tried| *tried < MOST_TRIED) {
                saying.entry(&refused.symptom).or_default().push((operation, refused));
            }
        }
        let went_well = |operation: &str| self.sound.get(operation);
        // None of them went well after it was done: what was refused before that was so for another.
        let last = |all: &[(&str, &Failing)]| {
            let sound = all.iter().filter_map(|(operation, _)| went_well(operation));
            sound.map(|sound| sound.changes).max().unwrap_or_default()
        };
        let (symptom, after, all) = saying.into_iter().find_map(|(symptom, mut all)| {
            let after = last(&all);
            all.retain(|(_, refused)| refused.latest >= after);
            (all.len() >= MANY).then_some((symptom, after, all))
        })?;
        let sound: Vec<&Sound> = all.iter().filter_map(|it| went_well(it.0)).collect();
        let before = all.iter().map(|(_, refused)| refused.latest).min().unwrap_or_default();
        let witness = sound.first().map_or(&all[0].1.last, |sound| &sound.sent).clone();
        let numbers = after.saturating_sub(1)..before;
        let mut suspects = self.suspects(&witness.operation, symptom, numbers);
        if sound.len() < MANY {
            suspects.retain(|change| change.sets_mode);
        }
        let doubt = Doubt {
            operation: witness.operation.clone(),
            symptom: symptom.clone(),
            suspects,
            witness,
        };
        *self.tried.entry(doubt.symptom.clone()).or_default() += 1;
        // What is refused from now on is looked into anew.
        self.refused.retain(|_, refused| refused.symptom != doubt.symptom);
        (!doubt.suspects.is_empty()).then_some(doubt)
    }

    /// The likeliest of the changes with these numbers: those that set something of the service itself by a
    /// truth value, first of all where the failure says its name; then those of the same things, then the
    /// latest. What an operation itself did is told by its own failure: what is there twice is refused.
    fn suspects(
        &self,
        operation: &str,
        symptom: &Symptom,
        numbers: std::ops::Range<u64>,
    ) -> Vec<Change> {
        let said = symptom.said.to_ascii_lowercase();
        let is_said = |other: &str| {
            let last = other.rsplit('/').next().unwrap_or_default();
            last.len() >= SHORTEST_NAME && said.split(' ').any(|word| word == last)
        };
        let mut suspects: Vec<&Change> = self
            .changes
            .iter()
            .filter(|change| {
                numbers.contains(&change.number) && *change.sent.operation != *operation
            })
            .collect();
        suspects.sort_by_cached_key(|change| {
            let other = &*change.sent.operation;
            let is_related = things_of(other) == things_of(operation);
            let is_named = change.sets_mode && is_said(other);
            std::cmp::Reverse((is_named, change.sets_mode, is_related, change.number))
        });
        let mut taken: Vec<Change> = Vec::new();
        for change in suspects {
            let is_it = |other: &&Change| other.sent.operation == change.sent.operation;
            let is_again = taken.iter().any(|other| other.sent.request == change.sent.request);
            if !is_again && taken.iter().filter(is_it).count() < MOST_ALIKE {
                taken.push(change.clone());
            }
        }
        taken.truncate(MOST_SUSPECTS);
        taken
    }

    /// A doubt was looked into: whether taking a change back helped.
    pub(crate) fn settle(&mut self, doubt: &Doubt, was_spoiled: bool) {
        if was_spoiled {
            // What failed meanwhile says nothing, whatever the operation.
            self.failing.retain(|_, failing| failing.symptom != doubt.symptom);
            self.patience.remove(&doubt.operation);
            self.tried.remove(&doubt.symptom);
        } else {
            let patience = self.patience_with(&doubt.operation).saturating_mul(PATIENCE);
            self.patience.insert(doubt.operation.clone(), patience);
            // What was taken back for nothing may be why others fail next.
            let others = self.sound.iter_mut().filter(|(other, _)| **other != doubt.operation);
            others.for_each(|(_, sound)| sound.changes = self.number);
        }
    }

    /// The service was started anew.
    pub(crate) fn begin_anew(&mut self) {
        self.failing.clear();
        self.refused.clear();
        self.changes.clear();
    }
}

/// The fixed part of a path that says what things an operation is about.
fn things_of(operation: &str) -> &str {
    let path = operation.split_once(':').map_or(operation, |(_, path)| path);
    path.split("/{").next().unwrap_or_default().trim_end_matches('/')
}

#[cfg(test)]
mod tests;
