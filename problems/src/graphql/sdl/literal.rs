//! Default values, as GraphQL writes them.

use super::text::meaning;
use super::token::{Token, TokenKind};

/// The value that begins with the first token, on one line. Numbers and text in quotes stay as
/// they are.
pub(super) fn literal(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        let is_end = token.is("]") || token.is("}");
        text.push_str(separator(index.checked_sub(1).map(|before| &tokens[before]), token, is_end));
        match (token.kind, meaning_of_block(token)) {
            (TokenKind::Block, Some(meaning)) => text.push_str(&quote(&meaning)),
            _ => text.push_str(token.text),
        }
        depth = match token.text {
            "[" | "{" => depth + 1,
            _ if is_end => depth.saturating_sub(1),
            _ => depth,
        };
        if depth == 0 {
            break;
        }
    }
    text
}

/// A text in quotes, as JSON and GraphQL both write it.
fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn meaning_of_block(token: &Token<'_>) -> Option<String> {
    (token.kind == TokenKind::Block).then(|| meaning(token).ok())?
}

fn separator(before: Option<&Token<'_>>, token: &Token<'_>, is_end: bool) -> &'static str {
    match before {
        Some(before) if before.is(":") => " ",
        Some(before) if !is_end && !token.is(":") && !before.is("[") && !before.is("{") => ", ",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::scan;
    use super::*;

    #[test]
    fn values_are_written_on_one_line() {
        let table = [
            ("1 @b", "1"),
            (
                "{ a : 1 b:[ ], c: [1 2,A # no\n \"x,y\"] d: {}} e",
                r#"{a: 1, b: [], c: [1, 2, A, "x,y"], d: {}}"#,
            ),
            ("12345678901234567890.10", "12345678901234567890.10"),
            ("\"\"\"\n a\n  \"b\"\n\"\"\" c", r#""a\n \"b\"""#),
            ("[[1] [2]]", "[[1], [2]]"),
        ];
        for (text, expected) in table {
            assert_eq!(literal(&scan(text).0), expected);
        }
    }
}
