//! Growing programs together with their witnesses.

use wallace_genes::{Gene, Rng};

use super::super::step::Step;
use super::operation::{Branch, Effect, Operation, Operations, Place, Side};
use super::predicate::{Number, Predicate, float, integer, text};
use super::value::{Kind, signature, value};
use super::{MOST_STEPS, REGISTERS};

const OPERATIONS: usize = 6;
/// Most branches of one operation.
const BRANCHES: usize = 16;
/// Most branches inside each other.
const DEPTH: u32 = 7;
/// Predicates tried for a place before it stays empty.
const PREDICATES: u32 = 12;
/// Variants of a test tried for the other side of a branch.
const VARIANTS: u32 = 200;

/// A program under construction.
#[derive(Debug)]
pub(super) struct Generator {
    rng: Rng,
    operations: Operations,
    /// A test for each target, whose last call covers it.
    witnesses: Vec<Vec<Step>>,
    /// Branches that the operation under construction may still have.
    left: usize,
}

impl Generator {
    pub(super) fn new(seed: u64) -> Self {
        let rng = Rng::new(seed, 0);
        Self { rng, operations: Operations::default(), witnesses: Vec::new(), left: 0 }
    }

    /// The program, and a test for each target.
    pub(super) fn program(mut self) -> (Operations, Vec<Vec<Step>>) {
        for number in 0..OPERATIONS {
            let kinds = signature(&mut self.rng);
            // A witness calls nothing but earlier operations before its last call: what an
            // operation still under construction does cannot change it.
            let test = self.first_test(number, &kinds);
            self.operations.operations.push(Operation { kinds, first: None });
            self.left = BRANCHES;
            self.grow(Place::Operation(number), &test, 0);
        }
        (self.operations, self.witnesses)
    }

    fn first_test(&mut self, number: usize, kinds: &[Kind]) -> Vec<Step> {
        let earlier = if self.rng.chance(0.8) { self.rng.pick(&self.witnesses) } else { None };
        let mut test = earlier.cloned().unwrap_or_default();
        test.drain(..test.len().saturating_sub(MOST_STEPS - 1));
        let arguments = kinds.iter().map(|kind| value(*kind, &mut self.rng)).collect();
        test.push(Step::new(number as u32, Gene::Tuple(arguments)));
        test
    }

    /// Hangs a branch on a place that the last call of `test` comes by, and more on its sides.
    fn grow(&mut self, place: Place, test: &[Step], depth: u32) {
        if depth == DEPTH || self.left == 0 {
            return;
        }
        let Some((branch, witnesses)) = self.add_branch(place, test) else { return };
        self.left -= 1;
        self.witnesses.extend(witnesses.clone());
        for (side, witness) in witnesses.iter().enumerate() {
            self.operations.branches[branch].sides[side].effect = self.effect(witness);
            // Deep rather than broad: the side that is harder to take comes first.
            if self.rng.chance(if side == 0 { 0.9 } else { 0.6 }) {
                self.grow(Place::Side(branch, side), witness, depth + 1);
            }
        }
    }

    /// A branch with a test for each side; `None` when no predicate tried has both.
    fn add_branch(&mut self, place: Place, test: &[Step]) -> Option<(usize, [Vec<Step>; 2])> {
        let number = self.operations.branches.len();
        for _ in 0..PREDICATES {
            let predicate = self.predicate(test);
            let sides = [Side::default(), Side::default()];
            self.operations.branches.push(Branch { predicate, sides });
            self.operations.link(place, Some(number));
            let is_taken = self.covers(test, 2 * number);
            let wanted = if is_taken { 2 * number + 1 } else { 2 * number };
            for _ in 0..VARIANTS {
                let other = self.variant(test);
                if self.covers(&other, wanted) {
                    let own = test.to_vec();
                    return Some((number, if is_taken { [own, other] } else { [other, own] }));
                }
            }
            self.operations.link(place, None);
            self.operations.branches.pop();
        }
        None
    }

    fn covers(&self, test: &[Step], target: usize) -> bool {
        self.operations.last_call(test).1.contains(&(target, 1.0))
    }

    fn effect(&mut self, test: &[Step]) -> Option<Effect> {
        let register = self.rng.below(REGISTERS);
        match self.rng.below(6) {
            0 => Some(Effect::Count(register)),
            1 => Some(Effect::Store(register, self.argument(test, Kind::Integer)?)),
            _ => None,
        }
    }

