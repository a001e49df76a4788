//! Formats of texts that have a strict meaning.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a text is of a format; `None` for formats without a strict meaning, which say nothing.
#[must_use]
pub fn is_of_format(format: &str, text: &str) -> Option<bool> {
    Some(match format {
        "date" => is_date(text),
        "date-time" => is_date_time(text),
        "time" => is_time(text),
        "uuid" => is_uuid(text),
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        "email" => is_email(text),
        "uri" | "url" => {
            text.split_once(':').is_some_and(|(scheme, rest)| {
                let mut letters = scheme.chars();
                letters.next().is_some_and(|first| first.is_ascii_alphabetic())
                    && letters
                        .all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
                    && !rest.is_empty()
            }) && text.chars().all(|letter| !letter.is_whitespace() && !letter.is_control())
        }
        _ => return None,
    })
}

fn digits(text: &str, range: std::ops::Range<usize>) -> Option<u32> {
    let part = text.get(range)?;
    part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
}

fn is_date(text: &str) -> bool {
    let parts = (digits(text, 0..4), digits(text, 5..7), digits(text, 8..10));
    let (Some(year), Some(month), Some(day)) = parts else { return false };
    let has_dashes = text.len() == 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-';
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    has_dashes && (1..=12).contains(&month) && (1..=days).contains(&day)
}

/// RFC 3339, with the space that it allows in place of the T.
fn is_date_time(text: &str) -> bool {
    let Some((date, time)) = text.split_at_checked(10) else { return false };
    is_date(date) && time.starts_with(['T', 't', ' ']) && is_time(&time[1..])
}

fn is_time(text: &str) -> bool {
    let parts = (digits(text, 0..2), digits(text, 3..5), digits(text, 6..8));
    let (Some(hour), Some(minute), Some(second)) = parts else { return false };
    if text.as_bytes()[2] != b':'
        || text.as_bytes()[5] != b':'
        || hour > 23
        || minute > 59
        || second > 60
    {
        return false;
    }
    let mut rest = &text[8..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
        if end == 0 {
            return false;
        }
        rest = &fraction[end..];
    }
    if matches!(rest, "Z" | "z") {
        return true;
    }
    let is_signed = rest.len() == 6 && rest.starts_with(['+', '-']) && rest.as_bytes()[3] == b':';
    is_signed
        && digits(rest, 1..3).is_some_and(|hours| hours < 24)
        && digits(rest, 4..6).is_some_and(|minutes| minutes < 60)
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_email(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        let right = [
            ("date", "2024-02-29"),
            ("date-time", "2024-02-29T23:59:60.123+01:00"),
            ("time", "00:00:00Z"),
            ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
            ("ipv4", "1.2.3.4"),
            ("ipv6", "::1"),
            ("email", "a@b"),
            ("uri", "urn:x"),
        ];
        for (format, text) in right {
            assert_eq!(is_of_format(format, text), Some(true), "{format}");
        }
        let wrong = [
            ("date", "2023-02-29"),
            ("date", "2023-2-9"),
            ("date-time", "2023-01-01"),
            ("date-time", "2023-01-01T00:00:00"),
            ("time", "24:00:00Z"),
            ("uuid", "x"),
            ("ipv4", "256.1.1.1"),
            ("email", "a b@c"),
            ("uri", "no scheme"),
            ("date", "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}"),
        ];
        for (format, text) in wrong {
            assert_eq!(is_of_format(format, text), Some(false), "{format} {text}");
        }
        assert_eq!(is_of_format("password", "x"), None);
    }
}
