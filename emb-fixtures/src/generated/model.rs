//! Calls that reach a place, and changes of them that may reach another side.

use serde_json::{Value, json};

use super::chance::Chance;
use super::predicate::{Operand, Predicate, Question, State, Term};
use super::program::{Call, Program};

/// Most calls that a state may need.
pub(super) const MOST_CALLS: usize = 4;

/// Calls of other operations, and the arguments of the one that counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Model {
    pub(super) before: Vec<Call>,
    pub(super) arguments: Value,
}

impl Model {
    pub(super) fn state(&self, program: &Program) -> State {
        program.state_after(&self.before)
    }

    /// A random change that has to do with a condition.
    pub(super) fn edited(
        &self,
        program: &Program,
        setters: &[(usize, Call)],
        predicate: &Predicate,
        chance: &mut Chance,
    ) -> Self {
        let mut edited = self.clone();
        match predicate {
            Predicate::Integers(left, _, right) => {
                let (term, other) = if chance.percent(50) { (left, right) } else { (right, left) };
                let goal = other.value(&self.arguments, &self.state(program));
                edited.bring(term, goal + chance.between(-1, 1), setters, chance);
            }
            Predicate::Floats(pointer, _, operand) => {
                let near = match operand {
                    Operand::Constant(constant) => *constant,
                    Operand::Argument(other) => {
                        self.arguments.pointer(other).and_then(Value::as_f64).unwrap_or(0.0)
                    }
                };
                let step = [-0.5, 0.0, 0.5][chance.below(3)];
                edited.set(pointer, json!(near + step));
            }
            Predicate::Text(pointer, question) => {
                let text = self.answer(question, chance);
                edited.set(pointer, json!(text));
            }
            Predicate::Holds(pointer, wanted) => {
                let list =
                    if chance.percent(70) { vec![*wanted, chance.integer()] } else { Vec::new() };
                edited.set(pointer, json!(list));
            }
            Predicate::Flag(pointer) => edited.set(pointer, json!(chance.percent(50))),
        }
        edited
    }

    fn set(&mut self, pointer: &str, value: Value) {
        if let Some(place) = self.arguments.pointer_mut(pointer) {
            *place = value;
        }
    }

    /// Brings a term near to a value, where it depends on this call.
    fn bring(&mut self, term: &Term, goal: i64, setters: &[(usize, Call)], chance: &mut Chance) {
        let goal = goal.clamp(i32::MIN.into(), i32::MAX.into());
        match term {
            Term::Constant(_) => {}
            Term::Argument(pointer) => self.set(pointer, json!(goal)),
            Term::Sum(left, right) => {
                let other = self.arguments.pointer(right).and_then(Value::as_i64).unwrap_or(0);
                let rest = (goal - other).clamp(i32::MIN.into(), i32::MAX.into());
                self.set(left, json!(rest));
            }
            Term::Scaled(pointer, factor) => self.set(pointer, json!(goal / factor)),
            Term::Length(pointer) => {
                let length = usize::try_from(goal).unwrap_or(0).min(12);
                let value = match self.arguments.pointer(pointer) {
                    Some(Value::Array(_)) => (0..length).map(|_| json!(chance.integer())).collect(),
                    _ => json!(chance.word(length, length)),
                };
                self.set(pointer, value);
            }
            Term::State(variable) => {
                let fitting: Vec<&Call> = setters
                    .iter()
                    .filter(|(set, _)| set == variable)
                    .map(|(_, call)| call)
                    .collect();
                if let Some(call) = chance.pick(&fitting) {
                    let count = usize::try_from(goal).unwrap_or(0).min(MOST_CALLS);
                    self.before = vec![(*call).clone(); count];
                }
            }
        }
    }

    /// A text that may be what is asked for.
    fn answer(&self, question: &Question, chance: &mut Chance) -> String {
        if chance.percent(30) {
            return chance.word(0, 8);
        }
        match question {
            Question::Equals(Operand::Constant(text)) => text.clone(),
            Question::Equals(Operand::Argument(pointer)) => {
                self.arguments.pointer(pointer).and_then(Value::as_str).unwrap_or("").to_owned()
            }
            Question::StartsWith(part) => part.clone() + &chance.word(0, 4),
            Question::EndsWith(part) => chance.word(0, 4) + part,
            Question::Contains(part) => chance.word(0, 2) + part + &chance.word(0, 2),
            Question::Matches(pattern) => pattern.example.clone(),
        }
    }
}