    /// The test with one argument of its last call changed.
    fn variant(&mut self, test: &[Step]) -> Vec<Step> {
        let (last, earlier) = test.split_last().expect("a test has a call");
        let (state, _) = self.operations.last_call(test);
        let kinds = self.operations.operations[last.operation()].kinds.clone();
        let mut arguments = last.arguments().to_vec();
        let place = self.rng.below(kinds.len());
        arguments[place] = match self.rng.below(4) {
            0 if kinds[place] == Kind::Integer => {
                let kept = state[self.rng.below(REGISTERS)] + self.rng.between(-1, 1);
                Gene::Integer(i32::try_from(kept).unwrap_or(0))
            }
            1 => {
                let other = self.argument(test, kinds[place]).unwrap_or(place);
                arguments[other].clone()
            }
            _ => value(kinds[place], &mut self.rng),
        };
        let mut variant = earlier.to_vec();
        variant.push(Step::new(last.operation() as u32, Gene::Tuple(arguments)));
        variant
    }

    /// Position of a random argument of a kind, in the last call.
    fn argument(&mut self, test: &[Step], kind: Kind) -> Option<usize> {
        let kinds = &self.operations.operations[test.last()?.operation()].kinds;
        let places: Vec<usize> = (0..kinds.len()).filter(|place| kinds[*place] == kind).collect();
        self.rng.pick(&places).copied()
    }

    /// A random predicate over the arguments of the last call. Its constants come from that call
    /// and the state before it, so that what is rarely true holds there.
    fn predicate(&mut self, test: &[Step]) -> Predicate {
        let last = test.last().expect("a test has a call");
        let arguments = last.arguments();
        let kinds = self.operations.operations[last.operation()].kinds.clone();
        let place = self.rng.below(kinds.len());
        let gene = &arguments[place];
        match (kinds[place], self.rng.below(3)) {
            (Kind::Float, 0) => Predicate::FloatEqual(place, float(gene)),
            (Kind::Float, _) => Predicate::FloatLess(place, float(gene) + 0.5),
            (Kind::Text, 0) => Predicate::Text(place, text(gene).to_owned()),
            (Kind::Text, 1) => match self.argument(test, Kind::Text) {
                Some(other) if other != place => Predicate::SameText(place, other),
                _ => Predicate::Text(place, text(gene).to_owned()),
            },
            (Kind::Text, _) if !text(gene).is_empty() => {
                let length = 1 + self.rng.below(text(gene).chars().count());
                Predicate::Prefix(place, text(gene).chars().take(length).collect())
            }
            (Kind::List, 0) if gene.parts().next().is_some() => {
                let elements: Vec<i64> = gene.parts().map(integer).collect();
                Predicate::Contains(place, elements[self.rng.below(elements.len())])
            }
            (Kind::Name, _) => {
                let Gene::Enum(name) = gene else { return Predicate::Flag(place) };
                Predicate::Name(place, *name)
            }
            (Kind::Flag, _) => Predicate::Flag(place),
            (kind, _) => self.comparison(test, kind, place),
        }
    }

    /// A comparison of whole numbers.
    fn comparison(&mut self, test: &[Step], kind: Kind, place: usize) -> Predicate {
        let (state, _) = self.operations.last_call(test);
        let arguments = test.last().expect("a test has a call").arguments();
        let other = self.argument(test, Kind::Integer).unwrap_or(place);
        let register = self.rng.below(REGISTERS);
        let one = match (kind, self.rng.below(5)) {
            (Kind::Text, _) | (Kind::List, 0 | 1) => Number::Size(place),
            (Kind::List, _) => Number::Total(place),
            (_, 0) => Number::Register(register),
            (_, 1) if other != place => Number::Linear(self.rng.between(1, 3), place, other),
            _ => Number::Argument(place),
        };
        let here = one.value(arguments, &state);
        match self.rng.below(8) {
            0 if one == Number::Argument(place) && other != place => {
                Predicate::Equal(one, Number::Argument(other))
            }
            1 if one == Number::Argument(place) && other != place => {
                Predicate::Less(one, Number::Argument(other))
            }
            2 if one == Number::Argument(place) => {
                Predicate::Equal(one, Number::Register(register))
            }
            3 | 4 => {
                let margin = self.rng.between(1, 9);
                Predicate::Less(one, Number::Constant(here + margin))
            }
            5 => Predicate::Less(Number::Constant(here - 1), one),
            _ => Predicate::Equal(one, Number::Constant(here)),
        }
    }
}
