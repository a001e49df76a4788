//! How the search sees a GraphQL service.

use wallace_engine::{Action, Evaluated, Individual, Learnt, Problem};
use wallace_genes::{Draw, Gene, Sampled, SpecRef, TemplateId};

use super::GraphqlProblem;
use crate::fingerprint::Fingerprint;
use crate::graphql::action::GraphqlAction;
use crate::graphql::answer::Answer;
use crate::graphql::check::{CheckSettings, Checks};
use crate::graphql::gone;
use crate::graphql::memory::GraphqlMemory;
use crate::graphql::planner::Planner;
use crate::graphql::sampler::{Sampler, names_nothing};
use crate::graphql::scope::Scope;
use crate::http::HttpOutcome;
use crate::share;
use crate::text_use::{learn_use, with_uses};

/// Share of sampled tests that have a single call.
const SINGLE_CALL: f64 = 0.8;

/// Most follow-ups of one test.
const MOST_FOLLOW_UPS: usize = 64;

/// Share of sampled tests whose calls feed each other, where they can.
const CHAINED: f64 = 0.4;

/// Share of sampled tests that are made for a check, where checks are made.
const CHECKED: f64 = 0.7;

/// Share of sampled tests for operations that never went well, without a driver: checks need calls that did.
const UNANSWERED: f64 = 0.3;

impl Problem for GraphqlProblem {
    type Action = GraphqlAction;
    type Memory = GraphqlMemory;

    fn fingerprint(&self) -> u64 {
        let types = self.scope.schema().types().map(|(_, definition)| definition);
        let types = Fingerprint::of(types);
        Fingerprint::of([types, Fingerprint::of(&self.scope.callable)])
    }

    fn initialisation_spec(&self, template: TemplateId) -> SpecRef {
        self.beginnings.spec(template).unwrap_or_else(|| self.spec(self.scope.callable[0]))
    }

    fn initialise(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        self.beginnings.initialise(self, test, learnt.memory.beginnings(), draw)
    }

    fn repair_initialisation(
        &self,
        individual: &mut Individual<GraphqlAction>,
        _: &Learnt<GraphqlMemory>,
    ) {
        self.beginnings.repair::<Self>(individual);
    }

    fn has_had_enough(
        &self,
        test: &Individual<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
    ) -> bool {
        // What is wrong on purpose is refused as a whole, whatever else is changed in it.
        if !test.actions().iter().all(|(_, action)| action.form.is_valid()) {
            return true;
        }
        // With a driver, what a call reaches says what it is worth.
        self.scope.is_black_box
            && (names_nothing(&self.scope, test, &learnt.memory.pool)
                || test.actions().last().is_some_and(|(_, action)| {
                    let (memory, id) = (&learnt.memory, action.template);
                    let all = self.scope.callable.iter().map(|id| memory.calls(*id));
                    memory.is_closed(id) || share::is_beyond(memory.calls(id), all)
                }))
    }

    fn wants_follow_ups(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
    ) -> bool {
        self.beginnings.wants(self, test, learnt.memory.beginnings())
    }

    fn keeps_apart(&self) -> bool {
        self.scope.is_black_box
    }

    fn template_name(&self, template: TemplateId) -> String {
        let operation = self.scope.templates.operation(template);
        operation.map(|operation| operation.coordinate.to_string()).unwrap_or_default()
    }

