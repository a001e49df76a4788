//! What a change of one value and the scores around it suggest to try next.

use std::sync::Arc;

use wallace_genes::Gene;

use super::Hint;
use super::edit::Edit;
use super::inference::{FORMS, LENGTH_STEP, Observation, distance};
use crate::individual::difference::Change;
use crate::target::Score;

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
fn number(gene: &Gene) -> Option<f64> {
    match gene {
        Gene::Integer(value) => Some(f64::from(*value)),
        Gene::Long(value) => Some(*value as f64),
        Gene::Float(value) => Some(value.get()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use wallace_genes::{GenePath, GeneSettings, SpecRef, TemplateId};

    use super::*;
    use crate::individual::action::ActionId;
    use crate::operator::hint::Hints;
    use crate::operator::hint::edit::apply;
    use crate::target::TargetId;

    fn score(distance: f64) -> Score {
        Score::new(0.1 + 0.9 / (1.0 + distance))
    }

    /// Distance of two texts as drivers compute it (docs/reference/heuristics.md#distances).
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
        let spec = wallace_genes::spec::StringSpec { min: 0, max: 100 };
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
}
