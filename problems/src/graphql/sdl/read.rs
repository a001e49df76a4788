//! From parsed definitions to the schema model.

use super::canonical::parse;
use super::define::Definer;
use super::definition::{MAX_DEPTH, Piece, split};
use super::merge::{Parsed, directives, roots, types};
use super::position::positions;
use super::token::{Token, scan};
use crate::graphql::schema::{Schema, SchemaBuilder, SchemaError, SchemaPosition, SchemaProblem};

/// Problems that are told of one text.
const MAX_PROBLEMS: usize = 100;

/// Reads schema definition language.
pub(crate) fn read(text: &str) -> Result<Schema, SchemaError> {
    read_with(text, false)
}

/// Reads schema definition language without the definitions that cannot be read.
pub(crate) fn read_what_can_be_read(text: &str) -> Result<Schema, SchemaError> {
    read_with(text, true)
}

fn read_with(text: &str, is_lenient: bool) -> Result<Schema, SchemaError> {
    let (tokens, mut problems) = scan(text);
    let mut parsed = Vec::new();
    for piece in split(&tokens) {
        match definitions(&tokens, &piece) {
            Ok(definitions) => parsed.push(definitions),
            Err(problem) => problems.push(problem),
        }
    }
    if tokens.is_empty() && problems.is_empty() {
        let position = SchemaPosition { line: 1, column: 1 };
        problems.push(SchemaProblem { position, message: "there is no definition".to_owned() });
    }
    if !problems.is_empty() {
        problems.sort_by_key(|problem| problem.position);
        problems.truncate(MAX_PROBLEMS);
        if parsed.is_empty() || !is_lenient {
            return Err(SchemaError::Syntax { problems });
        }
    }
    let mut schema = build(&parsed)?;
    schema.warn_of(problems);
    Ok(schema)
}

fn definitions<'a>(tokens: &'a [Token<'a>], piece: &Piece) -> Result<Parsed<'a>, SchemaProblem> {
    if let Some(bracket) = piece.too_deep {
        let message = format!("more than {MAX_DEPTH} brackets inside one another");
        return Err(SchemaProblem { position: tokens[bracket].position, message });
    }
    parse(&tokens[piece.range.clone()])
}

fn build(parsed: &[Parsed<'_>]) -> Result<Schema, SchemaError> {
    let mut builder = SchemaBuilder::default();
    let entries = types(parsed, &mut builder);
    let roots = roots(parsed, &entries, &mut builder);
    directives(parsed, &mut builder);
    let mut definer = Definer::new(builder);
    entries.iter().for_each(|entry| definer.define(entry));
    let mut schema = definer.into_builder().finish(roots)?;
    if !schema.warnings().is_empty() {
        schema.place_warnings(&positions(&entries));
    }
    Ok(schema)
}
