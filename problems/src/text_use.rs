//! What the service compares texts with, taken into the texts of a test.

use wallace_engine::{Action, Individual};
use wallace_genes::{
    Draw, Gene, GenePath, Knowledge, SpecRef, Specialisation, StringGene, TemplateId, repair,
};

use crate::http::TextUse;

/// The texts of a test that a use is about: position of the action, address there, and what the
/// use says of the text. Values travel between calls through the state of the service, so that the
/// call that shows the use need not have sent it.
fn uses_in<A: Action>(
    individual: &Individual<A>,
    text_use: &TextUse,
) -> Vec<(usize, GenePath, Specialisation)> {
    let mut uses = Vec::new();
    for (place, (_, action)) in individual.actions().iter().enumerate() {
        action.gene().visit_texts(&mut |path, string| {
            if let Some(specialisation) = specialised(&string.text, text_use) {
                uses.push((place, path.clone(), specialisation));
            }
        });
    }
    uses
}

/// Attaches what a use says to every text of the test that it is about.
pub(crate) fn learn_use<A: Action>(
    text_use: &TextUse,
    individual: &Individual<A>,
    knowledge: &mut Knowledge,
) {
    for (place, path, specialisation) in uses_in(individual, text_use) {
        let template = individual.actions()[place].1.template();
        knowledge.learn(template, &path, specialisation);
    }
}

/// The same test once for each text that one of the uses is about, as the use asks for it. The
/// other texts stay, so that a tainted one shows what it is compared with behind a constant.
pub(crate) fn with_uses<'a, A: Action>(
    individual: &'a Individual<A>,
    uses: impl Iterator<Item = &'a TextUse> + 'a,
    knowledge: &'a Knowledge,
    spec: impl Fn(TemplateId) -> SpecRef + 'a,
    draw: &'a mut Draw,
) -> impl Iterator<Item = Individual<A>> + 'a {
    let found = uses.flat_map(|text_use| uses_in(individual, text_use));
    found.filter_map(move |(place, path, specialisation)| {
        with_text(individual, (place, &path, &specialisation), knowledge, &spec, draw)
    })
}

/// The same test with the text at a place as a use asks for; none where no text does.
fn with_text<A: Action>(
    individual: &Individual<A>,
    (place, path, specialisation): (usize, &GenePath, &Specialisation),
    knowledge: &Knowledge,
    spec: impl Fn(TemplateId) -> SpecRef,
    draw: &mut Draw,
) -> Option<Individual<A>> {
    let text = specialisation.text(&mut draw.rng)?;
    let mut child = individual.clone();
    let action = child.action_mut(place);
    let template = action.template();
    let id = knowledge.find(template, path, specialisation);
    if let Some(Gene::String(string)) = path.find_mut(action.gene_mut()) {
        *string = StringGene { text: text.into(), specialisation: id };
    }
    repair(&spec(template), action.gene_mut(), &draw.settings);
    Some(child)
}

/// What a use says of the text: as it stands when the whole text was seen; with the constant, or
/// what the part must look like, put in the place of the tainted part when only that part was.
pub(crate) fn specialised(text: &str, text_use: &TextUse) -> Option<Specialisation> {
    let tainted = &text_use.tainted;
    if text.eq_ignore_ascii_case(tainted) {
        return Some(text_use.specialisation.clone());
    }
    let start = text.to_ascii_lowercase().find(&tainted.to_ascii_lowercase())?;
    let (before, after) = (&text[..start], &text[start + tainted.len()..]);
    let pattern = match &text_use.specialisation {
        Specialisation::Constant(constant) | Specialisation::ConstantIgnoreCase(constant) => {
            return Some(Specialisation::Constant(format!("{before}{constant}{after}").into()));
        }
        Specialisation::Integer | Specialisation::Long => "-?[0-9]{1,4}",
        Specialisation::Float => r"-?[0-9]{1,3}\.[0-9]{1,2}",
        Specialisation::Boolean => "true|false",
        Specialisation::Regex { pattern, .. } => pattern,
    };
    let (before, after) = (regex_syntax::escape(before), regex_syntax::escape(after));
    let pattern = format!("{before}(?:{pattern}){after}");
    Some(Specialisation::Regex { pattern: pattern.into(), is_whole: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(text: &str) -> Specialisation {
        Specialisation::Constant(text.into())
    }

    #[test]
    fn a_use_of_a_part_keeps_what_is_around_it() {
        let text_use =
            TextUse { tainted: "_em_7_xyz_".to_owned(), specialisation: constant("txt") };
        assert_eq!(specialised("_EM_7_XYZ_", &text_use), Some(constant("txt")));
        assert_eq!(specialised("a._EM_7_XYZ_", &text_use), Some(constant("a.txt")));
        assert_eq!(specialised("_EM_70_XYZ_", &text_use), None);
        let number = TextUse { specialisation: Specialisation::Integer, ..text_use };
        let part = Specialisation::Regex { pattern: r"a\.(?:-?[0-9]{1,4})".into(), is_whole: true };
        assert_eq!(specialised("a._EM_7_XYZ_", &number), Some(part));
    }
}
