//! Checks over state: what a mutation says, does and leaves.

use wallace_engine::Individual;
use wallace_genes::{GenePath, TemplateId};

use super::build::{Build, bind};
use crate::binding::put_scalar;
use crate::graphql::action::GraphqlAction;
use crate::graphql::schema::OperationKind;
use crate::graphql::scope::Identity;

type Test = Individual<GraphqlAction>;

impl Build<'_, '_> {
    /// A mutation, then twice what it answered read by its id.
    pub(super) fn read_back(&mut self, template: TemplateId) -> Option<Test> {
        let keys: Vec<String> = self.payload_keys(template);
        let key = self.one_of(&keys)?.clone();
        let mut mutation = self.example(template)?;
        self.vary(&mut mutation);
        let pointer = self.select_object(&mut mutation, &self.producer(template, &key)?)?;
        let (reader, path) = self.whole_reader(&key)?;
        let reader = reader.by(mutation.user);
        let mut test = Individual::new([]);
        let from = self.append(&mut test, mutation);
        for _ in 0..2 {
            let to = test.push(reader.clone());
            bind(&mut test, from, &pointer, to, &path);
        }
        Some(test)
    }

    /// Keys of what a mutation answers and a query can read.
    fn payload_keys(&mut self, template: TemplateId) -> Vec<String> {
        let schema = self.scope.schema();
        let resource = self.scope.links.resource(template);
        let types = resource.into_iter().chain([self.scope.returned(template)]);
        let mut keys = Vec::new();
        for owner in types {
            for field in schema.fields(owner) {
                let key = schema.coordinate(field);
                if !keys.contains(&key)
                    && self.producer(template, &key).is_some()
                    && !self.scope.links.readers(&key).is_empty()
                {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// A query that reads one thing by the key, with all plain fields of it.
    fn whole_reader(&mut self, key: &str) -> Option<(GraphqlAction, GenePath)> {
        let (mut reader, path) = self.reader(key)?;
        let own = self.producer(reader.template, key)?;
        self.select_object(&mut reader, &own)?;
        Some((reader, path))
    }

    /// A query for what a mutation is about: a thing that is known, put into both.
    fn reader_beside(&mut self, change: &mut GraphqlAction, key: &str) -> Option<GraphqlAction> {
        let (mut reader, path) = self.whole_reader(key)?;
        let value = self.known(key)?;
        let has_put =
            self.identify(change, key, &value) && put_scalar(&mut reader.gene, &path, &value);
        has_put.then_some(reader)
    }

    /// A thing read, deleted, and read twice more.
    pub(super) fn after_delete(&mut self, template: TemplateId) -> Option<Test> {
        let mut delete = self.example(template)?;
        // What takes a thing out of another does not end it.
        let ended = self.scope.links.ended(template)?;
        let prefix = format!("{}.", self.scope.schema().definition(ended).name);
        let mut identities = self.scope.identities(&delete).into_iter();
        let Identity { key, .. } = identities.find(|it| it.key.starts_with(&prefix))?;
        let reader = self.reader_beside(&mut delete, &key)?.by(delete.user);
        if self.scope.returned(template) != ended {
            // Whether it was done; of the thing itself any part says so.
            self.select_plain(&mut delete);
        }
        Some(Individual::new([reader.clone(), delete, reader.clone(), reader]))
    }

    /// A thing read twice, a mutation of it that will probably fail, and the thing read twice more.
    pub(super) fn failed(&mut self, template: TemplateId) -> Option<Test> {
        let mut mutation = self.sampler().call(template).checked(self.check);
        let Identity { key, .. } = self.scope.identities(&mutation).into_iter().next()?;
        let reader = self.reader_beside(&mut mutation, &key)?;
        debug_assert_eq!(self.scope.operation(reader.template).kind, OperationKind::Query);
        let calls = [reader.clone(), reader.clone(), mutation, reader.clone(), reader];
        Some(Individual::new(calls))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;
    use wallace_engine::Learnt;
    use wallace_genes::{Draw, GeneSettings};

    use super::*;
    use crate::graphql::action::{Check, Form};
    use crate::graphql::answer::Answer;
    use crate::graphql::memory::GraphqlMemory;
    use crate::graphql::render::Style;
    use crate::graphql::sampler::Sampler;
    use crate::graphql::schema::Schema;
    use crate::graphql::scope::Scope;
    use crate::graphql::template::Templates;
    use crate::http::{HttpOutcome, HttpResponse};

    /// The mutation in the check of what is left of a deleted group, which is answered with `type
    /// Done`.
    fn deletion(done: &str) -> String {
        let sdl = format!(
            "type Query {{ group(id: ID!): Group }} type Group {{ id: ID! isOpen: Boolean }} {done}
            type Mutation {{ deleteGroup(id: ID!): Done }}"
        );
        let templates =
            Arc::new(Templates::new(Arc::new(Schema::from_sdl(&sdl).unwrap())).unwrap());
        let callable: Vec<TemplateId> = templates.operations().iter().map(|it| it.id).collect();
        let template = callable[1];
        let scope = Scope::new(Arc::clone(&templates), callable, 5);
        let mut learnt: Learnt<GraphqlMemory> = Learnt::default();
        learnt.memory.pool.add("Group.id", &json!("7"));
        let mut draw = Draw::new(1, 1, Arc::new(GeneSettings::default()));
        let mut sampler = Sampler { scope: &scope, learnt: &learnt, draw: &mut draw };
        let call = sampler.simple_call(template, None);
        let body = r#"{"data":{"deleteGroup":{"__typename":"Done"}}}"#.to_owned();
        let response = HttpResponse { status: 200, body, ..HttpResponse::default() };
        let answer = Answer::of(&HttpOutcome::new(Ok(response)), Form::Literals, None).unwrap();
        learnt.memory.note(&call, &answer, &templates, &scope.links);
        let check = Check::AfterDelete;
        let mut build = Build { scope: &scope, learnt: &learnt, draw: &mut draw, check };
        let test = build.after_delete(template).unwrap();
        let action = &test.actions()[1].1;
        templates.render(&templates.operations()[1], &action.gene, Style::Compact)
    }

    #[test]
    fn a_deletion_is_asked_whether_it_was_done() {
        assert_eq!(
            deletion("type Done { result: Result! message: String } enum Result { DONE FAILED }"),
            r#"mutation{deleteGroup(id:"7"){result message}}"#
        );
        assert_eq!(
            deletion(
                "union Done = Fine | Wrong type Fine { count: Int } type Wrong { why: String }"
            ),
            r#"mutation{deleteGroup(id:"7"){... on Fine{count} ... on Wrong{why} __typename}}"#
        );
    }
}
