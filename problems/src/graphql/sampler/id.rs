//! Ids of things: those that answers told.

use std::collections::VecDeque;

use serde_json::Value;
use wallace_engine::Individual;
use wallace_genes::{Gene, GenePath, TemplateId};

use super::Sampler;
use crate::graphql::action::GraphqlAction;
use crate::graphql::pool::Pool;
use crate::graphql::scope::{Need, Scope};

/// Share of ids of things that are known ones, where the operation went well before.
const KNOWN: f64 = 0.98;
/// The same where it never went well with any of them.
const TRIED_IN_VAIN: f64 = 0.9;

impl Sampler<'_, '_> {
    /// Puts ids that answers told in the place of those that none did, or whose thing is gone.
    pub(super) fn put_known_ids(&mut self, action: &mut GraphqlAction) {
        for need in self.scope.needs(action) {
            let Some(trust) = self.trust(action.template, &need) else { continue };
            let told = need.source.kind().and_then(|kind| self.learnt.memory.pool.get(kind));
            if !is_told(told, &action.gene, &need.path) && self.draw.rng.chance(trust) {
                self.put_from_pool(action, &need);
            }
        }
    }

    /// How often what names a thing is one of the ids that answers told of its kind, where there are
    /// any: nearly always, since others are refused before anything else is looked at.
    pub(super) fn trust(&self, template: TemplateId, need: &Need) -> Option<f64> {
        let memory = &self.learnt.memory;
        let is_given = need.is_given && self.scope.is_black_box;
        let told = memory.pool.get(need.source.kind().filter(|_| is_given)?)?;
        let enough = 2 * told.len() as u64 * u64::from(self.scope.users.max(1));
        Some(match () {
            () if memory.has_succeeded(template) => KNOWN,
            () if memory.calls(template) > enough => TRIED_IN_VAIN,
            () => 1.0,
        })
    }
}

/// Whether what stands at a path is one of the values that answers told.
pub(super) fn is_told(told: Option<&VecDeque<Value>>, gene: &Gene, path: &GenePath) -> bool {
    path.find(gene).is_some_and(|gene| {
        told.into_iter().flatten().any(|value| {
            let mut put = gene.clone();
            put.put(value) && put == *gene
        })
    })
}

