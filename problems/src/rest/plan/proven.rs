//! Calls made for others begin from one that went well.
//!
//! What an operation takes beyond its description is known by what it took. A call that is to make what
//! another one needs must go well, and need show nothing new itself.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use wallace_genes::{Gene, GenePath, PathStep, TemplateId};

use super::Planner;
use crate::http::HttpOutcome;
use crate::rest::action::RestAction;
use crate::rest::learn::{CALLED, NAMES};
use crate::rest::memory::{Record, RestMemory};
use crate::rest::operations::Operations;
use crate::word::plain;

/// Endings of members that name what is made, where many may not have one name.
const NAMING: [&str; 5] = ["name", "title", "email", "login", "slug"];
/// How much more seldom a call is made so where it needs another name, which may not be enough.
const ANEW: f64 = 0.5;
/// What a call is told by that it changes nothing.
const REHEARSAL: [&str; 6] =
    ["dryrun", "validateonly", "preview", "previewonly", "simulate", "checkonly"];
/// Numbers that tell names apart.
const NUMBERS: usize = 1_000_000;

/// Values of a call that changed something and went well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proven {
    gene: Gene,
    /// Whether the same values were refused later: what is made needs a name of its own.
    is_once: bool,
}

/// Remembers a call that changed something and went well, in the place of the last one of its operation.
pub(in crate::rest) fn learn_proven(
    operations: &Operations,
    action: &RestAction,
    outcome: &HttpOutcome,
    memory: &mut RestMemory,
) {
    let is_read = operations.get(action.template).method.is_safe();
    if is_read || action.deviation.is_some() || rehearsals(operations, action).next().is_some() {
        return;
    }
    let known = memory.proven.get_mut(&action.template);
    match (outcome.status(), known) {
        (Some(200..300), known) => {
            let is_once = known.is_some_and(|known| known.is_once);
            let gene = outcome.sent(action).gene.clone();
            memory.proven.insert(action.template, Proven { gene, is_once });
        }
        // Some fail in the middle of it where the name is taken.
        (Some(400 | 404..=428 | 430..=502), Some(known)) => {
            known.is_once |= known.gene == action.gene;
        }
        _ => {}
    }
}

/// Parameters of a call that make it a rehearsal, as `dryRun`: it goes well, and nothing is made.
fn rehearsals(operations: &Operations, call: &RestAction) -> impl Iterator<Item = GenePath> {
    let parameters = &operations.get(call.template).parameters;
    let elements = match &call.gene {
        Gene::Tuple(elements) => &elements[..],
        _ => &[],
    };
    let is_on = |(name, gene): (&str, &Gene)| {
        REHEARSAL.contains(&&*plain(name)) && *gene == Gene::Boolean(true)
    };
    let named = (0..).zip(parameters.iter().map(|it| &*it.name).zip(elements));
    named.filter(move |(_, it)| is_on(*it)).map(|(at, _)| GenePath(vec![PathStep::Field(at)]))
}

