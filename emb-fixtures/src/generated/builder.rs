//! Making services whose every branch side has a known witness.
//!
//! An operation grows from its root. Each open end has a model, calls that come to it. A random
//! condition is put there only if a change of the model is found that still comes to the same end
//! and takes the other side: the two are the models of the two new ends, and the witnesses of the
//! two sides.

use std::collections::BTreeMap;

use super::argument::Kind;
use super::chance::Chance;
use super::face::request;
use super::model::{MOST_CALLS, Model};
use super::pattern::Pattern;
use super::predicate::{Comparison, Operand, Predicate, Question, STATES, Term};
use super::program::{Call, Condition, Next, Operation, Program};
use super::table::{CONDITIONS, side_name};
use crate::expected::{Expected, Witness};

/// Random conditions that are tried for one end before another end is looked at.
const CONDITION_TRIES: usize = 20;
/// Changes of a model that are tried for one condition.
const EDIT_TRIES: usize = 30;

/// The service of a seed, and what is known about it.
pub(super) fn build(seed: u64, operations: usize) -> (Program, Expected) {
    let mut builder = Builder::default();
    for number in 0..operations {
        let mut chance = Chance::new(seed, number as u64);
        // Arguments may be too few for so many conditions; others are drawn then.
        while !builder.add(&mut chance) {}
    }
    let expected = builder.expected();
    (builder.program, expected)
}

/// An end of an operation that is being made.
#[derive(Debug, Clone)]
struct End {
    /// Conditions on the way, with the side that is taken.
    path: Vec<(Predicate, bool)>,
    model: Model,
    /// The condition and side that it stands behind; `None` at the root.
    parent: Option<(usize, bool)>,
}

#[derive(Debug, Default)]
struct Builder {
    program: Program,
    /// Calls that add 1 to a state variable whenever they are made.
    setters: Vec<(usize, Call)>,
    /// Operation, condition and side, with the model that reaches it.
    witnesses: BTreeMap<(usize, usize, bool), Model>,
}

impl Builder {
    /// Adds an operation; whether that succeeded.
    fn add(&mut self, chance: &mut Chance) -> bool {
        let arguments = Kind::members(chance, 3, 2);
        let model = Model { before: Vec::new(), arguments: arguments.sample(chance) };
        let mut ends = vec![End { path: Vec::new(), model, parent: None }];
        let mut conditions: Vec<Condition> = Vec::new();
        let mut closed = Vec::new();
        let mut models = Vec::new();
        while conditions.len() < CONDITIONS {
            let Some(end) = take_end(&mut ends, chance) else { return false };
            let Some((predicate, other)) = self.condition(&arguments, &end, chance) else {
                closed.push(end);
                continue;
            };
            let index = conditions.len();
            attach(&mut conditions, &end, Next::Condition(index));
            let side = self.outcome(&predicate, &end.model);
            for (side, model) in [(side, end.model.clone()), (!side, other)] {
                models.push((index, side, model.clone()));
                let mut path = end.path.clone();
                path.push((predicate.clone(), side));
                ends.push(End { path, model, parent: Some((index, side)) });
            }
            let open = Next::Leaf(usize::MAX);
            conditions.push(Condition { predicate, when_true: open, when_false: open });
        }
        closed.append(&mut ends);
        for (leaf, end) in closed.iter().enumerate() {
            attach(&mut conditions, end, Next::Leaf(leaf));
        }
        self.finish(Operation { arguments, conditions, effects: Vec::new() }, &closed, chance);
        let operation = self.program.operations.len() - 1;
        let keyed =
            models.into_iter().map(|(index, side, model)| ((operation, index, side), model));
        self.witnesses.extend(keyed);
        true
    }

    fn outcome(&self, predicate: &Predicate, model: &Model) -> bool {
        predicate.holds(&model.arguments, &model.state(&self.program), None)
    }

    /// A condition for an end, with a model for the side that the end's own model does not take.
    fn condition(
        &self,
        arguments: &Kind,
        end: &End,
        chance: &mut Chance,
    ) -> Option<(Predicate, Model)> {
        for _ in 0..CONDITION_TRIES {
            let Some(predicate) = self.random(arguments, chance) else { continue };
            let side = self.outcome(&predicate, &end.model);
            for _ in 0..EDIT_TRIES {
                let edited = end.model.edited(&self.program, &self.setters, &predicate, chance);
                let is_fit = arguments.admits(&edited.arguments)
                    && self.outcome(&predicate, &edited) != side
                    && end.path.iter().all(|(known, side)| self.outcome(known, &edited) == *side);
                if is_fit {
                    return Some((predicate, edited));
                }
            }
        }
        None
    }

    /// Lets some leaves change the state, and keeps the calls that do so whenever they are made.
    fn finish(&mut self, mut operation: Operation, ends: &[End], chance: &mut Chance) {
        let number = self.program.operations.len();
        for (leaf, end) in ends.iter().enumerate() {
            if chance.percent(40) {
                operation.effects.push((leaf, chance.below(STATES)));
            }
            let _ = end;
        }
        let effects = operation.effects.clone();
        self.program.operations.push(operation);
        for (leaf, variable) in effects {
            let arguments = ends[leaf].model.arguments.clone();
            let call = Call { operation: number, arguments };
            let is_steady = (1..=MOST_CALLS).all(|count| {
                let state = self.program.state_after(&vec![call.clone(); count]);
                usize::try_from(state[variable]) == Ok(count)
            });
            if is_steady {
                self.setters.push((variable, call));
            }
        }
    }

