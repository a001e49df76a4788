//! What tests leave behind is taken back, where no driver does so: services that pile up what tests
//! made refuse more and more.

use std::sync::Arc;

use http::Method;
use wallace_engine::{ActionId, Binding, BindingSource, Individual, Learnt};
use wallace_genes::{Draw, GenePath, PathStep, TemplateId};

use crate::rest::action::RestAction;
use crate::rest::problem::{RestMemory, RestProblem};
use crate::rest::resource::Creation;

/// Probability that what a test made is deleted at its end.
const CLEANED: f64 = 0.5;
/// Probability that what was deleted is read afterwards.
const READ_AFTER: f64 = 0.5;

impl RestProblem {
    /// Mostly reads what the last call deleted; now and then deletes what the calls made.
    pub(in crate::rest) fn clean(
        &self,
        plan: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) {
        // A driver brings back the first state by itself.
        let Some((last, action)) = plan.actions().last().cloned() else { return };
        if self.is_white_box {
            return;
        }
        let is_deletion = self.templates.operation(action.template).method == Method::DELETE;
        if is_deletion && action.twist.is_none() {
            if plan.size() < self.max_size && draw.rng.chance(READ_AFTER) {
                self.read_after(plan, last, learnt, draw);
            }
        } else if draw.rng.chance(CLEANED) {
            let made: Vec<ActionId> = plan.actions().iter().map(|(id, _)| *id).collect();
            // What was made last goes first: things are part of others.
            for id in made.into_iter().rev() {
                if plan.size() + 1 >= self.max_size {
                    return;
                }
                if let Some(deleted) = self.delete_made(plan, id, learnt, draw)
                    && draw.rng.chance(READ_AFTER)
                {
                    self.read_after(plan, deleted, learnt, draw);
                }
            }
        }
    }

    /// The last call up to `last` that does not take back what an earlier one made, nor reads that
    /// afterwards.
    pub(in crate::rest) fn subject(&self, plan: &Individual<RestAction>, last: usize) -> usize {
        let method = |place: usize| {
            let (_, action) = &plan.actions()[place];
            &self.templates.operation(action.template).method
        };
        let is_bound = |place: usize| {
            let (id, _) = plan.actions()[place];
            plan.bindings().iter().any(|binding| binding.action == id)
        };
        let mut place = last;
        while place > 0 {
            let is_reading = method(place) == Method::GET && method(place - 1) == Method::DELETE;
            let is_taking_back = method(place) == Method::DELETE && is_bound(place);
            if !is_reading && !is_taking_back {
                break;
            }
            place -= 1;
        }
        place
    }

    /// Reads what a call was about, as its caller.
    fn read_after(
        &self,
        plan: &mut Individual<RestAction>,
        earlier: ActionId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) {
        let Some(place) = plan.position(earlier) else { return };
        let action = plan.actions()[place].1.clone();
        let Some(read) = self.here(action.template, &Method::GET) else { return };
        let mut call = self.call(read, learnt, draw);
        call.caller = action.caller;
        self.push_about(plan, call, earlier);
    }

    /// Deletes what a call made, as its caller, where some operation does that.
    pub(in crate::rest) fn delete_made(
        &self,
        plan: &mut Individual<RestAction>,
        made: ActionId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<ActionId> {
        let place = plan.position(made)?;
        let creator = plan.actions()[place].1.clone();
        let (delete, creation) = self.deletion(creator.template)?;
        let is_deleted = |(_, action): &(_, Arc<RestAction>)| action.template == delete;
        if creator.twist.is_some() || plan.actions()[place..].iter().any(is_deleted) {
            return None;
        }
        let mut call = self.call(delete, learnt, draw);
        call.caller = creator.caller;
        let action = self.push_about(plan, call, made)?;
        if matches!(creation, Creation::Answered(_)) {
            let need = self.resources.needs(delete).last()?;
            let path = GenePath(vec![PathStep::Field(need.parameter)]);
            plan.bind(Binding { source: BindingSource::Created { action: made }, action, path });
        }
        Some(action)
    }

    /// Whether things are made by calls of an operation that other calls are about.
    pub(in crate::rest) fn is_creation(&self, id: TemplateId) -> bool {
        let needs = self.callable.iter().flat_map(|other| self.resources.needs(*other));
        let mut creations = needs.flat_map(|need| &need.thing.creations);
        creations.any(|creation| *creation == Creation::Answered(id))
    }

    /// The operation that deletes what another makes, and how that is named.
    fn deletion(&self, creator: TemplateId) -> Option<(TemplateId, Creation)> {
        let deletions = self
            .callable
            .iter()
            .filter(|id| self.templates.operation(**id).method == Method::DELETE);
        deletions.copied().find_map(|id| {
            let need = self.resources.needs(id).last()?;
            let creations = need.thing.creations.iter();
            let is_by = |creation: &&Creation| {
                matches!(creation, Creation::Answered(by) | Creation::Chosen(by) if *by == creator)
            };
            Some((id, *creations.copied().collect::<Vec<_>>().iter().find(is_by)?))
        })
    }

    /// The operation of a verb on the path of another.
    pub(in crate::rest) fn here(&self, id: TemplateId, method: &Method) -> Option<TemplateId> {
        let here = self.resources.at(&self.templates.operation(id).path).iter();
        let mut here = here.filter(|id| self.templates.operation(**id).method == *method);
        here.next().copied()
    }
}
