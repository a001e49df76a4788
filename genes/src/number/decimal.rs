//! Decimals and big integers: multiples of a step inside a range.

use std::sync::Arc;

use num_bigint::{BigInt, Sign};

use crate::decimal::Decimal;
use crate::gene::Gene;
use crate::rng::Rng;
use crate::spec::GeneSpec;
use crate::walk::Walk;

/// Largest count of steps around 0 that most numbers are sampled from.
const WINDOW: i64 = 1000;
/// Share of numbers sampled from the window.
const IN_WINDOW: f64 = 0.8;

/// Specification of exact numbers: the multiples of a step inside a range. With a step of 1 they
/// are integers of any size. Made from [`NumberBounds`](crate::spec::NumberBounds).
#[derive(Debug, Clone, PartialEq)]
pub struct DecimalSpec {
    step: Decimal,
    low: BigInt,
    high: BigInt,
}

impl DecimalSpec {
    /// The multiples `low * step` to `high * step` of a positive step; nothing when there is none.
    pub(crate) fn new(step: Decimal, low: BigInt, high: BigInt) -> Option<Self> {
        (low <= high).then_some(Self { step, low, high })
    }

    /// Smallest value.
    #[must_use]
    pub fn min(&self) -> Decimal {
        self.step.times(&self.low)
    }

    /// Largest value.
    #[must_use]
    pub fn max(&self) -> Decimal {
        self.step.times(&self.high)
    }

    /// What every value is a multiple of; positive.
    #[must_use]
    pub fn step(&self) -> &Decimal {
        &self.step
    }

    /// Whether the number is one of these.
    #[must_use]
    pub fn contains(&self, number: &Decimal) -> bool {
        let (count, is_exact) = number.divided(&self.step);
        is_exact && self.low <= count && count <= self.high
    }

    /// The nearest of these numbers, not above the given one where the range allows it.
    #[must_use]
    pub fn nearest(&self, number: &Decimal) -> Decimal {
        self.value(number.divided(&self.step).0)
    }

    pub(crate) fn has_choice(&self) -> bool {
        self.low < self.high
    }

    fn value(&self, count: BigInt) -> Decimal {
        self.step.times(&count.clamp(self.low.clone(), self.high.clone()))
    }

    fn count(&self, number: &Decimal) -> BigInt {
        number.divided(&self.step).0
    }

    /// The number that many steps away; nothing outside the range.
    pub(crate) fn moved(&self, number: &Decimal, steps: i128) -> Option<Decimal> {
        let count = self.count(number) + BigInt::from(steps);
        (self.low <= count && count <= self.high).then(|| self.step.times(&count))
    }

    /// Steps from one number to another, as far as 128 bits go.
    pub(crate) fn steps_between(&self, from: &Decimal, to: &Decimal) -> Option<i128> {
        i128::try_from(self.count(to) - self.count(from)).ok()
    }

    /// The number nearest to 0.
    pub(crate) fn simplest(&self) -> Decimal {
        self.value(BigInt::from(0))
    }

    /// Simpler numbers towards the simplest: the distance halves each time; then fewer digits.
    pub(crate) fn simpler(&self, number: &Decimal) -> Vec<Decimal> {
        let (goal, count) = (self.count(&self.simplest()), self.count(number));
        let mut simpler = vec![self.value(-count.clone())];
        simpler.extend((0..number.scale().min(6)).map(|digits| self.cut(number, digits)));
        let mut distance: BigInt = (&count - goal) / 2;
        while distance.sign() != Sign::NoSign && simpler.len() < 200 {
            // With no more digits than it had: those would make it less simple.
            simpler.push(self.cut(&self.value(&count - &distance), number.scale()));
            distance /= 2;
        }
        simpler
    }

    /// The number with at most so many digits after the point, cut off towards 0.
    fn cut(&self, number: &Decimal, digits: u32) -> Decimal {
        let unit = Decimal::new(BigInt::from(1), digits);
        let minus = BigInt::from(-1);
        let cut = if number.is_negative() {
            unit.times(&-number.times(&minus).divided(&unit).0)
        } else {
            unit.times(&number.divided(&unit).0)
        };
        self.nearest(&cut)
    }