impl Planner<'_> {
    /// A call that is to make or show what another one needs: a list mostly without what could hide
    /// things; and the oftener creations fail, the rather one that went well before.
    pub(super) fn call_for_other(&mut self, id: TemplateId) -> RestAction {
        let is_read = self.operations.get(id).method.is_safe();
        if is_read && !self.operations.is_white_box && self.chance(self.settings().bare_list) {
            return self.bare_call(id);
        }
        let mut call = self.call(id);
        let failing = 1.0 - self.record(id).map_or(0.5, Record::rate);
        if let Some(proven) = self.learnt.memory.proven.get(&id)
            && self
                .chance(self.settings().proven * failing * if proven.is_once { ANEW } else { 1.0 })
        {
            call.gene = self.operations.about(&call, proven.gene.clone());
            if proven.is_once {
                self.rename(&mut call);
            }
        }
        let spec = &self.operations.templates.template(id).spec;
        for path in rehearsals(self.operations, &call).collect::<Vec<_>>() {
            spec.put(&mut call.gene, &path, &Value::Bool(false));
        }
        call
    }

    /// A call with what must be there and nothing else.
    pub(in crate::rest) fn bare_call(&mut self, id: TemplateId) -> RestAction {
        let mut call = self.call(id);
        let plainest = self.plainest(id);
        call.gene = self.operations.about(&call, plainest);
        call
    }

    /// Gives what a call makes another name: one that goes on from that which was taken, since that
    /// keeps to rules nobody tells.
    fn rename(&mut self, call: &mut RestAction) {
        let templates = &self.operations.templates;
        let leaves = templates.named_leaves(call.template, &call.gene);
        let is_naming = |name: &str| {
            let name = plain(name);
            NAMES.contains(&&*name)
                || CALLED.contains(&&*name)
                || NAMING.iter().any(|end| name.ends_with(end))
        };
        let number = self.draw.rng.below(NUMBERS);
        for (path, _) in leaves.iter().filter(|(_, name)| is_naming(name)) {
            let Some(Gene::String(text)) = path.find(&call.gene) else { continue };
            let begin = text.text.trim_end_matches(|it: char| it.is_ascii_digit());
            let name = match begin.split_once('@') {
                Some((user, host)) => format!("{user}{number}@{host}"),
                None => format!("{begin}{number}"),
            };
            templates.template(call.template).spec.put(&mut call.gene, path, &Value::String(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::{Individual, Learnt};
    use wallace_genes::Draw;

    use super::*;
    use crate::http::HttpResponse;
    use crate::rest::problem::RestProblem;
    use crate::rest::problem::support::{named, problem};

    fn service() -> RestProblem {
        problem(
            "{/notes: {post: {requestBody: {required: true, content: {application/json: {schema: \
               {type: object, required: [name, kind], properties: {name: {type: string}, kind: {type: \
               string}}}}}}, responses: {'201': {description: made}}}}, '/notes/{note_id}': {patch: \
               {parameters: [{name: note_id, in: path, required: true, schema: {type: string}}]}}}",
            0,
        )
    }

    /// Plans of changes of a note, of which the first call makes it.
    fn made(problem: &RestProblem, memory: &RestMemory) -> Vec<RestAction> {
        let learnt = Learnt { memory: memory.clone(), ..Learnt::default() };
        let plan = |number| {
            let mut draw = Draw::new(7, number, Arc::default());
            let mut planner = problem.planner(&learnt, &mut draw);
            planner.plan_after(named(problem, "PATCH:/notes/{note_id}"), 0.0)
        };
        let first = |plan: Individual<RestAction>| (*plan.actions()[0].1).clone();
        (0..200).map(|number| first(plan(number))).collect()
    }

    fn note(problem: &RestProblem, memory: &mut RestMemory, call: &RestAction, status: u16) {
        let answer = HttpResponse { status, ..HttpResponse::default() };
        learn_proven(problem.operations(), call, &HttpOutcome::new(Ok(answer)), memory);
        let record = memory.record.entry(call.template).or_default();
        record.calls += 1;
        record.fruitful += u32::from(status < 300);
    }

    fn texts(call: &RestAction) -> Vec<String> {
        let mut texts = Vec::new();
        call.gene.visit_texts(&mut |_, text| texts.push(text.text.to_string()));
        texts
    }

    #[test]
    fn what_others_need_is_made_as_it_went_well_before() {
        let (problem, mut memory) = (service(), RestMemory::default());
        let calls = made(&problem, &memory);
        let (good, bad) = (&calls[0], &calls[1]);
        let same = |memory: &RestMemory| {
            made(&problem, memory).iter().filter(|call| call.gene == good.gene).count()
        };
        (0..20).for_each(|_| note(&problem, &mut memory, bad, 422));
        assert!(same(&memory) < 5);
        note(&problem, &mut memory, good, 201);
        assert!(same(&memory) > 100);
        // What always goes well needs no help.
        (0..200).for_each(|_| note(&problem, &mut memory, good, 201));
        assert!(same(&memory) < 50);
    }

    #[test]
    fn what_is_refused_when_it_is_made_again_gets_another_name() {
        let (problem, mut memory) = (service(), RestMemory::default());
        let good = &made(&problem, &memory)[0];
        note(&problem, &mut memory, good, 201);
        (0..20).for_each(|_| note(&problem, &mut memory, good, 500));
        let [name, kind] = &texts(good)[..] else { panic!("two texts") };
        let calls = made(&problem, &memory);
        let named: Vec<Vec<String>> = calls.iter().map(texts).filter(|it| it[1] == *kind).collect();
        assert!(named.len() > 50, "{named:?}");
        assert!(named.iter().all(|texts| texts[0] != *name && texts[0].starts_with(&**name)));
    }

    #[test]
    fn a_rehearsal_makes_nothing_that_others_need() {
        let problem = problem(
            "{/notes: {post: {parameters: [{name: dryRun, in: query, required: true, schema: {type: boolean}}]}}, \
               '/notes/{note_id}': {patch: \
               {parameters: [{name: note_id, in: path, required: true, schema: {type: string}}]}}}",
            0,
        );
        let mut memory = RestMemory::default();
        let calls = made(&problem, &memory);
        let operations = problem.operations();
        assert!(calls.iter().all(|call| rehearsals(operations, call).next().is_none()));
        let mut dry = calls[0].clone();
        let spec = &problem.templates().template(dry.template).spec;
        let dry_run = GenePath(vec![PathStep::Field(0)]);
        assert!(spec.put(&mut dry.gene, &dry_run, &Value::Bool(true)));
        note(&problem, &mut memory, &dry, 201);
        assert!(memory.proven.is_empty());
    }
}
