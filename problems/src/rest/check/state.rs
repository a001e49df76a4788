//! Checks of what verbs mean: the call again, with less, with other values, and readings of what it
//! left.

use http::Method;
use wallace_engine::Individual;
use wallace_genes::{Gene, GeneSpec, TemplateId, simplest};

use super::build::{Build, Test};
use super::member;
use crate::rest::action::{Deviation, RestAction};
use crate::rest::description::{Operation, ParameterPlace};
use crate::rest::oracle::{ORIGIN, STALE};
use crate::rest::plan::{Known, Planner};

impl Build<'_, '_> {
    /// The same call twice, and what is there after each.
    pub(super) fn again(&mut self) -> Option<Test> {
        let read = self.reading();
        let mut twice = self.base.clone();
        // What differs between two readings of one state is meant to differ.
        self.read(&mut twice, read);
        self.read(&mut twice, read);
        self.push(&mut twice, self.action.clone())?;
        match read {
            Some(_) => self.read(&mut twice, read),
            None => drop(self.push(&mut twice, self.action.clone())),
        }
        Some(twice)
    }

    /// Everything is written, then as little as possible; what is there after each.
    pub(super) fn replace(&mut self) -> Option<Test> {
        let operations = self.planner.operations;
        let read = self.reading()?;
        let gene = self.full_gene();
        let mut test = self.with_last(RestAction { gene, ..self.action.clone() });
        self.read(&mut test, Some(read));
        let (templates, id) = (&operations.templates, self.action.template);
        let small = simplest(&templates.template(id).spec, &self.planner.draw.settings);
        let pool = &self.planner.learnt.memory.pool;
        let small = templates.dressed(id, small, pool, self.planner.draw);
        let gene = operations.about(&self.action, small);
        self.push(&mut test, RestAction { gene, ..self.action.clone() })?;
        self.read(&mut test, Some(read));
        Some(test)
    }

    /// What was deleted is read.
    pub(super) fn gone(&mut self) -> Option<Test> {
        let read = self.reading()?;
        let mut gone = self.base.clone();
        self.read(&mut gone, Some(read));
        Some(gone)
    }

    /// The same reading three times: what differs at each is meant so.
    pub(super) fn reread(&mut self) -> Option<Test> {
        let mut test = self.once_more(self.action.clone())?;
        self.push(&mut test, self.action.clone())?;
        Some(test)
    }

    /// The first page, the second, and the first again.
    pub(super) fn pages(&mut self) -> Option<Test> {
        let operations = self.planner.operations;
        let (offset, limit) = page_parameters(operations.get(self.action.template))?;
        let length = 2 + self.planner.draw.rng.below(3) as i64;
        let templates = &operations.templates;
        let spec = &templates.template(self.action.template).spec;
        let page = |from: i64| {
            let mut gene = simplest(spec, &self.planner.draw.settings);
            if let (Gene::Tuple(elements), GeneSpec::Tuple(tuple)) = (&mut gene, spec.spec()) {
                for (index, value) in [(offset, from), (limit, length)] {
                    let present = templates.present(tuple.elements[index].spec);
                    elements[index] = templates.graph().read(present, &value.into())?;
                }
            }
            Some(RestAction { gene, ..self.action.clone() })
        };
        Some(Individual::new([page(0)?, page(length)?, page(0)?]))
    }

    /// Another creation with a member that is not documented: what must be there only once must not
    /// be in its way.
    pub(super) fn member(&mut self, number: usize) -> Option<Test> {
        let id = self.action.template;
        let mut members = member::hidden(self.planner.operations, &self.checks.oracles, id);
        if number >= members.len() {
            return None;
        }
        let (name, value) = members.swap_remove(number);
        let mut call = self.call(id, self.action.caller);
        call.gene = self.planner.operations.about(&self.action, call.gene);
        call.deviation = Some(Box::new(Deviation::Member { name, value }));
        self.once_more(call)
    }

    /// A creation that may fail, between two readings of the name that it chooses.
    pub(super) fn failed(&mut self) -> Option<Test> {
        let mut call = self.call(self.action.template, self.action.caller);
        call.gene = self.everything(self.action.template);
        let (read, name) = self.planner.operations.chosen_name(&call)?;
        let mut reading = self.call(read, self.action.caller);
        let fits = self.planner.operations.set_name(&mut reading, &name);
        fits.then(|| Individual::new([reading.clone(), call, reading]))
    }

