//! Checks on single queries: the same question gives the same answer.

use wallace_engine::Individual;
use wallace_genes::{Gene, GenePath, TemplateId};

use super::build::{Build, bind, test_of};
use crate::binding::put_scalar;
use crate::graphql::action::{Form, GraphqlAction, Rule, Violation};
use crate::graphql::form::violable;
use crate::graphql::link::{Producer, Purpose, select};
use crate::graphql::schema::{FieldId, Schema, TypeId, TypeKind, Wrapper};
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
        let schema = self.problem.templates.schema();
        let returned = &schema.field(self.operation(template).field).type_ref;
        let is_list =
            |field: FieldId| schema.field(field).type_ref.wrappers().contains(&Wrapper::List);
        returned.wrappers().contains(&Wrapper::List) || schema.fields(returned.named()).any(is_list)
    }

    /// Selects plain fields of the objects in lists, which tell their order.
    pub(super) fn widen(&self, action: &mut GraphqlAction) {
        let operation = self.operation(action.template);
        let schema = self.problem.templates.schema();
        let returned = schema.field(operation.field).type_ref.named();
        let settings = std::sync::Arc::clone(&self.draw.settings);
        let templates = &self.problem.templates;
        for field in self.plain_fields(returned) {
            select(templates, operation, &mut action.gene, &[field], &settings);
        }
        // Lists below the root: the nodes of a page.
        for list in schema.fields(returned).collect::<Vec<_>>() {
            let definition = schema.field(list);
            let is_list = definition.type_ref.wrappers().contains(&Wrapper::List);
            let element = definition.type_ref.named();
            let is_free = !definition.arguments.iter().any(|it| it.is_required());
            if is_list
                && is_free
                && matches!(schema.definition(element).kind, TypeKind::Object { .. })
            {
                for field in self.plain_fields(element) {
                    select(templates, operation, &mut action.gene, &[list, field], &settings);
                }
            }
        }
    }

    /// One query in its plain form and three others, twice.
    pub(super) fn forms(&mut self, template: TemplateId) -> Option<Test> {
        let action = self.example(template)?;
        let mut forms = Form::EQUIVALENT.to_vec();
        let beside = self.problem.beside(&action, &self.learnt.memory, self.draw);
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
        let needs = self.problem.needs(&first).into_iter();
        let mut cursors = needs.filter(|need| need.source.purpose == Purpose::Cursor);
        // Only an argument of the operation itself can simply be left out.
        let cursor = cursors.find(|need| need.path.0.len() == 1)?;
        let field = cursor.source.keys.first()?.trim_start_matches("*.").to_owned();
        let way = self.way_to(template, &field)?;
        let operation = self.operation(template);
        let settings = std::sync::Arc::clone(&self.draw.settings);
        let templates = &self.problem.templates;
        let pointer = select(templates, operation, &mut first.gene, &way, &settings)?;
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
        let schema = self.problem.templates.schema();
        let returned = schema.field(self.operation(template).field).type_ref.named();
        let named =
            |owner: TypeId| schema.fields(owner).find(|field| &*schema.field(*field).name == name);
        if let Some(field) = named(returned) {
            return Some(vec![field]);
        }
        schema.fields(returned).find_map(|below| {
            let definition = schema.field(below);
            let is_free = !definition.arguments.iter().any(|it| it.is_required());
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
        let operation = self.operation(action.template);
        let mut size = None;
        visit_sites(&self.problem.templates, operation, &action.gene, &mut |site| {
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
        let [identity] = &self.identities(&item)[..] else { return None };
        let identity = identity.clone();
        let own = self.producer(template, &identity.key)?;
        if own.path.len() != 1 {
            return None;
        }
        self.select_object(&mut item, &own)?;
        let lists = self.problem.links.producers(&identity.key).iter();
        let lists: Vec<Producer> = lists
            .filter(|it| !it.is_mutation && it.operation != template && it.path.len() <= 2)
            .filter(|it| self.problem.callable.binary_search(&it.operation).is_ok())
            .cloned()
            .collect();
        let list = lists.get(self.draw.rng.below(lists.len().max(1)))?;
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
        let operation = self.operation(template);
        let templates = &self.problem.templates;
        let schema = templates.schema();
        let returned = schema.field(operation.field).type_ref.named();
        let settings = std::sync::Arc::clone(&self.draw.settings);
        let pairs = inverse_pairs(schema, returned);
        let pair = pairs.get(self.draw.rng.below(pairs.len().max(1)))?;
        let mut has_selected = true;
        for way in pair.ways() {
            has_selected &=
                select(templates, operation, &mut action.gene, &way, &settings).is_some();
        }
        if has_selected { test_of([action.clone(), action]) } else { None }
    }

    /// A mutation in a form in which it must not be executed.
    pub(super) fn forgery(&mut self, template: TemplateId, form: Form) -> Option<Test> {
        let action = self.likely(template);
        test_of([action.written(form)])
    }

    /// An invalid document.
    pub(super) fn violation(&mut self, template: TemplateId, rule: Rule) -> Option<Test> {
        let mut action = self.likely(template);
        let operation = self.operation(template);
        let needs_value = matches!(
            rule,
            Rule::UnknownEnum | Rule::WrongKind | Rule::MissingArgument | Rule::NullArgument
        );
        let mut site = 0;
        if needs_value {
            if rule == Rule::WrongKind && self.draw.rng.chance(0.5) {
                action = self.full(template);
            }
            let places = violable(&self.problem.templates, operation, &action.gene, rule);
            if places.is_empty() {
                return None;
            }
            // Each try takes the next place.
            site = (self.tries(template) % places.len()) as u16;
        }
        if rule == Rule::MissingSelection && !operation.has_selection {
            return None;
        }
        test_of([action.written(Form::Violation(Violation { rule, site }))])
    }

    /// A question for the schema.
    pub(super) fn introspection(&mut self, template: TemplateId) -> Option<Test> {
        test_of([self.simple(template).by(None).written(Form::Introspection)])
    }
}

/// A list of things that refer back, and all ways in which they may.
#[derive(Debug, Clone)]
pub(super) struct InversePair {
    /// From what refers, to its list.
    pub(super) forth: FieldId,
    /// From an element of the list, back.
    pub(super) back: Vec<FieldId>,
    /// The field that identifies what refers.
    pub(super) id: FieldId,
}

impl InversePair {
    fn ways(&self) -> Vec<Vec<FieldId>> {
        let back = self.back.iter().map(|back| vec![self.forth, *back, self.id]);
        std::iter::once(vec![self.id]).chain(back).collect()
    }
}

/// Where a type refers to another by one list only, and the other refers back without arguments.
pub(super) fn inverse_pairs(schema: &Schema, owner: TypeId) -> Vec<InversePair> {
    let id = schema.fields(owner).find(|field| &*schema.field(*field).name == "id");
    let Some(id) = id else { return Vec::new() };
    let refers = |from: TypeId, to: TypeId| -> Vec<FieldId> {
        let fields = schema.fields(from);
        fields.filter(|field| schema.field(*field).type_ref.named() == to).collect()
    };
    let mut pairs = Vec::new();
    for forth in schema.fields(owner) {
        let definition = schema.field(forth);
        let element = definition.type_ref.named();
        let is_object = matches!(schema.definition(element).kind, TypeKind::Object { .. });
        let is_list = definition.type_ref.wrappers().contains(&Wrapper::List);
        let is_free = !definition.arguments.iter().any(|it| it.is_required());
        if !is_object
            || !is_list
            || !is_free
            || element == owner
            || refers(owner, element).len() != 1
        {
            continue;
        }
        let back = refers(element, owner);
        let has_arguments = |field: &FieldId| !schema.field(*field).arguments.is_empty();
        if !back.is_empty() && !back.iter().any(has_arguments) {
            pairs.push(InversePair { forth, back, id });
        }
    }
    pairs
}
