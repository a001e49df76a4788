//! Texts that follow patterns and formats.

use wallace_genes::{Rng, Specialisation};

use super::TextRule;
use crate::rest::schema::{is_of_format, text_matches};

/// Tries to find a text that follows a pattern and the bounds on its length.
const TRIES: usize = 20;

impl TextRule {
    /// Whether it says more than the bounds on length.
    pub(super) fn has_meaning(&self) -> bool {
        let has_format = self.format.as_deref().is_some_and(|format| {
            is_of_format(format, "").is_some() || matches!(format, "byte" | "hostname" | "regex")
        });
        has_format || !self.patterns.is_empty()
    }

    /// Whether a text is within the bounds on its length.
    pub(super) fn has_length(&self, text: &str) -> bool {
        let length = text.chars().count() as u64;
        length >= u64::from(self.lengths.0) && length <= u64::from(self.lengths.1)
    }

    /// Whether a text follows the rule.
    pub(crate) fn allows(&self, text: &str) -> bool {
        let format = self.format.as_deref();
        self.has_length(text)
            && self.patterns.iter().all(|pattern| text_matches(pattern, text))
            && format.is_none_or(|format| is_of_format(format, text) != Some(false))
            && (format != Some("byte") || is_base64(text))
            && (format != Some("hostname") || is_host_name(text))
            && (format != Some("regex") || has_no_operators(text))
            && (!matches!(format, Some("uri" | "url")) || has_uri_characters(text))
    }

    /// A text that follows the rule; `None` when none was found.
    pub(crate) fn text(&self, rng: &mut Rng) -> Option<String> {
        for _ in 0..TRIES {
            let text = match (self.patterns.first(), self.format.as_deref()) {
                (Some(pattern), _) => {
                    let pattern = crate::rest::schema::readable(pattern).into();
                    Specialisation::Regex { pattern, is_whole: false }.text(rng)?
                }
                (None, Some(format)) => of_format(format, rng)?,
                (None, None) => return None,
            };
            let text = self.stretched(text);
            if self.allows(&text) {
                return Some(text);
            }
        }
        None
    }

    /// A pattern that allows it lets the last character be repeated until the text is long enough.
    fn stretched(&self, mut text: String) -> String {
        let missing = (self.lengths.0 as usize).saturating_sub(text.chars().count());
        if let Some(last) = text.chars().last() {
            text.extend(std::iter::repeat_n(last, missing.min(10_000)));
        }
        text
    }
}

fn of_format(format: &str, rng: &mut Rng) -> Option<String> {
    let word = word(rng);
    Some(match format {
        "email" => format!("{word}@example.com"),
        "uri" | "url" => format!("http://example.com/{word}"),
        "regex" => word,
        "hostname" => format!("{word}.example.com"),
        "ipv6" => format!("2001:db8::{:x}", rng.below(65_536)),
        "uuid" => format!("{:08x}-0000-4000-8000-{:012x}", rng.bits() as u32, rng.bits() >> 16),
        "date" => {
            format!("20{:02}-{:02}-{:02}", rng.below(40), 1 + rng.below(12), 1 + rng.below(28))
        }
        "date-time" => format!(
            "20{:02}-{:02}-{:02}T{:02}:00:00Z",
            rng.below(40),
            1 + rng.below(12),
            1 + rng.below(28),
            rng.below(24)
        ),
        "time" => format!("{:02}:{:02}:00Z", rng.below(24), rng.below(60)),
        "ipv4" => format!("10.{}.{}.{}", rng.below(256), rng.below(256), rng.below(256)),
        // Whole groups of four characters need no padding.
        "byte" => (0..1 + rng.below(4)).map(|_| "YWJj").collect(),
        _ => return None,
    })
}

fn word(rng: &mut Rng) -> String {
    (0..3 + rng.below(6)).map(|_| char::from(b'a' + rng.below(26) as u8)).collect()
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - body.len() <= 2
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/')
}

/// Whether a text is a regular expression in every dialect: it has no operators.
fn has_no_operators(text: &str) -> bool {
    !text.contains(['\\', '^', '$', '.', '|', '?', '*', '+', '(', ')', '[', ']', '{', '}', '/'])
}

/// Whether all characters may stand in a URI as they are, with whole escapes (RFC 3986, 2). What is
/// received is judged less strictly: many services show addresses with other characters.
fn has_uri_characters(text: &str) -> bool {
    let is_allowed =
        |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=%".contains(&byte);
    let is_escape = |rest: &str| {
        rest.as_bytes().get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    text.bytes().all(is_allowed)
        && text.matches('#').count() <= 1
        && text.split('%').skip(1).all(is_escape)
}

fn is_host_name(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() < 64
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    text.len() < 254 && text.split('.').all(is_label)
}
