//! Values as documents write them.

use std::sync::Arc;

use super::Parser;
use crate::graphql::document::Literal;
use crate::graphql::executable::Invalid;
use crate::graphql::sdl::{Token, TokenKind, meaning};

impl Parser<'_> {
    /// A value; a constant one has no variables in it.
    pub(super) fn value(&mut self, is_constant: bool) -> Result<Literal, Invalid> {
        if self.is("$") && !is_constant {
            self.next();
            return Ok(Literal::Variable(self.name("the name of a variable")?));
        }
        if self.is("[") {
            return self.values("]", |parser| parser.value(is_constant)).map(Literal::List);
        }
        if self.is("{") {
            return self.values("}", |parser| parser.named_value(is_constant)).map(Literal::Object);
        }
        let Some(token) = self.tokens.first().copied() else { return self.unexpected("a value") };
        let literal = match token.kind {
            TokenKind::Name => Some(named(token.text)),
            TokenKind::Number => number(token.text),
            TokenKind::Text | TokenKind::Block => Some(text(&token)?),
            TokenKind::Punctuator => None,
        };
        let Some(literal) = literal else { return self.unexpected("a value") };
        self.next();
        Ok(literal)
    }

    /// The arguments of a field or directive, if it has some.
    pub(super) fn arguments(&mut self) -> Result<Vec<(Arc<str>, Literal)>, Invalid> {
        if !self.is("(") {
            return Ok(Vec::new());
        }
        self.bracketed(("(", ")"), |parser| parser.named_value(false))
    }

    /// The name and value of an argument or input field.
    pub(super) fn named_value(
        &mut self,
        is_constant: bool,
    ) -> Result<(Arc<str>, Literal), Invalid> {
        let name = self.name("a name")?;
        self.expect(":")?;
        Ok((name, self.value(is_constant)?))
    }

    /// As [`Parser::bracketed`], but there may be nothing between the brackets.
    fn values<T>(
        &mut self,
        close: &str,
        part: impl Fn(&mut Self) -> Result<T, Invalid>,
    ) -> Result<Vec<T>, Invalid> {
        if self.tokens.get(1).is_some_and(|token| token.is(close)) {
            self.tokens = &self.tokens[2..];
            return Ok(Vec::new());
        }
        self.bracketed((if close == "]" { "[" } else { "{" }, close), part)
    }
}

fn named(text: &str) -> Literal {
    match text {
        "null" => Literal::Null,
        "true" => Literal::Boolean(true),
        "false" => Literal::Boolean(false),
        name => Literal::Enum(name.into()),
    }
}

fn text(token: &Token<'_>) -> Result<Literal, Invalid> {
    match meaning(token) {
        Ok(text) => Ok(Literal::Text(text.into())),
        Err(reason) => Err(Invalid { position: token.position, reason }),
    }
}

/// A number, if the text is one. Integers beyond 64 bits become floats, which is what JSON makes
/// of them too.
fn number(text: &str) -> Option<Literal> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(unsigned);
    if whole == 0 || (whole > 1 && unsigned.starts_with('0')) {
        return None;
    }
    let mut rest = &unsigned[whole..];
    if rest.is_empty()
        && let Ok(number) = text.parse()
    {
        return Some(Literal::Integer(number));
    }
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = digits(fraction);
        rest = (length > 0).then(|| &fraction[length..])?;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let length = digits(exponent);
        rest = (length > 0).then(|| &exponent[length..])?;
    }
    if rest.is_empty() { text.parse().ok().map(Literal::Float) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_the_grammar_says() {
        for (text, expected) in [
            ("0", Some(Literal::Integer(0))),
            ("-12", Some(Literal::Integer(-12))),
            ("1.50", Some(Literal::Float(1.5))),
            ("-1e3", Some(Literal::Float(-1000.0))),
            ("1.5E-1", Some(Literal::Float(0.15))),
            ("18446744073709551616", Some(Literal::Float(18_446_744_073_709_551_616.0))),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
        for text in ["", "-", "01", "-00", "1.", ".5", "1e", "1.e3", "1e+", "12a", "1.2.3", "0x1"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
