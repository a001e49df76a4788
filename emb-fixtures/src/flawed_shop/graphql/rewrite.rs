//! Answers that no typed executor gives: faults of shape, made by the coordinate of a field.

use async_graphql::Value;
use wallace_problems::graphql::executable::{
    ExecutableDocument, Field, Operation, Part, Selection,
};
use wallace_problems::graphql::{Schema, TypeId};

use crate::flawed_shop::shop::Shop;

/// Changes the data of an answer as the faults say.
pub(super) fn rewrite(
    shop: &Shop,
    schema: &Schema,
    document: &ExecutableDocument,
    operation: &Operation,
    data: &mut Value,
) {
    let is_asked = shop.has("gql-null-key-omitted") || shop.has("gql-review-text-null");
    if let (true, Some(root)) = (is_asked, schema.root(operation.kind)) {
        Rewriter { shop, schema, document }.object(root, &operation.selections, data);
    }
}

struct Rewriter<'a> {
    shop: &'a Shop,
    schema: &'a Schema,
    document: &'a ExecutableDocument,
}

impl Rewriter<'_> {
    fn object(&self, owner: TypeId, selections: &[Selection], value: &mut Value) {
        if let Value::List(items) = value {
            items.iter_mut().for_each(|item| self.object(owner, selections, item));
            return;
        }
        for selection in selections {
            let (on, inner) = match &selection.part {
                Part::Field(field) => {
                    self.field(owner, selection, field, value);
                    continue;
                }
                Part::Inline(None) => (Some(owner), &selection.selections),
                Part::Inline(Some(on)) => (self.schema.type_named(on), &selection.selections),
                Part::Spread(name) => {
                    let Some(fragment) = self.document.fragment(name) else { continue };
                    (self.schema.type_named(&fragment.on), &fragment.selections)
                }
            };
            if let Some(on) = on {
                self.object(on, inner, value);
            }
        }
    }

    fn field(&self, owner: TypeId, selection: &Selection, field: &Field, value: &mut Value) {
        let Value::Object(members) = value else { return };
        let Some(member) = members.get_mut(field.key()) else { return };
        // What the schema does not declare has no faults in it.
        let Some(id) = self.schema.field_named(owner, &field.name) else { return };
        self.object(self.schema.returned(id), &selection.selections, member);
        let coordinate = self.schema.coordinate(id);
        let is_null = *member == Value::Null;
        let is_empty = matches!(member, Value::String(text) if text.is_empty());
        if coordinate == "Product.description" && is_null {
            if self.shop.has("gql-null-key-omitted") {
                members.shift_remove(field.key());
            }
        } else if coordinate == "Review.text" && is_empty && self.shop.has("gql-review-text-null") {
            *member = Value::Null;
        }
    }
}
