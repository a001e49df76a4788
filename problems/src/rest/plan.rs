//! Plans: tests that bring the service into a state in which their last call makes sense.
//!
//! What a path names is made first, or taken from a list; what that needs is made before it. The
//! templates by verb are those of Arcuri 2019, 5.2 (rest.md 4).

mod change;
mod clean;
mod helper;
mod known;

use http::Method;
use serde_json::Value;
use wallace_engine::{ActionId, Binding, BindingSource, Individual, Learnt};
use wallace_genes::{Draw, GenePath, PathStep, TemplateId};

use super::action::{RestAction, Twist, Violation};
use super::identity::{CREATED, LISTED};
use super::learn::rule_key;
use super::problem::{Record, RestMemory, RestProblem};
use super::resource::{Creation, Need, Thing};
use helper::MOSTLY_FAILING;

pub(super) use known::Known;

/// Share of sampled tests that are one call without preparation.
const SINGLE: f64 = 0.15;
/// Share of sampled tests whose last call breaks a documented rule.
const INVALID: f64 = 0.2;
/// Share of sampled tests that check what verbs mean and who may do what.
const CHECKED: f64 = 0.4;
/// The same two, where a driver tells what calls reach.
const CHECKED_INSIDE: f64 = 0.05;
const INVALID_INSIDE: f64 = 0.1;
/// Share of sampled tests whose last call has a boundary value.
const BOUNDARY: f64 = 0.05;
/// Probability that something is changed first that shares the beginning of the path: what one
/// call leaves behind is what another is about, also where no placeholder says so.
const NEIGHBOUR: f64 = 0.3;
/// Share of things that are taken from a list although they could be made, where both always work.
const FROM_LIST: f64 = 0.25;
/// Probability that another neighbour follows one.
const ANOTHER: f64 = 0.6;
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
/// Probability that a test sends a verb that is not documented.
const OTHER_VERB: f64 = 0.04;
/// Rules of which the one that was broken least is chosen.
const DRAWN_RULES: usize = 5;
/// Probability that what a test made is deleted at its end, without a driver that takes it back.
const CLEANED: f64 = 0.7;
/// Probability that what was deleted is read afterwards.
const READ_AFTER: f64 = 0.9;
/// How much more often an operation is chosen that never worked, while it was called less than
/// `MOST_FAILED` times.
const NEVER_WORKED: f64 = 3.0;
const MOST_FAILED: u32 = 150;
/// Most levels of things that need things.
const MOST_LEVELS: usize = 4;

