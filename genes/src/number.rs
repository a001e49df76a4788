//! Numbers: integers of 32 and 64 bits, and finite doubles.
//!
//! Mutation follows MIO for web services (docs/reference/genes.md#numbers): steps of a power of
//! two whose largest exponent falls during the search, for doubles times a normal deviate; beside
//! it boundaries and copies from the same test, since equality between two inputs is common in
//! conditions and hard to reach by steps.

mod bounds;
mod decimal;

pub use bounds::{EmptyRange, NumberBounds};
pub use decimal::DecimalSpec;

use crate::gene::{Finite, Gene};
use crate::spec::{FloatSpec, IntegerSpec, LongSpec};
use crate::walk::Walk;

/// Width of the window that most integers are sampled from.
const WINDOW: i64 = 1000;
/// Share of integers sampled from the window.
const IN_WINDOW: f64 = 0.95;

impl Walk<'_> {
    pub(crate) fn sample_integer(&mut self, spec: &IntegerSpec) -> i32 {
        self.sample_whole(i64::from(spec.min), i64::from(spec.max)) as i32
    }

    pub(crate) fn sample_long(&mut self, spec: &LongSpec) -> i64 {
        self.sample_whole(spec.min, spec.max)
    }

    fn sample_whole(&mut self, min: i64, max: i64) -> i64 {
        if self.draw.rng.chance(self.draw.settings.boundary) {
            return self.boundary(min, max);
        }
        if let Some(copied) = self.draw.copied(whole_number) {
            return copied.clamp(min, max);
        }
        let is_wide = i128::from(max) - i128::from(min) > i128::from(WINDOW);
        if is_wide && self.draw.rng.chance(IN_WINDOW) {
            // Small numbers of either sign, as far as the range holds them.
            let low = (-WINDOW / 10).clamp(min, max.saturating_sub(WINDOW));
            return self.draw.rng.between(low, low + WINDOW);
        }
        self.draw.rng.between(min, max)
    }

    fn boundary(&mut self, min: i64, max: i64) -> i64 {
        let candidates = [min, max, 0, 1, -1];
        candidates[self.draw.rng.below(candidates.len())].clamp(min, max)
    }

    pub(crate) fn mutate_integer(&mut self, spec: &IntegerSpec, value: i32) -> i32 {
        let (min, max) = (i64::from(spec.min), i64::from(spec.max));
        self.mutate_whole(min, max, i64::from(value), 30) as i32
    }

    pub(crate) fn mutate_long(&mut self, spec: &LongSpec, value: i64) -> i64 {
        self.mutate_whole(spec.min, spec.max, value, 62)
    }

    fn mutate_whole(&mut self, min: i64, max: i64, value: i64, exponents: u32) -> i64 {
        if min == max {
            return min;
        }
        for _ in 0..10 {
            let mutant = self.mutant_of_whole(min, max, value, exponents);
            if mutant != value {
                return mutant;
            }
        }
        if value < max { value + 1 } else { value - 1 }
    }

    fn mutant_of_whole(&mut self, min: i64, max: i64, value: i64, exponents: u32) -> i64 {
        let settings = &self.draw.settings;
        let (boundary, copy) = (settings.boundary, settings.copy);
        let draw = self.draw.rng.unit();
        if draw < boundary {
            return self.boundary(min, max);
        }
        if draw < boundary + copy {
            // The sign is what symmetric code tells apart, and no single step changes only that.
            return value.checked_neg().unwrap_or(max).clamp(min, max);
        }
        if let Some(copied) = self.draw.copied(whole_number) {
            return copied.clamp(min, max);
        }
        let largest = self.draw.scheduled(f64::from(exponents), 9.0) as usize;
        // Twice drawn: near a boundary only small steps help, and there are few of them.
        let exponents = 1 + self.draw.rng.below(largest.max(1));
        let delta = 1_i64 << self.draw.rng.below(exponents);
        let delta = if self.draw.rng.chance(0.5) { delta } else { -delta };
        value.saturating_add(delta).clamp(min, max)
    }

    pub(crate) fn sample_float(&mut self, spec: &FloatSpec) -> Gene {
        let draw = self.draw.rng.unit();
        let number = if draw < self.draw.settings.boundary {
            self.float_boundary(spec)
        } else if let Some(copied) = self.draw.copied(number) {
            copied
        } else if draw < 0.5 {
            // A whole number, as people write them.
            self.draw.rng.between(-10, WINDOW / 10) as f64
        } else {
            self.draw.rng.unit() * self.draw.rng.between(-WINDOW / 10, WINDOW) as f64
        };
        Gene::float(number.clamp(spec.min, spec.max))
    }

    fn float_boundary(&mut self, spec: &FloatSpec) -> f64 {
        let candidates = [spec.min, spec.max, 0.0, -0.0, 1.0, -1.0, f64::MIN_POSITIVE, 5e-324];
        candidates[self.draw.rng.below(candidates.len())]
    }

    pub(crate) fn mutate_float(&mut self, spec: &FloatSpec, value: Finite) -> Finite {
        for _ in 0..10 {
            let mutant = self.mutant_of_float(spec, value.get()).clamp(spec.min, spec.max);
            if Finite::nearest(mutant) != value {
                return Finite::nearest(mutant);
            }
        }
        Finite::nearest(if value.get() == spec.min { spec.max } else { spec.min })
    }

    fn mutant_of_float(&mut self, spec: &FloatSpec, value: f64) -> f64 {
        if let Some(copied) = self.draw.copied(number) {
            return copied;
        }
        let draw = self.draw.rng.unit();
        let deviate = self.draw.rng.gaussian();
        match draw {
            small if small < 0.05 => self.float_boundary(spec),
            // A third of the steps are small (docs/reference/search.md#mio); relative ones follow
            // the scale.
            small if small < 0.30 => value + deviate,
            small if small < 0.45 => value * (1.0 + 0.1 * deviate),
            large if large < 0.70 => {
                let largest = self.draw.scheduled(30.0, 10.0) as usize;
                value + deviate * (1_u64 << self.draw.rng.below(largest.max(1))) as f64
            }
            // Fewer digits: conditions compare with numbers that people wrote.
            digits if digits < 0.80 => {
                let scale = libm::pow(10.0, self.draw.rng.below(4) as f64);
                let cut = libm::round(value * scale) / scale;
                if cut.is_finite() { cut } else { value }
            }
            // A step on a decimal grid, for the same reason.
            step if step < 0.90 => {
                let unit = libm::pow(10.0, self.draw.rng.below(6) as f64);
                let units = if self.draw.rng.chance(0.5) { 1.0 } else { -1.0 };
                let stepped = (libm::round(value * unit) + units) / unit;
                if stepped.is_finite() { stepped } else { value }
            }
            sign if sign < 0.95 => -value,
            _ => value / 2.0,
        }
    }
}

fn whole_number(gene: &Gene) -> Option<i64> {
    match gene {
        Gene::Integer(value) => Some(i64::from(*value)),
        Gene::Long(value) => Some(*value),
        Gene::Float(value) if value.get().abs() < 1e15 => Some(value.get() as i64),
        Gene::Decimal(value) => value.to_i64(),
        _ => None,
    }
}

fn number(gene: &Gene) -> Option<f64> {
    match gene {
        Gene::Integer(value) => Some(f64::from(*value)),
        Gene::Long(value) => Some(*value as f64),
        Gene::Float(value) => Some(value.get()),
        Gene::Decimal(value) => Some(value.to_f64()),
        _ => None,
    }
}
