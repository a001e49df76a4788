//! Texts and numbers as Rust literals, names as identifiers, comments that stay comments.

use serde_json::Number;

use crate::name::free_name;
use crate::writer::literal::{is_harmless, is_hidden};

/// Hashes that a raw string may have at most.
const MOST_HASHES: usize = 255;

/// Words of the language, reserved ones included, that no identifier may be.
const KEYWORDS: [&str; 53] = [
    "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// A string literal: plain where that reads well, raw where quotes or backslashes would
/// need escapes, escaped where the text holds what a source file must not.
pub(super) fn string(text: &str) -> String {
    let has_line_break = text.contains('\n');
    match (text.contains(['"', '\\']), has_line_break) {
        (false, false) if is_harmless(text) => format!("\"{text}\""),
        (true, false) => raw_string(text).unwrap_or_else(|| escaped_string(text)),
        _ => escaped_string(text),
    }
}

/// A raw string literal; `None` if the text cannot or should not stand in a source file
/// as it is.
pub(super) fn raw_string(text: &str) -> Option<String> {
    let hashes = "#".repeat(hashes_needed(text));
    let fits = hashes.len() <= MOST_HASHES && is_harmless(text);
    fits.then(|| format!("r{hashes}\"{text}\"{hashes}"))
}

/// One hash more than follow any quote of the text, at least one.
fn hashes_needed(text: &str) -> usize {
    let after_quotes = text.split('"').skip(1);
    let most = after_quotes.map(|rest| rest.len() - rest.trim_start_matches('#').len()).max();
    most.unwrap_or(0) + 1
}

fn escaped_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            hidden if is_hidden(hidden) => literal.extend(hidden.escape_unicode()),
            plain => literal.push(plain),
        }
    }
    literal + "\""
}

/// A number literal of the same value and kind; integers outside of `i32` say their type.
pub(super) fn number(number: &Number) -> String {
    match (number.as_i64(), number.as_u64()) {
        (Some(small), _) if small.unsigned_abs() <= 0x7fff_ffff => small.to_string(),
        (Some(large), _) => format!("{large}_i64"),
        (None, Some(huge)) => format!("{huge}_u64"),
        (None, None) => number.to_string().replace("e+", "e"),
    }
}

/// Whether no identifier may be called like this.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// A name as an identifier that is neither a keyword nor one of those that are taken.
pub(super) fn identifier(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    free_name(name, |name| is_keyword(name) || is_taken(name))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::writer::literal::comment_text;

    const HOSTILE: [&str; 16] = [
        "",
        "plain",
        "a\"b",
        "a\"#b",
        "a\"##\"###b",
        "back\\slash",
        "\\",
        "line\nbreak",
        "\r\n",
        "tab\t",
        "nul\0after",
        "rtl\u{202e}x",
        "zero\u{200b}width",
        "ümläut 🦀",
        "\u{7f}",
        "${x} {{y}}",
    ];

    fn value_of(literal: &str) -> String {
        syn::parse_str::<syn::LitStr>(literal)
            .unwrap_or_else(|error| panic!("{literal}: {error}"))
            .value()
    }

    #[test]
    fn literals_mean_the_text() {
        for text in HOSTILE {
            assert_eq!(value_of(&string(text)), text);
            if let Some(raw) = raw_string(text) {
                assert_eq!(value_of(&raw), text);
            }
        }
    }

    #[test]
    fn literals_read_well() {
        assert_eq!(string("Ann"), "\"Ann\"");
        assert_eq!(string("type \"User\""), "r#\"type \"User\"\"#");
        assert_eq!(string("a\"#b"), "r##\"a\"#b\"##");
        assert_eq!(string("a\"\n"), "\"a\\\"\\n\"");
        assert_eq!(string("\u{202e}"), "\"\\u{202e}\"");
        assert!(raw_string("\r").is_none());
    }

    #[test]
    fn numbers_keep_value_and_kind() {
        for (value, expected) in [
            (json!(0), "0"),
            (json!(-2_147_483_647), "-2147483647"),
            (json!(-2_147_483_648_i64), "-2147483648_i64"),
            (json!(2_147_483_648_i64), "2147483648_i64"),
            (json!(u64::MAX), "18446744073709551615_u64"),
            (json!(1.0), "1.0"),
            (json!(-0.0), "-0.0"),
            (json!(1e300), "1e300"),
            (json!(0.1), "0.1"),
        ] {
            let Value::Number(value) = value else { panic!("a number") };
            assert_eq!(number(&value), expected);
        }
    }

    #[test]
    fn identifiers_are_free() {
        let none = |_: &str| false;
        assert_eq!(identifier("authorId", none), "author_id");
        assert_eq!(identifier("type", none), "type_2");
        assert_eq!(identifier("", none), "value");
        assert_eq!(identifier("2nd", none), "value_2nd");
        assert_eq!(identifier("id", |name| name == "id" || name == "id_2"), "id_3");
    }

    #[test]
    fn comments_are_one_line() {
        assert_eq!(comment_text(" a\nb\r\u{202e} "), "a b \\u{202e}");
    }
}
