//! Tokens of GraphQL text, with their places.

use std::iter::Peekable;
use std::str::Chars;

use crate::graphql::schema::{SchemaPosition, SchemaProblem};

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A bracket or another mark.
    Punctuator,
    /// A name or keyword.
    Name,
    /// What begins like a number; it may still be none.
    Number,
    /// Text in quotes.
    Text,
    /// Text in triple quotes.
    Block,
}

/// A token. Text keeps its quotes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'a str,
    pub(crate) position: SchemaPosition,
}

impl Token<'_> {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.kind, TokenKind::Text | TokenKind::Block)
    }
}

/// The tokens of a text, without comments, and what is no token.
pub(crate) fn scan(text: &str) -> (Vec<Token<'_>>, Vec<SchemaProblem>) {
    let mut cursor = Cursor { rest: text, position: SchemaPosition { line: 1, column: 1 } };
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    while let Some(first) = cursor.rest.chars().next() {
        let position = cursor.position;
        match next(first, cursor.rest) {
            Ok((None, length)) => drop(cursor.advance(length)),
            Ok((Some(kind), length)) => {
                tokens.push(Token { kind, text: cursor.advance(length), position });
            }
            Err((message, length)) => {
                problems.push(SchemaProblem { position, message });
                cursor.advance(length);
            }
        }
    }
    (tokens, problems)
}

/// Kind and length in bytes of what the text begins with; no kind for what has no meaning.
fn next(first: char, rest: &str) -> Result<(Option<TokenKind>, usize), (String, usize)> {
    let while_bytes = |is_part: fn(&u8) -> bool| rest.bytes().take_while(is_part).count();
    Ok(match first {
        ' ' | '\t' | ',' | '\r' | '\n' | '\u{feff}' => (None, first.len_utf8()),
        '#' => (None, rest.find(['\r', '\n']).unwrap_or(rest.len())),
        '!' | '$' | '&' | '(' | ')' | ':' | '=' | '@' | '[' | ']' | '{' | '|' | '}' => {
            (Some(TokenKind::Punctuator), 1)
        }
        '.' if rest.starts_with("...") => (Some(TokenKind::Punctuator), 3),
        '_' | 'a'..='z' | 'A'..='Z' => (
            Some(TokenKind::Name),
            while_bytes(|byte| *byte == b'_' || byte.is_ascii_alphanumeric()),
        ),
        '-' | '0'..='9' => {
            let is_part = |byte: &u8| b"+-._".contains(byte) || byte.is_ascii_alphanumeric();
            (Some(TokenKind::Number), while_bytes(is_part))
        }
        '"' if rest.starts_with("\"\"\"") => (Some(TokenKind::Block), block(rest)?),
        '"' => (Some(TokenKind::Text), quoted(rest)?),
        other => return Err((format!("unexpected character {other:?}"), other.len_utf8())),
    })
}

/// Length of a text in quotes.
fn quoted(rest: &str) -> Result<usize, (String, usize)> {
    let mut is_escaped = false;
    for (index, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            b'\n' | b'\r' => return Err(("a text without its closing quote".to_owned(), index)),
            b'"' if !is_escaped => return Ok(index + 1),
            _ => is_escaped = byte == b'\\' && !is_escaped,
        }
    }
    Err(("a text without its closing quote".to_owned(), rest.len()))
}

/// Length of a text in triple quotes, where a backslash keeps three quotes from ending it.
fn block(rest: &str) -> Result<usize, (String, usize)> {
    const QUOTES: &str = "\"\"\"";
    let mut from = QUOTES.len();
    while let Some(found) = rest[from..].find(QUOTES) {
        let end = from + found + QUOTES.len();
        if !rest[from..from + found].ends_with('\\') {
            return Ok(end);
        }
        from = end;
    }
    Err(("a block of text without its closing quotes".to_owned(), rest.len()))
}

struct Cursor<'a> {
    rest: &'a str,
    position: SchemaPosition,
}

impl<'a> Cursor<'a> {
    fn advance(&mut self, length: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(length);
        let mut characters = self.rest.chars().peekable();
        for _ in 0..passed.chars().count() {
            self.pass(&mut characters);
        }
        self.rest = rest;
        passed
    }

    fn pass(&mut self, characters: &mut Peekable<Chars<'_>>) {
        let character = characters.next();
        let is_line_end = match character {
            Some('\n') => true,
            Some('\r') => characters.peek() != Some(&'\n'),
            _ => false,
        };
        if is_line_end {
            self.position.line = self.position.line.saturating_add(1);
            self.position.column = 1;
        } else {
            self.position.column = self.position.column.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        let (tokens, problems) = scan(text);
        assert_eq!(problems, []);
        tokens.iter().map(|token| token.text).collect()
    }

    #[test]
    fn tokens_end_where_the_language_says() {
        assert_eq!(
            texts("\u{feff}a:[B!]=-1.5e+3,@c#d\r\n{...e"),
            ["a", ":", "[", "B", "!", "]", "=", "-1.5e+3", "@", "c", "{", "...", "e"]
        );
        assert_eq!(texts(r#""" "a\"" "\\" "x#y""#), [r#""""#, r#""a\"""#, r#""\\""#, r#""x#y""#]);
        let blocks = r#"""" a "b" \""" c """ """""" d"#;
        assert_eq!(texts(blocks), [r#"""" a "b" \""" c """"#, r#""""""""#, "d"]);
    }

    #[test]
    fn places_count_lines_and_characters() {
        let (tokens, problems) = scan("a\n \u{e9}b\r\n\"\u{1F600}\" c\rd");
        let places: Vec<_> =
            tokens.iter().map(|it| (it.position.line, it.position.column)).collect();
        assert_eq!(places, [(1, 1), (2, 3), (3, 1), (3, 5), (4, 1)]);
        let [problem] = &*problems else { panic!("one problem") };
        assert_eq!(problem.to_string(), "line 2, column 2: unexpected character '\u{e9}'");
    }

    #[test]
    fn text_that_does_not_end_is_a_problem() {
        for (text, left) in [("\"a\nb", 1), ("\"a\\", 0), ("\"\"\"a\nb\\\"\"\"", 0), ("\"", 0)] {
            let (tokens, problems) = scan(text);
            assert_eq!((tokens.len(), problems.len()), (left, 1), "{text}");
        }
    }
}
