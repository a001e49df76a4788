//! Checks on single queries: the same question gives the same answer.

use wallace_engine::Individual;
use wallace_genes::{Gene, GenePath, TemplateId};

use super::build::{Build, bind, test_of};
use super::inverse::inverse_pairs;
use crate::binding::put_scalar;
use crate::graphql::action::{Form, GraphqlAction};
use crate::graphql::link::{Producer, Purpose, select};
use crate::graphql::schema::{FieldId, TypeId, TypeKind};
use crate::graphql::site::visit_sites;

type Test = Individual<GraphqlAction>;

/// What is appended to a text so that a query language would take a condition for its own: three
/// pairs of a true one and a false one, alike but for what they compare, and a pair without quotes,
/// which nothing takes for more than text. One kind survives text that follows, the other does not
/// need a comparison of order.
pub(super) const CONDITIONS: [[&str; 8]; 2] = [
    [
        "' OR '1'<'2",
        "' OR '2'<'1",
        "' OR '3'<'7",
        "' OR '7'<'3",
        "' OR 'b'<'c",
        "' OR 'c'<'b",
        "x OR x1x<x2",
        "x OR x2x<x1",
    ],
    [
        "' OR '1'='1",
        "' OR '1'='2",
        "' OR '7'='7",
        "' OR '7'='3",
        "' OR 'b'='b",
        "' OR 'b'='c",
        "x OR x1x=x1",
        "x OR x1x=x2",
    ],
];

impl Build<'_, '_> {
    /// One query three times, with other enum values than it went well with.
    pub(super) fn repeat(&mut self, template: TemplateId) -> Option<Test> {
        if !self.gives_list(template) {
            return None;
        }
        let mut action = match self.draw.rng.below(4) {
            0 => self.full(template),
            1 => self.example(template)?,
            _ => self.simple(template),
        };
        if self.draw.rng.chance(0.8) {
            self.next_enum(&mut action);
        }
        self.widen(&mut action);
        test_of([action.clone(), action.clone(), action])
    }

    /// Whether the operation gives a list, or an object with one.
    fn gives_list(&self, template: TemplateId) -> bool {
        let schema = self.scope.schema();
        let is_list = |field: FieldId| schema.field(field).is_list();
        let mut below = schema.fields(self.scope.returned(template));
        is_list(self.scope.operation(template).field) || below.any(is_list)
    }

    /// Selects plain fields of the objects in lists, which tell their order.
    pub(super) fn widen(&self, action: &mut GraphqlAction) {
        let operation = self.scope.operation(action.template);
        let schema = self.scope.schema();
        let returned = schema.returned(operation.field);
        let templates = &self.scope.templates;
        for field in self.plain_fields(returned) {
            select(templates, operation, &mut action.gene, &[field], &self.draw.settings);
        }
        // Lists below the root: the nodes of a page.
        for list in schema.fields(returned).collect::<Vec<_>>() {
            let definition = schema.field(list);
            let element = definition.type_ref.named();
            if definition.is_list()
                && !definition.needs_arguments()
                && matches!(schema.definition(element).kind, TypeKind::Object { .. })
            {
                for field in self.plain_fields(element) {
                    select(
                        templates,
                        operation,
                        &mut action.gene,
                        &[list, field],
                        &self.draw.settings,
                    );
                }
            }
        }
    }

    /// One query in its plain form and three others, twice.
    pub(super) fn forms(&mut self, template: TemplateId, has_batches: bool) -> Option<Test> {
        let action = self.example(template)?;
        let mut forms = Form::EQUIVALENT.to_vec();
        // Many services take no lists of requests, and say so in ways of their own.
        forms.retain(|form| *form != Form::Batched || has_batches);
        let beside = self.sampler().beside(&action);
        forms.extend(beside.filter(|_| self.draw.rng.chance(0.5)));
        while forms.len() > 3 {
            forms.remove(self.draw.rng.below(forms.len()));
        }
        forms.insert(0, Form::Literals);
        let round = forms.iter().map(|form| action.clone().written(*form));
        let round: Vec<GraphqlAction> = round.collect();
        test_of(round.clone().into_iter().chain(round))
    }

    /// A query before and after it is given to be kept, and what is kept asked for twice.
    pub(super) fn persisted(&mut self, template: TemplateId) -> Option<Test> {
        let action = self.example(template)?;
        let forms = [
            Form::Literals,
            Form::Persisted,
            Form::PersistedHash,
            Form::PersistedHash,
            Form::Literals,
        ];
        test_of(forms.map(|form| action.clone().written(form)))
    }

    /// A page, the page after its end, and both again.
    pub(super) fn pages(&mut self, template: TemplateId) -> Option<Test> {
        let mut first = self.full(template);
        let needs = self.scope.needs(&first).into_iter();
        let mut cursors = needs.filter(|need| need.source.purpose == Purpose::Cursor);
        // Only an argument of the operation itself can simply be left out.
        let cursor = cursors.find(|need| need.path.0.len() == 1)?;
        let field = cursor.source.keys.first()?.trim_start_matches("*.").to_owned();
        let way = self.way_to(template, &field)?;
        let operation = self.scope.operation(template);
        let templates = &self.scope.templates;
        let pointer = select(templates, operation, &mut first.gene, &way, &self.draw.settings)?;
        self.widen(&mut first);
        self.shorten(&mut first);
        let next = first.clone();
        *cursor.path.find_mut(&mut first.gene)? = Gene::Absent;
        let mut test = Individual::new([]);
        for _ in 0..2 {
            let from = test.push(first.clone());
            let to = test.push(next.clone());
            bind(&mut test, from, &pointer, to, &cursor.path);
        }
        Some(test)
    }

