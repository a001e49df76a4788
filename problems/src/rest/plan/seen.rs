//! Names of things that answers showed, or that calls chose themselves.

use http::Method;
use serde_json::Value;
use wallace_engine::{ActionId, BindingSource, Individual};
use wallace_genes::{GenePath, PathStep, TemplateId};

use super::{Known, Planner};
use crate::rest::action::RestAction;
use crate::rest::family::Family;
use crate::rest::identity::led_to;
use crate::rest::learn::NAMES;
use crate::rest::memory::Record;
use crate::rest::resource::{Creation, Need};
use crate::rest::template::PoolValue;
use crate::word::{plain, singular};

/// Share of successful creations below which a thing counts as one that cannot be made.
const RARELY: f64 = 0.05;

impl Planner<'_> {
    /// Puts a name into a placeholder that an answer showed, mostly where such things cannot be made;
    /// not what is to be deleted. Returns whether it did.
    pub(super) fn name_seen(
        &mut self,
        call: &mut RestAction,
        need: &Need,
        known: &Known,
        family: Option<&Family>,
    ) -> bool {
        if !self.may_be_seen(call, need) || self.is_below_known(call, need, known) {
            return false;
        }
        let settings = self.settings();
        let rate =
            |creation: &Creation| self.record(creation.operation()).map_or(0.5, Record::rate);
        let made = need.thing.creations.iter().map(rate).fold(0.0, f64::max);
        let is_known = known.all(|place| *place == need.thing.place).next().is_some();
        if is_known
            || self.is_alone && made > RARELY
            || !self.chance((1.0 - made).max(settings.seen))
        {
            return false;
        }
        self.put_seen(call, need, family)
    }

    /// Whether a placeholder stands below what a call of the plan names already, and can be made there:
    /// what was seen elsewhere is not below that.
    fn is_below_known(&self, call: &RestAction, need: &Need, known: &Known) -> bool {
        let needs = self.operations.resources.needs(call.template).iter();
        let is_known =
            |above: &Need| known.all(|place| *place == above.thing.place).next().is_some();
        !need.thing.creations.is_empty()
            && needs.filter(|above| above.depth < need.depth).any(is_known)
    }

    /// Whether a placeholder may name what an answer showed: not where a driver resets, nor what the
    /// call makes itself or deletes.
    fn may_be_seen(&self, call: &RestAction, need: &Need) -> bool {
        let operations = self.operations;
        let is_deletion = operations.is(call.template, &Method::DELETE);
        let is_last = operations.resources.needs(call.template).last().map(Need::path);
        let is_subject = is_last == Some(need.path());
        !(operations.is_white_box || need.is_made_here || is_deletion && is_subject)
    }

    /// Whether the next call of an operation does without what would be made for it: it was not sent,
    /// since that could not be made, and never worked.
    pub(super) fn is_unsent(&self, id: TemplateId) -> bool {
        let memory = &self.learnt.memory;
        memory.unsent.contains(&id) && !memory.successes.contains_key(&id)
    }

    /// Puts a name into a placeholder that an answer showed, of the `family` that the call is about where
    /// that has one. Returns whether there was one that fits.
    pub(super) fn put_seen(
        &mut self,
        call: &mut RestAction,
        need: &Need,
        family: Option<&Family>,
    ) -> bool {
        let operations = self.operations;
        if !self.may_be_seen(call, need) {
            return false;
        }
        let spec = &operations.templates.template(call.template).spec;
        let wanted = operations.wanted(call.template, &need.path());
        // Of the address of a thing only a part names it.
        let name = |value: &Value| {
            let named = value.as_str().and_then(|text| led_to(text, wanted.as_ref()?));
            named.map_or_else(|| value.clone(), |(name, _)| Value::String(name))
        };
        let of_family = need.names.iter().find_map(|name| family?.get(name));
        if of_family.is_some_and(|value| spec.put(&mut call.gene, &need.path(), &name(value))) {
            return true;
        }
        let memory = &self.learnt.memory;
        let gone = memory.gone.names(operations, call, need);
        let is_there = |known: &&PoolValue| !gone.contains(&name(&known.value));
        let values = |name: &str| memory.pool.values(name).filter(is_there).collect();
        let all = || need.names.iter().map(|name| values(name));
        // Of numbers and texts, texts are rather what is documented as one.
        let is_fit = |values: &Vec<&PoolValue>| {
            values.iter().any(|known| !need.is_text || known.value.is_string())
        };
        let values = all().find(is_fit).or_else(|| all().find(|values| !values.is_empty()));
        let Some(values) = values else { return false };
        let Some(value) = self.draw.rng.pick(&values) else { return false };
        spec.put(&mut call.gene, &need.path(), &name(&value.value))
    }

    /// Where a creation whose answers do not name what it makes chooses the name itself.
    pub(super) fn chosen_by_body(
        &self,
        plan: &Individual<RestAction>,
        action: ActionId,
        place: &str,
    ) -> Option<BindingSource> {
        let call = &plan.actions()[plan.position(action)?].1;
        if !self.learnt.memory.nameless.contains(&call.template) {
            return None;
        }
        let thing = place.split('/').rfind(|part| !part.is_empty() && !part.contains('{'));
        let thing = plain(&singular(thing.unwrap_or_default()));
        let leaves = self.operations.templates.named_leaves(call.template, &call.gene);
        // The `id` of an object inside is that of another thing.
        let is_inside = |path: &GenePath| {
            path.0.iter().filter(|step| matches!(step, PathStep::Field(_))).count() > 2
        };
        let mut own = NAMES.iter().map(|name| format!("{thing}{name}")).chain([thing.clone()]);
        let own = own.find_map(|own| leaves.iter().find(|(_, name)| plain(name) == own));
        let outer = || {
            let is_it =
                |it: &str, path: &GenePath, name: &str| plain(name) == it && !is_inside(path);
            NAMES.iter().find_map(|it| leaves.iter().find(|(path, name)| is_it(it, path, name)))
        };
        let (path, _) = own.or_else(outer)?;
        Some(BindingSource::Gene { action, path: path.clone() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::Learnt;
    use wallace_genes::Draw;

    use super::*;
    use crate::rest::learn::learn_unsent;
    use crate::rest::memory::RestMemory;
    use crate::rest::problem::RestProblem;
    use crate::rest::problem::support::{named, problem};

    const PATCH: &str = "PATCH:/links/{link_id}";

    fn service() -> RestProblem {
        problem(
            "{/links: {post: {}}, '/links/{link_id}': {parameters: [{name: link_id, in: path, \
               required: true, schema: {type: string}}], patch: {}, get: {}, delete: {}}}",
            0,
        )
    }

    fn plan(problem: &RestProblem, memory: &RestMemory, number: u64) -> Individual<RestAction> {
        let learnt = Learnt { memory: memory.clone(), ..Learnt::default() };
        let mut draw = Draw::new(3, number, Arc::default());
        let mut planner = problem.planner(&learnt, &mut draw);
        planner.is_alone = true;
        planner.plan_after(named(problem, PATCH), 0.0)
    }

    /// What is not made is neither named nor called, until it is called on what is there.
    #[test]
    fn what_could_not_be_made_is_called_on_what_was_seen() {
        let problem = service();
        let patch = named(&problem, PATCH);
        let mut memory = RestMemory::default();
        memory.pool.add("link_id", &"seen".into(), named(&problem, "POST:/links"));
        let first = plan(&problem, &memory, 0);
        assert!(!first.bindings().is_empty(), "it needs what is made first");
        learn_unsent(&first, 1, false, &mut memory);
        for number in 0..100 {
            let next = plan(&problem, &memory, number);
            let of_patch = next.actions().iter().find(|(_, call)| call.template == patch).unwrap();
            assert!(next.bindings().iter().all(|binding| binding.action != of_patch.0));
            assert!(problem.templates().texts(patch, &of_patch.1.gene).contains("seen"));
        }
        let next = plan(&problem, &memory, 0);
        learn_unsent(&next, next.actions().len(), false, &mut memory);
        assert!(!plan(&problem, &memory, 0).bindings().is_empty(), "and then it may be made again");
    }

    #[test]
    fn where_nothing_was_seen_the_call_is_made_all_the_same() {
        let problem = service();
        let mut memory = RestMemory::default();
        learn_unsent(&plan(&problem, &memory, 0), 1, true, &mut memory);
        assert!(memory.unsent.is_empty(), "the service was lost");
        learn_unsent(&plan(&problem, &memory, 0), 1, false, &mut memory);
        let next = plan(&problem, &memory, 0);
        assert_eq!(next.actions()[0].1.template, named(&problem, PATCH));
    }
}
