//! Plans: tests that bring the service into a state in which their last call makes sense.
//!
//! What a path names is made first, or taken from a list; what that needs is made before it. The
//! templates by verb are those of Arcuri 2019, 5.2.

mod call;
mod caller;
mod change;
mod clean;
mod gone;
mod helper;
mod known;
mod proven;
mod same;
mod scope;
mod seen;

use http::Method;
use wallace_engine::{ActionId, Binding, BindingSource, Individual, Learnt};
use wallace_genes::{Draw, GeneSettings, TemplateId};

use super::action::RestAction;
use super::memory::{Record, RestMemory};
use super::operations::Operations;
use super::resource::{Creation, Need, Thing};
use super::settings::TestSettings;
use known::root;

pub use gone::Gone;
pub(super) use known::Known;
pub use proven::Proven;
pub(super) use proven::learn_proven;

/// Answers without anything after which nothing is expected of a list.
const EMPTY_LISTS: u32 = 20;
/// Share of answers with something in it from which on a list is as good as any.
const OFTEN_FULL: f64 = 0.2;
/// Most levels of things that need things.
const MOST_LEVELS: usize = 4;

/// Makes the tests of one proposal, from what is known of the operations and what was learnt.
pub(super) struct Planner<'p> {
    pub(super) operations: &'p Operations,
    pub(super) learnt: &'p Learnt<RestMemory>,
    pub(super) draw: &'p mut Draw,
    /// Whether tests make what they need where that can be made: what others left is in a state that
    /// nobody knows.
    pub(super) is_alone: bool,
}

