//! What text in quotes says.

use super::token::{Token, TokenKind};

/// The characters that a text token stands for.
///
/// # Errors
/// The escape that means nothing.
pub(crate) fn meaning(token: &Token<'_>) -> Result<String, String> {
    match token.kind {
        TokenKind::Block => Ok(block(&token.text[3..token.text.len() - 3])),
        _ => quoted(&token.text[1..token.text.len() - 1]),
    }
}

/// A block without what only serves its layout: the indentation that all lines but the first
/// share, and blank lines at both ends (GraphQL specification, `BlockStringValue`).
fn block(raw: &str) -> String {
    let raw = raw.replace("\\\"\"\"", "\"\"\"").replace("\r\n", "\n").replace('\r', "\n");
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let is_blank = |line: &&str| indentation(line) == line.len();
    let all: Vec<&str> = raw.split('\n').collect();
    let filled = all.iter().skip(1).filter(|line| !is_blank(line));
    let common = filled.map(|line| indentation(line)).min().unwrap_or(0);
    let lines = all.iter().enumerate().map(|(index, line)| match index {
        0 => line,
        _ => line.get(common..).unwrap_or(""),
    });
    let lines: Vec<&str> = lines.skip_while(is_blank).collect();
    let end = lines.iter().rposition(|line| !is_blank(line)).map_or(0, |last| last + 1);
    lines[..end].join("\n")
}

fn quoted(raw: &str) -> Result<String, String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(place) = rest.find('\\') {
        text.push_str(&rest[..place]);
        let (character, length) = escape(&rest[place..])?;
        text.push(character);
        rest = &rest[place + length..];
    }
    text.push_str(rest);
    Ok(text)
}

/// The character of the escape that the text begins with, and the length of the escape.
fn escape(text: &str) -> Result<(char, usize), String> {
    let character = match text[1..].chars().next() {
        Some(it @ ('"' | '\\' | '/')) => it,
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('u') => {
            let found = unicode(text);
            return found.ok_or_else(|| "`\\u` without a character's number".to_owned());
        }
        other => return Err(format!("the escape `\\{}` has no meaning", other.unwrap_or(' '))),
    };
    Ok((character, 2))
}

/// `\u` with four digits, two such escapes for one character, or digits in braces.
fn unicode(text: &str) -> Option<(char, usize)> {
    if let Some(braced) = text.strip_prefix("\\u{") {
        let digits = &braced[..braced.find('}')?];
        return Some((char::from_u32(number(digits)?)?, digits.len() + 4));
    }
    let four = |text: &str| number(text.strip_prefix("\\u")?.get(..4)?);
    let first = four(text)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 6));
    }
    let second = four(&text[6..])?;
    let both = char::decode_utf16([first as u16, second as u16]).next()?.ok()?;
    Some((both, 12))
}

fn number(digits: &str) -> Option<u32> {
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    are_digits.then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_resolved() {
        let table = [
            (r#"a\"b\\\/\n\t\r\b\f"#, "a\"b\\/\n\t\r\u{8}\u{c}"),
            (r"\u0041\u00e9\uD83D\uDE00\u{1F600}x", "A\u{e9}\u{1F600}\u{1F600}x"),
        ];
        for (raw, expected) in table {
            assert_eq!(quoted(raw).unwrap(), expected);
        }
        let wrong = [
            r"\x",
            r"\u12",
            r"\uD83D",
            r"\uD83Dx",
            r"\uD83D\u0041",
            r"\u{110000}",
            r"\u{",
            r"\u+041",
        ];
        for raw in wrong {
            assert!(quoted(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn the_layout_of_blocks_is_taken_away() {
        let table = [
            ("", ""),
            (" one ", " one "),
            ("\n    a\n      b\n\n    c\n  ", "a\n  b\n\nc"),
            ("a\r\n  b\r   c", "a\nb\n c"),
            ("\n \n", ""),
            (r#"say \""" \n"#, r#"say """ \n"#),
        ];
        for (raw, expected) in table {
            assert_eq!(block(raw), expected, "{raw:?}");
        }
    }
}
