//! Pieces of SQL texts: enough to tell constants and parameters from all else.

/// What a piece is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A text between single quotes.
    Text,
    /// A decimal number, without sign.
    Number,
    /// A keyword or a name without quotes.
    Word,
    /// `?`, `?2`, `$2`, `:name`, `@name`.
    Parameter,
    /// All else: names in quotes, blobs, comments, spaces, operators.
    Other,
}

/// The pieces of a text, in their order; together they are the text.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Kind, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest;
        let first = rest.chars().next()?;
        let up_to = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
        let (kind, length) = match first {
            '\'' => (Kind::Text, quoted(rest, first)),
            '"' | '`' => (Kind::Other, quoted(rest, first)),
            '[' => (Kind::Other, up_to("]")),
            '-' if rest.starts_with("--") => (Kind::Other, up_to("\n")),
            '/' if rest.starts_with("/*") => (Kind::Other, up_to("*/")),
            '?' | ':' | '@' | '$' => (Kind::Parameter, 1 + word(&rest[1..])),
            '0'..='9' | '.' => number(rest),
            'x' | 'X' if rest[1..].starts_with('\'') => (Kind::Other, 1 + quoted(&rest[1..], '\'')),
            _ if is_of_name(first) => (Kind::Word, word(rest)),
            _ => (Kind::Other, first.len_utf8()),
        };
        let (piece, rest) = rest.split_at(length);
        self.rest = rest;
        Some((kind, piece))
    }
}

/// The number at the beginning, and its bytes. Other notations are no numbers here: `0x1F`, `1_000`.
fn number(rest: &str) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let is_signed = matches!(bytes.get(length + 1), Some(b'+' | b'-'));
        let from = length + 1 + usize::from(is_signed);
        let exponent = digits(from);
        length = if exponent > 0 { from + exponent } else { length };
    }
    let more = word(&rest[length..]);
    let is_number = more == 0 && rest[..length] != *".";
    (if is_number { Kind::Number } else { Kind::Other }, length + more)
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Bytes of the word at the beginning.
fn word(rest: &str) -> usize {
    rest.find(|character| !is_of_name(character)).unwrap_or(rest.len())
}

/// Bytes of what stands in quotes at the beginning; inside, a quote is doubled.
fn quoted(rest: &str, quote: char) -> usize {
    let mut from = 1;
    while let Some(end) = rest[from..].find(quote) {
        let end = from + end + 1;
        if !rest[end..].starts_with(quote) {
            return end;
        }
        from = end + 1;
    }
    rest.len()
}
