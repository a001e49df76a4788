//! The sweep that a run begins with.

use std::sync::Arc;

use wallace_engine::{Individual, Learnt, Problem};
use wallace_genes::{Draw, GeneSettings, TemplateId, sample, simplest};

use super::GraphqlProblem;
use crate::graphql::action::GraphqlAction;
use crate::graphql::memory::GraphqlMemory;

impl GraphqlProblem {
    /// The first sweep (graphql.md 7): each operation with as little as possible, then each with
    /// all arguments, texts tainted so that what they are compared with is learnt at once; by each
    /// user. Without a driver a third one follows, in which calls before it give what an operation
    /// needs.
    pub(super) fn first_sweep(
        &self,
        number: u64,
        learnt: &Learnt<GraphqlMemory>,
        draw: &mut Draw,
    ) -> Option<Individual<GraphqlAction>> {
        let (stage, template, user) = self.sweep(number)?;
        let settings = Arc::clone(&draw.settings);
        match stage {
            0 => {
                let gene = simplest(&self.spec(template), &draw.settings);
                let mut action = GraphqlAction::new(template, gene).by(user);
                self.improve(&mut action, learnt, draw);
                Some(Individual::new([action]))
            }
            1 => {
                let full = GeneSettings {
                    absent: 0.0,
                    null: 0.0,
                    taint_start: 1.0,
                    ..(*draw.settings).clone()
                };
                draw.settings = Arc::new(full);
                let gene = sample(&self.spec(template), template, &learnt.knowledge, draw);
                draw.settings = settings;
                let mut action = GraphqlAction::new(template, gene).by(user);
                self.improve(&mut action, learnt, draw);
                Some(Individual::new([action]))
            }
            2 if self.is_black_box && !self.links.is_empty() => {
                let action = self.call(template, learnt, draw);
                Some(self.chain(GraphqlAction { user, ..action }, learnt, draw))
            }
            _ => None,
        }
    }

    /// Stage, operation and user of a test, by its number.
    fn sweep(&self, number: u64) -> Option<(u64, TemplateId, Option<u16>)> {
        let order: Vec<TemplateId> = if self.is_black_box {
            let callable = |id: &&TemplateId| self.callable.binary_search(id).is_ok();
            self.links.order().iter().filter(callable).copied().collect()
        } else {
            self.callable.clone()
        };
        let users: Vec<Option<u16>> = if self.users == 0 {
            vec![None]
        } else {
            (0..self.users).map(Some).chain([None]).collect()
        };
        let (operations, callers) = (order.len() as u64, users.len() as u64);
        let stage = number / (operations * callers);
        let place = number % (operations * callers);
        let template = order[(place % operations) as usize];
        Some((stage, template, users[(place / operations) as usize]))
    }
}
