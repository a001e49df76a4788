//! Hints: values to try, inferred from what earlier values did.
//!
//! Whenever a mutant comes back, each value that it changed and the scores before and after say
//! something about every target that both tests reached, not only about the one that was worked
//! on. What follows from it (`inference`) is kept as a few hints for each target, and a mutation on
//! the way to the target may take one instead of a random change.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use wallace_genes::{Gene, GenePath, GeneSettings, SpecRef, TemplateId, repair};

use crate::difference::Change;
use crate::individual::ActionId;
use crate::inference::{FORMS, LENGTH_STEP, Observation, distance};
use crate::target::{Score, TargetId};

/// What to change at a position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) enum Edit {
    /// Sets a number.
    Number(f64),
    /// Cuts or fills a text or a list to a length.
    Length(u32),
    /// Sets one character of a text.
    Character(u32, char),
}

/// A value to try.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hint {
    pub(crate) action: ActionId,
    pub(crate) template: TemplateId,
    pub(crate) path: Arc<GenePath>,
    pub(crate) edit: Edit,
    /// Whether only the direction is known.
    pub(crate) is_probe: bool,
}

/// Hints for open targets.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Hints {
    waiting: BTreeMap<TargetId, Vec<Hint>>,
    /// Targets whose newest hints nobody has taken yet.
    fresh: BTreeSet<TargetId>,
}

impl Hints {
    /// Most hints of one target; the oldest go first.
    const EACH: usize = 6;
    /// Most targets with hints.
    const TARGETS: usize = 20_000;

    /// Adds hints, of which the first is to be taken first, and leaves the list of them empty.
    /// Nothing is probed at a position where something better is known to do.
    pub(crate) fn add(&mut self, target: TargetId, hints: &mut Vec<Hint>) {
        if hints.iter().any(|hint| hint.is_probe) {
            let waiting = self.waiting.get(&target).map_or(&[][..], Vec::as_slice);
            hints.retain(|hint| {
                let is_there =
                    |other: &Hint| other.path == hint.path && other.action == hint.action;
                !(hint.is_probe && waiting.iter().any(is_there))
            });
        }
        if hints.is_empty() {
            return;
        }
        if self.waiting.len() >= Self::TARGETS
            && !self.waiting.contains_key(&target)
            && let Some((oldest, _)) = self.waiting.pop_first()
        {
            self.fresh.remove(&oldest);
        }
        let waiting = self.waiting.entry(target).or_default();
        for hint in hints.drain(..).rev() {
            let is_same = |other: &Hint| other.edit == hint.edit && *other == hint;
            if let Some(place) = waiting.iter().position(is_same) {
                waiting.remove(place);
            }
            waiting.push(hint);
        }
        let surplus = waiting.len().saturating_sub(Self::EACH);
        waiting.drain(..surplus);
        self.fresh.insert(target);
    }

    /// Takes the newest hint for a target.
    pub(crate) fn take(&mut self, target: TargetId) -> Option<Hint> {
        self.fresh.remove(&target);
        let waiting = self.waiting.get_mut(&target)?;
        let hint = waiting.pop();
        if waiting.is_empty() {
            self.waiting.remove(&target);
        }
        hint
    }

    /// Drops what was waiting for a target.
    pub(crate) fn forget(&mut self, target: TargetId) {
        self.waiting.remove(&target);
        self.fresh.remove(&target);
    }

    /// A target with fresh hints, of those known longest. It is offered once.
    pub(crate) fn next_target(&mut self) -> Option<TargetId> {
        self.fresh.pop_first()
    }
}

/// What an observation suggests, the more promising first.
type Edits = [Option<Edit>; 2];

