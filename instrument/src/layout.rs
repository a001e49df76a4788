//! What a text must look like to be read as a value of some type.

/// How texts of a type are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Digits, with a sign where the type has one; the number is that of the most digits that
    /// always fit.
    Integer(usize),
    /// Digits with at most one point.
    Float,
    /// As this regular expression, which is anchored.
    Pattern(String),
}

const DATE: &str = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
const TIME: &str = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";
const ZONE: &str = r"(Z|[+-][01][0-9]:[0-5][0-9])";
const UUID: &str = "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
const IPV4: &str = r"(1?[0-9]?[0-9]\.){3}1?[0-9]?[0-9]";
const IPV6: &str = "[0-9a-f]{1,4}(:[0-9a-f]{1,4}){7}";
const URL: &str = "https?://[a-z]+(/[a-z]+)*";

/// The layout of the type that the compiler calls `type_name`; `None` for unknown types.
///
/// Dates that do not exist in every month are left out: a text of the layout must be one that
/// can be read.
pub(crate) fn of_type(type_name: &str) -> Option<Layout> {
    let pattern = |pattern: &str| Some(Layout::Pattern(anchored(pattern)));
    match type_name {
        "i8" | "u8" => Some(Layout::Integer(2)),
        "i16" | "u16" => Some(Layout::Integer(4)),
        "i32" | "u32" => Some(Layout::Integer(9)),
        "i64" | "u64" | "isize" | "usize" => Some(Layout::Integer(18)),
        "i128" | "u128" => Some(Layout::Integer(38)),
        "f32" | "f64" => Some(Layout::Float),
        "bool" => pattern("true|false"),
        "char" => pattern("."),
        name => match name.rsplit("::").next()? {
            "Uuid" => pattern(UUID),
            "Url" | "Uri" => pattern(URL),
            "Ipv4Addr" | "IpAddr" => pattern(IPV4),
            "Ipv6Addr" => pattern(IPV6),
            "SocketAddr" | "SocketAddrV4" => pattern(&format!("{IPV4}:[1-9][0-9]{{0,3}}")),
            "NaiveDate" | "Date" => pattern(DATE),
            "NaiveTime" | "Time" => pattern(TIME),
            "NaiveDateTime" => pattern(&format!("{DATE}T{TIME}")),
            "DateTime" if name.contains("civil") => pattern(&format!("{DATE}T{TIME}")),
            "DateTime" | "Timestamp" => pattern(&format!("{DATE}T{TIME}{ZONE}")),
            _ => None,
        },
    }
}

/// The layout that a format of `strftime` describes, as chrono, jiff and time know it; `None` when
/// it holds something unknown.
pub(crate) fn of_format(format: &str) -> Option<Layout> {
    let mut pattern = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            pattern.push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
            continue;
        }
        pattern.push_str(&match characters.next()? {
            'Y' => "[0-9]{4}".to_owned(),
            'y' => "[0-9]{2}".to_owned(),
            'm' => "(0[1-9]|1[0-2])".to_owned(),
            'd' => "(0[1-9]|1[0-9]|2[0-8])".to_owned(),
            'e' => "( [1-9]|1[0-9]|2[0-8])".to_owned(),
            'j' => "(00[1-9]|0[1-9][0-9]|[12][0-9]{2})".to_owned(),
            'b' | 'h' => "(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)".to_owned(),
            'H' => "([01][0-9]|2[0-3])".to_owned(),
            'I' => "(0[1-9]|1[0-2])".to_owned(),
            'M' | 'S' => "[0-5][0-9]".to_owned(),
            'p' => "(AM|PM)".to_owned(),
            'F' => DATE.to_owned(),
            'T' => TIME.to_owned(),
            'R' => "([01][0-9]|2[0-3]):[0-5][0-9]".to_owned(),
            'z' => "[+-][01][0-9][0-5][0-9]".to_owned(),
            's' => "[1-9][0-9]{0,9}".to_owned(),
            '%' => "%".to_owned(),
            _ => return None,
        });
    }
    Some(Layout::Pattern(anchored(&pattern)))
}

fn anchored(pattern: &str) -> String {
    format!("^(?:{pattern})$")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn matches(layout: Option<Layout>, text: &str) -> bool {
        let Some(Layout::Pattern(pattern)) = layout else { panic!("no pattern") };
        regex::Regex::new(&pattern).unwrap().is_match(text)
    }

    #[test]
    fn types_are_known_by_their_last_name() {
        assert_eq!(of_type("u64"), Some(Layout::Integer(18)));
        assert_eq!(of_type("my::Kind"), None);
        assert!(matches(of_type("chrono::naive::date::NaiveDate"), "2026-02-28"));
        assert!(!matches(of_type("chrono::naive::date::NaiveDate"), "2026-02-31"));
        assert!(matches(of_type("jiff::civil::datetime::DateTime"), "2026-02-28T10:11:12"));
        assert!(matches(of_type("jiff::timestamp::Timestamp"), "2026-02-28T10:11:12Z"));
        assert!(matches(of_type("core::net::ip_addr::Ipv4Addr"), "10.1.199.4"));
        let uuid = "936da01f-9abd-4d9d-80c7-02af85c822a8";
        assert!(matches(of_type("uuid::Uuid"), uuid));
    }

    #[test]
    fn formats_become_patterns() {
        assert!(matches(of_format("%d.%m.%Y %H:%M"), "24.12.2026 23:59"));
        assert!(!matches(of_format("%d.%m.%Y"), "24x12x2026"));
        assert_eq!(of_format("%Q"), None);
        assert_eq!(of_format("%"), None);
    }
}
