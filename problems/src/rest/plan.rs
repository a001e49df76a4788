//! Plans: tests that bring the service into a state in which their last call makes sense.
//!
//! What a path names is made first, or taken from a list; what that needs is made before it. The
//! templates by verb are those of Arcuri 2019, 5.2 (rest.md 4).

mod change;
mod clean;
mod helper;
mod known;
mod name;
mod sampling;
mod scope;

use http::Method;
use wallace_engine::{ActionId, Binding, BindingSource, Individual, Learnt};
use wallace_genes::{Draw, GenePath, PathStep, TemplateId};

use super::action::RestAction;
use super::problem::{Record, RestMemory, RestProblem};
use super::resource::{Creation, Need, Thing};
use helper::MOSTLY_FAILING;
use known::root;

pub(super) use known::Known;

/// Probability that something is changed first that shares the beginning of the path: what one
/// call leaves behind is what another is about, also where no placeholder says so.
const NEIGHBOUR: f64 = 0.3;
/// Share of things that are taken from a list although they could be made, where both always work.
const FROM_LIST: f64 = 0.25;
/// Probability that another neighbour follows one.
const ANOTHER: f64 = 0.6;
/// Probability that it is the same operation again: much depends on there being several of a kind.
const ONCE_MORE: f64 = 0.3;
/// Probability that a call is about the things of earlier calls where it could have its own.
const TOGETHER: f64 = 0.8;
/// Probability that what a call makes under a chosen name is there already.
const AGAIN: f64 = 0.15;
/// Probability that a value that is called like a thing names one.
const REFERENCE: f64 = 0.85;
/// Probability that what is made elsewhere is there already.
const BORROWED: f64 = 0.7;
/// Probability that values of one call that refer to things of one kind mean different ones.
const DIFFERENT: f64 = 0.9;
/// Probability that a placeholder names something of the same kind that is known from another path.
const AKIN: f64 = 0.2;
/// Probability that a call follows a link that the description tells (rest.md 4).
const LINKED: f64 = 0.5;
/// Probability that the next call is made by the user of the last one, where that may work.
const SAME_CALLER: f64 = 0.8;
/// Probability that something is done first, where a call mostly fails.
const HELPED: f64 = 0.6;
/// Both, where a driver tells what calls reach: what is too much is cut off again.
const NEIGHBOUR_INSIDE: f64 = 0.7;
const ANOTHER_INSIDE: f64 = 0.75;
/// Probability that the user of the last call makes the next one although that never worked.
const HOPED: f64 = 0.7;
/// Share of plans about few things, where a driver tells what calls reach.
const SMALL_SCOPE: f64 = 0.5;
/// Most levels of things that need things.
const MOST_LEVELS: usize = 4;