    /// A random condition over these arguments; `None` where there is none of the drawn kind.
    fn random(&self, arguments: &Kind, chance: &mut Chance) -> Option<Predicate> {
        let leaves = arguments.leaves("");
        if chance.percent(20)
            && let Some((variable, _)) = chance.pick(&self.setters)
        {
            let wanted = Term::Constant(chance.between(1, 3));
            let comparison = [Comparison::Equal, Comparison::Less][chance.below(2)];
            let state = Term::State(*variable);
            return Some(match comparison {
                Comparison::Equal => Predicate::Integers(state, comparison, wanted),
                _ => Predicate::Integers(wanted, Comparison::AtMost, state),
            });
        }
        let (pointer, kind) = chance.pick(&leaves)?.clone();
        let mut same = leaves;
        same.retain(|(other, its_kind)| *its_kind == kind && *other != pointer);
        let other = chance.pick(&same).map(|(pointer, _)| pointer.clone());
        Some(match kind {
            Kind::Integer => integers(pointer, other, chance),
            Kind::Float => floats(pointer, other, chance),
            Kind::Boolean => Predicate::Flag(pointer),
            Kind::Text => Predicate::Text(pointer, question(other, chance)),
            Kind::Word(words) => {
                let word = chance.pick(&words)?.clone();
                Predicate::Text(pointer, Question::Equals(Operand::Constant(word)))
            }
            Kind::Integers if chance.percent(50) => Predicate::Holds(pointer, chance.integer()),
            Kind::Integers => length(pointer, chance),
            Kind::Object(_) => return None,
        })
    }

    /// Everything that is known: each side with the shortest calls that reach it, among those made.
    fn expected(&self) -> Expected {
        let mut reaches: BTreeMap<(usize, Vec<String>, String), Vec<String>> = BTreeMap::new();
        for ((operation, condition, side), model) in &self.witnesses {
            let before: Vec<String> =
                model.before.iter().map(|call| request(call.operation, &call.arguments)).collect();
            let request = request(*operation, &model.arguments);
            let length = before.iter().map(String::len).sum::<usize>() + request.len();
            let sides = reaches.entry((length, before, request)).or_default();
            sides.push(side_name(*operation, *condition, *side));
        }
        let witness = |((_, before, request), reaches)| Witness { before, request, reaches };
        Expected {
            operations: self.program.operations.len(),
            infeasible: Vec::new(),
            witnesses: reaches.into_iter().map(witness).collect(),
            faults: Vec::new(),
        }
    }
}

/// An open end: the newest more often than others, so that conditions are nested.
fn take_end(ends: &mut Vec<End>, chance: &mut Chance) -> Option<End> {
    if ends.is_empty() {
        return None;
    }
    let newest = ends.len() - 1;
    let index = if chance.percent(50) { newest } else { chance.below(ends.len()) };
    Some(ends.remove(index))
}

/// Puts `next` behind the condition and side that an end stands behind.
fn attach(conditions: &mut [Condition], end: &End, next: Next) {
    let Some((index, side)) = end.parent else { return };
    if let Some(condition) = conditions.get_mut(index) {
        let place = if side { &mut condition.when_true } else { &mut condition.when_false };
        *place = next;
    }
}

fn comparison(chance: &mut Chance) -> Comparison {
    [Comparison::Equal, Comparison::Less, Comparison::AtMost][chance.below(3)]
}

fn integers(pointer: String, other: Option<String>, chance: &mut Chance) -> Predicate {
    let constant = Term::Constant(chance.integer());
    let comparison = comparison(chance);
    match (other, chance.below(4)) {
        (Some(other), 0) => {
            Predicate::Integers(Term::Argument(pointer), comparison, Term::Argument(other))
        }
        (Some(other), 1) => Predicate::Integers(Term::Sum(pointer, other), comparison, constant),
        (_, 2) => {
            // Only multiples of the factor, so that equality can hold.
            let (factor, wanted) = (chance.between(2, 9), chance.between(-1_000, 1_000));
            let wanted = Term::Constant(factor * wanted);
            Predicate::Integers(Term::Scaled(pointer, factor), comparison, wanted)
        }
        _ => Predicate::Integers(Term::Argument(pointer), comparison, constant),
    }
}

fn floats(pointer: String, other: Option<String>, chance: &mut Chance) -> Predicate {
    let operand = match other {
        Some(other) if chance.percent(40) => Operand::Argument(other),
        _ => Operand::Constant(chance.float()),
    };
    let comparison = [Comparison::Less, Comparison::AtMost][chance.below(2)];
    Predicate::Floats(pointer, comparison, operand)
}

fn question(other: Option<String>, chance: &mut Chance) -> Question {
    match (other, chance.below(6)) {
        (Some(other), 0) => Question::Equals(Operand::Argument(other)),
        (_, 1) => Question::StartsWith(chance.word(2, 5)),
        (_, 2) => Question::EndsWith(chance.word(2, 5)),
        (_, 3) => Question::Contains(chance.word(2, 4)),
        (_, 4) => Question::Matches(Pattern::random(chance)),
        _ => Question::Equals(Operand::Constant(chance.word(3, 9))),
    }
}

fn length(pointer: String, chance: &mut Chance) -> Predicate {
    let wanted = Term::Constant(chance.between(1, 8));
    Predicate::Integers(Term::Length(pointer), comparison(chance), wanted)
}
