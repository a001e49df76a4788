//! Checks on access: the same thing asked for or changed by someone else.

use serde_json::Value;
use wallace_engine::Individual;
use wallace_genes::TemplateId;

use super::build::{Build, bind, test_of};
use crate::binding::put_scalar;
use crate::graphql::action::GraphqlAction;
use crate::graphql::link::{Effect, Producer, select};
use crate::graphql::schema::OperationKind;
use crate::graphql::scope::Identity;

type Test = Individual<GraphqlAction>;

impl Build<'_, '_> {
    /// A call that went well, by every user, those who are refused first, and then by nobody.
    pub(super) fn anonymous(&mut self, template: TemplateId) -> Option<Test> {
        let action = self.example(template)?;
        let memory = self.learnt.memory.operation(template)?;
        let mut users: Vec<u16> = (0..self.scope.users).collect();
        users.sort_by_key(|user| std::cmp::Reverse(memory.user(Some(*user)).refusals));
        let refused = users.into_iter().filter(|user| memory.user(Some(*user)).refusals > 0);
        let callers: Vec<Option<u16>> = refused.map(Some).take(2).collect();
        if callers.is_empty() {
            // Without anybody who is refused nothing can be said; one of each tells whether.
            let other = self.draw.rng.below(usize::from(self.scope.users)) as u16;
            return test_of([action.clone().by(Some(other)), action.by(None)]);
        }
        let callers = callers.into_iter().chain([None]);
        test_of(callers.map(|user| action.clone().by(user)))
    }

    /// A thing of one user read, changed and read by another. The thing is made for the test, or
    /// one that is known.
    pub(super) fn foreign(&mut self, template: TemplateId) -> Option<Test> {
        let change = self.likely(template);
        let Identity { key, path: changed } = self.scope.identities(&change).into_iter().next()?;
        let (reader, read) = self.reader(&key)?;
        let stranger = Some(self.stranger(reader.template, &key)?);
        let reader = reader.by(stranger);
        let mut test = Individual::new([]);
        let source =
            if self.draw.rng.chance(0.7) { self.made(&mut test, &key, stranger) } else { None };
        let value = self.known(&key)?;
        let place = |test: &mut Test, mut action: GraphqlAction, path: &wallace_genes::GenePath| {
            put_scalar(&mut action.gene, path, &value);
            let id = test.push(action);
            if let Some((from, pointer)) = &source {
                bind(test, *from, pointer, id, path);
            }
        };
        place(&mut test, reader.clone(), &read);
        for variant in self.enum_variants(&change.by(stranger)) {
            place(&mut test, variant, &changed);
        }
        place(&mut test, reader, &read);
        Some(test)
    }

    /// A user whom the reader refused before; of several one beside whom others make such things.
    fn stranger(&mut self, reader: TemplateId, key: &str) -> Option<u16> {
        let refused = self.all_refused(reader);
        let beside = refused.iter().copied().filter(|it| !self.makers(key, Some(*it)).is_empty());
        let beside: Vec<u16> = beside.collect();
        let users = if beside.is_empty() { refused } else { beside };
        self.one_of(&users).copied()
    }

    /// Appends calls that make a thing, by someone else than the stranger; where its id is then.
    fn made(
        &mut self,
        test: &mut Test,
        key: &str,
        stranger: Option<u16>,
    ) -> Option<(wallace_engine::ActionId, String)> {
        let makers = self.makers(key, stranger);
        let (maker, user) = self.one_of(&makers)?;
        let mut action = self.example(maker.operation)?.by(*user);
        let pointer = self.select_object(&mut action, maker)?;
        self.planner().prepare(test, &action);
        let id = self.append(test, action);
        Some((id, pointer))
    }

    /// The mutations that make a thing, each with the users with whom it went well; the stranger is
    /// none of them.
    fn makers(&self, key: &str, stranger: Option<u16>) -> Vec<(Producer, Option<u16>)> {
        let scope = self.scope;
        let producers = scope.links.producers(key).iter().filter(|it| {
            it.is_mutation
                && scope.links.effect(it.operation) == Effect::Create
                && scope.is_callable(it.operation)
        });
        let makers: Vec<&Producer> = producers.collect();
        // What answers with the thing itself makes it; others lead to things that were there.
        let nearest = makers.iter().map(|it| it.path.len()).min();
        let nearest = makers.into_iter().filter(|it| Some(it.path.len()) == nearest);
        let pairs = nearest.flat_map(|it| {
            let users = (0..scope.users).map(Some).filter(move |user| {
                let memory = self.learnt.memory.operation(it.operation);
                *user != stranger && memory.is_some_and(|memory| memory.user(*user).successes > 0)
            });
            users.map(move |user| (it.clone(), user))
        });
        pairs.collect()
    }

