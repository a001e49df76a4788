//! Values that look as if the next run gives other ones.
//!
//! A test that expects such a value fails without reason, and a suite with a few of these
//! is not looked at any more. So the rules rather throw out a stable value than keep a
//! volatile one: its kind is still checked. What the request itself contains is an echo
//! and stays. Running a test again finds more than any rule: see
//! [`Derivation::volatile`](crate::Derivation).

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::Value;
use wallace_problems::is_random;

use crate::date::{SECONDS_PER_DAY, days_since_1970};

/// How far from the time of recording a date still counts as "now", in days. Two, since
/// time zones shift dates by one and a run may pass midnight.
const NOW_IN_DAYS: u64 = 2;

/// Texts that change from run to run wherever they stand.
static ALWAYS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    patterns(&[
        // UUID.
        r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}",
        // Address in memory, and the hash that stands for an object: Order@1b6d3586.
        r"\b0x[0-9a-fA-F]{6,}\b",
        r"[\w$;\]]@[0-9a-f]{5,16}(?:[^.\w-]|$)",
        // Host and port; a file and a line look alike and shift as easily.
        r"\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\w-]+\.)+[A-Za-z]{2,}):\d{2,5}\b",
        r"\[[0-9a-fA-F:]*::[0-9a-fA-F]*\]:\d{2,5}\b",
        // Date of an HTTP header or a mail; time of day with fractions.
        r"\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* \d{4},? \d{2}:\d{2}",
        r"\b\d{2}:\d{2}:\d{2}[.,]\d+",
        // How long something took.
        r"\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|millis|milliseconds|seconds|secs)\b",
        // Methods of a path: a set, whose order may come from the process.
        r"\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\W{1,4}(?:(?:and|or) )?(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\b",
        // JSON Web Token.
        r"\beyJ[\w-]{8,}\.[\w-]+",
    ])
});

/// Hexadecimal digits in a row: digests and generated identifiers.
static LONG_HEX: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-fA-F]{16,}\b"));

/// Letters and digits in a row: random tokens, if all kinds of them are mixed, or capitals and small letters change often.
static LONG_WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[\w-]{20,}\b"));

/// A count in a sentence: of what is there, of bytes, of days until today.
static COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d{5,}\b"));

/// A date, perhaps with a time of day.
static DATE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}))?"));

/// Names of fields whose values are made anew by every run.
static VOLATILE_KEY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) ^_?(?i:ids?|uuid|guid|timestamp|etag|nonce|self|cursor|token)$
        | [a-z0-9_]Ids?$ | _ids?$ | ID$
        | (?:[cC]reated|[uU]pdated|[mM]odified|[iI]ssued|[eE]xpires)_?(?:[aA]t|[oO]n|[dD]ate|[tT]ime)$
        | [lL]ast_?(?:[mM]odified|[sS]een|[lL]ogin)$ | [tT]imestamp$ | [tT]oken$",
    )
});

fn patterns(texts: &[&str]) -> Vec<Regex> {
    texts.iter().map(|text| pattern(text)).collect()
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is a constant that the tests compile")
}

/// The rules, knowing what was asked and when.
#[derive(Debug)]
pub(crate) struct StaticRules {
    /// Everything literal of the request.
    pub(crate) request_text: String,
    /// When the answer came, in seconds since 1970.
    pub(crate) recorded_at: Option<u64>,
    /// Values that earlier answers gave and this request sent; the next run has others.
    pub(crate) captured_texts: Vec<String>,
}

impl StaticRules {
    /// Whether the scalar under this key is likely to differ in the next run.
    pub(crate) fn is_volatile(&self, key: &str, value: &Value) -> bool {
        match value {
            Value::String(text) => {
                self.is_unasked_identity(key, text) || self.is_volatile_text(text)
            }
            Value::Number(number) => {
                let text = number.to_string();
                self.is_unasked_identity(key, &text) || self.is_epoch(&text)
            }
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
        }
    }

