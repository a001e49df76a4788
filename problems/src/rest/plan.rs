//! Plans: tests that bring the service into a state in which their last call makes sense.
//!
//! What a path names is made first, or taken from a list; what that needs is made before it. The
//! templates by verb are those of Arcuri 2019, 5.2 (rest.md 4).

use http::Method;
use serde_json::Value;
use wallace_engine::{ActionId, Binding, BindingSource, Individual, Learnt};
use wallace_genes::{Draw, GenePath, PathStep, TemplateId};

use super::action::{RestAction, Twist};
use super::identity::{CREATED, LISTED};
use super::problem::{RestMemory, RestProblem};
use super::resource::Creation;

/// Share of sampled tests that are one call without preparation.
const SINGLE: f64 = 0.15;
/// Share of sampled tests whose last call breaks a documented rule.
const INVALID: f64 = 0.2;
/// Share of sampled tests that check what verbs mean and who may do what.
const CHECKED: f64 = 0.3;
/// Probability that something is changed first that shares the beginning of the path: what one
/// call leaves behind is what another is about, also where no placeholder says so.
const NEIGHBOUR: f64 = 0.3;
/// Probability that what a path names is taken from a list although it could be made.
const FROM_LIST: f64 = 0.3;
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
        let id = self.callable[draw.rng.below(self.callable.len())];
        if self.max_size == 1 || draw.rng.chance(SINGLE) {
            return Individual::new([self.call(id, learnt, draw)]);
        }
        if draw.rng.chance(CHECKED) {
            return self.checked_plan(id, learnt, draw);
        }
        let mut plan = self.plan(id, learnt, draw);
        if self.oracles.wants(102) && draw.rng.chance(INVALID) {
            self.break_last(&mut plan, draw);
        }
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

    /// A call of the operation after everything that it needs.
    pub(super) fn plan(
        &self,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
    ) -> Individual<RestAction> {
        let mut plan = Individual::new([]);
        let operation = self.templates.operation(id);
        let is_collection =
            operation.segments().next_back().is_some_and(|last| !last.contains('{'));
        if operation.method == Method::GET && is_collection {
            // A list is more interesting with something in it.
            let posts = self.resources.at(&operation.path).iter();
            let posts = posts.filter(|id| self.templates.operation(**id).method == Method::POST);
            if let Some(post) = posts.copied().next() {
                for _ in 0..draw.rng.below(3) {
                    self.append(&mut plan, post, learnt, draw, 1);
                }
            }
        }
        if draw.rng.chance(NEIGHBOUR) {
            let first = operation.segments().next();
            let is_near = |other: &&TemplateId| {
                let other = self.templates.operation(**other);
                other.segments().next() == first
                    && matches!(other.method, Method::PUT | Method::POST)
            };
            let near: Vec<TemplateId> = self.callable.iter().filter(is_near).copied().collect();
            if let Some(near) = draw.rng.pick(&near).copied() {
                self.append(&mut plan, near, learnt, draw, 2);
            }
        }
        let is_alone = operation.method == Method::PUT && draw.rng.chance(0.2);
        let level = if is_alone { MOST_LEVELS } else { 0 };
        let first = self.append(&mut plan, id, learnt, draw, level);
        if operation.method == Method::PATCH && draw.rng.chance(0.5) {
            self.repeat(&mut plan, first, learnt, draw);
        }
        plan
    }

    /// Adds a call and what it needs; the calls of one chain are made by one user, mostly.
    pub(super) fn append(
        &self,
        plan: &mut Individual<RestAction>,
        id: TemplateId,
        learnt: &Learnt<RestMemory>,
        draw: &mut Draw,
        level: usize,
    ) -> ActionId {
        let mut bindings = Vec::new();
        if level < MOST_LEVELS && plan.size() + 1 < self.max_size {
            for need in self.resources.needs(id) {
                let path = GenePath(vec![PathStep::Field(need.parameter)]);
                let is_listed = !need.lists.is_empty()
                    && (need.creations.is_empty() || draw.rng.chance(FROM_LIST));
                let creation = draw.rng.pick(&need.creations).copied();
                let source = match creation {
                    _ if is_listed => {
                        let list = need.lists[draw.rng.below(need.lists.len())];
                        let action = self.append(plan, list, learnt, draw, level + 1);
                        let pointer = format!("{LISTED}{}", draw.rng.below(20));
                        BindingSource::Response { action, pointer }
                    }
                    Some(Creation::Answered(creator)) => {
                        let action = self.append(plan, creator, learnt, draw, level + 1);
                        BindingSource::Response { action, pointer: CREATED.to_owned() }
                    }
                    Some(Creation::Chosen(creator)) => {
                        let action = self.append(plan, creator, learnt, draw, level + 1);
                        let needs = self.resources.needs(creator);
                        let same = needs.iter().find(|other| other.depth == need.depth);
                        let Some(same) = same else { continue };
                        let path = GenePath(vec![PathStep::Field(same.parameter)]);
                        BindingSource::Gene { action, path }
                    }
                    None => continue,
                };
                bindings.push((source, path));
            }
        }
        let mut call = self.call(id, learnt, draw);
        if let Some((_, last)) = plan.actions().last()
            && last.caller.is_some()
            && draw.rng.chance(0.5)
            && self.has_worked(id, last.caller, learnt)
        {
            call.caller = last.caller;
        }
        let action = plan.push(call);
        for (source, path) in bindings {
            plan.bind(Binding { source, action, path });
        }
        action
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
            let Some(same) = known.iter().find(|other| other.depth == need.depth) else { continue };
            let source = GenePath(vec![PathStep::Field(same.parameter)]);
            let source = BindingSource::Gene { action: earlier, path: source };
            let path = GenePath(vec![PathStep::Field(need.parameter)]);
            plan.bind(Binding { source, action, path });
        }
        Some(action)
    }

    /// Makes the last call break a rule.
    pub(super) fn break_last(&self, plan: &mut Individual<RestAction>, draw: &mut Draw) -> bool {
        let place = plan.actions().len() - 1;
        let action = &plan.actions()[place].1;
        let violation = self.templates.violation(action.template, &action.gene, &mut draw.rng);
        let Some(violation) = violation else { return false };
        plan.action_mut(place).twist = Some(Box::new(Twist::Violation(violation)));
        true
    }

    /// Adds a call about the same thing or any call, removes one, or changes who calls.
    pub(super) fn change_plan(
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
        if size > 1 && (size >= self.max_size || draw_kind < 0.5) {
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
            && draw.rng.chance(0.7)
        {
            let mut call = self.call(id, learnt, draw);
            call.caller = action.caller;
            return self.push_about(plan, call, earlier).is_some();
        }
        let id = self.callable[draw.rng.below(self.callable.len())];
        self.append(plan, id, learnt, draw, 2);
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