impl<'p> Planner<'p> {
    pub(super) fn settings(&self) -> &'p TestSettings {
        &self.operations.settings
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.draw.rng.chance(probability)
    }

    /// How calls of an operation went, where there were some.
    pub(in crate::rest) fn record(&self, id: TemplateId) -> Option<&'p Record> {
        self.learnt.memory.record.get(&id)
    }

    /// A call of the operation after everything that it needs, or after others about few things.
    pub(super) fn plan(&mut self, id: TemplateId) -> Individual<RestAction> {
        if self.operations.is_white_box && self.chance(self.settings().small_scope) {
            return self.plan_about_few(id);
        }
        self.plan_after(id, self.settings().neighbour)
    }

    /// A call of the operation after everything that it needs, and with this probability after
    /// something else that is changed.
    pub(super) fn plan_after(&mut self, id: TemplateId, neighbour: f64) -> Individual<RestAction> {
        let (operations, settings) = (self.operations, self.settings());
        let mut plan = Individual::new([]);
        let mut known = Known::default();
        let operation = operations.get(id);
        let is_collection =
            operation.segments().next_back().is_some_and(|last| !last.contains('{'));
        if operation.method == Method::GET
            && is_collection
            && let Some(post) = operations.here(id, &Method::POST)
        {
            // A list is more interesting with something in it.
            for _ in 0..self.draw.rng.below(3) {
                self.append(&mut plan, post, &mut known, 1);
            }
        }
        let is_failing = self.record(id).is_some_and(|it| it.rate() < settings.mostly_failing);
        if self.chance(if is_failing { settings.helped } else { neighbour }) {
            self.append_helpers(&mut plan, id, &mut known);
        }
        if self.chance(settings.linked)
            && let Some(link) = self.draw.rng.pick(operations.links.to(id))
        {
            return self.follow_link(plan, link, &mut known);
        }
        let is_alone = operation.method == Method::PUT && self.chance(settings.put_alone);
        let level = if is_alone { MOST_LEVELS } else { 0 };
        let first = self.append(&mut plan, id, &mut known, level);
        if operation.method == Method::PATCH && self.chance(settings.patch_twice) {
            self.repeat(&mut plan, first);
        }
        plan
    }

    /// What is drawn by other settings; the usual ones hold again afterwards.
    pub(in crate::rest) fn with_settings<T>(
        &mut self,
        settings: GeneSettings,
        draw: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let usual = std::mem::replace(&mut self.draw.settings, settings.into());
        let drawn = draw(self);
        self.draw.settings = usual;
        drawn
    }

    /// A call of the operation on whatever is there.
    pub(in crate::rest) fn plan_alone(&mut self, id: TemplateId) -> Individual<RestAction> {
        let mut plan = Individual::new([]);
        self.append(&mut plan, id, &mut Known::default(), MOST_LEVELS);
        plan
    }

    /// Adds calls that may change what the operation finds.
    fn append_helpers(
        &mut self,
        plan: &mut Individual<RestAction>,
        id: TemplateId,
        known: &mut Known,
    ) {
        let settings = self.settings();
        let mut last = None;
        while let Some(near) =
            last.filter(|_| self.chance(settings.once_more)).or_else(|| self.helper(id))
        {
            last = Some(near).filter(|near| self.operations.may_follow_itself(*near));
            if !self.chance(settings.together) {
                *known = Known::default();
            }
            self.append(plan, near, known, 1);
            if plan.size() + 2 >= self.operations.max_size || !self.chance(settings.another) {
                break;
            }
        }
    }

    /// Adds a call and what it needs, as far as `known` does not name it; the calls of one chain are
    /// made by one user, mostly.
    pub(super) fn append(
        &mut self,
        plan: &mut Individual<RestAction>,
        id: TemplateId,
        known: &mut Known,
        level: usize,
    ) -> ActionId {
        let (operations, settings) = (self.operations, self.settings());
        let is_for_other = (1..MOST_LEVELS).contains(&level);
        let mut call = if is_for_other { self.call_for_other(id) } else { self.call(id) };
        let is_sign_up = self.is_sign_up(id, call.caller);
        let is_unsent = self.is_unsent(id);
        let family = self.learnt.memory.families.pick(operations, id, self.draw);
        let mut bindings = Vec::new();
        // What the last placeholder names tells what those before it name.
        for need in operations.resources.needs(id).iter().rev() {
            let is_fresh = is_sign_up && need.is_made_here;
            if is_fresh || self.name_seen(&mut call, need, known, family) {
                continue;
            }
            if is_unsent {
                self.put_seen(&mut call, need, family);
                continue;
            }
            let source = self.source_of(plan, need, known, level);
            bindings.extend(source.map(|source| (source, need.path())));
        }
        let mut taken: Vec<BindingSource> = Vec::new();
        for (path, thing) in operations.references(&call) {
            if is_unsent || !self.chance(settings.reference) {
                continue;
            }
            let others = if self.chance(settings.different) { &taken[..] } else { &[] };
            let source = known.find_other(plan, &thing.place, others, self.draw);
            let source = source.or_else(|| self.make(plan, thing, known, level));
            taken.extend(source.as_ref().map(|source| root(plan, source)));
            bindings.extend(source.map(|source| (source, path)));
        }
        self.say_as_path(&mut call, &mut bindings);
        if let Some(last) = plan.actions().last().and_then(|(_, last)| last.caller)
            && !is_sign_up
            && self.chance(settings.same_user)
            && self.may_follow(id, last)
        {
            call.caller = Some(last);
        }
        let action = plan.push(call);
        for (source, path) in bindings {
            plan.bind(Binding { source, action, path });
        }
        for need in operations.resources.needs(id) {
            known.add(&need.thing.place, BindingSource::Gene { action, path: need.path() });
        }
        action
    }

    /// What names a thing that a placeholder of the next call stands for: made now, where nothing
    /// known does.
    fn source_of(
        &mut self,
        plan: &mut Individual<RestAction>,
        need: &Need,
        known: &mut Known,
        level: usize,
    ) -> Option<BindingSource> {
        let settings = self.settings();
        let reuse = if need.is_made_here { settings.made_again } else { 1.0 };
        let source = if self.chance(reuse) {
            known.find(&need.thing.place, settings.last, self.draw)
        } else {
            None
        };
        let is_of_same_kind = !need.is_made_here && self.chance(settings.same_kind);
        let kindred = if is_of_same_kind { self.kindred(&need.thing, known) } else { None };
        let is_borrowed = need.thing.origin != need.thing.place;
        let source = match kindred.or(source) {
            None if is_borrowed && (known.is_of_few() || self.chance(settings.borrowed)) => {
                self.borrowed(plan, &need.thing, known)
            }
            source => source,
        };
        // What the call itself makes need not be there, and is often better not.
        let is_wanted = !need.is_made_here
            || !need.thing.creations.is_empty()
            || self.chance(settings.made_again);
        let thing = is_wanted.then_some(&need.thing);
        source.or_else(|| self.make(plan, thing?, known, level))
    }

    /// Adds the call that makes a thing, or that lists such things; where its name comes from.
    fn make(
        &mut self,
        plan: &mut Individual<RestAction>,
        thing: &Thing,
        known: &mut Known,
        level: usize,
    ) -> Option<BindingSource> {
        if level >= MOST_LEVELS || plan.size() + 1 >= self.operations.max_size {
            return None;
        }
        let list =
            self.draw.rng.pick(&thing.lists).copied().filter(|list| self.is_promising(*list));
        let creation = self.draw.rng.pick(&thing.creations).copied();
        let listed = list.filter(|list| {
            creation.is_none_or(|creation| self.is_better_listed(*list, creation.operation()))
        });
        let source = if let Some(list) = listed {
            let action = self.append(plan, list, known, level + 1);
            BindingSource::Listed { action, element: self.draw.rng.below(20) as u32 }
        } else {
            match creation? {
                Creation::Answered(creator) => {
                    let action = self.append(plan, creator, known, level + 1);
                    let chosen = self.chosen_by_body(plan, action, &thing.origin);
                    chosen.unwrap_or(BindingSource::Created { action })
                }
                Creation::Chosen(creator) => {
                    let path = self.operations.resources.needs(creator).last()?.path();
                    let action = self.append(plan, creator, known, level + 1);
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
        &mut self,
        plan: &Individual<RestAction>,
        thing: &Thing,
        known: &Known,
    ) -> Option<BindingSource> {
        let settings = self.settings();
        let placed: Vec<BindingSource> =
            known.all(|place| *place == thing.place).map(|source| root(plan, source)).collect();
        if !known.is_of_few() && placed.is_empty() || !self.chance(settings.different) {
            return known.find(&thing.origin, settings.last, self.draw);
        }
        let other = known.find_other(plan, &thing.origin, &placed, self.draw);
        if other.is_none() && known.has_enough(plan, &thing.origin) {
            return known.find(&thing.origin, settings.last, self.draw);
        }
        other
    }

    /// What names a thing of the same kind on another path: a member of a team is a user.
    fn kindred(&mut self, thing: &Thing, known: &Known) -> Option<BindingSource> {
        let kin = self.operations.resources.kin(&thing.place);
        let fitting: Vec<&BindingSource> = known.all(|place| kin.contains(place)).collect();
        self.draw.rng.pick(&fitting).map(|source| (*source).clone())
    }

    /// Adds another call of the operation of `earlier` on the same thing.
    fn repeat(&mut self, plan: &mut Individual<RestAction>, earlier: ActionId) -> Option<ActionId> {
        let place = plan.position(earlier)?;
        let mut call = self.call(plan.actions()[place].1.template);
        call.caller = plan.actions()[place].1.caller;
        self.operations.push_about(plan, call, earlier)
    }

    /// Whether something is expected of a list: whoever waits for it is not called where it is empty.
    /// With a driver rows may come, so that lists that mostly were empty are tried now and then.
    fn is_promising(&mut self, list: TemplateId) -> bool {
        let Some(record) = self.record(list) else { return true };
        if !self.operations.is_white_box {
            return record.fruitful > 0 || record.calls < EMPTY_LISTS;
        }
        let promise = record.rate() / OFTEN_FULL;
        promise >= 1.0 || self.chance(promise.max(self.settings().in_vain))
    }

    /// Whether a thing is rather taken from a list than made: the more, the better that went so far.
    fn is_better_listed(&mut self, list: TemplateId, creator: TemplateId) -> bool {
        let rate = |id: TemplateId| self.record(id).map_or(0.5, Record::rate);
        let share = self.settings().from_list;
        let (listed, made) = (rate(list) * share, rate(creator) * (1.0 - share));
        self.chance(listed / (listed + made))
    }
}