    pub(crate) fn sample(&self, rng: &mut Rng, boundary: f64) -> Decimal {
        if rng.chance(boundary) {
            return self.boundary(rng);
        }
        if rng.chance(IN_WINDOW) {
            // Small numbers of either sign, as far as the range holds them; with a fine step a
            // count is small where the number is not worth mentioning, so half are whole.
            let count = BigInt::from(rng.between(-WINDOW / 10, WINDOW));
            let is_fine = !self.step.is_whole() && rng.chance(0.5);
            let count = if is_fine { self.count(&Decimal::new(count, 0)) } else { count };
            return self.value(count);
        }
        self.value(self.low.clone() + uniform(rng, &(&self.high - &self.low)))
    }

    fn boundary(&self, rng: &mut Rng) -> Decimal {
        let counts = [self.low.clone(), self.high.clone(), 0.into(), 1.into(), (-1).into()];
        self.value(counts[rng.below(counts.len())].clone())
    }

    fn mutant(&self, number: &Decimal, rng: &mut Rng, boundary: f64, share: f64) -> Decimal {
        let draw = rng.unit();
        let count = self.count(number);
        if draw < boundary {
            return self.boundary(rng);
        }
        if draw < boundary + 0.1 {
            return self.value(-count);
        }
        let is_negative = rng.chance(0.5);
        let delta = if draw < 0.4 {
            // A step on the decimal grid, as people write numbers.
            let digits = (&self.high - &self.low).to_string().len();
            BigInt::from(10).pow(rng.below(digits) as u32)
        } else {
            let bits = (&self.high - &self.low).bits() as f64 * share;
            let exponents = 1 + rng.below((bits as usize).max(1));
            BigInt::from(1) << rng.below(exponents)
        };
        self.value(if is_negative { count - delta } else { count + delta })
    }
}

/// Uniform in `0..=most`, but for a bias below 2^-64.
fn uniform(rng: &mut Rng, most: &BigInt) -> BigInt {
    let bits = most.bits() + 64;
    let words = bits.div_ceil(32);
    let digits: Vec<u32> = (0..words).map(|_| rng.bits() as u32).collect();
    let number = BigInt::from_slice(Sign::Plus, &digits);
    let range = most + 1;
    (number * range) >> (words * 32)
}

impl From<DecimalSpec> for GeneSpec {
    fn from(spec: DecimalSpec) -> Self {
        Self::Decimal(Arc::new(spec))
    }
}

impl Walk<'_> {
    pub(crate) fn sample_decimal(&mut self, spec: &DecimalSpec) -> Decimal {
        if let Some(copied) = self.draw.copied(exact_number) {
            return spec.nearest(&copied);
        }
        let boundary = self.draw.settings.boundary;
        spec.sample(&mut self.draw.rng, boundary)
    }

    pub(crate) fn mutate_decimal(&mut self, spec: &DecimalSpec, number: &mut Decimal) -> bool {
        let (boundary, share) = (self.draw.settings.boundary, self.draw.scheduled(1.0, 0.3));
        for _ in 0..10 {
            let mutant = match self.draw.copied(exact_number) {
                Some(copied) => spec.nearest(&copied),
                None => spec.mutant(number, &mut self.draw.rng, boundary, share),
            };
            if mutant != *number {
                *number = mutant;
                return true;
            }
        }
        let next = spec.moved(number, 1).or_else(|| spec.moved(number, -1));
        next.is_some_and(|next| {
            *number = next;
            true
        })
    }
}

fn exact_number(gene: &Gene) -> Option<Decimal> {
    match gene {
        Gene::Integer(value) => Some(Decimal::from(i64::from(*value))),
        Gene::Long(value) => Some(Decimal::from(*value)),
        Gene::Float(value) => Some(Decimal::from_f64(value.get())),
        Gene::Decimal(value) => Some((**value).clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_numbers_reach_both_ends_and_stay_inside() {
        let mut rng = Rng::new(1, 1);
        let mut seen = [false; 4];
        for _ in 0..200 {
            let number = uniform(&mut rng, &BigInt::from(3));
            seen[usize::try_from(number).unwrap()] = true;
        }
        assert_eq!(seen, [true; 4]);
        let most = BigInt::from(10).pow(60);
        let large = (0..100).filter(|_| uniform(&mut rng, &most) > &most / 2).count();
        assert!((25..75).contains(&large), "{large} of 100 in the upper half");
    }
}
