//! Distance of a text to the nearest text that a regular expression matches.
//!
//! The distance is the least number of characters to insert, delete or replace. It is a
//! shortest path through the product of the text and the automaton of the expression (R. Wagner,
//! "Order-n correction for regular languages", Communications of the ACM 17 (1974)).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use crate::state::lock;

/// States of the largest automaton: expressions that need more have no distance.
const MOST_STATES: usize = 1_500;
/// Characters of the longest text: longer ones have no distance, so that a request cannot stop
/// the system.
const LONGEST_TEXT: usize = 200;
/// Automata that are kept; expressions beyond are built anew each time.
const MOST_KEPT: usize = 256;

/// Least number of edits after which `text` matches `pattern`; `None` when there is no distance:
/// an expression that cannot be read or is too large, or a text that is too long.
pub(crate) fn edits(pattern: &str, text: &str) -> Option<u32> {
    let characters: Vec<char> = text.chars().take(LONGEST_TEXT + 1).collect();
    if characters.len() > LONGEST_TEXT {
        return None;
    }
    automaton(pattern)?.edits(&characters)
}

fn automaton(pattern: &str) -> Option<Arc<Automaton>> {
    static KEPT: LazyLock<Mutex<HashMap<String, Option<Arc<Automaton>>>>> =
        LazyLock::new(Mutex::default);
    if let Some(known) = lock(&KEPT).get(pattern) {
        return known.clone();
    }
    let built = Automaton::build(pattern).map(Arc::new);
    let mut kept = lock(&KEPT);
    if kept.len() < MOST_KEPT {
        kept.insert(pattern.to_owned(), built.clone());
    }
    built
}

/// What leads from one state to another.
#[derive(Debug)]
enum Step {
    /// Nothing.
    Free,
    /// Any character.
    Any,
    /// A character of one of these ranges.
    Ranges(Vec<(char, char)>),
}

impl Step {
    fn takes(&self, character: char) -> bool {
        match self {
            Step::Free => false,
            Step::Any => true,
            Step::Ranges(ranges) => {
                ranges.iter().any(|&(low, high)| (low..=high).contains(&character))
            }
        }
    }
}

/// An automaton without memory, from state 0 to `end`.
#[derive(Debug, Default)]
struct Automaton {
    steps: Vec<Vec<(Step, usize)>>,
    end: usize,
}

impl Automaton {
    fn build(pattern: &str) -> Option<Self> {
        let tree = regex_syntax::ParserBuilder::new().nest_limit(50).build().parse(pattern).ok()?;
        let mut automaton = Self::default();
        let start = automaton.state()?;
        // Without an anchor, any text may stand before and after the match.
        if !tree.properties().look_set_prefix().contains(Look::Start) {
            automaton.step(start, Step::Any, start);
        }
        let end = automaton.append(&tree, start)?;
        if !tree.properties().look_set_suffix().contains(Look::End) {
            automaton.step(end, Step::Any, end);
        }
        automaton.end = end;
        Some(automaton)
    }

    fn state(&mut self) -> Option<usize> {
        self.steps.push(Vec::new());
        (self.steps.len() <= MOST_STATES).then_some(self.steps.len() - 1)
    }

    fn step(&mut self, from: usize, step: Step, to: usize) {
        self.steps[from].push((step, to));
    }

