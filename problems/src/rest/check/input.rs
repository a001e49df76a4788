//! Checks of what a service takes in: broken rules, other media types, addresses that it may call,
//! texts that it may take for code.

use wallace_genes::{Gene, GenePath, GeneSpec, PathStep, TemplateId};

use super::build::{Build, Test};
use super::offer::MOST_TEXTS;
use crate::rest::action::{Deviation, Extreme, RestAction};
use crate::rest::learn::payload_key;
use crate::rest::oracle::Payload;

/// Extreme values of one test: what comes before the call is made once for them.
const TOGETHER: usize = 4;

impl Build<'_, '_> {
    /// The last call with one rule broken.
    pub(super) fn violation(&mut self) -> Option<Test> {
        let mut wrong = self.base.clone();
        self.planner.break_last(&mut wrong).then_some(wrong)
    }

    /// The last call, and some more like it, each with one value that programs often do not expect:
    /// those that were tried least so far.
    pub(super) fn extreme(&mut self) -> Option<Test> {
        let id = self.action.template;
        let full = self.full_gene();
        let (operations, learnt) = (self.planner.operations, self.planner.learnt);
        let templates = &operations.templates;
        let sent = learnt.memory.violations.get(&id);
        let times = |extreme: &Extreme| {
            sent.and_then(|sent| sent.get(&extreme.key())).copied().unwrap_or(0)
        };
        let drawn = |extreme| (times(&extreme), self.planner.draw.rng.bits(), extreme);
        let mut extremes: Vec<_> = templates.extremes(id, &full).into_iter().map(drawn).collect();
        extremes.sort();
        let mut calls = extremes.into_iter().take(TOGETHER).map(|(.., extreme)| {
            // Where it can be, the rest is what went well before.
            let has_place = templates.has_place(id, &self.action.gene, &extreme);
            let gene = if has_place { &self.action.gene } else { &full };
            let deviation = Some(Box::new(Deviation::Extreme(extreme)));
            RestAction { gene: gene.clone(), deviation, ..self.action.clone() }
        });
        let mut test = self.with_last(calls.next()?);
        for call in calls {
            self.push(&mut test, call);
        }
        Some(test)
    }

    /// The last call with a body of a media type that is not documented.
    pub(super) fn media_type(&mut self) -> Option<Test> {
        let action = &self.action;
        if !self.planner.operations.has_closed_media_types(action.template, &action.gene) {
            return None;
        }
        let deviation = Deviation::MediaType("application/x-wallace".to_owned());
        Some(self.with_last(RestAction { deviation: Some(Box::new(deviation)), ..action.clone() }))
    }

    /// The address of our own listener in a value of the last call that names a place.
    pub(super) fn callback(&mut self) -> Option<Test> {
        let gene = self.full_gene();
        let places = self.planner.operations.templates.addresses(self.action.template, &gene);
        let (parameter, pointer) = self.planner.draw.rng.pick(&places)?.clone();
        let deviation = Some(Box::new(Deviation::Callback { parameter, pointer }));
        Some(self.with_last(RestAction { gene, deviation, ..self.action.clone() }))
    }

    /// The payload in a text of the last call: one into which it was put least so far.
    pub(super) fn injection(&mut self, payload: Payload) -> Option<Test> {
        let id = self.action.template;
        let full = self.full_gene();
        let mut paths = Vec::new();
        full.visit_texts(&mut |path, _| paths.push(path.clone()));
        paths.truncate(MOST_TEXTS);
        let sent = self.planner.learnt.memory.violations.get(&id);
        let times = |path: &GenePath| {
            sent.and_then(|sent| sent.get(&payload_key(path, payload))).copied().unwrap_or(0)
        };
        let least = paths.iter().map(times).min()?;
        paths.retain(|path| times(path) == least);
        let path = self.planner.draw.rng.pick(&paths)?;
        let gene = self.only(id, &full, path);
        let calls = payload.texts().iter().map(|text| {
            let mut call = RestAction { gene: gene.clone(), ..self.action.clone() };
            if let Some(part) = path.find_mut(&mut call.gene) {
                *part = Gene::text(*text);
            }
            call
        });
        let mut calls = calls.collect::<Vec<_>>().into_iter();
        let mut test = self.with_last(calls.next()?);
        for call in calls {
            self.push(&mut test, call);
        }
        Some(test)
    }

    /// The call with nothing optional but what holds the text: filters would hide what it does.
    fn only(&self, id: TemplateId, full: &Gene, path: &GenePath) -> Gene {
        let spec = &self.planner.operations.templates.template(id).spec;
        let mut gene = full.clone();
        if let (GeneSpec::Tuple(tuple), Gene::Tuple(elements)) = (spec.spec(), &mut gene) {
            for (index, (field, element)) in tuple.elements.iter().zip(elements).enumerate() {
                let is_optional = matches!(spec.graph().spec(field.spec), GeneSpec::Optional(_));
                let holds = path.0.first() == Some(&PathStep::Field(index as u32));
                if is_optional && !holds {
                    *element = Gene::Absent;
                }
            }
        }
        gene
    }
}
