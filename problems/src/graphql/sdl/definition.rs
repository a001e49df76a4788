//! Where one definition ends and the next begins.

use std::ops::Range;

use super::token::{Token, TokenKind};

/// Brackets within brackets that a definition may have. Deepest in practice are lists of lists of
/// input objects as default values; a limit keeps the parser's recursion within the stack.
pub(super) const MAX_DEPTH: usize = 64;

const STARTS: [&str; 9] =
    ["schema", "scalar", "type", "interface", "union", "enum", "input", "extend", "directive"];

/// After these a keyword is a name.
const EXPECT_NAME: [&str; 7] = ["&", "|", "=", "@", ":", "implements", "on"];

/// The tokens of one definition.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    /// The bracket that is inside too many others.
    pub(super) too_deep: Option<usize>,
}

/// Cuts a document into its definitions.
///
/// What is no definition is left to the parser to complain about, with the definition before it.
/// A bracket that is not closed ends where the next type obviously begins.
pub(super) fn split(tokens: &[Token<'_>]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut depth = 0_usize;
    // Up to here tokens belong to the head of the last definition, whatever they look like.
    let mut head = 0;
    for (index, token) in tokens.iter().enumerate() {
        let begins = index >= head && (depth == 0 || is_obvious(&tokens[index..]));
        if begins && let Some(length) = head_length(tokens, index, depth) {
            depth = 0;
            head = index + length;
            pieces.push(Piece { range: index..index, too_deep: None });
        } else if pieces.is_empty() {
            pieces.push(Piece { range: index..index, too_deep: None });
        }
        depth = match token.text {
            "(" | "[" | "{" => depth + 1,
            ")" | "]" | "}" => depth.saturating_sub(1),
            _ => depth,
        };
        if let Some(piece) = pieces.last_mut() {
            piece.range.end = index + 1;
            if depth > MAX_DEPTH && piece.too_deep.is_none() {
                piece.too_deep = Some(index);
            }
        }
    }
    pieces
}

/// Number of tokens up to and including the defined name, if a definition starts here: a
/// description, `extend`, the keyword, the name.
fn head_length(tokens: &[Token<'_>], start: usize, depth: usize) -> Option<usize> {
    let is_name_here = start
        .checked_sub(1)
        .is_some_and(|before| depth == 0 && EXPECT_NAME.contains(&tokens[before].text));
    if is_name_here {
        return None;
    }
    let mut length = usize::from(tokens[start].is_text());
    let keyword = |length: usize| tokens.get(start + length).filter(|it| STARTS.contains(&it.text));
    if length == 1 && keyword(1).is_none() {
        // Text stands nowhere else outside brackets; the parser says what is missing.
        return (depth == 0).then_some(1);
    }
    if keyword(length)?.is("extend") {
        length += 1;
    }
    let Some(kind) = keyword(length) else { return Some(length) };
    length += 1;
    if kind.is("directive") || kind.is("schema") {
        return Some(length);
    }
    let is_named = tokens.get(start + length).is_some_and(|it| it.kind == TokenKind::Name);
    Some(length + usize::from(is_named))
}

/// Whether `type A {` or the like begins here, which stands in no brackets.
fn is_obvious(tokens: &[Token<'_>]) -> bool {
    let [keyword, name, bracket, ..] = tokens else { return false };
    STARTS[..7].contains(&keyword.text) && name.kind == TokenKind::Name && bracket.is("{")
}

#[cfg(test)]
mod tests {
    use super::super::token::scan;
    use super::*;

    fn pieces(text: &str) -> Vec<String> {
        let (tokens, _) = scan(text);
        let join = |piece: Piece| {
            let texts: Vec<&str> = tokens[piece.range].iter().map(|token| token.text).collect();
            texts.join(" ")
        };
        split(&tokens).into_iter().map(join).collect()
    }

    #[track_caller]
    fn check(parts: &[&str]) {
        assert_eq!(pieces(&parts.join(" ")), parts);
    }

    #[test]
    fn definitions_are_told_apart() {
        check(&["type A { type : Int input : enum }", "\"text\" scalar B", "extend type A @ c"]);
        check(&[
            "schema { query : A }",
            "directive @ type on FIELD | ENUM",
            "union U = type | enum",
        ]);
        check(&["scalar type", "type type", "type A implements input & type", "enum enum"]);
        check(&[
            "extend schema @ link ( url : \"x\" )",
            "union U",
            "input I { a : B = { c : [ d ] } }",
        ]);
    }

    #[test]
    fn what_is_not_closed_ends_with_the_next_type() {
        check(&["type A { a ( b : Int", "type B { c : Int }", "enum C { D"]);
        check(&["type A { a : Int } }", "scalar B"]);
        check(&["foo { bar }", "scalar B foo", "\"text\"", "\"more\" scalar C", "extend"]);
    }

    #[test]
    fn deep_brackets_are_noticed() {
        let nested = |depth: usize| format!("scalar A @b(c: {}1", "[".repeat(depth - 1));
        let too_deep = |depth: usize| split(&scan(&nested(depth)).0)[0].too_deep;
        assert_eq!(too_deep(MAX_DEPTH), None);
        // The bracket `(` and 64 square ones, the first of which is token 7.
        assert_eq!(too_deep(MAX_DEPTH + 5), Some(7 + MAX_DEPTH - 1));
    }
}