    /// One of the users whom an operation refused before.
    fn refused(&mut self, template: TemplateId) -> Option<u16> {
        let refused = self.all_refused(template);
        self.one_of(&refused).copied()
    }

    fn all_refused(&self, template: TemplateId) -> Vec<u16> {
        let Some(memory) = self.learnt.memory.operation(template) else { return Vec::new() };
        let users = 0..self.scope.users;
        users.filter(|user| memory.user(Some(*user)).refusals > 0).collect()
    }

    /// Two mutations that change or end one thing, by a user who may not do one of them.
    pub(super) fn sibling(&mut self, template: TemplateId) -> Option<Test> {
        let mut change = self.likely(template);
        let Identity { key, .. } = self.scope.identities(&change).into_iter().next()?;
        let resource = self.scope.links.resource(template)?;
        let is_change = |effect| matches!(effect, Effect::Update | Effect::Delete);
        let others: Vec<TemplateId> = self
            .scope
            .callable
            .iter()
            .copied()
            .filter(|other| {
                *other != template
                    && self.scope.operation(*other).kind == OperationKind::Mutation
                    && self.scope.links.resource(*other) == Some(resource)
                    && is_change(self.scope.links.effect(*other))
            })
            .collect();
        let other = *self.one_of(&others)?;
        if !is_change(self.scope.links.effect(template)) {
            return None;
        }
        let mut second = self.likely(other);
        let value: Value = self.known(&key)?;
        if !self.identify(&mut change, &key, &value) || !self.identify(&mut second, &key, &value) {
            return None;
        }
        let user = Some(self.draw.rng.below(usize::from(self.scope.users)) as u16);
        // What ends the thing comes last, or there is nothing left to change.
        let mut calls = [change.by(user), second.by(user)];
        calls.sort_by_key(|call| self.scope.links.effect(call.template));
        test_of(calls)
    }

    /// A thing read by the query for its kind, then by another query, both by one user.
    pub(super) fn bypass(&mut self, template: TemplateId) -> Option<Test> {
        // A small selection: each field more is one that may be refused for a reason of its own.
        let mut other = self.simple(template);
        if self.scope.needs(&other).is_empty() {
            other = self.full(template);
        }
        let arguments = self.scope.needs(&other).into_iter();
        let argument = arguments.map(|need| need.path).next()?;
        let keys = self.scope.links.readable_keys();
        let schema = self.scope.schema();
        let returned = self.scope.returned(template);
        let can_be = |key: &str| {
            let owner = key.split('.').next().and_then(|name| schema.type_named(name));
            owner.is_some_and(|owner| {
                owner == returned || schema.definition(returned).possible_types().contains(&owner)
            })
        };
        let keys: Vec<String> = keys
            .filter(|key| self.learnt.memory.pool.get(key).is_some() && can_be(key))
            .map(str::to_owned)
            .collect();
        let mut open = Vec::new();
        for key in keys {
            if let Some((reader, path)) = self.reader(&key)
                && reader.template != template
                && let Some(user) = self.refused(reader.template)
            {
                open.push((key, reader, path, Some(user)));
            }
        }
        if open.is_empty() {
            return None;
        }
        let (key, reader, path, user) = open.swap_remove(self.draw.rng.below(open.len()));
        let value = self.known(&key)?;
        let (mut reader, mut other) = (reader.by(user), other.by(user));
        if !put_scalar(&mut reader.gene, &path, &value)
            || !put_scalar(&mut other.gene, &argument, &value)
        {
            return None;
        }
        self.select_fragment(&mut other, &key);
        test_of([reader.clone(), other, reader])
    }

    /// Selects the plain fields of the key's type, where the operation returns an interface or
    /// union that it belongs to.
    fn select_fragment(&mut self, action: &mut GraphqlAction, key: &str) {
        let operation = self.scope.operation(action.template);
        let schema = self.scope.schema();
        let Some(owner) = key.split('.').next().and_then(|name| schema.type_named(name)) else {
            return;
        };
        for field in self.plain_fields(owner) {
            select(
                &self.scope.templates,
                operation,
                &mut action.gene,
                &[field],
                &self.draw.settings,
            );
        }
    }
}