    /// Whether the text contains anything volatile that the request does not.
    pub(crate) fn is_volatile_text(&self, text: &str) -> bool {
        let is_new = |found: &str| !self.request_text.contains(found);
        ALWAYS.iter().any(|rule| rule.find_iter(text).any(|found| is_new(found.as_str())))
            || LONG_HEX.find_iter(text).any(|hex| is_digest(hex.as_str()) && is_new(hex.as_str()))
            || LONG_WORD
                .find_iter(text)
                .any(|word| is_token(word.as_str()) && is_new(word.as_str()))
            || DATE.captures_iter(text).any(|date| is_new(&date[0]) && self.is_now(&date))
            || text.contains(' ')
                && COUNT.find_iter(text).any(|it| is_count(it.as_str()) && is_new(it.as_str()))
            || self.is_epoch(text)
            || self.captured_texts.iter().any(|captured| is_part(captured, text))
    }

    fn is_unasked_identity(&self, key: &str, text: &str) -> bool {
        VOLATILE_KEY.is_match(key) && !names_identity(&self.request_text, text)
    }

    /// Whether a date is near the time of recording, or a moment ahead of it: when something that begins
    /// now ends. Without that time a date with a time of day counts as now, and one without does not: those
    /// are birthdays.
    fn is_now(&self, date: &Captures<'_>) -> bool {
        let Some(recorded_at) = self.recorded_at else { return date.get(4).is_some() };
        let part = |index: usize| date[index].parse::<i64>().unwrap_or(0);
        let today = i64::try_from(recorded_at / SECONDS_PER_DAY).unwrap_or(0);
        days_since_1970(part(1), part(2), part(3)).is_some_and(|day| {
            let is_ahead = day > today && date.get(4).is_some();
            is_ahead || day.abs_diff(today) <= NOW_IN_DAYS
        })
    }

    /// Whether the text is a count of seconds or milliseconds since 1970 near the time of
    /// recording.
    fn is_epoch(&self, text: &str) -> bool {
        let Some(recorded_at) = self.recorded_at else { return false };
        let Ok(number) = text.parse::<u64>() else { return false };
        let is_near = |seconds: u64| seconds.abs_diff(recorded_at) <= NOW_IN_DAYS * SECONDS_PER_DAY;
        (is_near(number) || is_near(number / 1_000)) && !self.request_text.contains(text)
    }
}

/// Whether a number is no limit, as people and computers choose them: 10000, 99999, 65535.
fn is_count(digits: &str) -> bool {
    digits.parse::<u64>().is_ok_and(|number| {
        let next = number.saturating_add(1);
        let is_round = |number: u64| number.is_multiple_of(100) || number.is_power_of_two();
        !is_round(number) && !is_round(next)
    })
}

/// Whether hexadecimal digits mix letters and digits; mere digits are a large number.
fn is_digest(hex: &str) -> bool {
    hex.bytes().any(|byte| byte.is_ascii_digit()) && hex.bytes().any(|byte| !byte.is_ascii_digit())
}

/// Whether a text occurs in another one as a whole word.
pub(super) fn is_part(part: &str, text: &str) -> bool {
    !part.is_empty()
        && text.match_indices(part).any(|(start, _)| {
            let (before, after) = (&text[..start], &text[start + part.len()..]);
            !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
        })
}

fn is_token(word: &str) -> bool {
    let has = |test: fn(&u8) -> bool| word.as_bytes().iter().any(test);
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    is_mixed && has(u8::is_ascii_digit) || is_random(word)
}

/// Whether the request names this identity: after a key that ends in "id", or as the
/// segment of a path. Any other occurrence is chance; identities are often small numbers.
fn names_identity(request_text: &str, identity: &str) -> bool {
    if identity.is_empty() {
        return false;
    }
    request_text.match_indices(identity).any(|(start, _)| {
        let (before, after) = (&request_text[..start], &request_text[start + identity.len()..]);
        let ends = after.chars().next().is_none_or(|next| !next.is_alphanumeric());
        let key = before.trim_end_matches(['"', ' ', ':', '\\', '[', '=']);
        let is_named = key.len() < before.len() && ends_with_id(key);
        ends && (is_named || before.ends_with('/'))
    })
}

fn ends_with_id(key: &str) -> bool {
    let tail = key.len().checked_sub(2).and_then(|start| key.get(start..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case("id")) || key.ends_with("ids")
}

#[cfg(test)]
mod tests;