/// Adds to `hints` what a change and the scores around it suggest. Only a change that was made
/// alone may be followed by steps in its direction; others must solve the score.
pub(crate) fn suggest(
    change: &Change<'_>,
    before: Score,
    after: Score,
    is_alone: bool,
    hints: &mut Vec<Hint>,
) {
    let edits = match (change.before, change.after) {
        (Gene::String(one), Gene::String(other)) => {
            suggest_text(&one.text, &other.text, before, after, is_alone)
        }
        (Gene::Array(one), Gene::Array(other)) => {
            suggest_length(one.len(), other.len(), before, after, is_alone)
        }
        (one, other) => match (number(one), number(other)) {
            (Some(one), Some(other)) => {
                let edit = |value: f64| value.is_finite().then_some(Edit::Number(value));
                observed(one, other, before, after, is_alone).map_or([None; 2], |it| it.map(edit))
            }
            _ => [None; 2],
        },
    };
    let mut known = edits.into_iter().flatten();
    let is_probe = match (known.next(), known.next()) {
        (Some(edit), None) => is_first_probe(edit, change.after),
        _ => false,
    };
    let hint = |edit| Hint {
        action: change.action,
        template: change.template,
        path: Arc::clone(&change.path),
        edit,
        is_probe,
    };
    for edit in edits.into_iter().flatten() {
        hints.push(hint(edit));
    }
}

/// Whether the edit goes to an end of the characters from somewhere between them.
fn is_first_probe(edit: Edit, gene: &Gene) -> bool {
    let is_end = |character| matches!(character, FIRST_CHARACTER | LAST_CHARACTER);
    let (Edit::Character(place, wanted), Gene::String(string)) = (edit, gene) else { return false };
    let there = string.text.chars().nth(place as usize);
    is_end(wanted) && there.is_some_and(|character| !is_end(character))
}

fn observed(before: f64, after: f64, one: Score, other: Score, is_alone: bool) -> Option<[f64; 2]> {
    let observation = Observation { before, after, score_before: one, score_after: other };
    let solved = observation.solutions();
    if is_alone { solved.or_else(|| observation.steps()) } else { solved }
}

fn suggest_length(before: usize, after: usize, one: Score, other: Score, is_alone: bool) -> Edits {
    let edit =
        |length: f64| (0.0..100_000.0).contains(&length).then_some(Edit::Length(length as u32));
    let lengths = observed(before as f64, after as f64, one, other, is_alone);
    lengths.map_or([None; 2], |lengths| lengths.map(edit))
}

/// Texts are compared by length and then character by character, from the left.
fn suggest_text(before: &str, after: &str, one: Score, other: Score, is_alone: bool) -> Edits {
    let (old, new): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
    if old.len() != new.len() {
        let gap = FORMS.iter().find_map(|form| length_gap(&old, &new, one, other, *form));
        return gap.map_or_else(
            || suggest_length(old.len(), new.len(), one, other, is_alone),
            |edit| [Some(edit), None],
        );
    }
    let mut differing = (0..old.len()).filter(|place| old[*place] != new[*place]);
    let (Some(place), None) = (differing.next(), differing.next()) else { return [None; 2] };
    suggest_character(place, &old, &new, one, other)
}

/// The length that a left-aligned comparison wants, told by a change of length.
fn length_gap(
    old: &[char],
    new: &[char],
    one: Score,
    other: Score,
    form: (f64, f64),
) -> Option<Edit> {
    let (before, after) = (distance(one, form)?, distance(other, form)?);
    let units = (after - before) / LENGTH_STEP / (new.len() as f64 - old.len() as f64);
    // Characters that overlap add less than one more unit of length.
    if !(0.5..1.01).contains(&units.abs()) {
        return None;
    }
    let missing = libm::floor(after / LENGTH_STEP + 1e-6);
    if missing < 1.0 {
        return (units < 0.0 && !new.is_empty()).then_some(Edit::Character(0, LAST_CHARACTER));
    }
    let length = new.len() as f64 - missing * units.signum();
    (0.0..100_000.0).contains(&length).then_some(Edit::Length(length as u32))
}

