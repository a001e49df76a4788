//! What operations are about, by the words of their names.

use std::collections::HashMap;

use super::{DELETING, Effect, argument, effect};
use crate::graphql::schema::{Schema, TypeId, TypeKind};
use crate::graphql::template::{OperationTemplate, Templates};
use crate::word::{singulars, stem, words};

/// Words between what is taken out and what it is taken out of.
const TAKING_OUT: [&str; 4] = ["from", "of", "in", "on"];
/// Words in the name of a deletion that say nothing of the thing.
const FILLING: [&str; 8] = ["a", "the", "my", "own", "one", "many", "all", "admin"];

/// Words for one of whatever there is, behind its name: `delete_books_item`.
const ONE_OF: [&str; 6] = ["item", "record", "entry", "row", "entity", "object"];

/// Object types by the stem of their name.
pub(super) struct TypeNames(HashMap<String, TypeId>);

impl TypeNames {
    pub(super) fn new(templates: &Templates) -> Self {
        let schema = templates.schema();
        let things = schema.types().filter(|(id, definition)| {
            matches!(definition.kind, TypeKind::Object { .. } | TypeKind::Interface { .. })
                && !templates.holds_operations(*id)
                && !definition.name.starts_with("__")
        });
        let mut things: Vec<(TypeId, &str)> = things.map(|(id, it)| (id, &*it.name)).collect();
        // Of `User` and `Users` the former is the thing, and the latter a list of it.
        things.sort_by_key(|(_, name)| std::cmp::Reverse(name.len()));
        Self(things.into_iter().map(|(id, name)| (stem(&words(name)), id)).collect())
    }

    /// The type with exactly these words, the last one in singular or plural.
    pub(super) fn named(&self, words: &[String]) -> Option<TypeId> {
        self.0.get(&stem(words)).copied()
    }

    /// The type with the longest name within the words.
    pub(super) fn within(&self, words: &[String]) -> Option<TypeId> {
        for length in (1..=words.len()).rev() {
            for start in (0..=words.len() - length).rev() {
                if let Some(found) = self.named(&words[start..start + length]) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// What an operation is about: the type in its name, or else the one it returns, when that
    /// has something to identify it by.
    pub(super) fn resource(
        &self,
        schema: &Schema,
        operation: &OperationTemplate,
    ) -> Option<TypeId> {
        let words = singulars(&operation.full_name);
        let takes_out = words.iter().any(|word| TAKING_OUT.contains(&&**word));
        let named = match effect(operation) {
            // What deletes the note of a customer is not about customers.
            Effect::Delete if is_deleting(&words) && !takes_out => self.ended(operation),
            _ => self.within(&words),
        };
        let returned = schema.returned(operation.field);
        named.or_else(|| argument::has_id(schema, returned).then_some(returned))
    }

    /// The type of what an operation deletes: the one that has all words of the thing in its name.
    pub(super) fn ended(&self, operation: &OperationTemplate) -> Option<TypeId> {
        let words = singulars(&operation.full_name);
        if effect(operation) != Effect::Delete || !is_deleting(&words) {
            return None;
        }
        // What stands behind says by what it is found: `deletePetById`.
        let words = words.into_iter().take_while(|word| word != "by");
        let says = |word: &String| !DELETING.contains(&&**word) && !FILLING.contains(&&**word);
        let words: Vec<String> = words.filter(says).collect();
        let one_of = words.split_last().filter(|(last, _)| ONE_OF.contains(&&***last));
        self.named(&words).or_else(|| self.named(one_of?.1))
    }
}

fn is_deleting(words: &[String]) -> bool {
    words.iter().any(|word| DELETING.contains(&&**word))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::graphql::link::Links;

    #[test]
    fn a_deletion_is_about_what_all_its_words_name() {
        let sdl = "type Query { customer(id: ID!): Customer order(id: ID!): Order line: OrderLine }
            type Customer { id: ID! } type Order { id: ID! } type OrderLine { id: ID! }
            type Done { isDone: Boolean } type Mutation { deleteCustomer(id: ID!): Done
            deleteCustomerNote(id: ID!): Done delete_customers_by_pk(id: ID!): Done
            orderLineDelete(id: ID!): Done removeLineFromOrder(id: ID!): Done removeCode: Order
            deleteMyOrder(id: ID!): Done delete_orders_item(id: ID!): Done delete(id: ID!): Done }";
        let schema = Arc::new(Schema::from_sdl(sdl).unwrap());
        let templates = Templates::new(schema).unwrap();
        let links = Links::new(&templates);
        let named = |id: Option<TypeId>| {
            id.map(|id| templates.schema().definition(id).name.to_string()).unwrap_or_default()
        };
        for (name, resource, ended) in [
            ("deleteCustomer", "Customer", "Customer"),
            ("deleteCustomerNote", "", ""),
            ("delete_customers_by_pk", "Customer", "Customer"),
            ("orderLineDelete", "OrderLine", "OrderLine"),
            ("removeLineFromOrder", "Order", ""),
            ("removeCode", "Order", ""),
            ("deleteMyOrder", "Order", "Order"),
            ("delete_orders_item", "Order", "Order"),
            ("delete", "", ""),
        ] {
            let operation = templates.operations().iter().find(|it| *it.name == *name).unwrap();
            assert_eq!(named(links.resource(operation.id)), resource, "{name}");
            assert_eq!(named(links.ended(operation.id)), ended, "{name}");
        }
    }
}
