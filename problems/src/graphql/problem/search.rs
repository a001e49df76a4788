//! How the search sees a GraphQL service.

use wallace_engine::{Action, Evaluated, Individual, Learnt, Problem};
use wallace_genes::{Draw, Gene, SpecRef, TemplateId};

use super::GraphqlProblem;
use crate::fingerprint::Fingerprint;
use crate::graphql::action::GraphqlAction;
use crate::graphql::answer::Answer;
use crate::graphql::check::CheckSettings;
use crate::graphql::memory::GraphqlMemory;
use crate::graphql::schema::OperationKind;
use crate::http::HttpOutcome;
use crate::sql::SqlTables;
use crate::text_use::{learn_use, with_uses};

/// Share of sampled tests that have a single call.
const SINGLE_CALL: f64 = 0.8;

/// Most follow-ups of one test.
const MOST_FOLLOW_UPS: usize = 64;

/// Share of sampled tests whose calls feed each other, where they can.
const CHAINED: f64 = 0.4;

/// Share of sampled tests that are made for a check, where checks are made.
const CHECKED: f64 = 0.7;

impl GraphqlProblem {
    fn random_call(&self, learnt: &Learnt<GraphqlMemory>, draw: &mut Draw) -> GraphqlAction {
        let mut template = self.callable[draw.rng.below(self.callable.len())];
        let is_stream =
            self.templates.operations()[template.0 as usize].kind == OperationKind::Subscription;
        // A stream on which nothing happens costs its whole time.
        if is_stream && learnt.memory.is_silent(template) && draw.rng.chance(0.95) {
            template = self.callable[draw.rng.below(self.callable.len())];
        }
        self.call(template, learnt, draw)
    }

    /// Whether answers are worth remembering.
    fn remembers(&self) -> bool {
        self.is_black_box || !self.links.is_empty()
    }
}

impl Problem for GraphqlProblem {
    type Action = GraphqlAction;
    type Memory = GraphqlMemory;

    fn fingerprint(&self) -> u64 {
        let types = self.templates.schema().types().map(|(_, definition)| definition);
        let types = Fingerprint::of(types);
        Fingerprint::of([types, Fingerprint::of(&self.callable)])
    }

    fn initialisation_spec(&self, template: TemplateId) -> SpecRef {
        let row = self.sql.as_ref().and_then(|tables| tables.spec(template));
        row.unwrap_or_else(|| self.spec(self.callable[0]))
    }

    fn initialise(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        self.sql.as_ref()?.initialise(test, &learnt.memory.sql, draw)
    }

    fn repair_initialisation(
        &self,
        individual: &mut Individual<GraphqlAction>,
        _: &Learnt<GraphqlMemory>,
    ) {
        match &self.sql {
            Some(tables) => tables.repair(individual),
            None => individual.set_initialisation(Vec::new()),
        }
    }

    fn wants_follow_ups(
        &self,
        test: &Evaluated<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
    ) -> bool {
        self.sql.is_some() && SqlTables::wants(test, &learnt.memory.sql)
    }

    fn template_name(&self, template: TemplateId) -> String {
        let operation = self.templates.operations().get(template.0 as usize);
        operation.map(|operation| operation.coordinate.to_string()).unwrap_or_default()
    }

    fn template_named(&self, name: &str) -> Option<TemplateId> {
        let mut operations = self.templates.operations().iter();
        operations.find(|operation| *operation.coordinate == *name).map(|operation| operation.id)
    }

    fn spec(&self, template: TemplateId) -> SpecRef {
        self.templates.operations()[template.0 as usize].spec.clone()
    }

    fn sample(&self, learnt: &Learnt<GraphqlMemory>, draw: &mut Draw) -> Individual<GraphqlAction> {
        if self.checks != CheckSettings::NONE
            && draw.rng.chance(CHECKED)
            && let Some(test) = self.check_test(learnt, draw)
        {
            return test;
        }
        if !self.links.is_empty() && self.max_size > 1 && draw.rng.chance(CHAINED) {
            let call = self.random_call(learnt, draw);
            return self.chain(call, learnt, draw);
        }
        // A call by itself tells as much as in a row where there is no state, and costs one.
        let is_single = self.max_size == 1 || draw.rng.chance(SINGLE_CALL);
        let size = if is_single { 1 } else { 2 + draw.rng.below(self.max_size - 1) };
        let mut individual = Individual::new([]);
        for _ in 0..size {
            let call = self.random_call(learnt, draw);
            let form = self.some_form(&call, learnt, draw);
            individual.push(call.written(form));
        }
        individual
    }

    fn initial(
        &self,
        number: u64,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        self.first_sweep(number, learnt, draw)
    }

    fn mutate_structure(
        &self,
        individual: &mut Individual<GraphqlAction>,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> bool {
        let size = individual.actions().len();
        let must_shrink = size >= self.max_size;
        if must_shrink && size == 1 {
            return false;
        }
        if size > 1 && (must_shrink || draw.rng.chance(0.5)) {
            individual.remove(draw.rng.below(size));
        } else {
            let call = self.random_call(learnt, draw);
            individual.insert(draw.rng.below(size + 1), call);
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
        let mut follow_ups = Vec::new();
        if let Some(tables) = &self.sql {
            follow_ups.extend(tables.follow_ups(test, &learnt.memory.sql, draw));
        }
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
        if let Some(tables) = &self.sql {
            tables.learn(test, &mut learnt.memory.sql);
        }
        if self.remembers() {
            let actions = test.individual.actions().iter();
            let calls = actions.zip(&test.outcomes).map(|((_, action), outcome)| {
                let action = outcome.sent(&**action);
                let answer = Answer::of(outcome, action.form);
                (action, answer)
            });
            let calls: Vec<_> = calls.collect();
            for (action, answer) in &calls {
                if let Some(answer) = answer {
                    learnt.memory.note(action, answer, &self.templates, &self.links);
                }
            }
            learnt.memory.note_order(&calls, &self.templates);
            learnt.memory.note_checks(&test.individual, &calls, &self.templates);
        }
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
