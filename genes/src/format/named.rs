//! Formats by the names that JSON Schema and OpenAPI give them.

use super::{
    DateSpec, DateTimeSpec, FormatSpec, IpVersion, RegexSpec, RuleSpec, TextFormat, TimeSpec,
};

/// Labels of letters, digits and single hyphens.
const HOST: &str = r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*(\.[A-Za-z0-9]+(-[A-Za-z0-9]+)*)*";
/// Texts that are a regular expression in every dialect: they have no operators.
const EXPRESSION: &str = "[A-Za-z0-9 _-]*";
/// A span of time (RFC 3339, appendix A).
const DURATION: &str = "P([1-9]D|T[1-9][0-9]?M)";
/// Numbers that are written as texts, as gRPC gateways and exact decimals are.
const WHOLE: &str = "0|[1-9][0-9]{0,8}";
const DECIMAL: &str = r"(0|[1-9][0-9]{0,3})(\.[0-9]{1,2})?";
/// A network of IPv4 addresses (RFC 4632).
const NETWORK: &str = r"10\.[0-9]\.0\.0/16";
const SLUG: &str = "[a-z][a-z0-9]{1,7}(-[a-z0-9]{1,5})?";
/// Numbers that nobody has (the North American plan keeps 555-01xx for that).
const PHONE: &str = r"\+120255501[0-9]{2}";
const COLOUR: &str = "#[0-9a-f]{6}";
/// All years that are written with four digits.
const ANY_DAY: DateSpec = DateSpec { first_year: 0, last_year: 9999 };

/// The name that JSON Schema gives a format, where libraries call it otherwise: pydantic `uuid4`,
/// `multi-host-uri` and `ipvanyaddress`, .NET `guid`, others `datetime`.
fn usual(name: &str) -> &str {
    match name {
        "uuid1" | "uuid2" | "uuid3" | "uuid4" | "uuid5" | "uuid6" | "uuid7" | "uuid8" | "guid" => {
            "uuid"
        }
        "datetime" | "dateTime" | "date_time" | "timestamp" | "iso8601" | "rfc3339" => "date-time",
        "idn-email" | "name-email" => "email",
        "iri" | "uri-reference" | "iri-reference" | "http-url" | "multi-host-uri" => "uri",
        "ip" | "ip-address" | "ipvanyaddress" => "ipv4",
        "ipv4network" | "ipvanynetwork" | "ipv4-network" => "cidr",
        "base64" => "byte",
        "idn-hostname" => "hostname",
        "timedelta" | "time-delta" => "duration",
        "double" | "float" | "number" => "decimal",
        "int32" | "uint32" | "uint64" | "integer" => "int64",
        "e164" | "phone-number" => "phone",
        name => name,
    }
}

impl FormatSpec {
    /// The format of a name; nothing for names that say nothing of the text.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let regex = |pattern| RegexSpec::whole(pattern).ok().map(Self::Regex);
        Some(match usual(name) {
            "date" => Self::Date(DateSpec::default()),
            "date-time" => Self::DateTime(DateTimeSpec::default()),
            "time" => Self::Time(TimeSpec::default()),
            "uuid" => Self::Uuid,
            "ipv4" => Self::Ip(IpVersion::V4),
            "ipv6" => Self::Ip(IpVersion::V6),
            "email" => Self::Email,
            "uri" | "url" => Self::Uri,
            "byte" => Self::Base64,
            "hostname" => return regex(HOST),
            "regex" => return regex(EXPRESSION),
            "duration" => return regex(DURATION),
            "decimal" => return regex(DECIMAL),
            "int64" => return regex(WHOLE),
            "cidr" => return regex(NETWORK),
            "slug" => return regex(SLUG),
            "phone" => return regex(PHONE),
            "color" => return regex(COLOUR),
            _ => return None,
        })
    }

    /// Texts of `min` to `max` characters that follow all `parts`; nothing where `parts` is empty
    /// or no such text was found.
    #[must_use]
    pub fn of_all(parts: Vec<Self>, min: u32, max: u32) -> Option<Self> {
        match &parts[..] {
            [Self::Regex(regex)] => regex.clone().with_length(min, max).ok().map(Self::Regex),
            // No text of these is empty or long.
            [one] if min <= 1 && max >= 1024 && !matches!(one, Self::Base64) => Some(one.clone()),
            _ => RuleSpec::new(parts, min, max).map(Self::Rule),
        }
    }
}

