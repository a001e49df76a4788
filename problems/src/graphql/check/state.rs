//! Checks over state: what a mutation says, does and leaves.

use wallace_engine::Individual;
use wallace_genes::TemplateId;

use super::build::{Build, Identity, bind};
use crate::graphql::action::GraphqlAction;
use crate::graphql::schema::OperationKind;

type Test = Individual<GraphqlAction>;

impl Build<'_, '_> {
    /// A mutation, then twice what it answered read by its id.
    pub(super) fn read_back(&mut self, template: TemplateId) -> Option<Test> {
        let keys: Vec<String> = self.payload_keys(template);
        let key = keys.get(self.draw.rng.below(keys.len().max(1)))?.clone();
        let mut mutation = self.example(template)?;
        self.vary(&mut mutation);
        let pointer = self.select_object(&mut mutation, &self.producer(template, &key)?)?;
        let (mut reader, path) = self.reader(&key)?;
        let own = self.producer(reader.template, &key)?;
        self.select_object(&mut reader, &own)?;
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
        let schema = self.problem.templates.schema();
        let resource = self.problem.links.resource(template);
        let types = resource
            .into_iter()
            .chain([schema.field(self.operation(template).field).type_ref.named()]);
        let mut keys = Vec::new();
        for owner in types {
            for field in schema.fields(owner) {
                let key = schema.coordinate(field);
                if !keys.contains(&key)
                    && self.producer(template, &key).is_some()
                    && !self.problem.links.readers(&key).is_empty()
                {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// A thing read, deleted, and read twice more.
    pub(super) fn after_delete(&mut self, template: TemplateId) -> Option<Test> {
        let mut delete = self.example(template)?;
        // What takes a thing out of another does not end it.
        let ended = self.problem.links.resource(template)?;
        let ended = format!("{}.", self.problem.templates.schema().definition(ended).name);
        let mut identities = self.identities(&delete).into_iter();
        let Identity { key, .. } = identities.find(|it| it.key.starts_with(&ended))?;
        let (mut reader, path) = self.reader(&key)?;
        let own = self.producer(reader.template, &key)?;
        self.select_object(&mut reader, &own)?;
        let value = self.known(&key)?;
        if !self.identify(&mut delete, &key, &value)
            || !crate::binding::put_scalar(&mut reader.gene, &path, &value)
        {
            return None;
        }
        let reader = reader.by(delete.user);
        Some(Individual::new([reader.clone(), delete, reader.clone(), reader]))
    }

    /// A thing read twice, a mutation of it that will probably fail, and the thing read twice more.
    pub(super) fn failed(&mut self, template: TemplateId) -> Option<Test> {
        let mut mutation = self.problem.call(template, self.learnt, self.draw).checked(self.check);
        let Identity { key, .. } = self.identities(&mutation).into_iter().next()?;
        let (mut reader, path) = self.reader(&key)?;
        let own = self.producer(reader.template, &key)?;
        self.select_object(&mut reader, &own)?;
        let value = self.known(&key)?;
        if !self.identify(&mut mutation, &key, &value)
            || !crate::binding::put_scalar(&mut reader.gene, &path, &value)
        {
            return None;
        }
        debug_assert_eq!(self.operation(reader.template).kind, OperationKind::Query);
        let calls = [reader.clone(), reader.clone(), mutation, reader.clone(), reader];
        Some(Individual::new(calls))
    }
}
