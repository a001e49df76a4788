//! The sweep that a run begins with.

use wallace_engine::Individual;
use wallace_genes::{GeneSettings, TemplateId};

use super::Planner;
use crate::graphql::action::GraphqlAction;

impl Planner<'_, '_> {
    /// The first sweep (docs/reference/graphql.md#producers): each operation with as little as
    /// possible and the ids that it shows, then each with all arguments, texts tainted so that what they are compared with is
    /// learnt at once; by each user. Without a driver a third one follows, in which calls before it
    /// give what an operation needs.
    pub(crate) fn first_sweep(&mut self, number: u64) -> Option<Individual<GraphqlAction>> {
        let (stage, template, user) = self.sweep(number)?;
        match stage {
            0 => Some(Individual::new([self.sampler().first_call(template, user)])),
            1 => {
                let full = GeneSettings {
                    absent: 0.0,
                    null: 0.0,
                    taint_start: 1.0,
                    ..(*self.draw.settings).clone()
                };
                let mut call = self.sampler().call_within(full, template, user);
                self.sampler().ask_little(&mut call);
                Some(Individual::new([call]))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::Learnt;
    use wallace_genes::Draw;

    use super::*;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::scope::Scope;
    use crate::graphql::template::Templates;

    /// The documents of the first stage of the sweep.
    fn first_documents(sdl: &str) -> Vec<String> {
        let templates = Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap();
        let templates = Arc::new(templates);
        let callable: Vec<TemplateId> = templates.operations().iter().map(|it| it.id).collect();
        let count = callable.len() as u64;
        let mut scope = Scope::new(Arc::clone(&templates), callable, 5);
        scope.is_black_box = true;
        let learnt = Learnt::default();
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let mut planner = Planner { scope: &scope, learnt: &learnt, draw: &mut draw };
        let tests = (0..count).map(|number| planner.first_sweep(number).unwrap());
        let document = |test: Individual<GraphqlAction>| {
            let action = &test.actions()[0].1;
            let operation = &templates.operations()[action.template.0 as usize];
            templates.render(operation, &action.gene, Style::Compact)
        };
        tests.map(document).collect()
    }

    #[test]
    fn what_is_made_shows_its_id_at_its_first_call() {
        let documents = first_documents(
            "type Query { thing(id: ID!): Thing } type Thing { size: Int id: ID! }
            type Mutation { createThing: Thing }",
        );
        let made = documents.iter().find(|it| it.starts_with("mutation")).unwrap();
        assert_eq!(made, "mutation{createThing{size id}}");
    }

    #[test]
    fn lists_show_their_ids_at_their_first_call() {
        let things = "type Thing { size: Int id: ID! maker: Maker } type Maker { id: ID! }";
        let lists = "type Things { total: Int items: [Thing!] }
            type Page { total: Int edges: [Edge] } type Edge { cursor: Int node: Thing }";
        let roots = "type Query { things: Things page: Page version: Version }
            type Version { number: Int } type Mutation { change(thingId: ID!, makerId: ID!): Things }";
        let mut documents = first_documents(&format!("{things} {lists} {roots}"));
        documents.retain(|document| document.starts_with("query"));
        documents.sort();
        assert_eq!(
            documents,
            [
                "query{page{total edges{cursor node{size id}}}}",
                "query{things{total items{size id}}}",
                "query{version{number}}",
            ]
        );
    }
}
