//! What tests show about documents and keys, and the tests that they ask for.

use serde_json::{Value, json};
use wallace_engine::{
    Action, ActionId, Evaluated, Individual,
    individual::{Feed, Initialisation},
};
use wallace_genes::{Draw, Gene, GenePath, PathStep, TemplateId};

use super::document::{self, ID, Leaf, Member, NAMES, PLACES};
use super::key::{self, Wanted};
use super::memory::StoreMemory;
use super::outcome::StoreMiss;
use super::shape::Shape;
use super::step::Insertion;
use super::{DOCUMENT, KEY, Stores};
use crate::evaluator::HttpProblem;
use crate::http::HttpOutcome;
use crate::sql::{Input, holder, tainted};
use crate::trial::{MOST_ROUNDS, MOST_SEEN, probability};
use crate::word::written;

/// Probability that a mutation adds another document to those that a test has.
const ANOTHER: f64 = 0.05;
/// Fields that a hash gets where nothing tells which it has.
const MOST_FIELDS: usize = 4;

/// Something that a call looked for in vain.
struct Miss<'a> {
    miss: &'a StoreMiss,
    action: ActionId,
    place: usize,
    /// Times that it was seen, and that an insertion did not help.
    seen: u32,
    tries: u32,
}

/// A step under construction, and the members and parts of it that have a value of the call.
struct Made {
    template: TemplateId,
    gene: Gene,
    taken: Vec<(GenePath, Value)>,
}

