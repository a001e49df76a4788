//! Whether a test leans on what others left.

use std::collections::BTreeSet;

use wallace_engine::{Evaluated, Problem};
use wallace_problems::{HttpOutcome, HttpProblem, HttpRequest};
use wallace_suite::{Step, TestCase};

use super::MadeNames;
use super::said::{
    failed_below, fails_in_list, in_address, in_body, in_document, in_members, in_path, is_drawn,
    is_taken, is_wrong, names_state, numbered, referred, segments, texts, told,
};
use crate::asked::Answered;
use crate::made_thing::Called;
use crate::service_family::ServiceFamily;

/// Bytes of a name that another begins with by no chance.
const UNLIKELY: usize = 8;

/// How a test leans on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lean {
    /// It says a name that was first told after something was changed: it may have been there before.
    Perhaps,
    /// It is about what others made or took away, or was answered well before that.
    Surely,
}

/// A call of a test with its answer.
struct Call<'a, P: Problem> {
    problem: &'a P,
    action: &'a P::Action,
    outcome: &'a HttpOutcome,
    request: &'a HttpRequest,
    /// The texts of its body.
    said: Vec<String>,
    /// The same with the members that hold them.
    members: Vec<(String, String)>,
    evaluation: u64,
    is_change: bool,
    went_well: bool,
}

/// What the calls of a test before one made, chose and were told.
#[derive(Default)]
struct Known {
    names: BTreeSet<String>,
    /// What was there before and its own reads told.
    told: BTreeSet<String>,
    has_changed: bool,
    /// The kinds of what its changes were about, and how many there were.
    changed: BTreeSet<String>,
    changes: usize,
}

impl MadeNames {
    /// Whether a test uses a name that none of its own calls made or chose before: in a request, or, as it
    /// is written, in what it expects of an answer.
    pub(crate) fn lean<P: ServiceFamily>(
        &self,
        problem: &P,
        test: &Evaluated<<P as Problem>::Action>,
        case: Option<&TestCase>,
    ) -> Option<Lean> {
        let mut lean = None;
        let mut known = Known::default();
        let steps = case.into_iter().flat_map(|case| &case.steps);
        let mut steps = steps.filter(|step| !step.is_set_up());
        for ((id, action), outcome) in test.individual.actions().iter().zip(&test.outcomes) {
            let request = &outcome.request(problem, action);
            let is_change = !HttpProblem::is_read(problem, &**action);
            let went_well = problem.went_well(outcome);
            let evaluation = test.evaluation;
            let (mut said, members) = (in_body(request), in_members(request));
            said.extend(numbered(request));
            let call = Call {
                problem,
                action,
                outcome,
                request,
                said,
                members,
                evaluation,
                is_change,
                went_well,
            };
            let step = steps.next();
            if self.takes_beyond(test, &call, &known) {
                return Some(Lean::Surely);
            }
            if self.is_turned_away(problem, action, outcome) {
                // What an earlier call gives it must be there, whoever asks.
                let is_given = test.individual.bindings().iter().any(|it| it.action == *id);
                if is_given && self.is_given_others(&call, &known) {
                    lean = Some(Lean::Perhaps);
                }
                continue;
            }
            if self.is_about_others(&call, &known) {
                return Some(Lean::Surely);
            }
            let may_lean = self.names_others(&call, &known);
            known.learn(&call);
            if may_lean || step.is_some_and(|step| self.expects_others(step, &known)) {
                lean = Some(Lean::Perhaps);
            }
        }
        lean
    }

    /// Whether a call shows, or takes a value from, a place in a list that only others can have filled.
    fn takes_beyond<P: ServiceFamily>(
        &self,
        test: &Evaluated<<P as Problem>::Action>,
        call: &Call<'_, P>,
        known: &Known,
    ) -> bool {
        if self.places.shows_beyond(call.request, call.answer(), known.changes) {
            return true;
        }
        let mut found = call.outcome.filled.iter().filter_map(|filled| filled.from.as_ref());
        found.any(|found| {
            let mut earlier = test.individual.actions().iter().zip(&test.outcomes);
            earlier.find(|((id, _), _)| *id == found.action).is_some_and(
                |((_, action), outcome)| {
                    let request = outcome.request(call.problem, action);
                    self.places.is_beyond(&request, &found.place, known.changes)
                },
            )
        })
    }

