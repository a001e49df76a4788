//! Checks of what verbs mean: the call again, with less, with other values, and readings of what it
//! left.

use http::Method;
use wallace_engine::Individual;
use wallace_genes::{Gene, GeneSpec, TemplateId, simplest};

use super::build::{Build, Test};
use crate::rest::action::{RestAction, Twist};
use crate::rest::description::ParameterPlace;
use crate::rest::oracle::{ORIGIN, STALE};
use crate::rest::problem::RestProblem;

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
                    elements[index] = templates.gene(present, &value.into())?;
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
