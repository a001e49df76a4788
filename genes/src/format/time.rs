//! Times of day.

use super::TextFormat;
use super::edit::{digits, moved};
use crate::rng::Rng;

/// Most digits of a fraction of a second that are made.
const FRACTION: usize = 9;

/// Specification of times of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeSpec {
    /// Whether an offset from UTC follows, as RFC 3339 requires; a local time otherwise.
    pub has_offset: bool,
}

impl Default for TimeSpec {
    /// With an offset.
    fn default() -> Self {
        Self { has_offset: true }
    }
}

/// The parts of a written time.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Clock {
    hour: i64,
    minute: i64,
    second: i64,
    /// Digits of the fraction; empty when there is none.
    fraction: String,
    /// Minutes from UTC; `None` is written `Z`.
    offset: Option<i64>,
    is_local: bool,
}

impl Clock {
    fn parse(text: &str) -> Option<Self> {
        let (clock, offset, is_local) = split_offset(text)?;
        let (clock, fraction) = match clock.split_once('.') {
            Some((clock, fraction)) if !fraction.is_empty() => (clock, fraction),
            Some(_) => return None,
            None => (clock, ""),
        };
        let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit());
        let mut parts = clock.split(':');
        let mut part = || digits(parts.next()?, 2);
        let (hour, minute, second) = (part()?, part()?, part()?);
        (is_fraction && parts.next().is_none()).then(|| Self {
            hour,
            minute,
            second,
            fraction: fraction.to_owned(),
            offset,
            is_local,
        })
    }

    fn write(&self) -> String {
        let Self { hour, minute, second, fraction, .. } = self;
        let point = if fraction.is_empty() { "" } else { "." };
        let offset = match self.offset {
            _ if self.is_local => String::new(),
            None => "Z".to_owned(),
            Some(minutes) => {
                let sign = if minutes < 0 { '-' } else { '+' };
                format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
        };
        format!("{hour:02}:{minute:02}:{second:02}{point}{fraction}{offset}")
    }
}

/// The clock, the offset in minutes, and whether there is none.
fn split_offset(text: &str) -> Option<(&str, Option<i64>, bool)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, None, false));
    }
    let Some(place) = text.rfind(['+', '-']) else { return Some((text, None, true)) };
    let (hours, minutes) = text[place + 1..].split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    let is_valid = hours < 24 && minutes < 60;
    let offset = if text[place..].starts_with('-') { -1 } else { 1 } * (60 * hours + minutes);
    is_valid.then_some((&text[..place], Some(offset), false))
}

impl TimeSpec {
    fn offset(rng: &mut Rng) -> Option<i64> {
        // Offsets in use lie between -12 and +14 hours, mostly whole ones (and UTC).
        let hours = rng.between(-12, 14);
        let minutes = [0, 0, 30, 45][rng.below(4)];
        rng.chance(0.4).then_some(60 * hours + minutes)
    }

    fn fraction(rng: &mut Rng) -> String {
        if rng.chance(0.8) {
            return String::new();
        }
        let length = [1, 3, 6, FRACTION][rng.below(4)];
        (0..length).map(|_| char::from(b'0' + rng.below(10) as u8)).collect()
    }
}

impl TextFormat for TimeSpec {
    fn sample(&self, rng: &mut Rng) -> String {
        let (mut hour, mut minute) = (rng.between(0, 23), rng.between(0, 59));
        let mut second = rng.between(0, 59);
        match rng.below(8) {
            0 => (hour, minute, second) = (0, 0, 0),
            1 => (hour, minute, second) = (23, 59, 59),
            _ => {}
        }
        let (fraction, offset) = (Self::fraction(rng), Self::offset(rng));
        Clock { hour, minute, second, fraction, offset, is_local: !self.has_offset }.write()
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some(mut clock) = Clock::parse(text) else { return self.sample(rng) };
        match rng.below(if self.has_offset { 5 } else { 4 }) {
            0 => clock.hour = moved(clock.hour, 0, 23, rng),
            1 => clock.minute = moved(clock.minute, 0, 59, rng),
            2 => clock.second = moved(clock.second, 0, 59, rng),
            3 => clock.fraction = Self::fraction(rng),
            _ => clock.offset = Self::offset(rng),
        }
        clock.write()
    }

    fn is_valid(&self, text: &str) -> bool {
        let Some(clock) = Clock::parse(text) else { return false };
        clock.is_local != self.has_offset
            && clock.hour <= 23
            && clock.minute <= 59
            // A leap second is right, but few clocks know it: none is made.
            && clock.second <= 60
    }

    fn simplest(&self) -> String {
        if self.has_offset { "00:00:00Z" } else { "00:00:00" }.to_owned()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let Some(clock) = Clock::parse(text) else { return Vec::new() };
        let mut clocks = vec![
            Clock { fraction: String::new(), ..clock.clone() },
            Clock { offset: None, ..clock.clone() },
            Clock { minute: 0, second: 0, ..clock.clone() },
        ];
        for part in [0, 2] {
            let less = |value: i64| if part == 0 { 0 } else { value / part };
            clocks.push(Clock { hour: less(clock.hour), ..clock.clone() });
            clocks.push(Clock { minute: less(clock.minute), ..clock.clone() });
            clocks.push(Clock { second: less(clock.second), ..clock.clone() });
        }
        clocks.push(Clock { hour: clock.hour - 1, ..clock.clone() });
        clocks.push(Clock { minute: clock.minute - 1, ..clock.clone() });
        clocks.push(Clock { second: clock.second - 1, ..clock });
        clocks.into_iter().map(|clock| clock.write()).collect()
    }

    fn weight(&self) -> f64 {
        if self.has_offset { 4.0 } else { 3.0 }
    }
}