    fn template_named(&self, name: &str) -> Option<TemplateId> {
        let mut operations = self.scope.templates.operations().iter();
        operations.find(|operation| *operation.coordinate == *name).map(|operation| operation.id)
    }

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.scope.operation(template).spec.clone()
    }

    fn sample(&self, learnt: &Learnt<GraphqlMemory>, draw: &mut Draw) -> Individual<GraphqlAction> {
        let mut test = self.sampled(learnt, draw);
        self.put_kinds(&mut test, learnt);
        test
    }

    fn initial(
        &self,
        number: u64,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        let mut test = Planner { scope: &self.scope, learnt, draw }.first_sweep(number)?;
        self.put_kinds(&mut test, learnt);
        Some(test)
    }

    fn mutate_structure(
        &self,
        individual: &mut Individual<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> bool {
        let size = individual.actions().len();
        let must_shrink = size >= self.scope.max_size;
        if must_shrink && size == 1 {
            return false;
        }
        if size > 1 && (must_shrink || draw.rng.chance(0.5)) {
            individual.remove(draw.rng.below(size));
        } else {
            let call = Sampler { scope: &self.scope, learnt, draw }.random_call();
            individual.insert(draw.rng.below(size + 1), call);
            self.put_kinds(individual, learnt);
        }
        true
    }

    /// The same test with rows that it missed, and with each constant that one of its texts was
    /// compared with.
    fn follow_ups(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Vec<Individual<GraphqlAction>> {
        let memories = learnt.memory.beginnings();
        let mut follow_ups = self.beginnings.follow_ups(self, test, memories, draw);
        let uses = test.outcomes.iter().flat_map(|outcome| &outcome.text_uses);
        let spec = |template| self.spec(template);
        let constants = with_uses(&test.individual, uses, &learnt.knowledge, spec, draw);
        follow_ups.extend(constants.take(MOST_FOLLOW_UPS.saturating_sub(follow_ups.len())));
        follow_ups
    }

    fn learn(&self, test: &Evaluated<GraphqlAction>, learnt: &mut Learnt<GraphqlMemory>) {
        for text_use in test.outcomes.iter().flat_map(|outcome| &outcome.text_uses) {
            learn_use(text_use, &test.individual, &mut learnt.knowledge);
        }
        let memory = &mut learnt.memory;
        self.beginnings.learn(self, test, (&mut memory.sql, &mut memory.stores));
        let Scope { templates, links, is_black_box, .. } = &self.scope;
        if *is_black_box || !links.is_empty() {
            let actions = test.individual.actions().iter();
            let calls = actions.zip(&test.outcomes).map(|((_, action), outcome)| {
                let action = outcome.sent(&**action);
                let operation = templates.operation(action.template);
                let answer = Answer::of(outcome, action.form, operation);
                (action, answer)
            });
            let calls: Vec<_> = calls.collect();
            for (action, answer) in &calls {
                if let Some(answer) = answer {
                    learnt.memory.note(action, answer, templates, links);
                    gone::forget(&self.scope, action, answer, &mut learnt.memory.pool);
                    if *is_black_box {
                        learnt.memory.scalar_kinds.note_refusal(templates.schema(), answer);
                        learnt.memory.moments.note_refusal(&self.scope, action, answer);
                        learnt.memory.refusals.note(action, answer, templates);
                    }
                }
            }
            learnt.memory.note_order(&calls, templates);
            learnt.memory.note_checks(&test.individual, &calls, templates);
        }
    }
}

impl GraphqlProblem {
    /// Lets the calls of a test write numbers and objects where a scalar is one.
    fn put_kinds(&self, test: &mut Individual<GraphqlAction>, learnt: &Learnt<GraphqlMemory>) {
        if self.scope.is_black_box {
            learnt.memory.scalar_kinds.put(test, &self.scope.custom_scalars);
        }
    }

    /// A test that is drawn anew.
    fn sampled(
        &self,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Individual<GraphqlAction> {
        let scope = &self.scope;
        if scope.is_black_box
            && draw.rng.chance(UNANSWERED)
            && let Some(template) = (Sampler { scope, learnt, draw }).unanswered()
        {
            let call = Sampler { scope, learnt, draw }.call(template);
            if scope.links.is_empty() || scope.max_size == 1 || !draw.rng.chance(CHAINED) {
                return Individual::new([call]);
            }
            draw.sampled = Sampled::Plan;
            return Planner { scope, learnt, draw }.chain(call);
        }
        if self.checks != CheckSettings::NONE
            && draw.rng.chance(CHECKED)
            && let Some(test) = (Checks { settings: self.checks, scope, learnt, draw }).test()
        {
            draw.sampled = Sampled::Check;
            return test;
        }
        if !scope.links.is_empty() && scope.max_size > 1 && draw.rng.chance(CHAINED) {
            draw.sampled = Sampled::Plan;
            let mut planner = Planner { scope, learnt, draw };
            let call = planner.sampler().random_call();
            return planner.chain(call);
        }
        // A call by itself tells as much as in a row where there is no state, and costs one.
        let is_single = scope.max_size == 1 || draw.rng.chance(SINGLE_CALL);
        let size = if is_single { 1 } else { 2 + draw.rng.below(scope.max_size - 1) };
        let mut sampler = Sampler { scope, learnt, draw };
        let mut individual = Individual::new([]);
        for _ in 0..size {
            let call = sampler.random_call();
            let form = sampler.some_form(&call);
            individual.push(call.written(form));
        }
        individual
    }
}

impl Action for GraphqlAction {
    type Outcome = HttpOutcome;

    fn template(&self) -> TemplateId {
        self.template
    }

    fn set_template(&mut self, template: TemplateId) -> bool {
        self.template = template;
        true
    }

    fn gene(&self) -> &Gene {
        &self.gene
    }

    fn gene_mut(&mut self) -> &mut Gene {
        &mut self.gene
    }
}