impl RestProblem {
    /// A call of the operation after everything that it needs, or after others about few things.
    pub(super) fn plan(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Individual<RestAction> {
        if self.is_white_box && draw.rng.chance(SMALL_SCOPE) {
            return self.plan_about_few(id, learnt, draw);
        }
        let neighbour = if self.is_white_box { NEIGHBOUR_INSIDE } else { NEIGHBOUR };
        self.plan_after(id, neighbour, learnt, draw)
    }

    /// A call of the operation after everything that it needs, and with this probability after
    /// something else that is changed.
    pub(super) fn plan_after(
        &self,
        id: TemplateId,
        neighbour: f64,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Individual<RestAction> {
        let mut plan = Individual::new([]);
        let mut known = Known::default();
        let operation = self.templates.operation(id);
        let is_collection =
            operation.segments().next_back().is_some_and(|last| !last.contains('{'));
        if operation.method == Method::GET && is_collection {
            // A list is more interesting with something in it.
            let posts = self.resources.at(&operation.path).iter();
            let posts = posts.filter(|id| self.templates.operation(**id).method == Method::POST);
            if let Some(post) = posts.copied().next() {
                for _ in 0..draw.rng.below(3) {
                    self.append(&mut plan, post, &mut known, learnt, draw, 1);
                }
            }
        }
        let another = if self.is_white_box { ANOTHER_INSIDE } else { ANOTHER };
        let is_failing =
            learnt.memory.record.get(&id).is_some_and(|record| record.rate() < MOSTLY_FAILING);
        if draw.rng.chance(if is_failing { HELPED } else { neighbour }) {
            let mut last = None;
            while let Some(near) = last
                .filter(|_| draw.rng.chance(ONCE_MORE))
                .or_else(|| self.helper(id, learnt, draw))
            {
                last = Some(near).filter(|near| self.may_follow_itself(*near));
                if !draw.rng.chance(TOGETHER) {
                    known = Known::default();
                }
                self.append(&mut plan, near, &mut known, learnt, draw, 1);
                if plan.size() + 2 >= self.max_size || !draw.rng.chance(another) {
                    break;
                }
            }
        }
        if draw.rng.chance(LINKED)
            && let Some(link) = draw.rng.pick(self.links.to(id)).cloned()
        {
            return self.follow_link(plan, &link, &mut known, learnt, draw);
        }
        let is_alone = operation.method == Method::PUT && draw.rng.chance(0.2);
        let level = if is_alone { MOST_LEVELS } else { 0 };
        let first = self.append(&mut plan, id, &mut known, learnt, draw, level);
        if operation.method == Method::PATCH && draw.rng.chance(0.5) {
            self.repeat(&mut plan, first, learnt, draw);
        }
        plan
    }

    /// Adds a call and what it needs, as far as `known` does not name it; the calls of one chain are
    /// made by one user, mostly.
    pub(super) fn append(
        &self,
        plan: &mut Individual<RestAction>,
        id: TemplateId,
        known: &mut Known,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
        level: usize,
    ) -> ActionId {
        let mut call = self.call(id, learnt, draw);
        let mut bindings = Vec::new();
        // What the last placeholder names tells what those before it name.
        for need in self.resources.needs(id).iter().rev() {
            let reuse = if need.is_made_here { AGAIN } else { 1.0 };
            let source = if draw.rng.chance(reuse) { known.find(&need.thing, draw) } else { None };
            let is_borrowed = need.thing.origin != need.thing.place;
            let is_akin = !need.is_made_here && draw.rng.chance(AKIN);
            let kindred = if is_akin { self.kindred(&need.thing, known, draw) } else { None };
            let source = kindred.or(source);
            let source = match source {
                None if is_borrowed && (known.is_of_few() || draw.rng.chance(BORROWED)) => {
                    self.borrowed(plan, &need.thing, known, draw)
                }
                source => source,
            };
            // What the call itself makes need not be there, and is often better not.
            let is_wanted =
                !need.is_made_here || !need.thing.creations.is_empty() || draw.rng.chance(AGAIN);
            let source = source.or_else(|| {
                let thing = is_wanted.then_some(&need.thing)?;
                self.make(plan, thing, known, learnt, draw, level)
            });
            if let Some(source) = source {
                bindings.push((source, GenePath(vec![PathStep::Field(need.parameter)])));
            }
        }
        let mut taken: Vec<BindingSource> = Vec::new();
        for (path, thing) in self.references(&call) {
            if !draw.rng.chance(REFERENCE) {
                continue;
            }
            let others = if draw.rng.chance(DIFFERENT) { &taken[..] } else { &[] };
            let source = known.find_other(plan, &thing.place, others, draw);
            let source = source.or_else(|| self.make(plan, thing, known, learnt, draw, level));
            taken.extend(source.as_ref().map(|source| root(plan, source)));
            bindings.extend(source.map(|source| (source, path)));
        }
        if let Some((_, last)) = plan.actions().last()
            && last.caller.is_some()
            && draw.rng.chance(SAME_CALLER)
            && (self.has_worked(id, last.caller, learnt) || draw.rng.chance(HOPED))
        {
            call.caller = last.caller;
        }
        let action = plan.push(call);
        for (source, path) in bindings {
            plan.bind(Binding { source, action, path });
        }
        for need in self.resources.needs(id) {
            let path = GenePath(vec![PathStep::Field(need.parameter)]);
            known.add(&need.thing.place, BindingSource::Gene { action, path });
        }
        action
    }

    /// Adds the call that makes a thing, or that lists such things; where its name comes from.
    fn make(
        &self,
        plan: &mut Individual<RestAction>,
        thing: &Thing,
        known: &mut Known,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
        level: usize,
    ) -> Option<BindingSource> {
        if level >= MOST_LEVELS || plan.size() + 1 >= self.max_size {
            return None;
        }
        let list = draw.rng.pick(&thing.lists).copied();
        let creation = draw.rng.pick(&thing.creations).copied();
        let source = if let Some(list) = list
            && creation.is_none_or(|creation| is_better_listed(list, creation, learnt, draw))
        {
            let action = self.append(plan, list, known, learnt, draw, level + 1);
            BindingSource::Listed { action, element: draw.rng.below(20) as u32 }
        } else {
            match creation? {
                Creation::Answered(creator) => {
                    let action = self.append(plan, creator, known, learnt, draw, level + 1);
                    BindingSource::Created { action }
                }
                Creation::Chosen(creator) => {
                    let need = self.resources.needs(creator).last()?;
                    let path = GenePath(vec![PathStep::Field(need.parameter)]);
                    let action = self.append(plan, creator, known, learnt, draw, level + 1);
                    BindingSource::Gene { action, path }
                }
            }
        };
        known.add(&thing.origin, source.clone());
        Some(source)
    }

    /// What names a thing that is there already and is to be put to another place: mostly one that
    /// was not put there before, since that would change nothing.
    fn borrowed(
        &self,
        plan: &Individual<RestAction>,
        thing: &Thing,
        known: &Known,
        draw: &mut Draw,
    ) -> Option<BindingSource> {
        let placed: Vec<BindingSource> =
            known.all(|place| *place == thing.place).map(|source| root(plan, source)).collect();
        if !known.is_of_few() && placed.is_empty() || !draw.rng.chance(DIFFERENT) {
            return known.find_at(&thing.origin, draw);
        }
        let other = known.find_other(plan, &thing.origin, &placed, draw);
        if other.is_none() && known.has_enough(plan, &thing.origin) {
            return known.find_at(&thing.origin, draw);
        }
        other
    }

    /// What names a thing of the same kind on another path: a member of a team is a user.
    fn kindred(&self, thing: &Thing, known: &Known, draw: &mut Draw) -> Option<BindingSource> {
        let kin = self.resources.kin(&thing.place);
        let fitting: Vec<&BindingSource> = known.all(|place| kin.contains(place)).collect();
        draw.rng.pick(&fitting).map(|source| (*source).clone())
    }

    /// The values of a call besides its path that name a thing, by what they are called.
    fn references(&self, call: &RestAction) -> Vec<(GenePath, &Thing)> {
        let leaves = self.templates.named_leaves(call.template, &call.gene);
        let referred = leaves
            .into_iter()
            .filter_map(|(path, name)| Some((path, self.resources.referred(&name)?)));
        referred.collect()
    }

    fn has_worked(&self, id: TemplateId, caller: Option<u16>, learnt: &Learnt<RestMemory>) -> bool {
        let user = caller.map_or(-1, i32::from);
        learnt.memory.successes.get(&id).is_none_or(|users| users.contains(&user))
    }

    /// Adds another call of the operation of `earlier` on the same thing.
    pub(super) fn repeat(
        &self,
        plan: &mut Individual<RestAction>,
        earlier: ActionId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Option<ActionId> {
        let place = plan.position(earlier)?;
        let id = plan.actions()[place].1.template;
        let mut call = self.call(id, learnt, draw);
        call.caller = plan.actions()[place].1.caller;
        self.push_about(plan, call, earlier)
    }

    /// Adds a call about the same thing as an earlier one: placeholders of its path that stand
    /// where the earlier call has some are filled with the same.
    pub(super) fn push_about(
        &self,
        plan: &mut Individual<RestAction>,
        call: RestAction,
        earlier: ActionId,
    ) -> Option<ActionId> {
        let template = call.template;
        let place = plan.position(earlier)?;
        let known = self.resources.needs(plan.actions()[place].1.template).to_vec();
        let action = plan.push(call);
        for need in self.resources.needs(template) {
            let is_same = |other: &&Need| other.thing.place == need.thing.place;
            let Some(same) = known.iter().find(is_same) else { continue };
            let source = GenePath(vec![PathStep::Field(same.parameter)]);
            let source = BindingSource::Gene { action: earlier, path: source };
            let path = GenePath(vec![PathStep::Field(need.parameter)]);
            plan.bind(Binding { source, action, path });
        }
        Some(action)
    }
}

/// Whether a thing is rather taken from a list than made: the more, the better that went so far.
fn is_better_listed(
    list: TemplateId,
    creation: Creation,
    learnt: &Learnt<RestMemory>,
    draw: &mut Draw,
) -> bool {
    let (Creation::Answered(creator) | Creation::Chosen(creator)) = creation;
    let rate = |id: &TemplateId| learnt.memory.record.get(id).map_or(0.5, Record::rate);
    let listed = rate(&list) * FROM_LIST;
    let made = rate(&creator) * (1.0 - FROM_LIST);
    draw.rng.chance(listed / (listed + made))
}
