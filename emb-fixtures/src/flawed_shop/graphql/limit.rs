//! What a document may cost: depth, aliases, directives.

use std::collections::HashMap;

use apollo_compiler::executable::{ExecutableDocument, Operation, Selection, SelectionSet};

use crate::flawed_shop::shop::Shop;

/// Levels of fields; the root is the first one.
const DEPTH: usize = 6;
/// The same where introspection is asked.
const INTROSPECTION_DEPTH: usize = 15;
const ALIASES: usize = 15;
const DIRECTIVES: usize = 50;
/// Fields after fragments are put in: a short document can name very many.
const FIELDS: usize = 10_000;

/// What was counted in a selection set.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    depth: usize,
    fields: usize,
}

/// The name of the first limit that a valid document passes.
pub(super) fn exceeded(
    shop: &Shop,
    document: &ExecutableDocument,
    operation: &Operation,
) -> Option<&'static str> {
    let mut meter = Meter { document, fragments: HashMap::new() };
    let (mut aliases, mut directives) = (0, 0);
    let operations = document.operations.iter();
    let sets = operations.map(|operation| {
        directives += operation.directives.len();
        &operation.selection_set
    });
    let mut sets: Vec<&SelectionSet> = sets.collect();
    for fragment in document.fragments.values() {
        directives += fragment.directives.len();
        sets.push(&fragment.selection_set);
    }
    for set in sets {
        count_words(set, &mut aliases, &mut directives);
    }
    if aliases > ALIASES && !shop.has("gql-no-alias-limit") {
        return Some("aliases");
    }
    if directives > DIRECTIVES {
        return Some("directives");
    }
    if meter.size(&operation.selection_set).fields > FIELDS {
        return Some("fields");
    }
    meter.passed_depth(&operation.selection_set, shop.has("gql-no-depth-limit"))
}

/// Adds the aliases and directives that stand in a set.
fn count_words(set: &SelectionSet, aliases: &mut usize, directives: &mut usize) {
    for selection in &set.selections {
        *directives += selection.directives().len();
        match selection {
            Selection::Field(field) => {
                *aliases += usize::from(field.alias.is_some());
                count_words(&field.selection_set, aliases, directives);
            }
            Selection::InlineFragment(fragment) => {
                count_words(&fragment.selection_set, aliases, directives);
            }
            Selection::FragmentSpread(_) => {}
        }
    }
}

struct Meter<'a> {
    document: &'a ExecutableDocument,
    /// Sizes of the fragments that were met; valid documents have no cycles of them.
    fragments: HashMap<&'a str, Size>,
}

impl<'a> Meter<'a> {
    fn size(&mut self, set: &'a SelectionSet) -> Size {
        let mut size = Size::default();
        for selection in &set.selections {
            let inner = self.selection(selection);
            size.depth = size.depth.max(inner.depth);
            size.fields = size.fields.saturating_add(inner.fields);
        }
        size
    }

    fn selection(&mut self, selection: &'a Selection) -> Size {
        match selection {
            Selection::Field(field) => {
                let inner = self.size(&field.selection_set);
                Size { depth: inner.depth + 1, fields: inner.fields.saturating_add(1) }
            }
            Selection::InlineFragment(fragment) => self.size(&fragment.selection_set),
            Selection::FragmentSpread(spread) => {
                let name = spread.fragment_name.as_str();
                if let Some(size) = self.fragments.get(name) {
                    return *size;
                }
                let fragment = self.document.fragments.get(name);
                let size = fragment
                    .map_or_else(Size::default, |fragment| self.size(&fragment.selection_set));
                self.fragments.insert(name, size);
                size
            }
        }
    }

    /// Whether a root field is deeper than it may be. (Root fields inside fragments count as
    /// fields of the shop unless they are introspection all alone.)
    fn passed_depth(&mut self, root: &'a SelectionSet, is_unlimited: bool) -> Option<&'static str> {
        for selection in &root.selections {
            let is_introspection = matches!(
                selection,
                Selection::Field(field) if field.name == "__schema" || field.name == "__type"
            );
            let limit = if is_introspection { INTROSPECTION_DEPTH } else { DEPTH };
            let is_checked = is_introspection || !is_unlimited;
            if is_checked && self.selection(selection).depth > limit {
                return Some("depth");
            }
        }
        None
    }
}