/// Whether a test names a thing by an id that no answer told, though some of its kind are known, and
/// no earlier call of the test gives it: whatever else is changed in it, the call is refused.
pub(crate) fn names_nothing(scope: &Scope, test: &Individual<GraphqlAction>, pool: &Pool) -> bool {
    test.actions().iter().any(|(id, action)| {
        let mut needs = scope.needs(action).into_iter();
        needs.any(|need| {
            let told = need.source.kind().and_then(|kind| pool.get(kind));
            let is_bound =
                test.bindings().iter().any(|it| it.action == *id && it.path == need.path);
            need.is_given && told.is_some() && !is_bound && !is_told(told, &action.gene, &need.path)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use wallace_engine::Learnt;
    use wallace_genes::{Draw, GeneSettings};

    use super::*;
    use crate::graphql::action::Form;
    use crate::graphql::answer::Answer;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::render::Style;
    use crate::graphql::schema::Schema;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    const CALLS: usize = 500;
    const IDS: [u32; 3] = [41, 52, 63];

    /// How many of the calls of an operation name one of the boards that are known, after calls that
    /// went well or not.
    fn told(name: &str, went_well: impl Fn(usize) -> bool) -> usize {
        let sdl = "type Query { boards: [Board] } type Board { id: Int! key: String }
            type Mutation { paint(boardId: Int!, size: Int!): Board addBoard(key: String!): Board
            addPin(boardId: Int!): Int }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let callable: Vec<TemplateId> = templates.operations().iter().map(|it| it.id).collect();
        let mut scope = Scope::new(Arc::clone(&templates), callable, 5);
        scope.is_black_box = true;
        let operation = templates.operations().iter().find(|it| *it.name == *name).unwrap();
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        for id in IDS {
            learnt.memory.pool.add("Board.id", &json!(id));
            learnt.memory.pool.add("Board.key", &json!(format!("k{id}")));
        }
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let is_told = |number: &usize| {
            let sent =
                Sampler { scope: &scope, learnt: &learnt, draw: &mut draw }.call(operation.id);
            let value = if went_well(*number) { json!(1) } else { json!(null) };
            let body = json!({ "data": { name: value } }).to_string();
            let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
            let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
            learnt.memory.note(&sent, &answer, &templates, &scope.links);
            let text = templates.render(operation, &sent.gene, Style::Compact);
            let holds = |id: &u32| {
                text.contains(&format!("boardId:{id}")) || text.contains(&format!("\"k{id}\""))
            };
            IDS.iter().any(holds)
        };
        (0..CALLS).filter(is_told).count()
    }

    #[test]
    fn things_go_by_ids_that_answers_told() {
        let usual = told("paint", |_| true);
        assert!((CALLS * 94 / 100..CALLS).contains(&usual), "{usual}");
        let vain = told("addPin", |_| false);
        assert!((CALLS * 80 / 100..CALLS * 96 / 100).contains(&vain), "{vain}");
    }

    #[test]
    fn cursors_that_no_answer_told_are_left_out() {
        let sdl = "type Query { boards(first: Int after: String): Page }
            type Page { endCursor: String }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let boards = &templates.operations()[0];
        let mut scope = Scope::new(Arc::clone(&templates), vec![boards.id], 5);
        scope.is_black_box = true;
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let mut count = |learnt: &Learnt<GraphqlMemory>| {
            let mut calls = (0..CALLS).map(|_| {
                let call = Sampler { scope: &scope, learnt, draw: &mut draw }.call(boards.id);
                templates.render(boards, &call.gene, Style::Compact)
            });
            let all: Vec<String> = calls.by_ref().filter(|it| it.contains("after:")).collect();
            let told = all.iter().filter(|it| it.contains("after:\"page 2\"")).count();
            (told, all.iter().filter(|it| it.contains("after:\"")).count() - told)
        };
        let (_, guessed) = count(&learnt);
        assert!((1..CALLS / 20).contains(&guessed), "{guessed}");
        learnt.memory.pool.add("*.endCursor", &json!("page 2"));
        let (told, guessed) = count(&learnt);
        assert!(told > CALLS / 40 && guessed < CALLS / 20, "{told} {guessed}");
    }

    #[test]
    fn what_the_caller_chooses_is_often_new() {
        let chosen = told("addBoard", |_| true);
        assert!(chosen < CALLS * 90 / 100, "{chosen}");
    }

    #[test]
    fn what_names_nothing_is_known_from_its_ids() {
        let sdl = "type Query { boards: [Board] } type Board { id: Int! }
            type Mutation { paint(boardId: Int!): Board }";
        let templates = Arc::new(Templates::new(Arc::new(Schema::from_sdl(sdl).unwrap())).unwrap());
        let paint = templates.operations().iter().find(|it| *it.name == *"paint").unwrap();
        let scope = Scope::new(Arc::clone(&templates), vec![paint.id], 5);
        let mut gene = wallace_genes::simplest(&paint.spec, &GeneSettings::default());
        let Gene::Tuple(parts) = &mut gene else { panic!() };
        parts[0] = Gene::Integer(42);
        let test = Individual::new([GraphqlAction::new(paint.id, gene)]);
        let mut pool = Pool::default();
        assert!(!names_nothing(&scope, &test, &pool), "no id is known");
        pool.add("Board.id", &json!(41));
        assert!(names_nothing(&scope, &test, &pool));
        pool.add("Board.id", &json!(42));
        assert!(!names_nothing(&scope, &test, &pool));
    }
}
