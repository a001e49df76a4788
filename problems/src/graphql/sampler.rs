//! Sampling of calls and tests: random values, guesses, values seen earlier, and calls that went
//! well before.

mod caller;
mod chain;
mod typename;
mod value;

use wallace_engine::Learnt;
use wallace_genes::{Draw, Gene, TemplateId, collect_sites, mutate, sample};

use super::action::GraphqlAction;
use super::link::Purpose;
use super::memory::GraphqlMemory;
use super::problem::GraphqlProblem;
use super::site::visit_sites;

pub(crate) use value::Need;

/// Share of calls that start from one that went well before.
const FROM_EXAMPLE: f64 = 0.4;
/// Share of calls that start from one that went well of which one argument is set to an edge.
const BOUNDARY: f64 = 0.5;

impl GraphqlProblem {
    /// A call with random values, guesses, and values seen earlier.
    pub(crate) fn call(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> GraphqlAction {
        if self.is_black_box
            && let Some(known) = self.varied_example(template, learnt, draw)
        {
            return known;
        }
        let spec = &self.templates.operations()[template.0 as usize].spec;
        let gene = sample(spec, template, &learnt.knowledge, draw);
        let mut action =
            GraphqlAction::new(template, gene).by(self.some_user(template, learnt, draw));
        self.improve(&mut action, learnt, draw);
        action
    }

    /// A call that went well, with a few of its genes changed.
    fn varied_example(
        &self,
        template: TemplateId,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<GraphqlAction> {
        let memory = learnt.memory.operation(template)?;
        if memory.examples.is_empty() || !draw.rng.chance(FROM_EXAMPLE) {
            return None;
        }
        let example = &memory.examples[draw.rng.below(memory.examples.len())];
        let mut action = GraphqlAction::new(template, example.gene.clone()).by(example.user);
        let spec = &self.templates.operations()[template.0 as usize].spec;
        // Where the rest is as it was, the edge is what the answer is about.
        let is_boundary = draw.rng.chance(BOUNDARY);
        let changes = if is_boundary { 0 } else { draw.rng.below(3) };
        for _ in 0..changes {
            let mut weights = Vec::new();
            collect_sites(spec, &action.gene, &mut weights);
            if !weights.is_empty() {
                let site = draw.rng.below(weights.len());
                mutate(spec, template, &mut action.gene, &[site], &learnt.knowledge, draw);
            }
        }
        if is_boundary {
            self.put_boundary(&mut action, draw);
        }
        // What went well with one thing may be refused the second time.
        if draw.rng.chance(if is_boundary { 0.8 } else { 0.5 }) {
            self.fill_from_pool(&mut action, learnt, draw, if is_boundary { 1.0 } else { 0.5 });
        }
        if draw.rng.chance(0.1) {
            action.user = self.some_user(template, learnt, draw);
        }
        Some(action)
    }

    /// Puts a value at the edge of what is usual into one argument: where the rest is right, this
    /// is what shows whether it is checked.
    fn put_boundary(&self, action: &mut GraphqlAction, draw: &mut Draw) {
        const NUMBERS: [i32; 7] = [0, -1, 1, 100, 1_000, 10_000, i32::MAX];
        let operation = &self.templates.operations()[action.template.0 as usize];
        let mut places = Vec::new();
        visit_sites(&self.templates, operation, &action.gene, &mut |site| {
            // What identifies something only finds nothing at its edge.
            let is_id =
                self.links.source(site.coordinate).is_some_and(|it| it.purpose == Purpose::Id);
            if matches!(site.gene, Gene::String(_) | Gene::Integer(_)) && !is_id {
                places.push(site.path.clone());
            }
        });
        let Some(path) = places.get(draw.rng.below(places.len().max(1))) else { return };
        let number = NUMBERS[draw.rng.below(NUMBERS.len())];
        if let Some(place) = path.find_mut(&mut action.gene) {
            *place = match place {
                Gene::Integer(_) => Gene::Integer(number),
                _ => Gene::text(""),
            };
        }
        let spec = &operation.spec;
        wallace_genes::repair(spec, &mut action.gene, &draw.settings);
    }
}