    /// The shortest way from what an operation returns to a field of this name.
    fn way_to(&self, template: TemplateId, name: &str) -> Option<Vec<FieldId>> {
        let schema = self.scope.schema();
        let returned = self.scope.returned(template);
        let named = |owner: TypeId| schema.field_named(owner, name);
        if let Some(field) = named(returned) {
            return Some(vec![field]);
        }
        schema.fields(returned).find_map(|below| {
            let definition = schema.field(below);
            let is_free = !definition.needs_arguments();
            let field = named(definition.type_ref.named())?;
            is_free.then(|| vec![below, field])
        })
    }

    /// Asks for pages of one to three elements.
    fn shorten(&mut self, action: &mut GraphqlAction) {
        let few = Gene::Integer(1 + self.draw.rng.below(3) as i32);
        let size = self.page_size(action);
        if let Some(place) = size.and_then(|(path, _)| path.find_mut(&mut action.gene)) {
            *place = few;
        }
    }

    /// The argument that says how long a page is: address and coordinate.
    pub(super) fn page_size(&self, action: &GraphqlAction) -> Option<(GenePath, String)> {
        let operation = self.scope.operation(action.template);
        let mut size = None;
        visit_sites(&self.scope.templates, operation, &action.gene, &mut |site| {
            let is_size = ["(first:)", "(limit:)", "(take:)", "(pageSize:)", "(size:)"];
            if is_size.iter().any(|name| site.coordinate.ends_with(name)) && site.path.0.len() == 1
            {
                size = Some((site.path.clone(), site.coordinate.to_owned()));
            }
        });
        size
    }

    /// A query with an open quote in one of its texts, with a closed one, and again.
    pub(super) fn quote(&mut self, template: TemplateId, site: u16) -> Option<Test> {
        let action = self.example(template)?;
        let quotes = ["'", "''", "'", "''"];
        test_of(self.appended(&action, site, &quotes)?)
    }

    /// A query with three pairs of a true and a false condition in one of its texts, and a pair
    /// without quotes.
    pub(super) fn condition(&mut self, template: TemplateId, site: u16) -> Option<Test> {
        let action = self.example(template)?;
        let conditions = &CONDITIONS[self.draw.rng.below(CONDITIONS.len())];
        test_of(self.appended(&action, site, conditions)?)
    }

    /// The call with each of the endings at one of its texts.
    fn appended(
        &mut self,
        action: &GraphqlAction,
        site: u16,
        endings: &[&str],
    ) -> Option<Vec<GraphqlAction>> {
        let texts = self.texts(action);
        let (path, text) = texts.get(usize::from(site) % texts.len().max(1))?;
        // A short beginning that many values hold finds more than a long one.
        let text: String = text.chars().take(self.draw.rng.below(2)).collect();
        let mut calls = Vec::new();
        for ending in endings {
            let mut call = action.clone();
            let value = serde_json::Value::from(format!("{text}{ending}"));
            if !put_scalar(&mut call.gene, path, &value) {
                return None;
            }
            calls.push(call);
        }
        Some(calls)
    }

    /// A query for one thing after one that shows that it exists, and again.
    pub(super) fn echo(&mut self, template: TemplateId) -> Option<Test> {
        let mut item = self.simple(template);
        let [identity] = &self.scope.identities(&item)[..] else { return None };
        let identity = identity.clone();
        let own = self.producer(template, &identity.key)?;
        if own.path.len() != 1 {
            return None;
        }
        self.select_object(&mut item, &own)?;
        let lists = self.scope.links.producers(&identity.key).iter();
        let lists: Vec<Producer> = lists
            .filter(|it| !it.is_mutation && it.operation != template && it.path.len() <= 2)
            .filter(|it| self.scope.is_callable(it.operation))
            .cloned()
            .collect();
        let list = self.one_of(&lists)?;
        let mut all = self.likely(list.operation);
        let pointer = self.select_object(&mut all, list)?;
        let mut test = Individual::new([]);
        let from = test.push(all.clone().by(item.user));
        for _ in 0..2 {
            let to = test.push(item.clone());
            bind(&mut test, from, &pointer, to, &identity.path);
        }
        Some(test)
    }

    /// A query that selects what refers to a thing, and from there the thing again.
    pub(super) fn inverse(&mut self, template: TemplateId) -> Option<Test> {
        let mut action = self.example(template)?;
        let operation = self.scope.operation(template);
        let templates = &self.scope.templates;
        let schema = templates.schema();
        let returned = schema.returned(operation.field);
        let pairs = inverse_pairs(schema, returned);
        let pair = self.one_of(&pairs)?;
        let mut has_selected = true;
        for way in pair.ways() {
            has_selected &=
                select(templates, operation, &mut action.gene, &way, &self.draw.settings).is_some();
        }
        if has_selected { test_of([action.clone(), action]) } else { None }
    }
}
