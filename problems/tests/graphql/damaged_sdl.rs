//! Schema definition language with something wrong in it: errors with a place, never a panic.

use std::ops::Range;
use std::sync::Arc;

use wallace_genes::Rng;
use wallace_problems::graphql::{Schema, SchemaError, Style, Templates};

use crate::support::sampled;

const SDL: &str = r#"
"Roots." schema @a(b: [1, {c: "d"}]) { query: Query mutation: Mutation }
"""
Reads
  all.
"""
type Query { good(id: ID! = "1", by: By = {text: "\u00e9", and: [{text: "x"}]}): Good  find(role: Role!): [Found!]! }
type Mutation { make(with: By!): Good @deprecated(reason: "old") }
interface Thing { id: ID! }
type Good implements Thing @key(fields: "id") { id: ID!  next(first: Int = -1.5e3): [[Good!]] } # end
union Found = | Good | Better
type Better implements Thing { id: ID! }
enum Role { A nullable @deprecated }
input By @oneOf { text: String  and: [By!] }
scalar Date @specifiedBy(url: "https://x.example")
extend type Better { more: Date }
directive @key(fields: String = "id") repeatable on OBJECT | INTERFACE
"#;

const SCRAPS: [&str; 24] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "!",
    "\"",
    "\"\"\"",
    "\\",
    "\\u",
    "@",
    ":",
    "=",
    "|",
    "&",
    "#",
    "\r",
    "type ",
    "extend ",
    "\u{1F600}",
    "\u{feff}",
    "null",
    "1e999",
];

#[test]
fn damaged_text_never_panics() {
    let mut rng = Rng::new(11, 0);
    let (mut readable, mut refused) = (0, 0);
    for _ in 0..4_000 {
        let mut text: Vec<char> = SDL.chars().collect();
        for _ in 0..=rng.below(2) {
            damage(&mut text, &mut rng);
        }
        let text: String = text.into_iter().collect();
        match Schema::from_text(&text) {
            Ok(schema) => {
                readable += 1;
                exercise(schema);
            }
            Err(SchemaError::Syntax { problems }) => {
                refused += 1;
                assert!(!problems.is_empty());
                let lines = text.split(['\n', '\r']).count() as u32;
                for problem in problems {
                    let position = problem.position;
                    assert!((1..=lines).contains(&position.line) && position.column >= 1);
                    assert!(!problem.message.contains("_name_"), "{problem}");
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(readable > 500 && refused > 500, "{readable} readable, {refused} refused");
}

/// Changes characters or names, removes or repeats a stretch, or moves a line elsewhere.
fn damage(text: &mut Vec<char>, rng: &mut Rng) {
    let place = rng.below(text.len());
    let end = (place + 1 + rng.below(30)).min(text.len());
    match rng.below(7) {
        0 => text[place] = char::from(rng.below(128) as u8),
        1 => drop(text.splice(place..place, SCRAPS[rng.below(SCRAPS.len())].chars())),
        2 => drop(text.drain(place..end)),
        3 => drop(text.splice(place..end, SCRAPS[rng.below(SCRAPS.len())].chars())),
        4 if text[place].is_ascii_alphabetic() => text[place] = ['A', 'x', '_'][rng.below(3)],
        5 => text.extend_from_within(line(text, place)),
        _ => {
            let stretch: Vec<char> = text.drain(line(text, place)).collect();
            let target = line(text, rng.below(text.len() + 1)).start;
            drop(text.splice(target..target, stretch));
        }
    }
    if text.is_empty() {
        text.push('a');
    }
}

/// The line around a place, with its end.
fn line(text: &[char], place: usize) -> Range<usize> {
    let is_end = |character: &char| *character == '\n';
    let start = text[..place].iter().rposition(is_end).map_or(0, |before| before + 1);
    let end = text[place..].iter().position(is_end).map_or(text.len(), |found| place + found + 1);
    start..end
}

/// Samples and renders some calls; what comes out must be GraphQL.
fn exercise(schema: Schema) {
    let Ok(templates) = Templates::new(Arc::new(schema)) else { return };
    for operation in templates.operations() {
        let gene = sampled(operation, 1);
        if gene.is_placeholder() {
            continue;
        }
        let document = templates.render(operation, &gene, Style::Compact);
        let parsed = apollo_compiler::ast::Document::parse(&document, "d.graphql");
        assert!(parsed.is_ok(), "{document}");
    }
}