    /// Whether a call is surely about what other tests did.
    fn is_about_others<P: ServiceFamily>(&self, call: &Call<'_, P>, known: &Known) -> bool {
        let &Call { problem, action, request, evaluation, went_well, .. } = call;
        let sent = call.outcome.sent(action);
        let called = Called { action: &*sent, request, went_well, evaluation };
        // Before a test changed anything of the kind, it meets what others left.
        let meets_others = || {
            let has_elements = !call.is_change && fails_in_list(call.answer());
            let answered = Answered::new(problem, &*sent, request, call.outcome);
            is_taken(call.outcome)
                || has_elements && self.things.has_made(problem, action)
                || self.asked.was_other(answered, evaluation)
        };
        names_state(request)
            || !known.has_changed_like(&problem.kinds(&sent)) && meets_others()
            || is_missed_there(call, known, &self.old)
            || self.conflicts(call, known)
            || self.is_below_others(call, known)
            || self.things.are_used_by(problem, &called, &known.names)
    }

    /// Whether a change failed with a name that others chose, where the service takes a name once.
    fn conflicts<P: ServiceFamily>(&self, call: &Call<'_, P>, known: &Known) -> bool {
        // GraphQL fails with status 200 too.
        let has_failed = |status: u16| status >= 500 || status == 200 && !call.went_well;
        let is_failure = is_taken(call.outcome) || call.outcome.status().is_some_and(has_failed);
        let is_foreign = |name: &String| self.has_said(name) && !known.names.contains(name);
        call.is_change
            && is_failure
            && self.takes_once(call.problem.operation(call.action))
            && call.said.iter().any(is_foreign)
    }

    /// Whether the path of a call leads through, or to, what other tests chose the name of: what may make
    /// the last thing of its path makes it once more.
    fn is_below_others<P: ServiceFamily>(&self, call: &Call<'_, P>, known: &Known) -> bool {
        let may_make = matches!(call.request.method.as_str(), "PUT" | "POST")
            && !self.absent.contains(call.problem.operation(call.action));
        let last = segments(call.request).last().filter(|_| call.is_change && may_make);
        let is_foreign = |name: String| {
            last.as_ref() != Some(&name) && self.has_chosen(&name) && !known.names.contains(&name)
        };
        // Where a list of its own told the name, what is sent says more than the action.
        let sent = call.outcome.sent(call.action);
        call.outcome.status() != Some(404)
            && in_path(call.problem, &sent, call.request).into_iter().any(is_foreign)
    }

    /// Whether a call says a name that others may have told or chosen.
    fn names_others<P: ServiceFamily>(&self, call: &Call<'_, P>, known: &Known) -> bool {
        let &Call { problem, action, request, went_well, .. } = call;
        // Whoever is known on a fresh start had lost the login by then.
        if problem.caller(action).is_some() && problem.is_unknown(call.outcome) {
            return true;
        }
        let touch = problem.touch(&call.outcome.sent(action), request).unwrap_or_default();
        // It meets whatever is there.
        let sent = call.outcome.sent(action);
        let called = Called { action: &*sent, request, went_well, evaluation: call.evaluation };
        let meets_any = || self.things.is_shown_by(problem, &called, call.answer());
        if !known.has_changed && (touch.is_about_any || meets_any())
            || self.refers_to_others(call, known)
            || self.asks_for_others(call, known)
        {
            return true;
        }
        // What a call that makes things says of them, it chooses; unless another chose it before.
        let named = touch.ids;
        let may_be_taken = !went_well && !is_wrong(call.outcome);
        // One letter or figure is said by chance, but where the id of a thing is asked for.
        let is_said = |name: &String| {
            name.len() > 1 || referred(request).contains(name) || numbered(request).contains(name)
        };
        let is_foreign = |name: &String| match (call.is_change, self.has_chosen(name)) {
            (true, true) => may_be_taken || named.contains(name),
            (true, false) if self.is_loose(call, name) => false,
            // By what another chose, a reading may find what that one made.
            (false, true) => is_said(name),
            _ => self.names.contains(name) && is_said(name),
        };
        let in_address = in_address(request, problem.operation(action));
        let is_drawn = |name: &&String| {
            self.old.contains(*name) && is_drawn(name) && !known.told.contains(*name)
        };
        let mut all = in_address.iter().chain(&call.said);
        if all.any(|name| is_drawn(&name)) {
            return true;
        }
        let in_address = in_address.iter().filter(|name| self.begins_as_told(name));
        let said = call.said.iter().filter(|name| is_foreign(name));
        in_address.chain(said).any(|name| !known.names.contains(name))
    }

