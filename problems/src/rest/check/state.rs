//! Checks of what verbs mean: the call again, with less, with other values, and readings of what it
//! left.

use http::Method;
use wallace_engine::{Individual, Learnt};
use wallace_genes::{Draw, Gene, GeneSpec, TemplateId, simplest};

use super::build::{Build, Test};
use crate::rest::action::{RestAction, Twist};
use crate::rest::description::ParameterPlace;
use crate::rest::oracle::{ORIGIN, STALE};
use crate::rest::plan::Known;
use crate::rest::problem::{RestMemory, RestProblem};

impl Build<'_, '_> {
    /// The same call twice, and what is there after each.
    pub(super) fn again(&mut self) -> Option<Test> {
        let read = self.problem.here(self.action.template, &Method::GET);
        let mut twice = self.base.clone();
        self.read(&mut twice, read);
        self.problem.push_about(&mut twice, self.action.clone(), self.last)?;
        self.read(&mut twice, read);
        Some(twice)
    }

    /// Everything is written, then as little as possible; what is there after each.
    pub(super) fn replace(&mut self) -> Option<Test> {
        let id = self.action.template;
        let read = self.problem.here(id, &Method::GET)?;
        let full = self.full_gene(id);
        let gene = self.problem.about(&self.action, full);
        let mut test = self.with_last(RestAction { gene, ..self.action.clone() });
        self.read(&mut test, Some(read));
        let templates = &self.problem.templates;
        let small = simplest(&templates.template(id).spec, &self.draw.settings);
        let small = templates.dressed(id, small, &self.learnt.memory.pool, self.draw);
        let gene = self.problem.about(&self.action, small);
        let call = RestAction { gene, ..self.action.clone() };
        self.problem.push_about(&mut test, call, self.last)?;
        self.read(&mut test, Some(read));
        Some(test)
    }

    /// What was deleted is read.
    pub(super) fn gone(&mut self) -> Option<Test> {
        let read = self.problem.here(self.action.template, &Method::GET)?;
        let mut gone = self.base.clone();
        self.read(&mut gone, Some(read));
        Some(gone)
    }

    /// The same reading twice.
    pub(super) fn reread(&mut self) -> Option<Test> {
        let mut twice = self.base.clone();
        self.problem.push_about(&mut twice, self.action.clone(), self.last)?;
        Some(twice)
    }