/// Whether a text is of the format of a name, as a reader judges it who lets pass what is usual;
/// `None` for formats without a strict meaning, which say nothing.
#[must_use]
pub fn is_of_format(name: &str, text: &str) -> Option<bool> {
    Some(match name {
        "date" => ANY_DAY.is_valid(text),
        "date-time" => DateTimeSpec { date: ANY_DAY, notation: None }.is_valid(text),
        "time" | "ipv4" | "ipv6" => FormatSpec::named(name)?.is_valid(text),
        _ if usual(name) == "uuid" => FormatSpec::Uuid.is_valid(text),
        "email" => text.rsplit_once('@').is_some_and(|(name, host)| {
            !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)
        }),
        "uri" | "url" => {
            let is_scheme = |scheme: &str| {
                let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
                scheme.starts_with(|first: char| first.is_ascii_alphabetic())
                    && scheme.bytes().all(is_inner)
            };
            text.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty())
                && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control())
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        let right = [
            ("date", "2024-02-29"),
            ("date", "0001-01-01"),
            ("date-time", "2024-02-29T23:59:60.123+01:00"),
            ("date-time", "2024-02-29 23:59:59z"),
            ("time", "00:00:00Z"),
            ("time", "00:00:00.1234567890Z"),
            ("uuid", "123e4567-e89b-12d3-a456-426614174000"),
            ("ipv4", "1.2.3.4"),
            ("ipv6", "::1"),
            ("email", "a@b"),
            ("uri", "urn:x"),
        ];
        for (format, text) in right {
            assert_eq!(is_of_format(format, text), Some(true), "{format} {text}");
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
        assert_eq!(FormatSpec::named("password"), None);
    }

    #[test]
    fn formats_have_the_names_of_libraries_too() {
        let mut rng = crate::Rng::new(3, 3);
        for (name, wanted) in [("uuid4", "uuid"), ("guid", "uuid"), ("datetime", "date-time")] {
            let text = FormatSpec::named(name).unwrap().sample(&mut rng);
            assert_eq!(is_of_format(wanted, &text), Some(true), "{name} {text}");
        }
        assert_eq!(is_of_format("uuid7", "x"), Some(false));
        let names = "duration decimal int64 uint64 cidr slug phone color ipvanynetwork timedelta";
        for name in names.split(' ') {
            assert!(!FormatSpec::named(name).unwrap().sample(&mut rng).is_empty(), "{name}");
        }
    }

    #[test]
    fn what_several_rules_ask_for_is_found() {
        let mut rng = crate::Rng::new(7, 7);
        let pattern = |pattern| FormatSpec::Regex(RegexSpec::partial(pattern).unwrap());
        let rules = [
            (vec![FormatSpec::Email], 40, 60),
            (vec![FormatSpec::Base64], 1, 12),
            (vec![pattern("^[a-f]"), pattern("[0-9]$"), pattern("^.{2,9}$")], 2, 9),
            (vec![FormatSpec::Email, pattern("^[a-z]+@")], 0, 40),
        ];
        for (parts, min, max) in rules {
            let rule = FormatSpec::of_all(parts.clone(), min, max).unwrap();
            for _ in 0..50 {
                let text = rule.sample(&mut rng);
                assert!(parts.iter().all(|part| part.is_valid(&text)), "{parts:?}: {text}");
                assert!((min as usize..=max as usize).contains(&text.len()), "{parts:?}: {text}");
            }
        }
        assert_eq!(FormatSpec::of_all(vec![FormatSpec::Uuid], 0, 9), None);
        assert_eq!(FormatSpec::of_all(Vec::new(), 0, 9), None);
        let names = ["date", "date-time", "time", "uuid", "ipv4", "ipv6", "email", "uri"];
        for name in names {
            let format = FormatSpec::named(name).unwrap();
            for _ in 0..200 {
                let text = format.sample(&mut rng);
                assert_eq!(is_of_format(name, &text), Some(true), "{name} {text}");
            }
        }
    }
}
