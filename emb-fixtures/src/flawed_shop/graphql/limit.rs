//! What a document may cost: depth, aliases, directives.

use std::collections::HashMap;

use wallace_problems::graphql::executable::{ExecutableDocument, Operation, Part, Selection};

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
    for operation in document.operations() {
        directives += operation.directives.len();
        count_words(&operation.selections, &mut aliases, &mut directives);
    }
    for fragment in document.fragments() {
        directives += fragment.directives.len();
        count_words(&fragment.selections, &mut aliases, &mut directives);
    }
    if aliases > ALIASES && !shop.has("gql-no-alias-limit") {
        return Some("aliases");
    }
    if directives > DIRECTIVES {
        return Some("directives");
    }
    if meter.size(&operation.selections).fields > FIELDS {
        return Some("fields");
    }
    meter.passed_depth(&operation.selections, shop.has("gql-no-depth-limit"))
}

/// Adds the aliases and directives that stand in selections.
fn count_words(selections: &[Selection], aliases: &mut usize, directives: &mut usize) {
    for selection in selections {
        *directives += selection.directives.len();
        *aliases += usize::from(selection.as_field().is_some_and(|field| field.alias.is_some()));
        count_words(&selection.selections, aliases, directives);
    }
}

struct Meter<'a> {
    document: &'a ExecutableDocument,
    /// Sizes of the fragments that were met; valid documents have no cycles of them.
    fragments: HashMap<&'a str, Size>,
}

impl<'a> Meter<'a> {
    fn size(&mut self, selections: &'a [Selection]) -> Size {
        let mut size = Size::default();
        for selection in selections {
            let inner = self.selection(selection);
            size.depth = size.depth.max(inner.depth);
            size.fields = size.fields.saturating_add(inner.fields);
        }
        size
    }

    fn selection(&mut self, selection: &'a Selection) -> Size {
        match &selection.part {
            Part::Field(_) => {
                let inner = self.size(&selection.selections);
                Size { depth: inner.depth + 1, fields: inner.fields.saturating_add(1) }
            }
            Part::Inline(_) => self.size(&selection.selections),
            Part::Spread(name) => {
                if let Some(size) = self.fragments.get(&**name) {
                    return *size;
                }
                let fragment = self.document.fragment(name);
                let size =
                    fragment.map_or_else(Size::default, |fragment| self.size(&fragment.selections));
                self.fragments.insert(name, size);
                size
            }
        }
    }

    /// Whether a root field is deeper than it may be. (Root fields inside fragments count as
    /// fields of the shop unless they are introspection all alone.)
    fn passed_depth(&mut self, root: &'a [Selection], is_unlimited: bool) -> Option<&'static str> {
        for selection in root {
            let field = selection.as_field();
            let is_introspection =
                field.is_some_and(|field| matches!(&*field.name, "__schema" | "__type"));
            let limit = if is_introspection { INTROSPECTION_DEPTH } else { DEPTH };
            let is_checked = is_introspection || !is_unlimited;
            if is_checked && self.selection(selection).depth > limit {
                return Some("depth");
            }
        }
        None
    }
}
