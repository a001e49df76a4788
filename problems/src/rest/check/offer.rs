//! Which checks an operation can be put to, and how often each is worth a try.

use std::sync::Arc;

use http::Method;
use wallace_genes::{Draw, GeneSettings, Knowledge, TemplateId};

use super::{Check, Checks, member, state};
use crate::rest::operations::Operations;
use crate::rest::oracle::Payload;
use crate::rest::template::Pool;

/// Most users whose calls are compared with those of another.
const MOST_USERS: u16 = 4;
/// Most undocumented members of one operation.
const MOST_MEMBERS: usize = 4;
/// Most texts of one operation in which something is injected.
pub(super) const MOST_TEXTS: usize = 6;

/// Extreme values that count as one way in which a check can turn out: few of them tell anything, and
/// a test holds several calls. With a fourth of it, rarer checks of small budgets were not come to.
const EXTREMES_OF_ONE: f64 = 32.0;
/// Fewest and most ways of one operation.
const OF_EXTREMES: (f64, f64) = (0.5, 2.0);

/// A check of an operation, and in how many ways it can turn out, as far as that is known before:
/// the more, the more tries it gets. What one try shows for certain has 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Offer {
    pub(super) check: Check,
    pub(super) weight: f64,
}

impl Checks {
    /// The checks of an operation.
    pub(super) fn offers_of(
        &self,
        operations: &Operations,
        id: TemplateId,
        has_callback: bool,
        genes: &GeneSettings,
    ) -> Vec<Offer> {
        let mut offers = Vec::new();
        self.meaning_of_verbs(operations, id, &mut offers);
        access(operations, id, &mut offers);
        self.wrong_input(operations, id, genes, &mut offers);
        if !has_callback {
            offers.retain(|offer| offer.check != Check::Callback);
        }
        let verbs = self.other_verbs.iter().enumerate().filter(|(_, (at, _))| *at == id);
        offers.extend(verbs.map(|(number, _)| offer(Check::Verb(number as u32), 0.5)));
        offers
    }

    fn meaning_of_verbs(&self, operations: &Operations, id: TemplateId, offers: &mut Vec<Offer>) {
        let operation = operations.get(id);
        let read = operations.here(id, &Method::GET);
        match operation.method {
            Method::PUT => {
                // Both depend on what else is there.
                offers.push(offer(Check::Again, 4.0));
                offers.extend(read.map(|_| offer(Check::Replace, 2.0)));
            }
            Method::DELETE => offers.extend(read.map(|_| offer(Check::Gone, 4.0))),
            Method::GET => {
                // What is there may be used up already.
                offers.push(offer(Check::Reread, 2.0));
                offers.extend(
                    state::page_parameters(operations.get(id))
                        .is_some()
                        .then(|| offer(Check::Pages, 1.0)),
                );
            }
            Method::POST => {
                let count = member::hidden(operations, &self.oracles, id).len().min(MOST_MEMBERS);
                offers.extend((0..count).map(|number| offer(Check::Member(number as u8), 2.0)));
                offers.push(offer(Check::Emptied, 3.0));
                offers.extend(operations.reads_chosen_name(id).map(|_| offer(Check::Failed, 4.0)));
            }
            _ => {}
        }
        if matches!(operation.method, Method::PUT | Method::PATCH) && read.is_some() {
            offers.push(offer(Check::Stale, 0.3));
        }
        if operation.method == Method::GET {
            offers.push(offer(Check::NotModified, 1.0));
            let is_wanted = self.oracles.security && self.oracles.wants(966);
            offers.extend(is_wanted.then(|| offer(Check::Origin, 0.2)));
        }
        if !operation.method.is_safe() && !operations.resources.needs(id).is_empty() {
            offers.push(offer(Check::Walk, 3.0));
        }
    }

    fn wrong_input(
        &self,
        operations: &Operations,
        id: TemplateId,
        genes: &GeneSettings,
        offers: &mut Vec<Offer>,
    ) {
        if self.oracles.wants(102) {
            offers.push(offer(Check::Violation, 3.0));
        }
        let full = GeneSettings { absent: 0.0, null: 0.0, ..genes.clone() };
        let mut draw = Draw::new(0, 0, Arc::new(full));
        let (knowledge, pool) = (Knowledge::default(), Pool::default());
        let gene = operations.templates.sample(id, &knowledge, &pool, &mut draw);
        // With a driver, what code compares with says better which values are odd.
        if !operations.is_white_box && self.oracles.wants(100) {
            let count = operations.templates.extremes(id, &gene).len() as f64;
            offers.extend((count > 0.0).then(|| {
                let (least, most) = OF_EXTREMES;
                offer(Check::Extreme, (count / EXTREMES_OF_ONE).clamp(least, most))
            }));
        }
        if !self.oracles.security {
            return;
        }
        if self.oracles.wants(102) && operations.has_closed_media_types(id, &gene) {
            offers.push(offer(Check::MediaType, 0.5));
        }
        if self.oracles.wants(202) && !operations.templates.addresses(id, &gene).is_empty() {
            offers.push(offer(Check::Callback, 3.0));
        }
        let mut count = 0;
        gene.visit_texts(&mut |_, _| count += 1);
        if count > 0 {
            let texts = count.min(MOST_TEXTS) as f64;
            offers.extend(Payload::ALL.map(|payload| {
                // Waiting takes the most calls, and time.
                let share = if payload.is_waiting() { 0.3 } else { 1.0 };
                offer(Check::Injection(payload), share * texts)
            }));
        }
    }
}

fn access(operations: &Operations, id: TemplateId, offers: &mut Vec<Offer>) {
    let operation = operations.get(id);
    if !operation.declares_security() {
        return;
    }
    if operation.needs_user() {
        offers.push(offer(Check::Nobody, 1.0));
        offers.extend((operations.users > 0).then(|| offer(Check::Known, 0.5)));
    }
    // One operation stands for all on the path.
    let reads = operations.here(id, &Method::GET);
    let first = reads.or_else(|| operations.resources.at(&operation.path).first().copied());
    let is_thing = operation.path.ends_with('}');
    if is_thing && first == Some(id) && operations.users > 1 {
        let users = 0..operations.users.min(MOST_USERS);
        offers.extend(users.map(|user| offer(Check::Other(user), 3.0)));
    }
}

fn offer(check: Check, weight: f64) -> Offer {
    Offer { check, weight }
}