    /// The first page, the second, and the first again.
    pub(super) fn pages(&mut self) -> Option<Test> {
        let (offset, limit) = self.problem.page_parameters(self.action.template)?;
        let length = 2 + self.draw.rng.below(3) as i64;
        let templates = &self.problem.templates;
        let spec = &templates.template(self.action.template).spec;
        let page = |from: i64| {
            let mut gene = simplest(spec, &self.draw.settings);
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
        let mut members = self.problem.oracles.hidden_members(self.problem, id);
        if number >= members.len() {
            return None;
        }
        let (name, value) = members.swap_remove(number);
        let mut call = self.call(id, self.action.caller);
        call.gene = self.problem.about(&self.action, call.gene);
        call.twist = Some(Box::new(Twist::Member { name, value }));
        let mut more = self.base.clone();
        self.problem.push_about(&mut more, call, self.last)?;
        Some(more)
    }

    /// A creation that may fail, between two readings of the name that it chooses.
    pub(super) fn failed(&mut self) -> Option<Test> {
        let mut call = self.call(self.action.template, self.action.caller);
        call.gene = self.full_gene(self.action.template);
        let (read, name) = self.problem.chosen_name(&call)?;
        let mut gene = self.call(read, self.action.caller);
        let fits = self.problem.set_name(&mut gene, &name);
        fits.then(|| Individual::new([gene.clone(), call, gene]))
    }

    /// The call where there is something near it, and again after that was taken back.
    pub(super) fn emptied(&mut self) -> Option<Test> {
        let (problem, learnt) = (self.problem, self.learnt);
        let id = self.action.template;
        let delete = problem.deletion_near(id, learnt, self.draw)?;
        let (mut test, mut known) = (Individual::new([]), Known::default());
        let deleted = problem.append(&mut test, delete, &mut known, learnt, self.draw, 0);
        let made = test.bindings().iter().rfind(|it| it.action == deleted)?.source.action();
        let make = test.actions()[test.position(made)?].1.template;
        if problem.templates.operation(make).method.is_safe() || make == id {
            return None;
        }
        test.remove(test.actions().len() - 1);
        known.retain(|source| source.action() != deleted);
        let caller = problem.able_of_both(id, make, learnt).or(self.action.caller);
        let place = test.position(made)?;
        test.action_mut(place).caller = caller;
        let first = problem.append(&mut test, id, &mut known, learnt, self.draw, 1);
        let place = test.position(first)?;
        test.action_mut(place).caller = caller;
        let again = self.call(make, caller);
        let again = problem.push_about(&mut test, again, made)?;
        problem.delete_made(&mut test, again, learnt, self.draw)?;
        let last = RestAction::clone(&test.actions()[place].1);
        problem.push_about(&mut test, last, first)?;
        (test.size() <= problem.max_size).then_some(test)
    }

    /// A change of what the caller knows of an older state.
    pub(super) fn stale(&mut self) -> Option<Test> {
        let read = self.problem.here(self.action.template, &Method::GET)?;
        if !self.learnt.memory.tagged.contains(&read) {
            return None;
        }
        let mut test = self.base.clone();
        self.read(&mut test, Some(read));
        self.with_header(test, "if-match", STALE)
    }

    /// A reading of what the caller has already.
    pub(super) fn not_modified(&mut self) -> Option<Test> {
        let tag = self.tag?.to_owned();
        self.with_header(self.base.clone(), "if-none-match", &tag)
    }

    /// A reading as a page of another origin would make it.
    pub(super) fn origin(&mut self) -> Option<Test> {
        self.with_header(self.base.clone(), "origin", ORIGIN)
    }

    /// The last call once more, with a header.
    fn with_header(&self, mut test: Test, name: &str, value: &str) -> Option<Test> {
        let (name, value) = (name.to_owned(), value.to_owned());
        let twist = Some(Box::new(Twist::Header { name, value }));
        let call = RestAction { twist, ..self.action.clone() };
        self.problem.push_about(&mut test, call, self.last)?;
        Some(test)
    }

    /// The same call on the same thing with another listed value: what goes through states does so
    /// by what is listed.
    pub(super) fn walk(&mut self) -> Option<Test> {
        let templates = &self.problem.templates;
        let mut others = Vec::new();
        for (path, count) in templates.listed_values(self.action.template, &self.action.gene) {
            let now = path.find(&self.action.gene).cloned();
            let values = (0..count).map(Gene::Enum).filter(|value| Some(value) != now.as_ref());
            others.extend(values.map(|value| (path.clone(), value)));
        }
        let (path, value) = self.draw.rng.pick(&others)?.clone();
        let mut call = self.action.clone();
        *path.find_mut(&mut call.gene)? = value;
        let mut walk = self.base.clone();
        self.problem.push_about(&mut walk, call, self.last)?;
        Some(walk)
    }
}

impl RestProblem {
    /// An operation that deletes something which calls of `id` may be about: what refusals of it
    /// speak of, or else what is near it.
    fn deletion_near(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<TemplateId> {
        let is_deletion =
            |other: &TemplateId| self.templates.operation(*other).method == Method::DELETE;
        let words = learnt.memory.words.get(&id).into_iter().flat_map(|words| words.keys());
        let told = words.flat_map(|word| self.resources.changes(word)).copied();
        let mut known: Vec<TemplateId> = told.filter(is_deletion).collect();
        if known.is_empty() {
            known = self.neighbours(id).into_iter().filter(is_deletion).collect();
        }
        draw.rng.pick(&known).copied()
    }

    /// A user for whom both operations worked, or else the second.
    fn able_of_both(
        &self,
        one: TemplateId,
        other: TemplateId,
        learnt: &Learnt<RestMemory>,
    ) -> Option<u16> {
        let able = |id: TemplateId| learnt.memory.successes.get(&id).cloned().unwrap_or_default();
        let (one, other) = (able(one), able(other));
        let mut both = one.intersection(&other).chain(&other).filter(|user| **user >= 0);
        u16::try_from(*both.next()?).ok()
    }

    /// Positions of the parameters that tell where a page begins and how long it is.
    fn page_parameters(&self, id: TemplateId) -> Option<(usize, usize)> {
        let parameters = &self.templates.operation(id).parameters;
        let named = |names: &[&str]| {
            parameters.iter().position(|parameter| {
                parameter.place == ParameterPlace::Query
                    && names.iter().any(|name| parameter.name.eq_ignore_ascii_case(name))
            })
        };
        let offset = named(&["offset", "skip", "start"])?;
        let limit = named(&["limit", "size", "count", "pageSize", "per_page"])?;
        Some((offset, limit))
    }

    /// Whether an operation lists pages.
    pub(super) fn has_pages(&self, id: TemplateId) -> bool {
        self.page_parameters(id).is_some()
    }
}
