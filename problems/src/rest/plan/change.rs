//! Changes of plans: calls that come, go, are about something else, or are made by somebody else.

use std::sync::Arc;

use wallace_engine::{Binding, BindingSource, Individual, Learnt};
use wallace_genes::{Draw, GenePath, PathStep, TemplateId};

use super::ONCE_MORE;
use super::known::Known;
use crate::rest::action::RestAction;
use crate::rest::problem::{RestMemory, RestProblem};
use crate::rest::resource::Thing;

/// Probability that a change of a plan lets a call be about another thing, where there is one.
const REBOUND: f64 = 0.25;
/// Probability that a change of a plan removes a call; below it, that of another caller.
const REMOVED: f64 = 0.3;
/// Probability that a new call is about the very thing of an earlier one, and comes last.
const ABOUT: f64 = 0.35;
/// Probability that any other new call comes before the last one.
const BEFORE: f64 = 0.8;

impl RestProblem {
    /// Adds a call about the same thing or any call, removes one, or changes who calls.
    pub(in crate::rest) fn change_plan(
        &self,
        plan: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> bool {
        let size = plan.actions().len();
        let draw_kind = draw.rng.unit();
        if self.users > 0 && draw_kind < 0.2 {
            let place = draw.rng.below(size);
            let users = usize::from(self.users) + 1;
            let caller = draw.rng.below(users).checked_sub(1).map(|user| user as u16);
            let has_changed = plan.actions()[place].1.caller != caller;
            plan.action_mut(place).caller = caller;
            return has_changed;
        }
        if self.change_undocumented(plan, learnt, draw)
            || draw.rng.chance(REBOUND) && self.rebind(plan, draw)
        {
            return true;
        }
        if size > 1 && (size >= self.max_size || draw_kind < REMOVED) {
            plan.remove(draw.rng.below(size));
            return true;
        }
        if size >= self.max_size {
            return false;
        }
        let (earlier, action) = plan.actions()[draw.rng.below(size)].clone();
        let path = self.templates.operation(action.template).path.clone();
        let about: Vec<TemplateId> = self.resources.about(&path).collect();
        if let Some(id) = draw.rng.pick(&about).copied()
            && draw.rng.chance(ABOUT)
        {
            let mut call = self.call(id, learnt, draw);
            call.caller = action.caller;
            return self.push_about(plan, call, earlier).is_some();
        }
        let mut known = self.known(plan);
        if draw.rng.chance(BEFORE) {
            return self.add_before_last(plan, &mut known, learnt, draw);
        }
        let id = self.callable[draw.rng.below(self.callable.len())];
        self.append(plan, id, &mut known, learnt, draw, 1);
        true
    }

    /// Lets a call be about another thing that is there already. Returns whether there was one.
    fn rebind(&self, plan: &mut Individual<RestAction>, draw: &mut Draw) -> bool {
        let place = draw.rng.below(plan.actions().len());
        let (action, call) = plan.actions()[place].clone();
        let needs = self.resources.needs(call.template).iter();
        let needs =
            needs.filter(|need| !need.is_made_here || need.thing.origin != need.thing.place);
        let mut slots: Vec<(GenePath, &Thing)> = needs
            .map(|need| (GenePath(vec![PathStep::Field(need.parameter)]), &need.thing))
            .collect();
        slots.extend(self.references(&call));
        let Some((path, thing)) = draw.rng.pick(&slots).cloned() else { return false };
        let known = self.known(plan);
        let is_earlier = |source: &BindingSource| {
            plan.position(source.action()).is_some_and(|earlier| earlier < place)
        };
        let kin = self.resources.kin(&thing.place);
        let fits = |at: &Arc<str>| *at == thing.place || *at == thing.origin || kin.contains(at);
        let fitting: Vec<&BindingSource> =
            known.all(fits).filter(|source| is_earlier(source)).collect();
        let Some(source) = draw.rng.pick(&fitting).map(|source| (*source).clone()) else {
            return false;
        };
        plan.bind(Binding { source, action, path })
    }

    /// An operation of which a call before the last one made something: several of a kind may show
    /// what one does not. Rather one of the later calls, which made what is in things and not the
    /// things themselves.
    fn made_before(&self, plan: &Individual<RestAction>, draw: &mut Draw) -> Option<TemplateId> {
        let (_, before) = plan.actions().split_last()?;
        let made = before.iter().map(|(_, call)| call.template);
        let made: Vec<TemplateId> = made.filter(|id| self.may_follow_itself(*id)).collect();
        let weights: Vec<f64> = (1..=made.len()).map(|place| place as f64).collect();
        draw.rng.weighted(&weights).map(|place| made[place])
    }

    /// Adds a call that may change what the last call finds.
    fn add_before_last(
        &self,
        plan: &mut Individual<RestAction>,
        known: &mut Known,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> bool {
        let Some((last, call)) = plan.actions().last().cloned() else { return false };
        let again = if draw.rng.chance(ONCE_MORE) { self.made_before(plan, draw) } else { None };
        let helper = again.or_else(|| self.helper(call.template, learnt, draw));
        let Some(id) = helper else { return false };
        let bindings: Vec<Binding> =
            plan.bindings().iter().filter(|binding| binding.action == last).cloned().collect();
        plan.remove(plan.actions().len() - 1);
        known.retain(|source| source.action() != last);
        self.append(plan, id, known, learnt, draw, 1);
        let action = plan.push(RestAction::clone(&call));
        for binding in bindings {
            plan.bind(Binding { action, ..binding });
        }
        true
    }
}
