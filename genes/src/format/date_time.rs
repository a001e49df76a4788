//! Points in time: a day, the letter T, and a time of day.

use super::TextFormat;
use super::date::DateSpec;
use super::notation::Notation;
use super::time::TimeSpec;
use crate::rng::Rng;

/// Moments that many programs treat apart: the epoch, the last second of 32 bits, a leap day, the
/// ends of a year.
const SPECIAL: [&str; 5] = [
    "1970-01-01T00:00:00",
    "2038-01-19T03:14:07",
    "2000-02-29T00:00:00",
    "1999-12-31T23:59:59",
    "2024-12-31T23:59:59",
];

/// Specification of points in time, with an offset from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DateTimeSpec {
    /// The day.
    pub date: DateSpec,
    /// How they are written, where that is not as RFC 3339 asks; both are valid then.
    pub notation: Option<Notation>,
}

/// The time of day.
const TIME: TimeSpec = TimeSpec { has_offset: true };

/// Day and time; the standard allows a space between them.
fn split(text: &str) -> Option<(&str, &str)> {
    text.split_once(['T', 't', ' '])
}

impl TextFormat for DateTimeSpec {
    fn sample(&self, rng: &mut Rng) -> String {
        if let Some(notation) = self.notation {
            return notation.write(&self.date.sample(rng), &TIME.sample(rng));
        }
        if rng.chance(0.1) {
            let special = format!("{}Z", SPECIAL[rng.below(SPECIAL.len())]);
            if self.is_valid(&special) {
                return special;
            }
        }
        format!("{}T{}", self.date.sample(rng), TIME.sample(rng))
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        if self.notation.is_some() {
            return self.sample(rng);
        }
        match split(text) {
            Some((date, time)) if rng.chance(0.5) => {
                format!("{}T{time}", self.date.mutant(date, rng))
            }
            Some((date, time)) => format!("{date}T{}", TIME.mutant(time, rng)),
            None => self.sample(rng),
        }
    }

    fn is_valid(&self, text: &str) -> bool {
        let valid = |(date, time)| self.date.is_valid(date) && TIME.is_valid(time);
        self.notation.is_some_and(|notation| Notation::of(text) == Some(notation))
            || split(text).is_some_and(valid)
    }

    fn simplest(&self) -> String {
        if let Some(notation) = self.notation {
            return notation.write(&self.date.simplest(), &TIME.simplest());
        }
        format!("{}T{}", self.date.simplest(), TIME.simplest())
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        if self.notation.is_some() {
            return Vec::new();
        }
        let Some((date, time)) = split(text) else { return Vec::new() };
        let (no_date, no_time) = (self.date.simplest(), TIME.simplest());
        let mut texts = vec![format!("{date}T{no_time}"), format!("{no_date}T{time}")];
        texts.extend(self.date.simpler(date).iter().map(|date| format!("{date}T{time}")));
        texts.extend(TIME.simpler(time).iter().map(|time| format!("{date}T{time}")));
        texts
    }

    fn weight(&self) -> f64 {
        self.date.weight() + TIME.weight()
    }
}