impl Stores {
    /// The test with what one of its calls looked for in vain; now and then only, the more seldom the
    /// more often it was tried. Draws nothing where no driver tells of any.
    pub(crate) fn initialise<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        memory: &StoreMemory,
        draw: &mut Draw,
    ) -> Option<Individual<P::Action>> {
        let misses = misses(test, memory);
        if misses.is_empty() {
            return self.another(test, draw);
        }
        let miss = draw.rng.pick(&misses)?;
        if !draw.rng.chance(probability(miss.tries)) {
            return None;
        }
        self.with_insertion(problem, test, miss, memory)
    }

    /// Whether a test has misses for which hardly anything was tried yet.
    pub(crate) fn wants<A: Action<Outcome = HttpOutcome>>(
        &self,
        test: &Evaluated<A>,
        memory: &StoreMemory,
    ) -> bool {
        misses(test, memory).iter().any(|miss| miss.seen <= MOST_SEEN)
    }

    /// The test with an insertion, once for each miss for which hardly anything was tried yet; where
    /// there is none, with what it inserts at the ends of what its members take.
    pub(crate) fn follow_ups<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        memory: &StoreMemory,
    ) -> Vec<Individual<P::Action>> {
        let misses = misses(test, memory);
        if misses.is_empty() {
            return self.at_ends(test, memory);
        }
        let new = misses.iter().filter(|miss| miss.seen <= MOST_SEEN);
        new.filter_map(|miss| self.with_insertion(problem, test, miss, memory)).collect()
    }

    /// Remembers what was taken, and for which misses something was tried.
    pub(crate) fn learn<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        memory: &mut StoreMemory,
    ) {
        let insertions = self.insertions(&test.individual);
        let told = test.outcomes.first().and_then(|outcome| outcome.stores.as_deref());
        let is_inserted = told.map_or(&[][..], |told| &told.is_inserted);
        let steps = test.individual.initialisation().iter();
        let steps = steps.filter(|step| self.spec(step.template).is_some());
        for ((insertion, step), is_taken) in insertions.iter().zip(steps).zip(is_inserted) {
            memory.trials.count_insertion(
                Insertion::place(&step.gene),
                insertion.hash(),
                *is_taken,
            );
        }
        if !insertions.is_empty() {
            self.learn_ends(test, memory);
        }
        for (outcome, (_, action)) in test.outcomes.iter().zip(test.individual.actions()) {
            for miss in outcome.stores.iter().flat_map(|told| &told.failed) {
                memory
                    .trials
                    .count_miss(&known_as(action.template(), miss), !insertions.is_empty());
            }
            if memory.trials.has_seen() {
                memory.note_object(problem.operation(action), outcome);
            }
        }
    }

    /// The test with another document like one that it has: some decide how many there are.
    fn another<A: Action>(&self, test: &Evaluated<A>, draw: &mut Draw) -> Option<Individual<A>> {
        let steps = test.individual.initialisation();
        let documents: Vec<&Initialisation> =
            steps.iter().map(|step| &**step).filter(|step| step.template == DOCUMENT).collect();
        if documents.is_empty() || !draw.rng.chance(ANOTHER) {
            return None;
        }
        let mut other = (*draw.rng.pick(&documents)?).clone();
        let members = document::members(&other.gene).into_iter();
        let members: Vec<(usize, Member)> = members.filter(|(_, it)| it.pointer != ID).collect();
        other.gene = document::with_members(&other.gene, &members);
        other.feeds.clear();
        let mut steps: Vec<Initialisation> =
            steps.iter().map(|step| Initialisation::clone(step)).collect();
        steps.push(other);
        let mut child = test.individual.clone();
        child.set_initialisation(steps);
        Some(child)
    }

    fn with_insertion<P: HttpProblem>(
        &self,
        problem: &P,
        test: &Evaluated<P::Action>,
        miss: &Miss<'_>,
        memory: &StoreMemory,
    ) -> Option<Individual<P::Action>> {
        let action = &test.individual.actions().get(miss.place)?.1;
        let sent = test.outcomes.get(miss.place)?.sent(&**action);
        let inputs = problem.inputs(&sent);
        let operation = problem.operation(action);
        let made = match miss.miss {
            StoreMiss::Collection { database, collection, document_type } => {
                vec![made_document(
                    [database, collection, document_type],
                    operation,
                    &inputs,
                    memory,
                )]
            }
            StoreMiss::Key { command, keys, pattern, field } => {
                let texts: Vec<String> = inputs.iter().map(|(_, value)| written(value)).collect();
                let object = memory.object(operation, keys.first().map_or("", |key| key));
                let fields = fields(object.as_ref(), &inputs);
                let looked_for = (pattern.as_deref(), field.as_deref());
                let wanted = key::wanted(command, keys, looked_for, &texts, &fields);
                let object = object.unwrap_or_else(|| of_inputs(&inputs));
                wanted.into_iter().map(|it| made_key(&it, &object, miss.seen)).collect()
            }
        };
        let mut steps: Vec<Initialisation> =
            test.individual.initialisation().iter().map(|it| Initialisation::clone(it)).collect();
        let before = steps.len();
        let round = test.individual.round() + 1;
        for made in made {
            let feed = |(from, value): &(GenePath, Value)| {
                let path = holder(action.gene(), value)?;
                Some(Feed { from: from.clone(), action: miss.action, path })
            };
            let feeds = made.taken.iter().filter_map(feed).collect();
            let step = Initialisation { template: made.template, gene: made.gene, round, feeds };
            let is_refused = Insertion::of(&step)
                .is_some_and(|insertion| memory.trials.is_refused(insertion.hash()));
            if memory.trials.trusts(&Insertion::place(&step.gene)) && !is_refused {
                steps.push(step);
            }
        }
        let is_new = steps.len() > before;
        let mut child = test.individual.clone();
        child.set_initialisation(steps);
        self.repair(&mut child);
        (is_new && child.initialisation().len() > before).then_some(child)
    }
}

