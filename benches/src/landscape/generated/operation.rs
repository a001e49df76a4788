//! Generated operations: trees of branches, and their interpreter.

use wallace_genes::{Gene, SpecRef};

use super::super::step::{Step, Trace};
use super::REGISTERS;
use super::predicate::{Predicate, integer};
use super::value::{Kind, spec_of};

/// What taking a side of a branch does to the state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Effect {
    /// Adds one to a register.
    Count(usize),
    /// Stores an integer argument in a register.
    Store(usize, usize),
}

/// One side of a branch: an effect, then another branch.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Side {
    pub(super) effect: Option<Effect>,
    pub(super) next: Option<usize>,
}

/// A branch. Number `n` has the targets `2 n` (taken) and `2 n + 1` (not taken).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Branch {
    pub(super) predicate: Predicate,
    /// Taken, not taken.
    pub(super) sides: [Side; 2],
}

/// An operation: its arguments, and its first branch.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Operation {
    pub(super) kinds: Vec<Kind>,
    pub(super) first: Option<usize>,
}

/// Where a branch hangs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    /// First in an operation.
    Operation(usize),
    /// On a side of another branch.
    Side(usize, usize),
}

/// All operations of a program and their branches.
#[derive(Debug, Default)]
pub(super) struct Operations {
    pub(super) operations: Vec<Operation>,
    pub(super) branches: Vec<Branch>,
}

impl Operations {
    pub(super) fn specs(&self) -> Vec<SpecRef> {
        self.operations.iter().map(|operation| spec_of(&operation.kinds)).collect()
    }

    /// Hangs a branch on its place, or takes what hangs there away.
    pub(super) fn link(&mut self, place: Place, branch: Option<usize>) {
        match place {
            Place::Operation(operation) => self.operations[operation].first = branch,
            Place::Side(parent, side) => self.branches[parent].sides[side].next = branch,
        }
    }

    /// Runs one call.
    pub(super) fn call(&self, step: &Step, state: &mut Vec<i64>, trace: &mut Trace) {
        state.resize(REGISTERS, 0);
        let arguments = step.arguments();
        let mut next = self.operations[step.operation()].first;
        while let Some(number) = next {
            let branch = &self.branches[number];
            let truth = branch.predicate.truth(arguments, state, trace);
            let side = &branch.sides[usize::from(!trace.branch(2 * number, truth))];
            if let Some(effect) = side.effect {
                apply(effect, arguments, state);
            }
            next = side.next;
        }
    }

    /// The state before the last call of a test, and what that call reached.
    pub(super) fn last_call(&self, test: &[Step]) -> (Vec<i64>, Vec<(usize, f64)>) {
        let (mut state, mut trace) = (vec![0; REGISTERS], Trace::default());
        let Some((last, earlier)) = test.split_last() else { return (state, Vec::new()) };
        for step in earlier {
            self.call(step, &mut state, &mut trace);
        }
        let before = state.clone();
        trace.reached.clear();
        self.call(last, &mut state, &mut trace);
        (before, trace.reached)
    }
}

fn apply(effect: Effect, arguments: &[Gene], state: &mut [i64]) {
    match effect {
        Effect::Count(register) => state[register] = state[register].saturating_add(1),
        Effect::Store(register, place) => state[register] = integer(&arguments[place]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::predicate::Number;
    use super::*;

    #[test]
    fn a_stored_value_is_seen_by_a_later_call() {
        let same = Predicate::Equal(Number::Argument(0), Number::Register(1));
        let store = Side { effect: Some(Effect::Store(1, 0)), next: None };
        let operations = Operations {
            operations: vec![Operation { kinds: vec![Kind::Integer], first: Some(0) }],
            branches: vec![Branch { predicate: same, sides: [Side::default(), store] }],
        };
        let step = Step::new(0, Gene::Tuple(vec![Gene::Integer(7)]));
        let once = operations.last_call(std::slice::from_ref(&step)).1;
        assert_eq!(once[1], (1, 1.0));
        let (state, twice) = operations.last_call(&[step.clone(), step]);
        assert_eq!((state[1], twice[0]), (7, (0, 1.0)));
    }
}