    /// The call where there is something near it, and again after that was taken back.
    pub(super) fn emptied(&mut self) -> Option<Test> {
        let planner = &mut *self.planner;
        let operations = planner.operations;
        let id = self.action.template;
        let delete = planner.deletion_near(id)?;
        let (mut test, mut known) = (Individual::new([]), Known::default());
        let deleted = planner.append(&mut test, delete, &mut known, 0);
        let made = test.bindings().iter().rfind(|it| it.action == deleted)?.source.action();
        let make = test.actions()[test.position(made)?].1.template;
        if operations.get(make).method.is_safe() || make == id {
            return None;
        }
        test.remove(test.actions().len() - 1);
        known.retain(|source| source.action() != deleted);
        let caller = planner.able_of_both(id, make).or(self.action.caller);
        let place = test.position(made)?;
        test.action_mut(place).caller = caller;
        let first = planner.append(&mut test, id, &mut known, 1);
        let place = test.position(first)?;
        test.action_mut(place).caller = caller;
        let again = RestAction { caller, ..planner.call(make) };
        let again = operations.push_about(&mut test, again, made)?;
        planner.delete_made(&mut test, again)?;
        let last = RestAction::clone(&test.actions()[place].1);
        operations.push_about(&mut test, last, first)?;
        (test.size() <= operations.max_size).then_some(test)
    }

    /// A change of what the caller knows of an older state.
    pub(super) fn stale(&mut self) -> Option<Test> {
        let read = self.reading()?;
        if !self.planner.learnt.memory.has_strong_tag(read) {
            return None;
        }
        let mut test = self.base.clone();
        self.read(&mut test, Some(read));
        self.push(&mut test, self.with_header("if-match", STALE))?;
        Some(test)
    }

    /// A reading of what the caller has already.
    pub(super) fn not_modified(&mut self) -> Option<Test> {
        self.once_more(self.with_header("if-none-match", self.tag?))
    }

    /// A reading as a page of another origin would make it.
    pub(super) fn origin(&mut self) -> Option<Test> {
        self.once_more(self.with_header("origin", ORIGIN))
    }

    /// The last call with a header.
    fn with_header(&self, name: &str, value: &str) -> RestAction {
        let (name, value) = (name.to_owned(), value.to_owned());
        let deviation = Some(Box::new(Deviation::Header { name, value }));
        RestAction { deviation, ..self.action.clone() }
    }

    /// The same call on the same thing with another listed value: what goes through states does so
    /// by what is listed.
    pub(super) fn walk(&mut self) -> Option<Test> {
        let templates = &self.planner.operations.templates;
        let mut others = Vec::new();
        for (path, count) in templates.listed_values(self.action.template, &self.action.gene) {
            let now = path.find(&self.action.gene).cloned();
            let values = (0..count).map(Gene::Enum).filter(|value| Some(value) != now.as_ref());
            others.extend(values.map(|value| (path.clone(), value)));
        }
        let (path, value) = self.planner.draw.rng.pick(&others)?.clone();
        let mut call = self.action.clone();
        *path.find_mut(&mut call.gene)? = value;
        self.once_more(call)
    }
}

impl Planner<'_> {
    /// An operation that deletes something which calls of `id` may be about: what refusals of it
    /// speak of, or else what is near it.
    fn deletion_near(&mut self, id: TemplateId) -> Option<TemplateId> {
        let operations = self.operations;
        let is_deletion = |other: &TemplateId| operations.is(*other, &Method::DELETE);
        let words = self.learnt.memory.words.get(&id).into_iter().flat_map(|words| words.keys());
        let told = words.flat_map(|word| operations.resources.changes(word)).copied();
        let mut known: Vec<TemplateId> = told.filter(is_deletion).collect();
        if known.is_empty() {
            known = operations.neighbours(id).into_iter().filter(is_deletion).collect();
        }
        self.draw.rng.pick(&known).copied()
    }

    /// A user for whom both operations worked, or else the second.
    fn able_of_both(&self, one: TemplateId, other: TemplateId) -> Option<u16> {
        let successes = &self.learnt.memory.successes;
        let able = |id: TemplateId| successes.get(&id).cloned().unwrap_or_default();
        let (one, other) = (able(one), able(other));
        let mut both = one.intersection(&other).chain(&other).filter(|user| **user >= 0);
        u16::try_from(*both.next()?).ok()
    }
}

/// Positions of the parameters that tell where a page begins and how long it is, where an operation
/// lists pages.
pub(super) fn page_parameters(operation: &Operation) -> Option<(usize, usize)> {
    let named = |names: &[&str]| {
        operation.parameters.iter().position(|parameter| {
            parameter.place == ParameterPlace::Query
                && names.iter().any(|name| parameter.name.eq_ignore_ascii_case(name))
        })
    };
    let offset = named(&["offset", "skip", "start"])?;
    let limit = named(&["limit", "size", "count", "pageSize", "per_page"])?;
    Some((offset, limit))
}
