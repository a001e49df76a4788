//! Derivations: how a text comes from a pattern, and what it would be with another decision.

use super::program::{Node, NodeId, Program};
use super::sample::{member, simplest_member};
use crate::rng::Rng;

/// Repetitions more than the least in a part that is made anew.
const EXTRA: u32 = 2;
/// Most simpler texts.
const SIMPLER: usize = 200;

/// A part of a pattern and the part of a text that it matches.
#[derive(Debug)]
pub(super) struct Derivation {
    pub(super) node: NodeId,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) parts: Vec<Self>,
}

impl Derivation {
    /// The text with one decision changed, where there is one.
    pub(super) fn mutant(&self, program: &Program, text: &[char], rng: &mut Rng) -> String {
        let mut decisions = Vec::new();
        self.collect(program, &mut decisions);
        match rng.pick(&decisions) {
            Some(decision) => decision.changed(program, text, rng),
            None => text.iter().collect(),
        }
    }

    /// All decisions in the derivation.
    fn collect<'a>(&'a self, program: &Program, decisions: &mut Vec<&'a Self>) {
        let is_decision = match program.node(self.node) {
            Node::Class(_) | Node::Padding => true,
            Node::Alternate(parts) => parts.len() > 1,
            Node::Repeat { min, max, .. } => min < max,
            Node::Literal(_) | Node::Look(_) | Node::Concat(_) => false,
        };
        if is_decision {
            decisions.push(self);
        }
        self.parts.iter().for_each(|part| part.collect(program, decisions));
    }

    fn changed(&self, program: &Program, text: &[char], rng: &mut Rng) -> String {
        let mut part = Vec::new();
        match program.node(self.node) {
            Node::Repeat { part: repeated, min, max } => {
                return self.repeated(program, text, (*repeated, *min, *max), rng);
            }
            Node::Class(ranges) => part.extend(member(ranges, rng)),
            _ => program.append(self.node, rng, EXTRA, &mut part),
        }
        replaced(text, self.start, self.end, &part)
    }

    /// One repetition more, or one less.
    fn repeated(
        &self,
        program: &Program,
        text: &[char],
        (repeated, min, max): (NodeId, u32, u32),
        rng: &mut Rng,
    ) -> String {
        let count = self.parts.len() as u32;
        if count > min && (count >= max || rng.chance(0.5)) {
            let gone = &self.parts[rng.below(self.parts.len())];
            return replaced(text, gone.start, gone.end, &[]);
        }
        let mut part = Vec::new();
        program.append(repeated, rng, EXTRA, &mut part);
        let place = rng.below(self.parts.len() + 1);
        let place = self.parts.get(place).map_or(self.end, |part| part.start);
        replaced(text, place, place, &part)
    }

    /// Simpler texts, the boldest first: fewer repetitions, the first alternatives, plain
    /// characters.
    pub(super) fn simpler(&self, program: &Program, text: &[char]) -> Vec<String> {
        let mut decisions = Vec::new();
        self.collect(program, &mut decisions);
        decisions.sort_by_key(|decision| std::cmp::Reverse(decision.end - decision.start));
        let mut texts = Vec::new();
        for decision in &decisions {
            texts.push(decision.with(text, &program.simplest_of(decision.node)));
            match program.node(decision.node) {
                Node::Repeat { min, .. } if decision.parts.len() > *min as usize => {
                    let gone = decision.parts.iter().rev();
                    texts.extend(gone.map(|gone| replaced(text, gone.start, gone.end, &[])));
                }
                Node::Alternate(parts) => {
                    let simplest = parts.iter().map(|part| program.simplest_of(*part));
                    texts.extend(simplest.map(|part| decision.with(text, &part)));
                }
                Node::Class(ranges) => {
                    let part: Vec<char> = simplest_member(ranges).into_iter().collect();
                    texts.push(decision.with(text, &part));
                }
                _ => {}
            }
            if texts.len() >= SIMPLER {
                break;
            }
        }
        texts
    }

    fn with(&self, text: &[char], part: &[char]) -> String {
        replaced(text, self.start, self.end, part)
    }
}

/// The text with another part in place of one.
fn replaced(text: &[char], start: usize, end: usize, part: &[char]) -> String {
    text[..start].iter().chain(part).chain(&text[end..]).collect()
}