    /// Adds what `tree` matches behind state `from`; gives the state behind it.
    fn append(&mut self, tree: &Hir, from: usize) -> Option<usize> {
        match tree.kind() {
            // Anchors and word boundaries inside are taken as true.
            HirKind::Empty | HirKind::Look(_) => Some(from),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).ok()?;
                text.chars().try_fold(from, |from, character| {
                    self.one(from, Step::Ranges(vec![(character, character)]))
                })
            }
            HirKind::Class(class) => self.one(from, Step::Ranges(ranges(class))),
            HirKind::Capture(capture) => self.append(&capture.sub, from),
            HirKind::Concat(parts) => {
                parts.iter().try_fold(from, |from, part| self.append(part, from))
            }
            HirKind::Alternation(branches) => {
                let end = self.state()?;
                for branch in branches {
                    let last = self.append(branch, from)?;
                    self.step(last, Step::Free, end);
                }
                Some(end)
            }
            HirKind::Repetition(repetition) => self.repeat(repetition, from),
        }
    }

    fn one(&mut self, from: usize, step: Step) -> Option<usize> {
        let to = self.state()?;
        self.step(from, step, to);
        Some(to)
    }

    fn repeat(&mut self, repetition: &Repetition, from: usize) -> Option<usize> {
        let mut from = from;
        for _ in 0..repetition.min {
            from = self.append(&repetition.sub, from)?;
        }
        let Some(max) = repetition.max else {
            // A loop of its own, so that what stands before cannot be entered again.
            let start = self.one(from, Step::Free)?;
            let last = self.append(&repetition.sub, start)?;
            self.step(last, Step::Free, start);
            return self.one(start, Step::Free);
        };
        let end = self.state()?;
        for _ in repetition.min..max {
            self.step(from, Step::Free, end);
            from = self.append(&repetition.sub, from)?;
        }
        self.step(from, Step::Free, end);
        Some(end)
    }

    /// Row by row: the least edits with which the text so far leads to each state.
    fn edits(&self, text: &[char]) -> Option<u32> {
        let mut row = vec![u32::MAX; self.steps.len()];
        row[0] = 0;
        self.relax(&mut row);
        for &character in text {
            let mut next: Vec<u32> = row.iter().map(|edits| edits.saturating_add(1)).collect();
            for (state, &edits) in row.iter().enumerate().filter(|(_, edits)| **edits < u32::MAX) {
                for (step, to) in &self.steps[state] {
                    let cost = match step {
                        Step::Free => continue,
                        step => u32::from(!step.takes(character)),
                    };
                    next[*to] = next[*to].min(edits.saturating_add(cost));
                }
            }
            self.relax(&mut next);
            row = next;
        }
        Some(row[self.end]).filter(|edits| *edits < u32::MAX)
    }

    /// Steps that take no character of the text: free ones, and inserted characters.
    fn relax(&self, row: &mut [u32]) {
        let mut open: Vec<usize> = (0..row.len()).rev().filter(|&s| row[s] < u32::MAX).collect();
        while let Some(state) = open.pop() {
            for (step, to) in &self.steps[state] {
                let cost = row[state].saturating_add(u32::from(!matches!(step, Step::Free)));
                if cost < row[*to] {
                    row[*to] = cost;
                    open.push(*to);
                }
            }
        }
    }
}

fn ranges(class: &Class) -> Vec<(char, char)> {
    match class {
        Class::Unicode(class) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        Class::Bytes(class) => {
            let ranges = class.ranges().iter();
            ranges.map(|range| (char::from(range.start()), char::from(range.end()))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_counted() {
        for (pattern, text, wanted) in [
            ("^abc$", "abc", 0),
            ("^abc$", "abd", 1),
            ("^abc$", "", 3),
            ("^abc$", "xabcx", 2),
            ("abc", "xxabcxx", 0),
            ("abc", "xxabxx", 1),
            ("^abc", "abcxx", 0),
            ("^abc", "xabc", 1),
            ("^(mon|tue)[0-9]{2}$", "mon0", 1),
            ("^(mon|tue)[0-9]{2}$", "tua99", 1),
            ("^[0-9]+$", "", 1),
            ("^[0-9]*$", "12a4", 1),
            ("^(ab)*$", "abab", 0),
            ("^(ab)*$", "ababa", 1),
            ("^a{2,4}$", "aaaaaa", 2),
            ("^(?i)abc$", "ABC", 0),
            ("é+", "xéx", 0),
        ] {
            assert_eq!(edits(pattern, text), Some(wanted), "{pattern} {text}");
        }
    }

    #[test]
    fn what_is_too_large_or_unreadable_has_no_distance() {
        assert_eq!(edits("(", "a"), None);
        assert_eq!(edits("(a{100}){100}", "a"), None);
        assert_eq!(edits("a", &"b".repeat(LONGEST_TEXT + 1)), None);
        assert!(edits("^(a*)*b$", &"a".repeat(LONGEST_TEXT)).is_some(), "nested loops end");
    }
}
