//! Changes of plans: calls that come, go, are about something else, or are made by somebody else.

use std::sync::Arc;

use wallace_engine::{Binding, BindingSource, Individual};
use wallace_genes::{GenePath, TemplateId};

use super::{Known, Planner};
use crate::rest::action::RestAction;
use crate::rest::resource::Thing;

impl Planner<'_> {
    /// Adds a call about the same thing or any call, removes one, or changes who calls.
    pub(in crate::rest) fn change_plan(&mut self, plan: &mut Individual<RestAction>) -> bool {
        let (operations, settings) = (self.operations, self.settings());
        let size = plan.actions().len();
        let draw_kind = self.draw.rng.unit();
        if operations.users > 0 && draw_kind < settings.other_user {
            let place = self.draw.rng.below(size);
            let users = usize::from(operations.users) + 1;
            let caller = self.draw.rng.below(users).checked_sub(1).map(|user| user as u16);
            let has_changed = plan.actions()[place].1.caller != caller;
            plan.action_mut(place).caller = caller;
            return has_changed;
        }
        if self.change_undocumented(plan) || self.chance(settings.rebound) && self.rebind(plan) {
            return true;
        }
        if size > 1 && (size >= operations.max_size || draw_kind < settings.removed) {
            plan.remove(self.draw.rng.below(size));
            return true;
        }
        if size >= operations.max_size {
            return false;
        }
        let (earlier, action) = plan.actions()[self.draw.rng.below(size)].clone();
        let path = operations.get(action.template).path.clone();
        let about: Vec<TemplateId> = operations.resources.about(&path).collect();
        if let Some(id) = self.draw.rng.pick(&about).copied()
            && self.chance(settings.about_same)
        {
            let mut call = self.call(id);
            call.caller = action.caller;
            return operations.push_about(plan, call, earlier).is_some();
        }
        let mut known = Known::of(plan, self.operations);
        if self.chance(settings.before_last) {
            return self.add_before_last(plan, &mut known);
        }
        let id = operations.callable[self.draw.rng.below(operations.callable.len())];
        self.append(plan, id, &mut known, 1);
        true
    }

    /// Lets a call be about another thing that is there already. Returns whether there was one.
    fn rebind(&mut self, plan: &mut Individual<RestAction>) -> bool {
        let operations = self.operations;
        let place = self.draw.rng.below(plan.actions().len());
        let (action, call) = plan.actions()[place].clone();
        let needs = operations.resources.needs(call.template).iter();
        let needs =
            needs.filter(|need| !need.is_made_here || need.thing.origin != need.thing.place);
        let mut slots: Vec<(GenePath, &Thing)> =
            needs.map(|need| (need.path(), &need.thing)).collect();
        slots.extend(operations.references(&call));
        let Some((path, thing)) = self.draw.rng.pick(&slots).cloned() else { return false };
        let known = Known::of(plan, operations);
        let is_earlier = |source: &BindingSource| {
            plan.position(source.action()).is_some_and(|earlier| earlier < place)
        };
        let kin = operations.resources.kin(&thing.place);
        let fits = |at: &Arc<str>| *at == thing.place || *at == thing.origin || kin.contains(at);
        let fitting: Vec<&BindingSource> =
            known.all(fits).filter(|source| is_earlier(source)).collect();
        let Some(source) = self.draw.rng.pick(&fitting).map(|source| (*source).clone()) else {
            return false;
        };
        plan.bind(Binding { source, action, path })
    }

    /// An operation of which a call before the last one made something: several of a kind may show
    /// what one does not. Rather one of the later calls, which made what is in things and not the
    /// things themselves.
    fn made_before(&mut self, plan: &Individual<RestAction>) -> Option<TemplateId> {
        let (_, before) = plan.actions().split_last()?;
        let made = before.iter().map(|(_, call)| call.template);
        let made: Vec<TemplateId> =
            made.filter(|id| self.operations.may_follow_itself(*id)).collect();
        let weights: Vec<f64> = (1..=made.len()).map(|place| place as f64).collect();
        self.draw.rng.weighted(&weights).map(|place| made[place])
    }

    /// Adds a call that may change what the last call finds.
    fn add_before_last(&mut self, plan: &mut Individual<RestAction>, known: &mut Known) -> bool {
        let Some((last, call)) = plan.actions().last().cloned() else { return false };
        let is_again = self.chance(self.settings().once_more);
        let again = if is_again { self.made_before(plan) } else { None };
        let helper = again.or_else(|| self.helper(call.template));
        let Some(id) = helper else { return false };
        let bindings: Vec<Binding> =
            plan.bindings().iter().filter(|binding| binding.action == last).cloned().collect();
        plan.remove(plan.actions().len() - 1);
        known.retain(|source| source.action() != last);
        self.append(plan, id, known, 1);
        let action = plan.push(RestAction::clone(&call));
        for binding in bindings {
            plan.bind(Binding { action, ..binding });
        }
        true
    }
}
