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
        let ended = self.scope.links.resource(template)?;
        let ended = format!("{}.", self.scope.schema().definition(ended).name);
        let mut identities = self.scope.identities(&delete).into_iter();
        let Identity { key, .. } = identities.find(|it| it.key.starts_with(&ended))?;
        let reader = self.reader_beside(&mut delete, &key)?.by(delete.user);
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