/// The character that a left-aligned comparison wants at a place; a character beyond all letters
/// where only the direction is known; the next place once this one is right.
fn suggest_character(place: usize, old: &[char], new: &[char], one: Score, other: Score) -> Edits {
    let (was, is) = (f64::from(u32::from(old[place])), f64::from(u32::from(new[place])));
    let edit = |place: usize, code: f64| {
        let character = char::from_u32(code as u32).unwrap_or('a');
        Some(Edit::Character(place as u32, character))
    };
    let next = edit((place + 1) % old.len(), LAST);
    for form in &FORMS {
        let (Some(before), Some(after)) = (distance(one, *form), distance(other, *form)) else {
            continue;
        };
        // What a step upwards would add to the distance.
        let (change, step) = ((after - before) * (is - was).signum(), (is - was).abs());
        let is_whole = (change - libm::round(change)).abs() < 1e-3;
        if !is_whole || change.abs() < 0.5 || change.abs() > step + 0.5 {
            continue;
        }
        if step - change.abs() > 0.5 {
            // The two values lie on different sides of the wanted one.
            return [edit(place, libm::round((was + is - change) / 2.0)), next];
        }
        return match (is == FIRST, is == LAST) {
            (true, _) => [next, None],
            (_, true) if change > 0.0 => [edit(place, FIRST), None],
            (_, true) => [next, None],
            _ => [edit(place, if change < 0.0 { LAST } else { FIRST }), None],
        };
    }
    [None; 2]
}

/// Ends of the printable characters of ASCII.
const FIRST: f64 = FIRST_CHARACTER as u32 as f64;
const FIRST_CHARACTER: char = ' ';
const LAST: f64 = LAST_CHARACTER as u32 as f64;
const LAST_CHARACTER: char = '~';

/// The value of a numeric gene.
pub(crate) fn number(gene: &Gene) -> Option<f64> {
    match gene {
        Gene::Integer(value) => Some(f64::from(*value)),
        Gene::Long(value) => Some(*value as f64),
        Gene::Float(value) => Some(value.get()),
        _ => None,
    }
}

