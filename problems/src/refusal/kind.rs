//! Kinds of values that a refusal asks for in words: `alert_id must be a valid integer`.

use std::sync::LazyLock;

use regex::Regex;

/// Words for a kind of value, and the simplest value of it.
const KINDS: [(&str, &str); 4] = [
    ("integer|int|number|numeric|numeric string", "1"),
    ("uuid|guid", "3fa85f64-5717-4562-b3fc-2c963f66afa6"),
    ("boolean|bool", "true"),
    ("email|email address|e-mail address", "user@example.com"),
];

static ASKED: LazyLock<Vec<(Regex, &'static str)>> = LazyLock::new(|| {
    let of_kind = |(words, value): (&str, &'static str)| {
        let pattern = format!(
            r"(?i)\b(must|should|has to|needs to) be (an? )?((valid|positive|whole) )*({words})\b|\b(is )?not an? (valid )?({words})\b"
        );
        (Regex::new(&pattern).expect("the pattern is valid"), value)
    };
    KINDS.into_iter().map(of_kind).collect()
});

/// The simplest value of the kind that a sentence asks for.
pub(super) fn asked(sentence: &str) -> Option<&'static str> {
    ASKED.iter().find(|(pattern, _)| pattern.is_match(sentence)).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn sentences_ask_for_kinds_of_values() {
        for (sentence, value) in [
            ("alert_id must be valid integer", Some("1")),
            ("id must be a positive number", Some("1")),
            ("'x' is not a valid UUID", Some("3fa85f64-5717-4562-b3fc-2c963f66afa6")),
            ("active should be boolean", Some("true")),
            ("the number must be unique", None),
            ("name must be longer", None),
            ("it is not a numberless thing", None),
        ] {
            assert_eq!(asked(sentence), value, "{sentence}");
        }
    }
}
