//! What a generated service does: trees of conditions, and their interpretation.

use serde_json::Value;

use super::argument::Kind;
use super::predicate::{Predicate, State};
use super::table::Place;

/// Where an answer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Another condition of the operation.
    Condition(usize),
    /// The end: what the caller is told.
    Leaf(usize),
}

/// A condition with what comes behind its two sides.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    pub(super) predicate: Predicate,
    pub(super) when_true: Next,
    pub(super) when_false: Next,
}

/// One operation: its arguments, and conditions of which the first is the root.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) arguments: Kind,
    pub(super) conditions: Vec<Condition>,
    /// Leaves that add 1 to a state variable.
    pub(super) effects: Vec<(usize, usize)>,
}

impl Operation {
    /// The leaf that a call ends in; the conditions on the way are recorded as those of the
    /// operation `number` if that is given. Ends: each condition has a larger number than the one
    /// before it.
    pub(super) fn leaf(&self, arguments: &Value, state: &State, number: Option<usize>) -> usize {
        let mut next = Next::Condition(0);
        loop {
            match next {
                Next::Leaf(leaf) => return leaf,
                Next::Condition(index) => {
                    let condition = &self.conditions[index];
                    let place = number.and_then(|number| Place::new(number, index));
                    let holds = condition.predicate.holds(arguments, state, place);
                    next = if holds { condition.when_true } else { condition.when_false };
                }
            }
        }
    }

    /// Changes the state as the leaf says.
    pub(super) fn apply(&self, leaf: usize, state: &mut State) {
        for (from, variable) in &self.effects {
            if *from == leaf {
                state[*variable] += 1;
            }
        }
    }
}

/// A whole service.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    pub(super) operations: Vec<Operation>,
}

/// A call of an operation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) operation: usize,
    pub(super) arguments: Value,
}

impl Program {
    /// The state after some calls from the start.
    pub(super) fn state_after(&self, calls: &[Call]) -> State {
        let mut state = State::default();
        for call in calls {
            let operation = &self.operations[call.operation];
            operation.apply(operation.leaf(&call.arguments, &state, None), &mut state);
        }
        state
    }
}
