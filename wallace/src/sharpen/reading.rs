//! What was written is read back.
//!
//! A read is worth its place behind a write when it is answered otherwise than before the write.

use std::collections::BTreeMap;

use serde_json::Value;
use wallace_engine::{Action, Binding, BindingSource, Individual};
use wallace_genes::{Gene, GenePath, TemplateId};
use wallace_problems::put_scalar;

use super::text_name::{fit, parts};
use super::{Answer, CalledBy, Kept, Seen, Sharpening};
use crate::service_family::ServiceFamily;

/// Most reads behind one write.
const READS: usize = 2;

/// Most tests that show what one operation changes by the same read.
const SAME: u32 = 2;

/// Most calls of one operation that are tried as reads.
const CALLS: usize = 3;

/// A read behind a write, and what it takes from the answer to the write.
struct Variant<A> {
    action: A,
    bound: Vec<(GenePath, String)>,
}

impl<P: ServiceFamily> Sharpening<'_, P> {
    /// Puts reads behind writes that went well.
    pub(super) fn read_after_writes(&mut self) {
        let readers = self.readers();
        let mut told: BTreeMap<(TemplateId, TemplateId), u32> = BTreeMap::new();
        for place in 0..self.tests.len() {
            if self.is_over() {
                return;
            }
            let Some(write) = self.write_of(&self.tests[place]) else { continue };
            let template = self.tests[place].individual.actions()[write].1.template();
            let mut appended = Vec::new();
            for reader in &readers {
                let told = told.entry((template, reader.template())).or_default();
                if *told == SAME || appended.contains(&reader.template()) {
                    continue;
                }
                if self.read_by(place, write, reader) {
                    *told += 1;
                    appended.push(reader.template());
                }
                if appended.len() == READS || self.is_over() {
                    break;
                }
            }
        }
    }

    /// Position of the write that a test ends with, when that went well.
    fn write_of(&self, kept: &Kept<P>) -> Option<usize> {
        let last = kept.individual.actions().len().checked_sub(1)?;
        let outcome = kept.seen.as_ref()?.evaluation.outcomes.get(last)?;
        let is_write = !self.problem.is_read(&kept.individual.actions()[last].1);
        (kept.may_change() && is_write && P::result(outcome) == (true, false)).then_some(last)
    }

    /// Reads of the tests that go well, and the simplest call of each operation that reads; those
    /// with arguments first: they are about one thing.
    fn readers(&mut self) -> Vec<CalledBy<P>> {
        let mut found: Vec<CalledBy<P>> = self.problem.simplest_reads();
        for kept in &self.tests {
            let Some(seen) = &kept.seen else { continue };
            for ((_, action), outcome) in
                kept.individual.actions().iter().zip(&seen.evaluation.outcomes)
            {
                let action = outcome.sent(&**action);
                let same = found.iter().filter(|known| known.template() == action.template());
                let is_new = !found.contains(&action) && same.count() < CALLS;
                if is_new && self.problem.is_read(&action) && P::result(outcome).0 {
                    found.push(action.into_owned());
                }
            }
        }
        let mut readers: Vec<CalledBy<P>> =
            found.into_iter().map(|reader| self.wide_reader(reader)).collect();
        readers.sort_by_key(|reader| self.problem.arguments(reader).is_empty());
        readers
    }

    fn wide_reader(&mut self, reader: CalledBy<P>) -> CalledBy<P> {
        let Some(wide) = self.problem.widened(&reader) else { return reader };
        let seen = self.observe(&Individual::new([wide.clone()]));
        let is_fine =
            |seen: &Seen<P>| !P::result(&seen.evaluation.outcomes[0]).1 && !seen.has_fault();
        if seen.as_ref().is_some_and(is_fine) { wide } else { reader }
    }

    /// Puts a read behind the write of a test, when that shows a difference.
    fn read_by(&mut self, place: usize, write: usize, reader: &CalledBy<P>) -> bool {
        for variant in self.variants(place, write, reader) {
            if self.is_over() {
                return false;
            }
            let mut individual = self.tests[place].individual.clone();
            let producer = individual.actions()[write].0;
            let consumer = individual.push(variant.action);
            for (path, pointer) in variant.bound {
                let source = BindingSource::Response { action: producer, pointer };
                individual.bind(Binding { source, action: consumer, path });
            }
            let Some(seen) = self.observe(&individual) else { continue };
            let calls = individual.actions().last().zip(seen.evaluation.outcomes.last());
            let Some(((_, read), outcome)) = calls else { continue };
            let sent = outcome.sent(&**read).into_owned();
            let before = self.before(place, write, sent);
            if before.is_some() && before != seen.answer() && self.change(place, individual, seen) {
                return true;
            }
        }
        false
    }

    /// What a read answers before the write of a test.
    fn before(&mut self, place: usize, write: usize, read: CalledBy<P>) -> Option<Answer> {
        let individual = &self.tests[place].individual;
        let is_first = write == 0 && individual.initialisation().is_empty();
        if let Some(known) = self.alone.get(&read).filter(|_| is_first) {
            return known.clone();
        }
        let test = individual.joined(write, &Individual::new([read.clone()]), 0);
        let answer = self.observe(&test).and_then(|seen| seen.answer());
        if is_first {
            self.alone.insert(read, answer.clone());
        }
        answer
    }

    /// The read about what the write is about: by the arguments of the write, and by its answer;
    /// and the read as it is.
    fn variants(
        &self,
        place: usize,
        write: usize,
        reader: &CalledBy<P>,
    ) -> Vec<Variant<CalledBy<P>>> {
        let arguments = self.problem.arguments(reader);
        let mut variants = Vec::new();
        if !arguments.is_empty() {
            let kept = &self.tests[place];
            let outcome = kept.seen.as_ref().and_then(|seen| seen.evaluation.outcomes.get(write));
            if let Some(outcome) = outcome {
                let written = outcome.sent(&*kept.individual.actions()[write].1);
                variants.extend(self.by_arguments(reader, &arguments, &written));
            }
            let body = outcome.and_then(|outcome| outcome.response.as_ref().ok());
            let body = body.and_then(|response| serde_json::from_str(&response.body).ok());
            variants.extend(body.and_then(|body| self.by_answer(reader, &arguments, &body)));
        }
        variants.push(Variant { action: reader.clone(), bound: Vec::new() });
        variants
    }

    fn by_arguments(
        &self,
        reader: &CalledBy<P>,
        arguments: &[(String, GenePath)],
        written: &CalledBy<P>,
    ) -> Option<Variant<CalledBy<P>>> {
        let of = self.problem.subject(reader);
        let given = self.problem.arguments(written);
        let mut action = reader.clone();
        for (name, path) in arguments {
            let fits = given.iter().map(|(other, at)| (fit(name, &of, other), at));
            let best = fits.filter(|(fit, _)| *fit > 0).max_by_key(|(fit, _)| *fit);
            let Some((_, at)) = best else { continue };
            if let Some(value) = at.find(written.gene()).and_then(scalar) {
                put_scalar(action.gene_mut(), path, &value);
            }
        }
        (action != *reader).then_some(Variant { action, bound: Vec::new() })
    }

    fn by_answer(
        &self,
        reader: &CalledBy<P>,
        arguments: &[(String, GenePath)],
        body: &Value,
    ) -> Option<Variant<CalledBy<P>>> {
        let of = self.problem.subject(reader);
        let told = parts(body);
        let is_alone = told.len() == 1 && arguments.len() == 1;
        let mut bound = Vec::new();
        for (name, path) in arguments {
            let fits = told.iter().map(|(other, pointer)| {
                let fit = fit(name, &of, other);
                (if is_alone { fit.max(1) } else { fit }, pointer)
            });
            // Of equally good ones the first: it stands nearest to the root.
            let best = fits.filter(|(fit, _)| *fit > 0).rev().max_by_key(|(fit, _)| *fit);
            bound.extend(best.map(|(_, pointer)| (path.clone(), pointer.clone())));
        }
        (!bound.is_empty()).then(|| Variant { action: reader.clone(), bound })
    }
}

/// A text, number or truth value as JSON.
fn scalar(gene: &Gene) -> Option<Value> {
    Some(match gene {
        Gene::String(text) => Value::String(text.text.to_string()),
        Gene::Integer(number) => (*number).into(),
        Gene::Long(number) => (*number).into(),
        Gene::Boolean(value) => (*value).into(),
        _ => return None,
    })
}
