//! Links: calls that are made with what an earlier call held or gave, since the description says so or since
//! one logs into the account that the other made.

use std::collections::HashMap;
use std::sync::Arc;

use wallace_engine::{ActionId, Binding, BindingSource, Individual};
use wallace_genes::{Gene, GenePath, PathStep, TemplateId};

use super::action::RestAction;
use super::description::{Link, LinkSource, Operation, ParameterPlace};
use super::plan::{Known, Planner};
use super::sign_in::sign_ins;
use super::template::Templates;

/// A link from the operation whose answer feeds another.
#[derive(Debug, Clone)]
pub(super) struct Followed {
    from: TemplateId,
    to: TemplateId,
    what: Fed,
}

/// What a link feeds.
#[derive(Debug, Clone)]
enum Fed {
    /// What the description says.
    Described(Arc<Link>),
    /// What is called as in the first call.
    SameNames,
}

/// The links of a service, by where they lead.
#[derive(Debug, Default)]
pub(super) struct Links(HashMap<TemplateId, Vec<Followed>>);

impl Links {
    pub(super) fn new(templates: &Templates, callable: &[TemplateId]) -> Self {
        let mut links: HashMap<TemplateId, Vec<Followed>> = HashMap::new();
        for from in callable {
            let responses = templates.operation(*from).responses.iter();
            for link in responses.flat_map(|response| &response.links) {
                let is_target =
                    |id: &&TemplateId| is_named(templates.operation(**id), &link.target);
                if let Some(to) = callable.iter().find(is_target) {
                    let what = Fed::Described(Arc::new(link.clone()));
                    links.entry(*to).or_default().push(Followed { from: *from, to: *to, what });
                }
            }
        }
        for (from, to) in sign_ins(templates, callable) {
            links.entry(to).or_default().push(Followed { from, to, what: Fed::SameNames });
        }
        Self(links)
    }

    /// The links that lead to an operation.
    pub(super) fn to(&self, id: TemplateId) -> &[Followed] {
        self.0.get(&id).map_or(&[], Vec::as_slice)
    }
}

fn is_named(operation: &Operation, target: &str) -> bool {
    operation.operation_id.as_deref() == Some(target) || &*operation.id == target
}

impl Planner<'_> {
    /// Adds the call that answers, and the one that the link leads to.
    pub(super) fn follow_link(
        &mut self,
        mut plan: Individual<RestAction>,
        followed: &Followed,
        known: &mut Known,
    ) -> Individual<RestAction> {
        let source = self.append(&mut plan, followed.from, known, 1);
        let mut call = self.call(followed.to);
        let bindings = match &followed.what {
            Fed::Described(link) => self.described(&plan, source, link, &mut call),
            Fed::SameNames => self.same_names(&plan, source, &call),
        };
        if let Some(place) = plan.position(source) {
            call.caller = plan.actions()[place].1.caller;
        }
        let action = plan.push(call);
        for (source, path) in bindings {
            plan.bind(Binding { source, action, path });
        }
        plan
    }

    /// What a link of the description feeds, and where.
    fn described(
        &self,
        plan: &Individual<RestAction>,
        source: ActionId,
        link: &Link,
        call: &mut RestAction,
    ) -> Vec<(BindingSource, GenePath)> {
        let mut bindings = Vec::new();
        for (name, value) in &link.parameters {
            let Some(index) = position(self.operations.get(call.template), name) else {
                continue;
            };
            let path = GenePath(vec![PathStep::Field(index as u32)]);
            self.make_present(call, index);
            match self.source(plan, source, value) {
                Some(source) => bindings.push((source, path)),
                None => {
                    if let LinkSource::Constant(value) = value {
                        let spec = &self.operations.templates.template(call.template).spec;
                        spec.put(&mut call.gene, &path, value);
                    }
                }
            }
        }
        bindings
    }

    /// The values of a call that the call of `action` has under the same name.
    fn same_names(
        &self,
        plan: &Individual<RestAction>,
        action: ActionId,
        call: &RestAction,
    ) -> Vec<(BindingSource, GenePath)> {
        let Some(place) = plan.position(action) else { return Vec::new() };
        let first = &plan.actions()[place].1;
        let templates = &self.operations.templates;
        let given = templates.named_leaves(first.template, &first.gene);
        let taken = templates.named_leaves(call.template, &call.gene).into_iter();
        let same = |(to, name): (GenePath, Arc<str>)| {
            let (path, _) = given.iter().find(|(_, known)| *known == name)?;
            Some((BindingSource::Gene { action, path: path.clone() }, to))
        };
        taken.filter_map(same).collect()
    }

    /// Where the call of `action` holds what a link takes.
    fn source(
        &self,
        plan: &Individual<RestAction>,
        action: ActionId,
        value: &LinkSource,
    ) -> Option<BindingSource> {
        let call = &plan.actions()[plan.position(action)?].1;
        let from = call.template;
        Some(match value {
            LinkSource::ResponseBody(pointer) => {
                BindingSource::Response { action, pointer: pointer.clone() }
            }
            LinkSource::ResponseHeader(name) => {
                BindingSource::Header { action, name: name.clone() }
            }
            LinkSource::RequestParameter(place, name) => {
                let parameters = self.operations.get(from).parameters.iter();
                let mut named =
                    parameters.enumerate().filter(|(_, p)| p.place == *place && *p.name == **name);
                let path = GenePath(vec![PathStep::Field(named.next()?.0 as u32)]);
                BindingSource::Gene { action, path }
            }
            LinkSource::RequestBody(pointer) => {
                let templates = &self.operations.templates;
                let mut leaves = templates.named_leaves(from, &call.gene).into_iter();
                let is_it = |path: &GenePath| {
                    templates.body_pointer(from, path).is_some_and(|known| known == *pointer)
                };
                let path = leaves.find_map(|(path, _)| is_it(&path).then_some(path))?;
                BindingSource::Gene { action, path }
            }
            LinkSource::Constant(_) => return None,
        })
    }

    /// Sends a parameter that may be left out.
    fn make_present(&self, call: &mut RestAction, index: usize) {
        let spec = self.operations.templates.template(call.template).spec.clone();
        let (wallace_genes::GeneSpec::Tuple(tuple), Gene::Tuple(elements)) =
            (spec.spec(), &mut call.gene)
        else {
            return;
        };
        if let (Some(field), Some(element @ Gene::Absent)) =
            (tuple.elements.get(index), elements.get_mut(index))
        {
            let inner = spec.at(self.operations.templates.present(field.spec));
            *element = wallace_genes::simplest(&inner, &self.draw.settings);
        }
    }
}

/// Position of the parameter that a link names: `id`, or `path.id`.
fn position(operation: &Operation, name: &str) -> Option<usize> {
    let places = [
        ("path.", ParameterPlace::Path),
        ("query.", ParameterPlace::Query),
        ("header.", ParameterPlace::Header),
        ("cookie.", ParameterPlace::Cookie),
    ];
    let placed =
        places.iter().find_map(|(prefix, place)| Some((name.strip_prefix(prefix)?, *place)));
    operation.parameters.iter().position(|parameter| match placed {
        Some((name, place)) => parameter.place == place && *parameter.name == *name,
        None => *parameter.name == *name,
    })
}