/// Makes the edit at a position of a gene tree; whether anything changed. The tree stays valid.
pub(crate) fn apply(
    edit: Edit,
    path: &GenePath,
    spec: &SpecRef,
    root: &mut Gene,
    settings: &GeneSettings,
) -> bool {
    let was = root.clone();
    let Some(gene) = path.find_mut(root) else { return false };
    match (edit, gene) {
        (Edit::Number(value), Gene::Integer(integer)) => *integer = libm::round(value) as i32,
        (Edit::Number(value), Gene::Long(long)) => *long = libm::round(value) as i64,
        (Edit::Number(value), gene @ Gene::Float(_)) => *gene = Gene::float(value),
        (Edit::Length(length), Gene::Array(elements)) if !elements.is_empty() => {
            let last = elements[elements.len() - 1].clone();
            elements.resize(length as usize, last);
        }
        (Edit::Length(length), gene @ Gene::String(_)) => {
            let Gene::String(string) = &*gene else { return false };
            let text = string.text.chars().chain(std::iter::repeat('a')).take(length as usize);
            *gene = Gene::text(text.collect::<String>());
        }
        (Edit::Character(place, character), gene @ Gene::String(_)) => {
            let Gene::String(string) = &*gene else { return false };
            let mut text: Vec<char> = string.text.chars().collect();
            let Some(there) = text.get_mut(place as usize) else { return false };
            *there = character;
            *gene = Gene::text(text.into_iter().collect::<String>());
        }
        _ => return false,
    }
    repair(spec, root, settings);
    *root != was
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(distance: f64) -> Score {
        Score::new(0.1 + 0.9 / (1.0 + distance))
    }

    /// Distance of two texts as drivers compute it (driver-protocol.md 9.1).
    fn text_distance(one: &str, other: &str) -> f64 {
        let units: u32 =
            one.chars().zip(other.chars()).map(|(x, y)| u32::from(x).abs_diff(u32::from(y))).sum();
        LENGTH_STEP * one.chars().count().abs_diff(other.chars().count()) as f64 + f64::from(units)
    }

    /// Follows hints from a first change on until the text is right; the evaluations it took.
    fn follow(goal: &str, start: &str, first: &str) -> usize {
        let mut hints = Hints::default();
        let (mut best, mut mutant) = (start.to_owned(), first.to_owned());
        for evaluation in 1..200 {
            let (was, is) = (text_distance(&best, goal), text_distance(&mutant, goal));
            let (before, after) = (Gene::text(best.as_str()), Gene::text(mutant.as_str()));
            let change = Change {
                action: ActionId(0),
                template: TemplateId(0),
                path: Arc::default(),
                before: &before,
                after: &after,
            };
            let mut suggested = Vec::new();
            suggest(&change, score(was), score(is), true, &mut suggested);
            hints.add(TargetId(0), &mut suggested);
            if is <= was {
                best = mutant;
            }
            if best == goal {
                return evaluation;
            }
            mutant = match hints.take(TargetId(0)) {
                Some(hint) => edited(hint.edit, &best),
                None => best.replacen(best.chars().next().unwrap(), "k", 1),
            };
        }
        panic!("{goal} was not found")
    }

    fn edited(edit: Edit, text: &str) -> String {
        let mut builder = wallace_genes::SpecBuilder::new();
        let spec = wallace_genes::StringSpec { min: 0, max: 100 };
        let id = builder.add(wallace_genes::GeneSpec::String(spec));
        let spec = SpecRef::new(builder.build(), id);
        let mut gene = Gene::text(text);
        apply(edit, &GenePath::default(), &spec, &mut gene, &GeneSettings::default());
        let Gene::String(string) = gene else { unreachable!() };
        string.text.into()
    }

    #[test]
    fn a_text_is_found_in_a_few_tests_for_each_character() {
        // Two changes of length, and two or three for each of twelve characters.
        assert!(follow("Content-Type", "x", "xy") < 3 + 3 * 12);
        assert!(follow("id", "a much longer text", "a much longer tex") < 20);
        assert!(follow("same", "some", "sime") < 4 * 3);
    }

    #[test]
    fn the_newest_hints_come_first_and_memory_is_bounded() {
        let hint = |value| Hint {
            action: ActionId(0),
            template: TemplateId(0),
            path: Arc::default(),
            edit: Edit::Number(value),
            is_probe: false,
        };
        let mut hints = Hints::default();
        hints.add(TargetId(3), &mut vec![hint(1.0), hint(2.0)]);
        hints.add(TargetId(3), &mut vec![hint(3.0)]);
        assert_eq!(hints.next_target(), Some(TargetId(3)));
        assert_eq!(hints.next_target(), None);
        for value in [3.0, 1.0, 2.0] {
            assert_eq!(hints.take(TargetId(3)), Some(hint(value)));
        }
        for target in 0..30_000 {
            let mut twenty = (0..20).map(|value| hint(f64::from(value))).collect();
            hints.add(TargetId(target), &mut twenty);
        }
        assert!(hints.waiting.len() <= Hints::TARGETS);
        assert!(hints.waiting.values().all(|waiting| waiting.len() <= Hints::EACH));
    }

    #[test]
    fn an_edit_stays_within_bounds() {
        let mut builder = wallace_genes::SpecBuilder::new();
        let range = wallace_genes::IntegerSpec { min: 0, max: 9 };
        let id = builder.add(wallace_genes::GeneSpec::Integer(range));
        let spec = SpecRef::new(builder.build(), id);
        let mut gene = Gene::Integer(5);
        let (path, settings) = (GenePath::default(), GeneSettings::default());
        assert!(apply(Edit::Number(1e300), &path, &spec, &mut gene, &settings));
        assert_eq!(gene, Gene::Integer(9));
        assert!(!apply(Edit::Number(9.4), &path, &spec, &mut gene, &settings));
        assert!(!apply(Edit::Length(3), &path, &spec, &mut gene, &settings));
    }
}
