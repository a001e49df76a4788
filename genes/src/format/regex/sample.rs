//! Texts made from a pattern.

use super::program::{Node, NodeId, Program};
use crate::complexity::rank;
use crate::rng::Rng;

/// Length in characters at which repetitions stop growing.
const LONGEST: usize = 1_000;

impl Program {
    /// A random text; at most `extra` repetitions more than each part needs. Anchors and
    /// boundaries are taken to hold.
    pub(super) fn sample(&self, rng: &mut Rng, extra: u32) -> String {
        let mut text = Vec::new();
        self.append(self.root(), rng, extra, &mut text);
        text.into_iter().collect()
    }

    /// Appends a random text of a part.
    pub(super) fn append(&self, id: NodeId, rng: &mut Rng, extra: u32, text: &mut Vec<char>) {
        match self.node(id) {
            Node::Literal(characters) => text.extend(characters),
            Node::Class(ranges) => text.extend(member(ranges, rng)),
            Node::Look(_) => {}
            Node::Repeat { part, min, max } => {
                let most = (*max).min(min.saturating_add(extra));
                let times = rng.between(i64::from(*min), i64::from(most)) as u32;
                for time in 0..times {
                    if time >= *min && text.len() > LONGEST {
                        return;
                    }
                    self.append(*part, rng, extra, text);
                }
            }
            Node::Concat(parts) => {
                parts.iter().for_each(|part| self.append(*part, rng, extra, text));
            }
            Node::Alternate(parts) => self.append(parts[rng.below(parts.len())], rng, extra, text),
            Node::Padding if rng.chance(0.1) => {
                let length = 1 + rng.below(3);
                text.extend((0..length).map(|_| char::from(b'a' + rng.below(26) as u8)));
            }
            Node::Padding => {}
        }
    }

    /// The simplest text of the pattern, anchors and boundaries taken to hold.
    pub(super) fn simplest(&self) -> String {
        self.simplest_of(self.root()).into_iter().collect()
    }

    /// The simplest text of a part.
    pub(super) fn simplest_of(&self, id: NodeId) -> Vec<char> {
        match self.node(id) {
            Node::Literal(characters) => characters.clone(),
            Node::Class(ranges) => simplest_member(ranges).into_iter().collect(),
            Node::Look(_) | Node::Padding => Vec::new(),
            Node::Repeat { part, min, .. } => {
                let once = if *min > 0 { self.simplest_of(*part) } else { Vec::new() };
                once.repeat(*min as usize)
            }
            Node::Concat(parts) => parts.iter().flat_map(|part| self.simplest_of(*part)).collect(),
            Node::Alternate(parts) => {
                let texts = parts.iter().map(|part| self.simplest_of(*part));
                texts.min_by_key(Vec::len).unwrap_or_default()
            }
        }
    }
}

/// The printable ASCII inside the ranges, which every dialect means by a class.
fn ascii(ranges: &[(char, char)]) -> impl Iterator<Item = (char, char)> {
    let inside = |(low, high): &(char, char)| ((*low).max(' '), (*high).min('~'));
    ranges.iter().map(inside).filter(|(low, high)| low <= high)
}

/// A member of the class, ASCII where it has any.
pub(super) fn member(ranges: &[(char, char)], rng: &mut Rng) -> Option<char> {
    let printable: Vec<(char, char)> = ascii(ranges).collect();
    let (low, high) = *rng.pick(if printable.is_empty() { ranges } else { &printable })?;
    let code = rng.between(i64::from(u32::from(low)), i64::from(u32::from(high))) as u32;
    // A range may span the gap of the surrogates.
    char::from_u32(code).or(Some(low))
}

pub(super) fn simplest_member(ranges: &[(char, char)]) -> Option<char> {
    let printable = ascii(ranges).flat_map(|(low, high)| low..=high);
    printable.min_by_key(|character| rank(*character)).or(ranges.first().map(|(low, _)| *low))
}
