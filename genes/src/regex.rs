//! Text that matches a learnt regular expression.
//!
//! Patterns come from instrumented code, so they are whatever a service uses. What `regex-syntax`
//! cannot parse, look-around and back references among them, gives no text: the position then
//! keeps its other ways. Anchors and word boundaries are taken as always true, so for patterns
//! with inner ones the text may not match; the score of the evaluation tells.

use regex_syntax::hir::{Class, Hir, HirKind};

use crate::rng::Rng;

/// Longest text made, in characters; nested repetitions stop growing there.
const LONGEST: usize = 200;

/// A random text that matches the pattern, or nothing when the pattern cannot be read.
pub(crate) fn matching_text(pattern: &str, is_whole: bool, rng: &mut Rng) -> Option<String> {
    let tree = regex_syntax::ParserBuilder::new().nest_limit(50).build().parse(pattern).ok()?;
    let mut text = String::new();
    if !is_whole && rng.chance(0.1) {
        text.push('x');
    }
    append(&tree, rng, &mut text);
    Some(text)
}

fn append(tree: &Hir, rng: &mut Rng, text: &mut String) {
    match tree.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => text.extend(member(class, rng)),
        HirKind::Repetition(repetition) => {
            // Two more than the least is enough to see each branch of a loop (genes.md 3).
            let most = repetition.max.unwrap_or(u32::MAX).min(repetition.min.saturating_add(2));
            let times = rng.between(i64::from(repetition.min), i64::from(most));
            for _ in 0..times {
                if text.len() > LONGEST {
                    return;
                }
                append(&repetition.sub, rng, text);
            }
        }
        HirKind::Capture(capture) => append(&capture.sub, rng, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| append(part, rng, text)),
        HirKind::Alternation(branches) => {
            let branch = rng.below(branches.len());
            append(&branches[branch], rng, text);
        }
    }
}

/// A member of the class, ASCII where the class has any.
fn member(class: &Class, rng: &mut Rng) -> Option<char> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => {
            class.ranges().iter().map(|range| (range.start() as u32, range.end() as u32)).collect()
        }
        Class::Bytes(class) => class
            .ranges()
            .iter()
            .map(|range| (u32::from(range.start()), u32::from(range.end())))
            .collect(),
    };
    let printable = |(low, high): &(u32, u32)| {
        let (low, high) = ((*low).max(0x20), (*high).min(0x7e));
        (low <= high).then_some((low, high))
    };
    let ascii: Vec<(u32, u32)> = ranges.iter().filter_map(printable).collect();
    let (low, high) = *rng.pick(if ascii.is_empty() { &ranges } else { &ascii })?;
    let code = rng.between(i64::from(low), i64::from(high)) as u32;
    char::from_u32(code).or_else(|| char::from_u32(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_match_their_pattern() {
        let patterns = [
            r"^(http|ftp)//:[a-zA-Z_-][a-zA-Z0-9]*/[a-zA-Z_-][a-zA-Z0-9]*$",
            r"(mon|tue)\d{1,2}(jan|feb)",
            r"\d+\.\d+e[+-]\d\d",
            r"(?i)abc[^a-z]{3}",
            r"a?b*c+(d|e){0,2}",
            "",
        ];
        let mut rng = Rng::new(5, 5);
        for pattern in patterns {
            let expression = regex::Regex::new(&format!("^(?:{pattern})$")).unwrap();
            for _ in 0..200 {
                let text = matching_text(pattern, true, &mut rng).unwrap();
                assert!(expression.is_match(&text), "{pattern} does not match {text:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_read_gives_nothing_and_repetition_is_bounded() {
        let mut rng = Rng::new(5, 5);
        assert_eq!(matching_text("(?=a)", true, &mut rng), None);
        assert_eq!(matching_text("(", true, &mut rng), None);
        let text = matching_text("((a{50}){50}){50}", true, &mut rng).unwrap();
        assert!(text.len() < 1_000);
    }
}
