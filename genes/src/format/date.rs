//! Days of the proleptic Gregorian calendar, and near misses of them.

use super::TextFormat;
use super::edit::{digits, moved};
use crate::rng::Rng;

/// Share of near misses among sampled days, where they are asked for.
const MISSES: f64 = 0.1;

/// Specification of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateSpec {
    /// First year, 0 to 9999.
    pub first_year: u16,
    /// Last year, 0 to 9999.
    pub last_year: u16,
    /// Whether days count that no calendar has, such as month 13 and February 30: a service ought
    /// to refuse them. A tenth of the samples are then such.
    pub has_misses: bool,
}

impl Default for DateSpec {
    /// The years 1900 to 2100, valid days only.
    fn default() -> Self {
        Self { first_year: 1900, last_year: 2100, has_misses: false }
    }
}

/// The parts of a written day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl Day {
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (year, month) = (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?);
        let day = digits(parts.next()?, 2)?;
        parts.next().is_none().then_some(Self { year, month, day })
    }

    fn write(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

impl DateSpec {
    fn years(&self) -> (i64, i64) {
        let first = i64::from(self.first_year.min(9999));
        (first, i64::from(self.last_year.min(9999)).max(first))
    }

    /// Bounds of month and day: one more on each side where near misses count.
    fn slack(&self) -> i64 {
        i64::from(self.has_misses)
    }

    fn most_days(&self, day: Day) -> i64 {
        if self.has_misses { 32 } else { days_in(day.year, day.month) }
    }
}

impl TextFormat for DateSpec {
    fn sample(&self, rng: &mut Rng) -> String {
        let (first, last) = self.years();
        let year = match rng.below(4) {
            // Most services deal with the present; leap years have a day of their own.
            0 => 2000_i64.clamp(first, last),
            1 => rng.between(2020, 2030).clamp(first, last),
            _ => rng.between(first, last),
        };
        let month = rng.between(1, 12);
        let most = days_in(year, month);
        let day = if rng.chance(0.2) { most } else { rng.between(1, most) };
        let mut day = Day { year, month, day };
        if self.has_misses && rng.chance(MISSES) {
            match rng.below(4) {
                0 => day.month = 0,
                1 => day.month = 13,
                2 => day.day = 0,
                _ => day.day = days_in(year, month) + 1,
            }
        }
        day.write()
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some(mut day) = Day::parse(text) else { return self.sample(rng) };
        let (first, last) = self.years();
        let slack = self.slack();
        match rng.below(3) {
            0 => day.year = moved(day.year, first, last, rng),
            1 => day.month = moved(day.month, 1 - slack, 12 + slack, rng),
            _ => day.day = moved(day.day, 1 - slack, self.most_days(day), rng),
        }
        day.day = day.day.min(self.most_days(day));
        day.write()
    }

    fn is_valid(&self, text: &str) -> bool {
        let Some(day) = Day::parse(text) else { return false };
        let (first, last) = self.years();
        let slack = self.slack();
        (first..=last).contains(&day.year)
            && (1 - slack..=12 + slack).contains(&day.month)
            && (1 - slack..=self.most_days(day)).contains(&day.day)
    }

    fn simplest(&self) -> String {
        Day { year: self.years().0, month: 1, day: 1 }.write()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let Some(day) = Day::parse(text) else { return Vec::new() };
        let (first, _) = self.years();
        let mut days = vec![Day { month: 1, day: 1, ..day }, Day { year: first, ..day }];
        let mut distance = (day.year - first) / 2;
        while distance > 0 {
            days.push(Day { year: day.year - distance, ..day });
            distance /= 2;
        }
        let halves = [2, 4, 8, 16].map(|part| Day { day: day.day - day.day / part, ..day });
        days.extend([Day { month: 1, ..day }, Day { day: 1, ..day }]);
        days.extend([
            Day { month: (day.month - 1).max(1), ..day },
            Day { day: (day.day - 1).max(1), ..day },
        ]);
        days.into_iter().chain(halves).map(Day::write).collect()
    }

    fn weight(&self) -> f64 {
        3.0
    }
}
