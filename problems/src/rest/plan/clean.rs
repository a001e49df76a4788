//! What tests leave behind is taken back, where no driver does so: services that pile up what tests
//! made refuse more and more.

use std::sync::Arc;

use http::Method;
use wallace_engine::{ActionId, Binding, BindingSource, Individual};

use super::Planner;
use crate::rest::action::RestAction;
use crate::rest::resource::Creation;

impl Planner<'_> {
    /// Mostly reads what the last call deleted; now and then deletes what the calls made.
    pub(in crate::rest) fn clean(&mut self, plan: &mut Individual<RestAction>) {
        let (operations, settings) = (self.operations, self.settings());
        // A driver brings back the first state by itself.
        let Some((last, action)) = plan.actions().last().cloned() else { return };
        if operations.is_white_box {
            return;
        }
        if operations.is(action.template, &Method::DELETE) && action.deviation.is_none() {
            if plan.size() < operations.max_size && self.chance(settings.read_after) {
                self.read_after(plan, last);
            }
        } else if self.chance(settings.cleaned) {
            let made: Vec<ActionId> = plan.actions().iter().map(|(id, _)| *id).collect();
            // What was made last goes first: things are part of others.
            for id in made.into_iter().rev() {
                if plan.size() + 1 >= operations.max_size {
                    return;
                }
                if let Some(deleted) = self.delete_made(plan, id)
                    && self.chance(settings.read_after)
                {
                    self.read_after(plan, deleted);
                }
            }
        }
    }

    /// Reads what a call was about, as its caller.
    fn read_after(&mut self, plan: &mut Individual<RestAction>, earlier: ActionId) {
        let Some(place) = plan.position(earlier) else { return };
        let action = plan.actions()[place].1.clone();
        let Some(read) = self.operations.here(action.template, &Method::GET) else { return };
        let call = RestAction { caller: action.caller, ..self.call(read) };
        self.operations.push_about(plan, call, earlier);
    }

    /// Deletes what a call made, as its caller, where some operation does that.
    pub(in crate::rest) fn delete_made(
        &mut self,
        plan: &mut Individual<RestAction>,
        made: ActionId,
    ) -> Option<ActionId> {
        let place = plan.position(made)?;
        let creator = plan.actions()[place].1.clone();
        let (delete, creation) = self.operations.deletion(creator.template)?;
        let is_deleted = |(_, action): &(_, Arc<RestAction>)| action.template == delete;
        if creator.deviation.is_some() || plan.actions()[place..].iter().any(is_deleted) {
            return None;
        }
        let call = RestAction { caller: creator.caller, ..self.call(delete) };
        let action = self.operations.push_about(plan, call, made)?;
        if matches!(creation, Creation::Answered(_)) {
            let path = self.operations.resources.needs(delete).last()?.path();
            let place = &self.operations.get(creator.template).path;
            let chosen = self.chosen_by_body(plan, made, place);
            let source = chosen.unwrap_or(BindingSource::Created { action: made });
            plan.bind(Binding { source, action, path });
        }
        Some(action)
    }
}
