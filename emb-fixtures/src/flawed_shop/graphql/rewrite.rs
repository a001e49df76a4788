//! Answers that no typed executor gives: faults of shape, made by the coordinate of a field.

use apollo_compiler::Name;
use apollo_compiler::executable::{ExecutableDocument, Field, Selection, SelectionSet};
use async_graphql::Value;

use crate::flawed_shop::shop::Shop;

/// Changes the data of an answer as the faults say.
pub(super) fn rewrite(
    shop: &Shop,
    document: &ExecutableDocument,
    set: &SelectionSet,
    data: &mut Value,
) {
    if shop.has("gql-null-key-omitted") || shop.has("gql-review-text-null") {
        Rewriter { shop, document }.object(set, data);
    }
}

struct Rewriter<'a> {
    shop: &'a Shop,
    document: &'a ExecutableDocument,
}

impl Rewriter<'_> {
    fn object(&self, set: &SelectionSet, value: &mut Value) {
        if let Value::List(items) = value {
            items.iter_mut().for_each(|item| self.object(set, item));
            return;
        }
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => self.field(&set.ty, field, value),
                Selection::InlineFragment(fragment) => self.object(&fragment.selection_set, value),
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.fragment_name) {
                        self.object(&fragment.selection_set, value);
                    }
                }
            }
        }
    }

    fn field(&self, parent: &Name, field: &Field, value: &mut Value) {
        let Value::Object(members) = value else { return };
        let key = field.response_key().as_str();
        let Some(member) = members.get_mut(key) else { return };
        self.object(&field.selection_set, member);
        let coordinate = (parent.as_str(), field.name.as_str());
        let is_null = *member == Value::Null;
        let is_empty = matches!(member, Value::String(text) if text.is_empty());
        if coordinate == ("Product", "description") && is_null {
            if self.shop.has("gql-null-key-omitted") {
                members.shift_remove(key);
            }
        } else if coordinate == ("Review", "text")
            && is_empty
            && self.shop.has("gql-review-text-null")
        {
            *member = Value::Null;
        }
    }
}
