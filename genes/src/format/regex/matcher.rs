//! Which parts of a text match which parts of a pattern.
//!
//! For each part of the pattern and each place of the text the places are computed where a match
//! that begins there can end, each once. That costs at most the size of the pattern times the
//! square of the length, where going back and forth may cost any power of it.

use std::collections::HashMap;
use std::rc::Rc;

use regex_syntax::hir::Look;

use super::derive::Derivation;
use super::program::{Node, NodeId, Program};

/// Steps after which a text counts as one that does not match.
const STEPS: u32 = 400_000;

/// Places in ascending order.
type Places = Rc<[usize]>;

/// A pattern on a text.
pub(super) struct Matcher<'a> {
    program: &'a Program,
    text: &'a [char],
    known: HashMap<(NodeId, usize), Places>,
    steps: u32,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(program: &'a Program, text: &'a [char]) -> Self {
        Self { program, text, known: HashMap::new(), steps: 0 }
    }

    /// Whether the whole text matches.
    pub(super) fn is_match(&mut self) -> bool {
        self.ends(self.program.root(), 0).contains(&self.text.len())
    }

    /// How the whole text matches.
    pub(super) fn derivation(&mut self) -> Option<Derivation> {
        if !self.is_match() {
            return None;
        }
        self.derive(self.program.root(), 0, self.text.len())
    }

    /// Where a match of the part can end that begins at `start`.
    fn ends(&mut self, id: NodeId, start: usize) -> Places {
        if let Some(known) = self.known.get(&(id, start)) {
            return Rc::clone(known);
        }
        self.steps += 1;
        let program = self.program;
        let ends: Vec<usize> = match program.node(id) {
            _ if self.steps > STEPS => Vec::new(),
            Node::Literal(characters) => {
                let is_there = self.text[start..].starts_with(characters);
                is_there.then_some(start + characters.len()).into_iter().collect()
            }
            Node::Class(ranges) => {
                let is_there = self.text.get(start).is_some_and(|one| contains(ranges, *one));
                is_there.then_some(start + 1).into_iter().collect()
            }
            Node::Look(look) => {
                holds(*look, self.text, start).then_some(start).into_iter().collect()
            }
            Node::Padding => (start..=self.text.len()).collect(),
            Node::Alternate(parts) => {
                let all = parts.iter().flat_map(|part| self.ends(*part, start).to_vec());
                sorted(all.collect())
            }
            Node::Concat(parts) => {
                let mut places = vec![start];
                for part in parts {
                    places = self.onward(*part, &places);
                }
                places
            }
            Node::Repeat { part, min, max } => self.repeated(*part, *min, *max, start),
        };
        let ends: Places = ends.into();
        self.known.insert((id, start), Rc::clone(&ends));
        ends
    }

    /// Where matches of the part end that begin at any of the places.
    fn onward(&mut self, part: NodeId, places: &[usize]) -> Vec<usize> {
        self.steps += places.len() as u32;
        let ends = places.iter().flat_map(|place| self.ends(part, *place).to_vec()).collect();
        sorted(ends)
    }

    fn repeated(&mut self, part: NodeId, min: u32, max: u32, start: usize) -> Vec<usize> {
        let mut places = vec![start];
        let mut reached = if min == 0 { places.clone() } else { Vec::new() };
        let mut count = 0;
        while count < max && !places.is_empty() {
            let next = self.onward(part, &places);
            count += 1;
            if count < min {
                // From here on every further repetition leads to the same places.
                if next == places {
                    count = min - 1;
                }
                places = next;
                continue;
            }
            places =
                next.into_iter().filter(|place| reached.binary_search(place).is_err()).collect();
            reached.extend(&places);
            reached.sort_unstable();
        }
        reached
    }

    /// How the part matches from `start` to `end`, which it does.
    fn derive(&mut self, id: NodeId, start: usize, end: usize) -> Option<Derivation> {
        let program = self.program;
        let parts = match program.node(id) {
            Node::Literal(_) | Node::Class(_) | Node::Look(_) | Node::Padding => Vec::new(),
            Node::Alternate(parts) => {
                let part = parts.iter().find(|part| self.ends(**part, start).contains(&end))?;
                vec![self.derive(*part, start, end)?]
            }
            Node::Concat(parts) => {
                let mut layers = vec![vec![start]];
                for part in parts {
                    let places = self.onward(*part, layers.last()?);
                    layers.push(places);
                }
                self.backward(|index| parts[index], &layers, end)?
            }
            Node::Repeat { part, min, max } => {
                let mut layers = vec![vec![start]];
                while !(layers.len() > *min as usize && layers.last()?.contains(&end)) {
                    if layers.len() > *max as usize
                        || layers.last()?.is_empty()
                        || self.steps > STEPS
                    {
                        return None;
                    }
                    let places = self.onward(*part, layers.last()?);
                    layers.push(places);
                }
                self.backward(|_| *part, &layers, end)?
            }
        };
        Some(Derivation { node: id, start, end, parts })
    }

    /// The derivations of successive parts, from the places that each of them can reach.
    fn backward(
        &mut self,
        part: impl Fn(usize) -> NodeId,
        layers: &[Vec<usize>],
        end: usize,
    ) -> Option<Vec<Derivation>> {
        let mut parts = Vec::with_capacity(layers.len());
        let mut end = end;
        for index in (0..layers.len() - 1).rev() {
            let id = part(index);
            let leads = |start: &&usize| self.ends(id, **start).contains(&end);
            let start = *layers[index].iter().find(leads)?;
            parts.push(self.derive(id, start, end)?);
            end = start;
        }
        parts.reverse();
        Some(parts)
    }
}

fn sorted(mut places: Vec<usize>) -> Vec<usize> {
    places.sort_unstable();
    places.dedup();
    places
}

fn contains(ranges: &[(char, char)], character: char) -> bool {
    let place = ranges.partition_point(|(_, high)| *high < character);
    ranges.get(place).is_some_and(|(low, _)| *low <= character)
}

/// Whether an anchor or boundary holds at a place of the text.
fn holds(look: Look, text: &[char], place: usize) -> bool {
    let before = place.checked_sub(1).map(|place| text[place]);
    let after = text.get(place).copied();
    let is_boundary =
        |is_word: fn(char) -> bool| before.is_some_and(is_word) != after.is_some_and(is_word);
    let is_ascii_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
    let is_word = |one: char| regex_syntax::try_is_word_character(one).unwrap_or(false);
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF => before.is_none_or(|one| one == '\n'),
        Look::EndLF => after.is_none_or(|one| one == '\n'),
        Look::WordAscii => is_boundary(is_ascii_word),
        Look::WordAsciiNegate => !is_boundary(is_ascii_word),
        Look::WordUnicode => is_boundary(is_word),
        Look::WordUnicodeNegate => !is_boundary(is_word),
        _ => false,
    }
}
