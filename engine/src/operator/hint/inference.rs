//! What two scores tell about the value that a target wants.
//!
//! A score is a distance in disguise: drivers report `1 / (d + 1)`, `1 / (d + 1.1)` or
//! `b + (1 - b) / (d + 1)` for a distance `d` between what a condition compares
//! (driver-protocol.md 9). Undone, two scores and the values that led to them say where `d` is 0:
//! on one side of it the distance changes by the same whole number for each unit of the value. A
//! score of another form is told by that number not being whole; what is left then is to go on in
//! the direction that helped, in growing steps (Korel's alternating variable method, 1990).

use crate::target::Score;

/// Forms of scores: a base `b` and an offset `c`, in `b + (1 - b) / (d + c)`.
pub(crate) const FORMS: [(f64, f64); 5] =
    [(0.0, 1.0), (0.0, 1.1), (0.1, 1.0), (0.2, 1.0), (0.05, 1.0)];

/// Distance between two neighbouring lengths of a text (driver-protocol.md 9.1).
pub(crate) const LENGTH_STEP: f64 = 65_536.0;

/// The distance that a score of this form stands for; `None` when it cannot be of this form.
pub(crate) fn distance(score: Score, (base, offset): (f64, f64)) -> Option<f64> {
    let above = score.get() - base;
    let distance = (1.0 - base) / above - offset;
    (above > 0.0 && distance.is_finite() && distance > -1e-6).then_some(distance.max(0.0))
}

/// Two values of one position, and the scores of a target with them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Observation {
    pub(crate) before: f64,
    pub(crate) after: f64,
    pub(crate) score_before: Score,
    pub(crate) score_after: Score,
}

impl Observation {
    /// Values that solve a score of a known form, the more promising first; `None` when it is of no
    /// known form.
    pub(crate) fn solutions(&self) -> Option<[f64; 2]> {
        if self.score_before == self.score_after || self.before == self.after {
            return None;
        }
        // Whole values first want whole optima, which tells the forms apart.
        let mut broken = None;
        for form in FORMS {
            match self.optimum(form) {
                Some(optimum) if optimum.fract() == 0.0 => {
                    return Some(self.around(optimum, form));
                }
                Some(optimum) => _ = broken.get_or_insert((optimum, form)),
                None => {}
            }
        }
        broken.map(|(optimum, form)| self.around(optimum, form))
    }

    /// Where the distance is 0, were the score of this form.
    fn optimum(&self, form: (f64, f64)) -> Option<f64> {
        let (one, other) = (distance(self.score_before, form)?, distance(self.score_after, form)?);
        let step = self.after - self.before;
        let blur = 1e-6 + blur(one) + blur(other);
        let (slope, side) = [1.0, -1.0]
            .into_iter()
            .find_map(|side| Some((whole(one - side * other, step, blur)?, side)))?;
        // From the nearer value, whose distance is the sharper.
        let optimum =
            if one < other { self.before + one / slope } else { self.after + side * other / slope };
        Some(rounded(optimum))
    }

    /// The optimum and one unit beyond it, since conditions are strict or not; with a form that is
    /// not reached at the optimum one unit beyond it and one before.
    fn around(&self, optimum: f64, form: (f64, f64)) -> [f64; 2] {
        let unit = (optimum - self.before).signum();
        if form.1 > 1.0 { [optimum + unit, optimum - unit] } else { [optimum, optimum + unit] }
    }

    /// Without a known form: where a score that falls evenly would be 1, and a longer step in the
    /// same direction; a step back when it was the wrong one.
    pub(crate) fn steps(&self) -> Option<[f64; 2]> {
        if self.score_before == self.score_after || self.before == self.after {
            return None;
        }
        let step = self.after - self.before;
        let gain = self.score_after.get() - self.score_before.get();
        let even = self.after + step * (1.0 - self.score_after.get()) / gain;
        let next = if gain > 0.0 { self.after + 2.0 * step } else { self.before - step };
        Some([next, rounded(even)])
    }
}

/// How far off a distance may be that was computed from a score: a score is the difference of
/// numbers near 1, so a small one has few digits left.
fn blur(distance: f64) -> f64 {
    2e-16 * distance * distance
}

/// The whole number, other than 0, of which `step` makes `change`; `None` when there is none, or
/// when it is too large to mean anything.
fn whole(change: f64, step: f64, blur: f64) -> Option<f64> {
    let slope = libm::round(change / step);
    let fits = (change - slope * step).abs() <= blur && blur < 0.1 * step.abs();
    (fits && (1.0..1e6).contains(&slope.abs())).then_some(slope)
}

/// The number without the traces of floating-point arithmetic: people write few digits.
fn rounded(value: f64) -> f64 {
    for scale in [1.0, 10.0, 100.0, 1_000.0, 10_000.0] {
        let short = libm::round(value * scale) / scale;
        if (short - value).abs() <= 1e-7 * (1.0 + value.abs()) {
            return short;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(before: f64, after: f64, score: impl Fn(f64) -> f64) -> [f64; 2] {
        let (score_before, score_after) = (Score::new(score(before)), Score::new(score(after)));
        let observation = Observation { before, after, score_before, score_after };
        observation.solutions().or_else(|| observation.steps()).unwrap()
    }

    #[test]
    fn two_scores_of_a_known_form_tell_the_value() {
        for (before, after) in [(10.0, 17.0), (10.0, -3.0), (1e6, 4.0), (60.0, 20.0)] {
            for factor in [1.0, 3.0] {
                let equal = |x: f64| 1.0 / (1.0 + factor * (x - 42.0).abs());
                assert_eq!(observed(before, after, equal)[0], 42.0, "{before} {after} {factor}");
                let text = |x: f64| 0.1 + 0.9 / (1.0 + factor * (x - 42.0).abs());
                assert_eq!(observed(before, after, text)[0], 42.0, "{before} {after} {factor}");
            }
            let float = |x: f64| 0.2 + 0.8 / (1.0 + (x - 42.3).abs());
            assert_eq!(observed(before, after, float)[0], 42.3, "{before} {after}");
        }
        // `x < 42` is not reached at 42, only beyond it.
        assert_eq!(observed(60.0, 50.0, |x| 1.0 / (1.1 + (x - 42.0)))[0], 41.0);
    }

    #[test]
    fn other_scores_give_steps_in_the_direction_that_helped() {
        let curved = |x: f64| 1.0 / (1.0 + (x - 100.0).abs().sqrt());
        assert_eq!(observed(10.0, 14.0, curved)[0], 22.0);
        assert_eq!(observed(14.0, 10.0, curved)[0], 18.0);
        let even = |x: f64| 1.0 - (x - 100.0).abs() / 1_000.0;
        assert_eq!(observed(10.0, 14.0, even)[1], 100.0);
        let score = Score::new(0.5);
        let flat = Observation { before: 1.0, after: 2.0, score_before: score, score_after: score };
        assert_eq!((flat.solutions(), flat.steps()), (None, None));
    }
}