impl RestProblem {
    pub(super) fn sample_plan(
        &self,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Individual<RestAction> {
        if !draw.rng.chance(self.smart_sampling) {
            return self.random_test(learnt, draw);
        }
        let id = self.chosen(learnt, draw);
        if self.max_size == 1 || draw.rng.chance(SINGLE) {
            return Individual::new([self.call(id, learnt, draw)]);
        }
        let (checked, invalid) =
            if self.is_white_box { (CHECKED_INSIDE, INVALID_INSIDE) } else { (CHECKED, INVALID) };
        if draw.rng.chance(checked) {
            let mut plan = self.checked_plan(id, learnt, draw);
            self.clean(&mut plan, learnt, draw);
            return plan;
        }
        if !self.other_verbs.is_empty()
            && draw.rng.chance(OTHER_VERB)
            && let Some(plan) =
                self.at_other_verb(draw.rng.below(self.other_verbs.len()), learnt, draw)
        {
            return plan;
        }
        if draw.rng.chance(BOUNDARY)
            && let Some(plan) =
                self.at_boundary(draw.rng.below(self.boundaries.len().max(1)), learnt, draw)
        {
            return plan;
        }
        let mut plan = self.plan(id, learnt, draw);
        if self.oracles.wants(102) && draw.rng.chance(invalid) {
            self.break_last(&mut plan, learnt, draw);
        }
        self.clean(&mut plan, learnt, draw);
        plan
    }

    /// Random calls without any connection (search-mio.md 3).
    fn random_test(&self, learnt: &Learnt<RestMemory>, draw: &mut Draw) -> Individual<RestAction> {
        let size = 1 + draw.rng.below(self.max_size);
        let calls: Vec<RestAction> = (0..size)
            .map(|_| {
                let id = self.callable[draw.rng.below(self.callable.len())];
                self.call(id, learnt, draw)
            })
            .collect();
        Individual::new(calls)
    }

    /// The operation that a test is about. Those that need or read much have more code behind them,
    /// but not more rules that can be broken; and what never worked shows nothing.
    fn chosen(&self, learnt: &Learnt<RestMemory>, draw: &mut Draw) -> TemplateId {
        let weight = |id: &TemplateId| {
            if self.is_white_box {
                let read = learnt.memory.tables.get(id).map_or(0, |known| known.read.len());
                return (1 + self.resources.needs(*id).len() + read) as f64;
            }
            let is_failing = learnt.memory.record.get(id).is_some_and(|record| {
                record.fruitful == 0 && (1..MOST_FAILED).contains(&record.calls)
            });
            if is_failing { NEVER_WORKED } else { 1.0 }
        };
        let weights: Vec<f64> = self.callable.iter().map(weight).collect();
        self.callable[draw.rng.weighted(&weights).unwrap_or(0)]
    }

    /// A call of the operation after everything that it needs.
    pub(super) fn plan(
        &self,
        id: TemplateId,
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
        let (neighbour, another) = if self.is_white_box {
            (NEIGHBOUR_INSIDE, ANOTHER_INSIDE)
        } else {
            (NEIGHBOUR, ANOTHER)
        };
        let is_failing =
            learnt.memory.record.get(&id).is_some_and(|record| record.rate() < MOSTLY_FAILING);
        if draw.rng.chance(if is_failing { HELPED } else { neighbour }) {
            while let Some(near) = self.helper(id, learnt, draw) {
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
                None if is_borrowed && draw.rng.chance(BORROWED) => {
                    known.find_at(&need.thing.origin, draw)
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
            let source = known.find_other(thing, others, draw);
            let source = source.or_else(|| self.make(plan, thing, known, learnt, draw, level));
            taken.extend(source.clone());
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
            let pointer = format!("{LISTED}{}", draw.rng.below(20));
            BindingSource::Response { action, pointer }
        } else {
            match creation? {
                Creation::Answered(creator) => {
                    let action = self.append(plan, creator, known, learnt, draw, level + 1);
                    BindingSource::Response { action, pointer: CREATED.to_owned() }
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

    /// Makes the last call break a rule: of a few, the one that was broken least so far.
    pub(super) fn break_last(
        &self,
        plan: &mut Individual<RestAction>,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> bool {
        let place = plan.actions().len() - 1;
        let action = &plan.actions()[place].1;
        let tried = learnt.memory.violations.get(&action.template);
        let drawn: Vec<Violation> = (0..DRAWN_RULES)
            .filter_map(|_| self.templates.violation(action.template, &action.gene, &mut draw.rng))
            .collect();
        let times = |violation: &Violation| {
            tried.and_then(|tried| tried.get(&rule_key(violation))).copied().unwrap_or(0)
        };
        let Some(violation) = drawn.into_iter().min_by_key(times) else { return false };
        plan.action_mut(place).twist = Some(Box::new(Twist::Violation(violation)));
        true
    }

    /// The operation that reads what a creation makes under a name that it chooses itself, and the
    /// name: a member of the body called like the placeholder of the path.
    pub(super) fn chosen_name(&self, call: &RestAction) -> Option<(TemplateId, Value)> {
        let above = &self.templates.operation(call.template).path;
        let (_, body) = self.templates.values(call.template, &call.gene).body?;
        let mut reads = self.callable.iter().filter(|id| {
            let operation = self.templates.operation(**id);
            let below =
                operation.path.strip_prefix(&**above).and_then(|rest| rest.strip_prefix("/{"));
            operation.method == Method::GET && below.is_some_and(|rest| !rest.contains('/'))
        });
        let read = *reads.next()?;
        let name = &self.resources.needs(read).last()?.name;
        Some((read, body.get(&**name)?.clone()))
    }

    /// Puts a name into the last placeholder of a call's path. Returns whether it fits there.
    pub(super) fn set_name(&self, call: &mut RestAction, name: &Value) -> bool {
        let needs = self.resources.needs(call.template);
        let Some(need) = needs.last() else { return false };
        let path = GenePath(vec![PathStep::Field(need.parameter)]);
        crate::binding::put_scalar(&mut call.gene, &path, name)
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
