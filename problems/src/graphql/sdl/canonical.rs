//! One definition, in the form that the parser reads best, and back from places in that form to
//! places in the text.
//!
//! All is one line, with a blank between tokens except where the parser wants them side by side:
//! in types. Text in quotes is left empty and looked up in the tokens when it is wanted: the parser
//! does not know all escapes, and is slow with long texts.

use async_graphql_parser::types::TypeSystemDefinition;
use async_graphql_parser::{Error, Pos, parse_schema};

use super::name;
use super::text::meaning;
use super::token::{Token, TokenKind};
use crate::graphql::schema::{SchemaPosition, SchemaProblem};

/// Characters of a token shown in a message about it.
const SHOWN: usize = 60;

/// The tokens of a definition, by their places in the canonical form.
#[derive(Debug)]
pub(super) struct Places<'a> {
    pub(super) tokens: &'a [Token<'a>],
    /// The column where each begins.
    starts: Vec<usize>,
}

impl Places<'_> {
    /// The number of the token at a place.
    pub(super) fn index(&self, place: Pos) -> usize {
        self.starts.partition_point(|start| *start <= place.column).saturating_sub(1)
    }

    /// What the text in quotes at a place says.
    pub(super) fn text(&self, place: Pos) -> Box<str> {
        let token = &self.tokens[self.index(place)];
        meaning(token).expect("texts with wrong escapes are not parsed").into()
    }

    /// A place in the text.
    pub(super) fn position(&self, place: Pos) -> SchemaPosition {
        self.tokens[self.index(place)].position
    }
}

/// Parses the tokens of one definition; they must not be empty.
pub(super) fn parse<'a>(
    tokens: &'a [Token<'a>],
) -> Result<(Vec<TypeSystemDefinition>, Places<'a>), SchemaProblem> {
    let (text, places) = canonical(readable(tokens))?;
    match parse_schema(text) {
        Ok(document) => Ok((document.definitions, places)),
        Err(error) => Err(problem(&error, &places)),
    }
}

/// The tokens without what the parser refuses and the model does not need: the description of a
/// schema, and braces with nothing in them.
fn readable<'a>(tokens: &'a [Token<'a>]) -> &'a [Token<'a>] {
    let tokens = match tokens {
        [text, rest @ ..] if text.is_text() && rest.first().is_some_and(|it| it.is("schema")) => {
            rest
        }
        all => all,
    };
    match tokens {
        [rest @ .., open, close] if open.is("{") && close.is("}") && !rest.is_empty() => rest,
        all => all,
    }
}

fn canonical<'a>(tokens: &'a [Token<'a>]) -> Result<(String, Places<'a>), SchemaProblem> {
    let mut text = String::new();
    let mut starts = Vec::with_capacity(tokens.len());
    for (index, token) in tokens.iter().enumerate() {
        let is_joined = token.is("]") || token.is("!") || index == 0 || tokens[index - 1].is("[");
        if !is_joined {
            text.push(' ');
        }
        // All is ASCII: characters are bytes.
        starts.push(text.len() + 1);
        push(&mut text, token)?;
    }
    Ok((text, Places { tokens, starts }))
}

fn push(text: &mut String, token: &Token<'_>) -> Result<(), SchemaProblem> {
    match token.kind {
        TokenKind::Name => name::push_readable(text, token.text),
        TokenKind::Punctuator | TokenKind::Number => text.push_str(token.text),
        TokenKind::Text | TokenKind::Block => {
            let position = token.position;
            meaning(token).map_err(|message| SchemaProblem { position, message })?;
            text.push_str("\"\"");
        }
    }
    Ok(())
}

fn problem(error: &Error, places: &Places<'_>) -> SchemaProblem {
    let last = places.starts.len() - 1;
    let place = error.positions().next().unwrap_or_default();
    let token = &places.tokens[places.index(place)];
    let Error::Syntax { message, .. } = error else {
        return SchemaProblem { position: token.position, message: error.to_string() };
    };
    // The parser's message draws the place in the form that it was given; its last line tells.
    let expected = message.lines().next_back().unwrap_or_default();
    let expected = expected.trim_start_matches([' ', '=']).replace('_', " ");
    let is_at_end = places.index(place) == last && place.column > places.starts[last];
    let found = if is_at_end { "the definition ends after" } else { "unexpected" };
    let shown: String = token.text.chars().take(SHOWN).collect();
    let message = format!("{found} `{shown}`: {}", expected.trim_end());
    SchemaProblem { position: token.position, message }
}
