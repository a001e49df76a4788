//! Documents and keys with values at the ends of what their members take, with texts that the service
//! compares them with, and without a member: what is stored decides there more often than elsewhere.

use serde_json::Value;
use wallace_engine::{
    Action, Evaluated, Individual,
    individual::{Feed, Initialisation},
};
use wallace_genes::{PathStep, Rng, TemplateId};

use super::Stores;
use super::document::{self, Leaf, Member, NAMES};
use super::memory::StoreMemory;
use super::step::Insertion;
use crate::http::{HttpOutcome, TextUse};
use crate::text_use::specialised;

/// Most tests of this kind that one test asks for.
const MOST_ENDS: usize = 8;
/// What stands for much.
const MUCH: i64 = 1_000_000;

/// One member of one step of a test, and a value at an end; none for a member that is left out.
struct End {
    step: usize,
    name: usize,
    value: Option<Value>,
    /// What it is remembered by.
    key: String,
}

impl Leaf {
    fn ends(&self) -> Vec<Value> {
        match self {
            Self::Whole(_) => [-1, 0, MUCH].map(Value::from).to_vec(),
            Self::Number(_) => [-1.0, 0.0, MUCH as f64].map(Value::from).to_vec(),
            Self::Truth(_) => [false, true].map(Value::from).to_vec(),
            Self::Listed(options, _) => options.iter().map(|it| Value::from(&**it)).collect(),
            Self::Text(_) | Self::Time(_) => Vec::new(),
        }
    }
}

impl Stores {
    /// The test with each member of its documents and keys at each end that was not tried yet with
    /// the operation that the test is about.
    pub(super) fn at_ends<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &StoreMemory,
    ) -> Vec<Individual<A>> {
        let ends = ends_of(&test.individual, memory).into_iter();
        let new = ends.filter(|end| !memory.trials.has_end(&end.key));
        let changed = new.filter_map(|end| {
            let mut child = test.individual.clone();
            let gene = &mut child.initialisation_mut(end.step).gene;
            let mut members = document::members(gene);
            let place = members.iter().position(|(name, _)| *name == end.name)?;
            match &end.value {
                Some(value) => members[place].1.leaf = members[place].1.leaf.with(value)?,
                None => drop(members.remove(place)),
            }
            *gene = document::with_members(gene, &members);
            self.repair(&mut child);
            (child != test.individual).then_some(child)
        });
        changed.take(MOST_ENDS).collect()
    }

    /// Remembers at which ends the members of a test are, and what their texts were compared with.
    pub(super) fn learn_ends<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &mut StoreMemory,
    ) {
        let uses: Vec<&TextUse> = test.outcomes.iter().flat_map(|it| &it.text_uses).collect();
        for step in test.individual.initialisation() {
            if self.spec(step.template).is_none() {
                continue;
            }
            for (_, member) in document::members(&step.gene) {
                let Leaf::Text(text) = &member.leaf else { continue };
                for wanted in uses.iter().filter_map(|text_use| specialised(text, text_use)) {
                    let mut rng = Rng::new(0, 0);
                    if let Some(wanted) = wanted.text(&mut rng) {
                        memory.trials.note_text(member_key(step, &member), wanted);
                    }
                }
            }
        }
        for end in ends_of(&test.individual, memory) {
            let gene = &test.individual.initialisation()[end.step].gene;
            let value = document::member(gene, end.name).map(|member| member.leaf.value());
            if value.is_some_and(|value| Some(&value) == end.value.as_ref()) {
                memory.trials.note_end(end.key);
            }
        }
        // What is left out is not among the members.
        let about = about(&test.individual);
        for step in test.individual.initialisation() {
            let there = document::members(&step.gene);
            for (name, pointer) in document::names(&step.gene).enumerate() {
                if !there.iter().any(|(known, _)| *known == name) {
                    let member = format!("{} {pointer}", Insertion::place(&step.gene));
                    memory.trials.note_end(end_key(about, &member, None));
                }
            }
        }
    }
}

fn about<A: Action>(test: &Individual<A>) -> Option<TemplateId> {
    test.actions().last().map(|(_, action)| action.template())
}

fn member_key(step: &Initialisation, member: &Member) -> String {
    format!("{} {}", Insertion::place(&step.gene), member.pointer)
}

fn end_key(about: Option<TemplateId>, member: &str, value: Option<&Value>) -> String {
    let value = value.map_or("nothing".to_owned(), Value::to_string);
    format!("{about:?} {member} {value}")
}

fn ends_of<A: Action>(test: &Individual<A>, memory: &StoreMemory) -> Vec<End> {
    let about = about(test);
    let mut found = Vec::new();
    for (place, step) in test.initialisation().iter().enumerate() {
        if Insertion::of(step).is_none() {
            continue;
        }
        for (name, member) in document::members(&step.gene) {
            // By what feeds the call it is found.
            let is_it = |feed: &Feed| {
                matches!(feed.from.0[..],
                [PathStep::Field(NAMES), PathStep::Element(fed)] if fed as usize == name)
            };
            if step.feeds.iter().any(is_it) {
                continue;
            }
            let key = member_key(step, &member);
            let texts = memory.trials.texts(&key).map(|text| Some(Value::from(text)));
            let absent = (!member.pointer.is_empty()).then_some(None);
            let values = texts.chain(member.leaf.ends().into_iter().map(Some)).chain(absent);
            found.extend(values.map(|value| End {
                step: place,
                name,
                key: end_key(about, &key, value.as_ref()),
                value,
            }));
        }
    }
    found
}
