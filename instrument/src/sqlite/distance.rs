//! Distances of single comparisons, as functions that SQLite calls.
//!
//! Own formulas: all are in `(0, 1)` and grow with what is wrong. That a comparison is true is not
//! decided here but by SQLite, which calls these only where it is not.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

use crate::text;

/// Distance of what can never become true by small steps: a null, other types.
const FAR: f64 = 1.0;
/// What a comparison of unlike types gives: nearer than a null.
const UNLIKE: f64 = 0.99;
/// Characters of a text that are compared with a pattern.
const PATTERN_LENGTH: usize = 200;

/// Makes the functions known to a connection.
pub(super) fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection
        .create_scalar_function("wallace_distance", 3, flags, |context| Ok(comparison(context)))?;
    connection.create_scalar_function("wallace_like", 3, flags, |context| {
        let (Ok(text), Ok(pattern)) = (context.get::<String>(0), context.get::<String>(1)) else {
            return Ok(FAR);
        };
        let escape = context.get::<Option<String>>(2).ok().flatten();
        Ok(pattern_distance(&text, &pattern, escape.and_then(|text| text.chars().next())))
    })
}

/// From `[0, ..)` to `(0, 1)`, keeping the order.
fn normalised(distance: f64) -> f64 {
    if distance.is_finite() {
        // What is not true is never at distance 0, however near.
        (distance / (distance + 1.0)).clamp(1e-9, 1.0 - 1e-9)
    } else {
        UNLIKE
    }
}

fn comparison(context: &Context<'_>) -> f64 {
    let operator = context.get_raw(0).as_str().unwrap_or_default();
    let (left, right) = (context.get_raw(1), context.get_raw(2));
    if left == ValueRef::Null || right == ValueRef::Null {
        return FAR;
    }
    if let (Some(left), Some(right)) = (number(left), number(right)) {
        let gap = (left - right).abs();
        return match operator {
            "<" | ">" => normalised(gap + 1.0),
            "<>" => UNLIKE,
            _ => normalised(gap),
        };
    }
    match (left.as_str(), right.as_str()) {
        (Ok(left), Ok(right)) => texts(operator, left, right),
        _ => UNLIKE,
    }
}

fn texts(operator: &str, left: &str, right: &str) -> f64 {
    match operator {
        // Texts differ as soon as one changes.
        "<>" => normalised(0.5),
        "=" => normalised(text::alignment(left, right) / 128.0),
        _ => match (time(left), time(right)) {
            (Some(left), Some(right)) => normalised((left - right).abs() + 1e-3),
            _ => (text::order(left, right) * 0.98).max(1e-6),
        },
    }
}

fn number(value: ValueRef<'_>) -> Option<f64> {
    match value {
        #[expect(clippy::cast_precision_loss, reason = "distances need no more than 53 bits")]
        ValueRef::Integer(number) => Some(number as f64),
        ValueRef::Real(number) => Some(number),
        ValueRef::Text(_) => value.as_str().ok()?.trim().parse().ok(),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

/// Days since some day long ago, of a text that begins like `2026-11-21 17:30:00`.
fn time(text: &str) -> Option<f64> {
    let digits = |range: std::ops::Range<usize>| -> Option<f64> {
        let part = text.get(range)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let is = |place: usize, wanted: &[u8]| {
        text.as_bytes().get(place).is_some_and(|byte| wanted.contains(byte))
    };
    if !is(4, b"-") || !is(7, b"-") {
        return None;
    }
    let days = digits(0..4)? * 372.0 + digits(5..7)? * 31.0 + digits(8..10)?;
    let clock = if is(10, b" T") && is(13, b":") {
        let seconds = digits(17..19).filter(|_| is(16, b":")).unwrap_or(0.0);
        digits(11..13)? * 3600.0 + digits(14..16)? * 60.0 + seconds
    } else {
        0.0
    };
    Some(days + clock / 86_400.0)
}

/// Least number of characters to change, add or take away until the text matches the pattern of
/// `LIKE`, which knows no case.
fn pattern_distance(text: &str, pattern: &str, escape: Option<char>) -> f64 {
    let text: Vec<char> = text.chars().take(PATTERN_LENGTH).map(lower).collect();
    // Changes from the text so far to the pattern so far, for every length of the text.
    let mut costs: Vec<f64> = (0..=text.len()).map(text::count).collect();
    let mut characters = pattern.chars().take(PATTERN_LENGTH);
    while let Some(mut character) = characters.next() {
        let is_escaped = Some(character) == escape;
        if is_escaped {
            let Some(next) = characters.next() else { break };
            character = next;
        }
        let mut next = Vec::with_capacity(costs.len());
        for place in 0..costs.len() {
            let cost = if character == '%' && !is_escaped {
                let stay = costs[place];
                next.last().map_or(stay, |last: &f64| last.min(stay))
            } else {
                let missing = costs[place] + 1.0;
                let Some(before) = place.checked_sub(1) else {
                    next.push(missing);
                    continue;
                };
                let is_any = character == '_' && !is_escaped;
                let change = if is_any { 0.0 } else { change(text[before], lower(character)) };
                missing.min(costs[before] + change).min(next[before] + 1.0)
            };
            next.push(cost);
        }
        costs = next;
    }
    normalised(costs.last().copied().unwrap_or(0.0))
}

fn lower(character: char) -> char {
    character.to_ascii_lowercase()
}

/// A near character is a little nearer.
fn change(from: char, to: char) -> f64 {
    if from == to {
        return 0.0;
    }
    0.5 + 0.5 * normalised(f64::from(u32::from(from).abs_diff(u32::from(to))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_nearer_with_less_to_change() {
        let like = |text, pattern| pattern_distance(text, pattern, Some('!'));
        assert!(like("Abc", "a%") < 1e-6);
        assert!(like("50%", "__!%") < 1e-6);
        assert!(like("xbc", "a%") > like("bbc", "a%"));
        assert!(like("hello", "%xyz%") > like("helloxy", "%xyz%"));
        assert!(like("", "___") > like("a", "___"));
        assert!(like("501", "__!%") > like("50%", "__!%"));
    }

    #[test]
    fn later_times_are_further() {
        let before = |right| texts("<", "2026-11-21 10:00:00", right);
        assert!(before("2026-11-20") < before("2026-10-20"));
        assert!(before("2026-11-21 09:59:59") < before("2026-11-21T09:00"));
        assert_eq!(time("2026-11-2x"), None);
        assert_eq!(time("2026-1é-21"), None);
    }
}
