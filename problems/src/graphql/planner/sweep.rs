//! The sweep that a run begins with.

use wallace_engine::Individual;
use wallace_genes::{GeneSettings, TemplateId};

use super::Planner;
use crate::graphql::action::GraphqlAction;

impl Planner<'_, '_> {
    /// The first sweep (docs/reference/graphql.md#producers): each operation with as little as
    /// possible, then each with all arguments, texts tainted so that what they are compared with is
    /// learnt at once; by each user. Without a driver a third one follows, in which calls before it
    /// give what an operation needs.
    pub(crate) fn first_sweep(&mut self, number: u64) -> Option<Individual<GraphqlAction>> {
        let (stage, template, user) = self.sweep(number)?;
        match stage {
            0 => Some(Individual::new([self.sampler().simple_call(template, user)])),
            1 => {
                let full = GeneSettings {
                    absent: 0.0,
                    null: 0.0,
                    taint_start: 1.0,
                    ..(*self.draw.settings).clone()
                };
                Some(Individual::new([self.sampler().call_within(full, template, user)]))
            }
            2 if self.scope.is_black_box && !self.scope.links.is_empty() => {
                let action = self.sampler().call(template);
                Some(self.chain(GraphqlAction { user, ..action }))
            }
            _ => None,
        }
    }

    /// Stage, operation and user of a test, by its number.
    fn sweep(&self, number: u64) -> Option<(u64, TemplateId, Option<u16>)> {
        let order: Vec<TemplateId> = if self.scope.is_black_box {
            let callable = |id: &&TemplateId| self.scope.is_callable(**id);
            self.scope.links.order().iter().filter(callable).copied().collect()
        } else {
            self.scope.callable.clone()
        };
        let users: Vec<Option<u16>> = if self.scope.users == 0 {
            vec![None]
        } else {
            // Without a driver, what nobody may do is left to checks of operations that went well.
            let nobody = if self.scope.is_black_box { None } else { Some(None) };
            (0..self.scope.users).map(Some).chain(nobody).collect()
        };
        let (operations, callers) = (order.len() as u64, users.len() as u64);
        let stage = number / (operations * callers);
        let place = number % (operations * callers);
        let template = order[(place % operations) as usize];
        Some((stage, template, users[(place / operations) as usize]))
    }
}
