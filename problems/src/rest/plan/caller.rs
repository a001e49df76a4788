//! Who makes a call.

use wallace_genes::{Gene, GeneSettings, TemplateId};

use super::Planner;
use crate::rest::action::RestAction;
use crate::rest::operations::Operations;
use crate::rest::template::Pool;

/// Refusals of a user after which another one is tried, where an operation never worked.
const PATIENCE: u32 = 2;
/// Calls of each user after which an operation that never worked is tried without credentials.
const TRIES: u32 = 3;
/// Share of its calls that are made so then.
const SIGN_UP: f64 = 0.125;

impl Planner<'_> {
    /// Who calls: mostly somebody for whom it worked; now and then anybody.
    pub(super) fn caller_of(&mut self, id: TemplateId) -> Option<u16> {
        let (users, settings) = (self.operations.users, self.settings());
        let known = self.learnt.memory.successes.get(&id);
        // What nobody may do shows little before somebody could.
        let may_be_nobody = known.is_some() || self.operations.is_white_box;
        if users == 0 || may_be_nobody && self.chance(settings.nobody) {
            return None;
        }
        let known: Vec<i32> =
            known.into_iter().flatten().filter(|user| **user >= 0).copied().collect();
        let user = self.draw.rng.pick(&known).copied();
        match user {
            Some(user) if !self.chance(settings.any_user) => u16::try_from(user).ok(),
            None if !self.operations.is_white_box => self.stranger(id),
            _ => Some(self.draw.rng.below(usize::from(users)) as u16),
        }
    }

    /// Who calls an operation that worked for no user: one of whom something is hoped; now and then
    /// nobody, where all were turned away, and mostly nobody where that worked.
    fn stranger(&mut self, id: TemplateId) -> Option<u16> {
        let memory = &self.learnt.memory;
        let works_for_nobody = memory.successes.contains_key(&id);
        let was_tried = |user: u16| memory.caller(id, i32::from(user)).calls >= TRIES;
        let is_shut = (0..self.operations.users).all(was_tried);
        let nobody = match (works_for_nobody, is_shut) {
            (true, _) => 1.0 - self.settings().any_user,
            (false, true) => SIGN_UP,
            (false, false) => 0.0,
        };
        if self.chance(nobody) { None } else { Some(self.most_hopeful(id)) }
    }

    /// Whether a call is made by nobody since no user may make it: where people sign up, whoever is
    /// somebody already is refused.
    pub(super) fn is_sign_up(&self, id: TemplateId, caller: Option<u16>) -> bool {
        let Operations { users, is_white_box, .. } = self.operations;
        let is_new = !self.learnt.memory.successes.contains_key(&id);
        *users > 0 && !is_white_box && is_new && caller.is_none()
    }

    /// The values of a call with names in its path that no answer showed.
    pub(super) fn with_fresh_names(&mut self, id: TemplateId, gene: Gene) -> Gene {
        let (templates, knowledge) = (&self.operations.templates, &self.learnt.knowledge);
        let plain = GeneSettings { examples: 0.0, ..(*self.draw.settings).clone() };
        let fresh = self.with_settings(plain, |planner| {
            templates.sample(id, knowledge, &Pool::default(), planner.draw)
        });
        self.operations.about(&RestAction::new(id, fresh), gene)
    }

    /// A user for an operation that never worked: mostly of those who were refused least the one
    /// whose changes go well most often.
    fn most_hopeful(&mut self, id: TemplateId) -> u16 {
        let users = 0..self.operations.users;
        let hopeful: Vec<u16> = users.filter(|user| self.is_hopeful(id, *user)).collect();
        let writers = &self.learnt.memory.writers;
        let rate = |user: &u16| writers.get(&i32::from(*user)).copied().unwrap_or_default().rate();
        let best = hopeful.iter().map(rate).fold(0.0, f64::max);
        let is_best = |user: &&u16| rate(user) >= best;
        let best: Vec<u16> = hopeful.iter().filter(is_best).copied().collect();
        let any_user = self.settings().any_user;
        let among = if self.chance(any_user) { &hopeful } else { &best };
        self.draw.rng.pick(among).copied().unwrap_or_default()
    }

    /// Whether the user of the last call makes one of this operation too: mostly not where only others
    /// were let in, and not where he was refused while others may be let in.
    pub(super) fn may_follow(&mut self, id: TemplateId, user: u16) -> bool {
        let known = self.learnt.memory.successes.get(&id);
        let has_worked = known.is_some_and(|users| users.contains(&i32::from(user)));
        let is_new = known.is_none();
        has_worked
            || self.is_hopeful(id, user) && (is_new || self.chance(self.settings().hopeful_user))
    }

    /// Whether no other user was refused an operation clearly less often: users take turns.
    pub(super) fn is_hopeful(&self, id: TemplateId, user: u16) -> bool {
        let memory = &self.learnt.memory;
        let turns = |user: u16| memory.caller(id, i32::from(user)).refused / PATIENCE;
        (0..self.operations.users).all(|other| turns(user) <= turns(other))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wallace_engine::Learnt;
    use wallace_genes::{Draw, Gene};

    use crate::rest::action::RestAction;
    use crate::rest::learn::learn_caller;
    use crate::rest::memory::RestMemory;
    use crate::rest::problem::RestProblem;
    use crate::rest::problem::support::{named, problem};

    /// Two users, of whom the second may do little.
    fn service() -> RestProblem {
        problem(
            "{'/accounts/{account}': {put: {parameters: [{name: account, in: path, required: true, \
               schema: {type: string}}]}}, /notes: {post: {}}, /rules: {post: {}}}",
            2,
        )
    }

    /// Notes calls of an operation by a user, nobody in particular where there is none.
    fn note(
        problem: &RestProblem,
        memory: &mut RestMemory,
        (name, caller): (&str, Option<u16>),
        statuses: &[u16],
    ) {
        let call = RestAction { caller, ..RestAction::new(named(problem, name), Gene::Constant) };
        for status in statuses {
            learn_caller(problem.operations(), &call, Some(*status), memory);
            if *status < 300 {
                let users = memory.successes.entry(call.template).or_default();
                users.insert(caller.map_or(-1, i32::from));
            }
        }
    }

    /// How many of 1,000 calls of an operation each caller makes: nobody, and both users.
    fn callers(problem: &RestProblem, memory: &RestMemory, name: &str) -> [usize; 3] {
        let learnt = Learnt { memory: memory.clone(), ..Learnt::default() };
        let mut counts = [0; 3];
        for number in 0..1_000 {
            let mut draw = Draw::new(3, number, Arc::default());
            let call = problem.planner(&learnt, &mut draw).call(named(problem, name));
            counts[call.caller.map_or(0, |user| usize::from(user) + 1)] += 1;
        }
        counts
    }

    #[test]
    fn what_never_worked_is_called_by_those_for_whom_most_works() {
        let problem = service();
        let mut memory = RestMemory::default();
        note(&problem, &mut memory, ("POST:/notes", Some(0)), &[201, 201, 400]);
        note(&problem, &mut memory, ("POST:/notes", Some(1)), &[403, 403, 403]);
        let [nobody, strong, weak] = callers(&problem, &memory, "POST:/rules");
        assert!(nobody == 0 && strong > 850 && weak > 20, "{strong} and {weak}");
    }

    #[test]
    fn who_was_refused_twice_lets_others_try() {
        let problem = service();
        let mut memory = RestMemory::default();
        note(&problem, &mut memory, ("POST:/notes", Some(0)), &[201, 201]);
        note(&problem, &mut memory, ("POST:/rules", Some(0)), &[403]);
        let [_, strong, weak] = callers(&problem, &memory, "POST:/rules");
        assert!(strong > weak, "{strong} and {weak}");
        note(&problem, &mut memory, ("POST:/rules", Some(0)), &[403]);
        assert_eq!(callers(&problem, &memory, "POST:/rules"), [0, 0, 1_000]);
        note(&problem, &mut memory, ("POST:/rules", Some(1)), &[401, 401]);
        let [_, strong, weak] = callers(&problem, &memory, "POST:/rules");
        assert!(strong > weak && weak > 0, "they take turns: {strong} and {weak}");
    }

    #[test]
    fn a_chain_is_not_made_by_who_was_refused() {
        let problem = service();
        let mut memory = RestMemory::default();
        note(&problem, &mut memory, ("POST:/rules", Some(1)), &[403, 403]);
        let learnt = Learnt { memory, ..Learnt::default() };
        let mut draw = Draw::new(3, 0, Arc::default());
        let mut planner = problem.planner(&learnt, &mut draw);
        let (rules, notes) = (named(&problem, "POST:/rules"), named(&problem, "POST:/notes"));
        assert!(planner.may_follow(rules, 0) && planner.may_follow(notes, 1));
        assert!(!planner.may_follow(rules, 1));
    }

    #[test]
    fn where_no_user_is_let_in_people_may_sign_up() {
        let problem = service();
        let put = "PUT:/accounts/{account}";
        let mut memory = RestMemory::default();
        let mut tried = |caller, statuses: &[u16]| {
            note(&problem, &mut memory, (put, caller), statuses);
            callers(&problem, &memory, put)[0]
        };
        assert_eq!(tried(Some(0), &[400, 403, 403]), 0);
        let by_nobody = tried(Some(1), &[403, 403, 403]);
        assert!((80..180).contains(&by_nobody), "{by_nobody}");
        let by_nobody = tried(None, &[201]);
        assert!(by_nobody > 750, "it works for nobody: {by_nobody}");
    }

    #[test]
    fn who_signs_up_takes_a_fresh_name() {
        let problem = service();
        let id = named(&problem, "PUT:/accounts/{account}");
        let mut memory = RestMemory::default();
        memory.pool.add("account", &"alice".into(), id);
        let put = "PUT:/accounts/{account}";
        for user in [Some(0), Some(1)] {
            note(&problem, &mut memory, (put, user), &[403, 403, 403]);
        }
        let learnt = Learnt { memory, ..Learnt::default() };
        let (mut known, mut fresh) = (0, 0);
        for number in 0..1_000 {
            let mut draw = Draw::new(3, number, Arc::default());
            let plan = problem.planner(&learnt, &mut draw).plan_after(id, 0.0);
            let (_, call) = plan.actions().last().unwrap();
            let is_known = problem.templates().texts(id, &call.gene).contains("alice");
            match call.caller {
                Some(_) => known += usize::from(is_known),
                None => {
                    assert!(!is_known && plan.bindings().is_empty());
                    fresh += 1;
                }
            }
        }
        assert!(known > 50 && fresh > 50, "{known} and {fresh}");
    }
}
