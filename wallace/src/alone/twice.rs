//! A change made twice: what fails since it was made before, shown by a test that makes it itself.

use wallace_engine::{Action, Binding, Evaluated, Individual, Problem};
use wallace_genes::{Gene, GenePath};
use wallace_problems::HttpProblem;

use crate::made_name::MadeNames;
use crate::service_family::ServiceFamily;

/// The change of the test that failed, or the last one, and what it is bound to; it comes twice, and with
/// names that nobody chose before. None where the change says no name of others.
pub(super) fn made_twice<P: ServiceFamily>(
    problem: &P,
    made: &MadeNames,
    test: &Evaluated<<P as Problem>::Action>,
) -> Option<Individual<<P as Problem>::Action>> {
    let Evaluated { individual: test, outcomes, .. } = test;
    let is_change = |place: &usize| !HttpProblem::is_read(problem, &*test.actions()[*place].1);
    let has_failed = |place: &usize| outcomes[*place].status().is_some_and(|it| it >= 500);
    let changes = || (0..outcomes.len()).rev().filter(is_change);
    let place = changes().find(has_failed).or_else(|| changes().next())?;
    let first = test.actions()[place].0;
    // What makes its parents stays, and what else the test does may be refused for names of its own.
    let mut twice = test.trimmed_to(first);
    let mut is_named = false;
    for place in 0..twice.actions().len() {
        let action = &*twice.actions()[place].1;
        if !HttpProblem::is_read(problem, action) {
            let chosen = new_names(made, action);
            is_named |= twice.actions()[place].0 == first && !chosen.is_empty();
            for (path, name) in chosen {
                *path.find_mut(twice.action_mut(place).gene_mut())? = Gene::text(name);
            }
        }
    }
    if !is_named {
        return None;
    }
    let place = twice.position(first)?;
    let again = twice.push((*twice.actions()[place].1).clone());
    let bindings = test.bindings().iter().filter(|binding| binding.action == first);
    for binding in bindings.cloned().collect::<Vec<Binding>>() {
        twice.bind(Binding { action: again, ..binding });
    }
    Some(twice)
}

/// Names that nobody chose, for those that somebody chose of what a change says.
fn new_names<A: Action>(made: &MadeNames, action: &A) -> Vec<(GenePath, String)> {
    let mut chosen = Vec::new();
    action.gene().visit_texts(&mut |path, text| {
        if made.has_chosen(&text.text) {
            chosen.push((path.clone(), other_name(&text.text)));
        }
    });
    chosen
}

/// A name of the same form: each letter and digit of its first word is the next one.
pub(super) fn other_name(name: &str) -> String {
    let next = |letter: char| match letter {
        'z' => 'a',
        'Z' => 'A',
        '9' => '0',
        other => char::from(u8::try_from(other).map_or(b'a', |byte| byte + 1)),
    };
    let is_word = |letter: char| letter.is_ascii_alphanumeric();
    let Some(start) = name.find(is_word) else { return format!("{name}a") };
    let end = name[start..].find(|letter| !is_word(letter)).map_or(name.len(), |it| start + it);
    let word: String = name[start..end].chars().map(next).collect();
    format!("{}{word}{}", &name[..start], &name[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_name_has_the_same_form() {
        assert_eq!(other_name("\"Zoe9\" <a@b.c>"), "\"Apf0\" <a@b.c>");
        assert_eq!(other_name("a.b."), "b.b.");
        assert_eq!(other_name("é"), "éa");
    }
}