/// What calls of a test looked for in vain.
fn misses<'a, A: Action<Outcome = HttpOutcome>>(
    test: &'a Evaluated<A>,
    memory: &StoreMemory,
) -> Vec<Miss<'a>> {
    let mut found = Vec::new();
    if test.individual.round() >= MOST_ROUNDS {
        return found;
    }
    let calls = test.outcomes.iter().zip(test.individual.actions());
    for (place, (outcome, (id, action))) in calls.enumerate() {
        for miss in outcome.stores.iter().flat_map(|told| &told.failed) {
            let (seen, tries) = memory.trials.of(&known_as(action.template(), miss));
            found.push(Miss { miss, action: *id, place, seen, tries });
        }
    }
    found
}

/// What a miss is remembered by. Keys differ from call to call, so that only their kind counts.
fn known_as(template: TemplateId, miss: &StoreMiss) -> String {
    match miss {
        StoreMiss::Collection { database, collection, .. } => {
            format!("{} {database}.{collection}", template.0)
        }
        StoreMiss::Key { command, keys, .. } => {
            let kind =
                keys.first().map_or("", |key| key.split([':', '/', '.']).next().unwrap_or(""));
            let kind = if keys.first().is_some_and(|key| key == kind) { "" } else { kind };
            format!("{} {command} {kind}", template.0)
        }
    }
}

fn of_inputs(inputs: &[Input]) -> Value {
    let name = |input: &str| input.rsplit(' ').next().unwrap_or(input).to_owned();
    let mut object: serde_json::Map<String, Value> =
        inputs.iter().map(|(input, value)| (name(input), value.clone())).collect();
    for name in ["id", "name"] {
        object.entry(name).or_insert(Value::Null);
    }
    Value::Object(object)
}

/// Fields that a hash may have.
fn fields(object: Option<&Value>, inputs: &[Input]) -> Vec<String> {
    let known = object.and_then(Value::as_object).into_iter().flatten();
    let known = known.filter(|(_, value)| !value.is_array() && !value.is_object());
    let mut fields: Vec<String> = known.map(|(name, _)| name.clone()).take(MOST_FIELDS).collect();
    if fields.is_empty() {
        let of_inputs = of_inputs(inputs);
        fields.extend(of_inputs.as_object().into_iter().flatten().map(|(name, _)| name.clone()));
    }
    fields.truncate(MOST_FIELDS);
    fields
}

/// A document of a collection, as like to what the call looked for as can be told.
fn made_document(
    [database, collection, document_type]: [&String; 3],
    operation: &str,
    inputs: &[Input],
    memory: &StoreMemory,
) -> Made {
    let mut shape = Shape::new(collection);
    shape.add_type(document_type);
    let is_open = shape.members.is_empty();
    if let Some(object) = memory.object(operation, collection).filter(|_| is_open) {
        shape.add_object(&object, "");
    }
    let taken = shape.bind(inputs, is_open).into_iter();
    let from = |name: usize| {
        GenePath(vec![PathStep::Field(NAMES), PathStep::Element(u32::try_from(name).unwrap_or(0))])
    };
    Made {
        template: DOCUMENT,
        gene: document::gene(&[database, collection], &shape.members),
        taken: taken.map(|(name, value)| (from(name), value)).collect(),
    }
}

/// A value under a key: a text first, which shows what becomes of it, then an object, then a number.
fn made_key(wanted: &Wanted, object: &Value, seen: u32) -> Made {
    let place = format!("{} {}{}", wanted.command, wanted.before, wanted.field);
    let mut shape = Shape::new(&place);
    match seen % 3 {
        2 if wanted.command == "SET" => shape.add_object(object, ""),
        0 => shape.add_object(&json!(1), ""),
        _ => {
            shape.members.push(Member { pointer: String::new(), leaf: Leaf::Text(tainted(&place)) })
        }
    }
    let Wanted { command, before, middle, after, field } = wanted;
    let from = GenePath(vec![PathStep::Field(PLACES), PathStep::Element(2)]);
    let is_fed = !middle.is_empty();
    Made {
        template: KEY,
        gene: document::gene(&[command, before, middle, after, field], &shape.members),
        taken: is_fed.then(|| (from, Value::from(&**middle))).into_iter().collect(),
    }
}
