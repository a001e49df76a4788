//! Parameter control: what the parameters are at this moment of the run.

use crate::settings::SearchSettings;

/// The parameters of MIO at a used share of the budget (search-mio.md 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// Progress towards focused search in `[0, 1]`.
    pub progress: f64,
    /// Probability of sampling.
    pub sampling: f64,
    /// Tests kept for each target.
    pub population: usize,
    /// Mutations for each test picked.
    pub mutations: u32,
}

impl Schedule {
    /// The parameters when the share `used` of the budget is spent.
    #[must_use]
    pub fn at(settings: &SearchSettings, used: f64) -> Self {
        let progress =
            if settings.focus > 0.0 { (used / settings.focus).clamp(0.0, 1.0) } else { 1.0 };
        let between = |start: f64, end: f64| start + (end - start) * progress;
        Self {
            progress,
            sampling: between(settings.sampling_start, settings.sampling_end),
            population: rounded(between(settings.population_start, settings.population_end)),
            mutations: rounded(between(settings.mutations_start, settings.mutations_end))
                .min(u32::MAX as usize) as u32,
        }
    }
}

fn rounded(value: f64) -> usize {
    (libm::round(value) as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_move_linearly_until_focus() {
        let settings = SearchSettings { sampling_start: 0.8, ..SearchSettings::default() };
        let at = |used| {
            let schedule = Schedule::at(&settings, used);
            let sampling = libm::round(schedule.sampling * 100.0) as u32;
            (sampling, schedule.population, schedule.mutations)
        };
        // The table of search-mio.md 4.
        assert_eq!(at(0.0), (80, 10, 1));
        assert_eq!(at(0.2), (60, 8, 3));
        assert_eq!(at(0.4), (40, 6, 6));
        assert_eq!(at(0.6), (20, 3, 8));
        assert_eq!(at(0.8), (0, 1, 10));
        assert_eq!(at(1.0), (0, 1, 10));
    }
}
