//! The ways in which instrumented code can use a text that came from a test.

/// How a tainted text was used, and so what a better value would look like.
///
/// Where a kind needs one, [`StringSpecialisation::value`](crate::StringSpecialisation) holds the
/// constant, pattern or type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecialisationKind {
    /// Read as an integer of at most 32 bits.
    Integer,
    /// Read as an integer of 64 bits.
    Long,
    /// Read as a 64-bit float.
    Double,
    /// Read as a 32-bit float.
    Float,
    /// Read as a boolean.
    Boolean,
    /// Compared with the constant in the value.
    Constant,
    /// The same, ignoring case.
    ConstantIgnoreCase,
    /// Must match the regular expression in the value as a whole.
    RegexWhole,
    /// Must contain a match of the regular expression in the value.
    RegexPartial,
    /// Read as a date like `2026-01-31`.
    DateYyyyMmDd,
    /// Read as a date and time like `2026-01-31 23:59`.
    DateYyyyMmDdHhMm,
    /// Read as a date by the pattern in the value.
    DateFormatPattern,
    /// Read as a date of an unknown pattern.
    DateFormatUnknownPattern,
    /// Read as a date and time like `2026-01-31T23:59:59`.
    IsoLocalDateTime,
    /// Read as a time like `23:59:59`.
    IsoLocalTime,
    /// Compared with another input; the value is both of them, `<left>___<right>`.
    Equal,
    /// Read as a UUID.
    Uuid,
    /// Read as a URL.
    Url,
    /// Read as a URI.
    Uri,
    /// Read as a JSON object; the value may describe its fields.
    JsonObject,
    /// Read as a JSON list; the value may describe its elements.
    JsonArray,
    /// Read as a JSON object of any keys.
    JsonMap,
    /// A map was asked for the key in the value.
    JsonMapField,
    /// A member of a map was cast to the type in the value.
    CastToType,
}

impl SpecialisationKind {
    /// Every kind.
    pub const ALL: [Self; 24] = [
        Self::Integer,
        Self::Long,
        Self::Double,
        Self::Float,
        Self::Boolean,
        Self::Constant,
        Self::ConstantIgnoreCase,
        Self::RegexWhole,
        Self::RegexPartial,
        Self::DateYyyyMmDd,
        Self::DateYyyyMmDdHhMm,
        Self::DateFormatPattern,
        Self::DateFormatUnknownPattern,
        Self::IsoLocalDateTime,
        Self::IsoLocalTime,
        Self::Equal,
        Self::Uuid,
        Self::Url,
        Self::Uri,
        Self::JsonObject,
        Self::JsonArray,
        Self::JsonMap,
        Self::JsonMapField,
        Self::CastToType,
    ];

    /// The constant of the protocol.
    #[must_use]
    pub fn protocol_name(self) -> &'static str {
        match self {
            Self::Integer => "INTEGER",
            Self::Long => "LONG",
            Self::Double => "DOUBLE",
            Self::Float => "FLOAT",
            Self::Boolean => "BOOLEAN",
            Self::Constant => "CONSTANT",
            Self::ConstantIgnoreCase => "CONSTANT_IGNORE_CASE",
            Self::RegexWhole => "REGEX_WHOLE",
            Self::RegexPartial => "REGEX_PARTIAL",
            Self::DateYyyyMmDd => "DATE_YYYY_MM_DD",
            Self::DateYyyyMmDdHhMm => "DATE_YYYY_MM_DD_HH_MM",
            Self::DateFormatPattern => "DATE_FORMAT_PATTERN",
            Self::DateFormatUnknownPattern => "DATE_FORMAT_UNKNOWN_PATTERN",
            Self::IsoLocalDateTime => "ISO_LOCAL_DATE_TIME",
            Self::IsoLocalTime => "ISO_LOCAL_TIME",
            Self::Equal => "EQUAL",
            Self::Uuid => "UUID",
            Self::Url => "URL",
            Self::Uri => "URI",
            Self::JsonObject => "JSON_OBJECT",
            Self::JsonArray => "JSON_ARRAY",
            Self::JsonMap => "JSON_MAP",
            Self::JsonMapField => "JSON_MAP_FIELD",
            Self::CastToType => "CAST_TO_TYPE",
        }
    }

    /// The kind of a constant; `None` for those of later releases.
    #[must_use]
    pub fn from_protocol_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.protocol_name() == name)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_lead_back_to_their_kinds() {
        for kind in SpecialisationKind::ALL {
            let found = SpecialisationKind::from_protocol_name(kind.protocol_name());
            assert_eq!(found.unwrap(), kind);
        }
        assert_eq!(SpecialisationKind::from_protocol_name("LATER"), None);
    }
}
