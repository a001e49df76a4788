//! How a service writes points in time where it does not keep to RFC 3339: `2018-07-17T17:00:00.000+0200`.

/// The parts of a point in time with a nought for each digit.
const DATE: &str = "0000-00-00";
const MINUTES: &str = "00:00";
const SECONDS: &str = ":00";
/// Most digits of a fraction of a second.
const MOST_DIGITS: usize = 9;

/// How the offset from UTC is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Offset {
    None,
    Letter,
    Colon,
    Plain,
    Hours,
}

/// How points in time are written, read from one that was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Notation {
    has_blank: bool,
    has_seconds: bool,
    /// Digits of the fraction of a second.
    fraction: u8,
    offset: Offset,
}

impl Notation {
    /// The notation of a text; none where it is no point in time.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let noughts = |c: char| if c.is_ascii_digit() { '0' } else { c };
        let shape: String = text.chars().map(noughts).collect();
        let rest = shape.strip_prefix(DATE)?;
        let has_blank = rest.starts_with(' ');
        let rest = rest.strip_prefix(['T', ' '])?.strip_prefix(MINUTES)?;
        let (has_seconds, rest) = match rest.strip_prefix(SECONDS) {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (fraction, rest) = match rest.strip_prefix('.').filter(|_| has_seconds) {
            Some(rest) => {
                let offset = rest.trim_start_matches('0');
                (rest.len() - offset.len(), offset)
            }
            None => (0, rest),
        };
        let offset = match rest.trim_start_matches(['+', '-']) {
            _ if rest.is_empty() => Offset::None,
            "Z" if rest == "Z" => Offset::Letter,
            "00:00" => Offset::Colon,
            "0000" => Offset::Plain,
            "00" => Offset::Hours,
            _ => return None,
        };
        let fraction = u8::try_from(fraction).ok().filter(|it| usize::from(*it) <= MOST_DIGITS)?;
        Some(Self { has_blank, has_seconds, fraction, offset })
    }

    /// A day and a time of day (`17:00:00`, UTC) in this notation.
    pub(super) fn write(self, date: &str, time: &str) -> String {
        let between = if self.has_blank { ' ' } else { 'T' };
        let time = time.get(..if self.has_seconds { 8 } else { 5 }).unwrap_or(time);
        let fraction = match self.fraction {
            0 => String::new(),
            digits => format!(".{}", "0".repeat(digits.into())),
        };
        let offset = match self.offset {
            Offset::None => "",
            Offset::Letter => "Z",
            Offset::Colon => "+00:00",
            Offset::Plain => "+0000",
            Offset::Hours => "+00",
        };
        format!("{date}{between}{time}{fraction}{offset}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_as_one_that_was_shown() {
        for (shown, expected) in [
            ("2018-07-17T17:00:00.000+0200", "2024-02-29T10:20:30.000+0000"),
            ("2018-07-17 17:00:00", "2024-02-29 10:20:30"),
            ("2018-07-17T17:00Z", "2024-02-29T10:20Z"),
            ("2018-07-17T17:00:00.123456+02", "2024-02-29T10:20:30.000000+00"),
            ("2018-07-17T17:00:00-05:00", "2024-02-29T10:20:30+00:00"),
        ] {
            let notation = Notation::of(shown).unwrap();
            assert_eq!(notation.write("2024-02-29", "10:20:30Z"), expected);
            assert_eq!(Notation::of(expected), Some(notation));
        }
        assert!(
            ["2018-07-17", "17:00", "2018-07-17T17:00:00 UTC"]
                .iter()
                .all(|it| Notation::of(it).is_none())
        );
    }
}
