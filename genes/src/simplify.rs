//! Simplifying: the genes to try instead of one, when a test is to become smaller.

mod change;
mod leaf;
mod structure;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::check::check;
use crate::complexity::complexity;
use crate::gene::Gene;
use crate::path::GenePath;
use crate::settings::GeneSettings;
use crate::spec::SpecRef;

use change::{Change, Edit};
use structure::Collection;

/// Most genes offered for one; a walk that moves to a simpler gene may ask again from there.
const MOST: usize = 2_000;

/// Simpler values of the specification, near to `gene` and worth trying instead of it, the most
/// daring first: the simplest value of all, parts replaced by their simplest value or left out,
/// lists halved, then single elements; last numbers towards 0 by halves and steps, texts shorter
/// and of plainer characters, equal values at several places together.
///
/// Every one is valid, and smaller by [`complexity`](crate::expansion::complexity), so that taking them again
/// and again ends. The same gene always gives the same ones in the same order, at most 2,000; they
/// are made one by one as they are asked for. A gene that is not valid may give some with the same
/// first defect; a placeholder gives none.
///
/// ```
/// use wallace_genes::{site::*, spec::*, *};
///
/// let mut builder = SpecBuilder::new();
/// let number = builder.add(GeneSpec::Integer(IntegerSpec::default()));
/// let list = builder.add(GeneSpec::Array(ArraySpec { element: number, min: 0, max: 9 }));
/// let spec = SpecRef::new(builder.build(), list);
/// // A failure that shows whenever some number is above 100.
/// let fails = |gene: &Gene| gene.parts().any(|part| matches!(part, Gene::Integer(101..)));
///
/// let mut gene = Gene::Array([3, 7_000, -5, 512].map(Gene::Integer).to_vec());
/// while let Some(simpler) = simpler(&spec, &gene, &GeneSettings::default()).find(fails) {
///     gene = simpler;
/// }
/// assert_eq!(gene, Gene::Array(vec![Gene::Integer(101)]));
/// ```
pub fn simpler(
    spec: &SpecRef,
    gene: &Gene,
    settings: &GeneSettings,
) -> impl Iterator<Item = Gene> + use<> {
    let edits = edits(spec, gene, settings).into_iter();
    // The iterator has its own copy, so that a loop may replace the gene by what it gets.
    let (spec, gene, measure) = (spec.clone(), gene.clone(), complexity(gene));
    // A text that the service was seen to want may stand where its description has another one:
    // what is simpler may keep that, but may not add to it.
    let defect = check(&spec, &gene).err();
    let is_allowed = move |other: &Gene| {
        check(&spec, other).err().is_none_or(|other| Some(&other) == defect.as_ref())
    };
    edits
        .map(move |edit| edit.applied(&gene))
        .filter(move |other| complexity(other) < measure && is_allowed(other))
}

/// All changes to try, in order; some may turn out to be none, or not to be allowed.
fn edits(spec: &SpecRef, gene: &Gene, settings: &GeneSettings) -> Vec<Edit> {
    let mut collection = Collection::new(spec, gene, settings);
    collection.visit(spec.id(), gene);
    let mut edits = collection.edits;
    edits.extend(all_leaves(&edits));
    edits.extend(together(gene, &edits));
    // What removes most genes comes first; among the rest the first, boldest idea for each place
    // comes before the second for any.
    edits.sort_by_key(|edit| (Reverse(edit.removed), edit.order));
    edits.truncate(MOST);
    edits
}

/// The same tree with all leaves at their simplest.
fn all_leaves(edits: &[Edit]) -> Option<Edit> {
    let boldest = edits.iter().filter(|edit| edit.removed == 0 && edit.order == 1);
    let boldest: Vec<Edit> = boldest.cloned().collect();
    (boldest.len() > 1).then_some(Edit { removed: 0, order: 0, change: Change::All(boldest) })
}

/// Changes of equal leaves at several places at once: a test that needs two values to be equal
/// stays as it is when only one of them changes.
fn together(gene: &Gene, edits: &[Edit]) -> Vec<Edit> {
    type Places<'a> = Vec<(&'a GenePath, &'a Gene)>;
    let mut leaves: BTreeMap<(crate::expansion::Complexity, u32), Places<'_>> = BTreeMap::new();
    for edit in edits.iter().filter(|edit| edit.removed == 0) {
        if let Change::Put(path, value) = &edit.change
            && let Some(leaf @ (Gene::String(_) | Gene::Integer(_) | Gene::Long(_))) =
                path.find(gene)
        {
            leaves.entry((complexity(leaf), edit.order)).or_default().push((path, value));
        }
    }
    let groups = leaves.into_iter().filter(|(_, places)| places.len() > 1);
    let edit = |((_, order), places): ((_, u32), Places<'_>)| {
        let value = places[0].1;
        let put = |(path, _): &(&GenePath, &Gene)| Edit {
            removed: 0,
            order,
            change: Change::Put((*path).clone(), value.clone()),
        };
        Edit { removed: 0, order, change: Change::All(places.iter().map(put).collect()) }
    };
    groups.map(edit).collect()
}

#[cfg(test)]
mod tests;