    /// Whether the address of a call holds a name that others told.
    fn is_given_others<P: ServiceFamily>(&self, call: &Call<'_, P>, known: &Known) -> bool {
        let in_address = in_address(call.request, call.problem.operation(call.action));
        let is_foreign = |name: &String| self.begins_as_told(name) && !known.names.contains(name);
        in_address.iter().any(is_foreign)
    }

    /// Whether a name in an address is one that others told, or begins with one that is none by chance: many
    /// a service takes what stands behind it for nothing.
    fn begins_as_told(&self, name: &str) -> bool {
        let before = self.names.range(..=name.to_owned()).next_back();
        before.is_some_and(|it| it == name || it.len() >= UNLIKELY && name.starts_with(&**it))
    }

    /// Whether a change that went well refers in its body to what another test chose the name of, and is of
    /// an operation that never took a new name there.
    fn refers_to_others<P: ServiceFamily>(&self, call: &Call<'_, P>, known: &Known) -> bool {
        let is_foreign = |name: String| {
            self.has_chosen(&name) && !known.names.contains(&name) && !self.is_loose(call, &name)
        };
        call.is_change
            && call.went_well
            && !self.introduce.contains(call.problem.operation(call.action))
            && referred(call.request).into_iter().any(is_foreign)
    }

    /// Whether a change that went well says what another test chose, and is of an operation that never went
    /// well without: a login, say.
    fn asks_for_others<P: ServiceFamily>(&self, call: &Call<'_, P>, known: &Known) -> bool {
        let is_foreign = |name: &String| {
            self.has_said(name) && !known.names.contains(name) && !self.is_loose(call, name)
        };
        call.is_change
            && call.went_well
            && !self.free.contains(call.problem.operation(call.action))
            && in_document(call.request).iter().any(is_foreign)
    }

    /// Whether a change that went well says a text where its operation takes whatever is said.
    fn is_loose<P: ServiceFamily>(&self, call: &Call<'_, P>, text: &str) -> bool {
        let operation = call.problem.operation(call.action);
        let mut members = call.members.iter().filter(|(_, said)| said == text).peekable();
        call.went_well
            && members.peek().is_some()
            && members.all(|(member, _)| self.loose.contains(&format!("{operation} {member}")))
    }

    /// Whether a step expects a name that others told.
    fn expects_others(&self, step: &Step, known: &Known) -> bool {
        let mut expected = Vec::new();
        if let Ok(value) = serde_json::to_value(&step.expectations) {
            texts(&value, &mut expected);
        }
        let is_foreign = |name: &String| self.names.contains(name) && !known.names.contains(name);
        expected.iter().any(is_foreign)
    }
}

impl<P: Problem> Call<'_, P> {
    /// The body of the answer; empty where none came.
    fn answer(&self) -> &str {
        self.outcome.response.as_ref().map_or("", |answer| &*answer.body)
    }
}

/// Whether a call did not find what was there from the start, and the test did nothing to that: another
/// test took it away. Short numbers may be of something else.
fn is_missed_there<P: Problem>(call: &Call<'_, P>, known: &Known, old: &BTreeSet<String>) -> bool {
    let is_missed = call.outcome.status() == Some(404)
        || !call.went_well && call.answer().to_ascii_lowercase().contains("not found");
    let is_old =
        |name: &String| name.len() >= UNLIKELY && old.contains(name) && !known.names.contains(name);
    is_missed
        && !known.has_changed
        && (segments(call.request).any(|it| is_old(&it)) || call.said.iter().any(is_old))
}

impl Known {
    /// Whether the test changed something that has to do with these kinds.
    fn has_changed_like(&self, kinds: &[String]) -> bool {
        self.has_changed && (kinds.is_empty() || kinds.iter().any(|it| self.changed.contains(it)))
    }

    /// Adds what a call said and was told.
    fn learn<P: ServiceFamily>(&mut self, call: &Call<'_, P>) {
        let &Call { problem, action, request, .. } = call;
        self.names.extend(in_document(request));
        if !call.is_change && call.went_well {
            self.told.extend(told(call.answer()));
        }
        if call.is_change && (call.went_well || failed_below(call.answer())) {
            self.has_changed = true;
            self.changes += 1;
            self.changed.extend(problem.kinds(action).pop());
            let things = problem.named_things(&call.outcome.sent(action));
            self.names.extend(things.into_iter().map(|(_, id)| id));
            self.names.extend(in_path(problem, action, request));
        }
        if call.is_change
            && let Ok(answer) = &call.outcome.response
        {
            let location = answer.header("location").unwrap_or_default().split('/');
            self.names.extend(location.map(str::to_owned));
            self.names.extend(told(&answer.body));
        }
    }
}

#[cfg(test)]
mod tests;
