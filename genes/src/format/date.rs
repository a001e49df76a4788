//! Days of the proleptic Gregorian calendar.

use super::TextFormat;
use super::edit::{digits, moved};
use crate::rng::Rng;

/// Specification of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateSpec {
    /// First year, 0 to 9999.
    pub first_year: u16,
    /// Last year, 0 to 9999.
    pub last_year: u16,
}

impl Default for DateSpec {
    /// The years 1900 to 2100.
    fn default() -> Self {
        Self { first_year: 1900, last_year: 2100 }
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
        Day { year, month, day }.write()
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some(mut day) = Day::parse(text) else { return self.sample(rng) };
        let (first, last) = self.years();
        match rng.below(3) {
            0 => day.year = moved(day.year, first, last, rng),
            1 => day.month = moved(day.month, 1, 12, rng),
            _ => day.day = moved(day.day, 1, days_in(day.year, day.month), rng),
        }
        day.day = day.day.min(days_in(day.year, day.month));
        day.write()
    }

    fn is_valid(&self, text: &str) -> bool {
        let Some(day) = Day::parse(text) else { return false };
        let (first, last) = self.years();
        (first..=last).contains(&day.year)
            && (1..=12).contains(&day.month)
            && (1..=days_in(day.year, day.month)).contains(&day.day)
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
