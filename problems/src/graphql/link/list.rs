//! Lists of names: queries that show by which codes or names the things of a kind go.
//!
//! What is named by a text and not by an id has no type that leads to it: `checker: { code }` is one of
//! `shippingEligibilityCheckers { code }` by its words alone. The words before the one that names,
//! in its own name (`countryCode`) or in that of what holds it (`checker`), are those that the name
//! of the query ends in.

use serde_json::Value;

use crate::graphql::schema::{OperationKind, Schema, TypeId, TypeKind};
use crate::graphql::template::{OperationTemplate, Templates};
use crate::word::{singular, singulars, words};

/// Words that a name of what names something ends in.
const NAMING: [&str; 6] = ["code", "key", "slug", "name", "handle", "identifier"];
/// Fields that hold the things of a page.
const CONTAINERS: [&str; 10] =
    ["items", "nodes", "edges", "node", "results", "data", "list", "content", "entries", "values"];
/// Most containers around the things of a list.
const DEPTH: usize = 2;
/// Most lists that feed one argument.
const MOST: usize = 4;

/// Queries that show names.
#[derive(Debug, Default)]
pub(super) struct Lists(Vec<List>);

#[derive(Debug)]
struct List {
    /// The words of the query, each in the singular.
    words: Vec<String>,
    /// The field that names.
    member: Box<str>,
    key: String,
}

impl Lists {
    pub(super) fn new(templates: &Templates) -> Self {
        let schema = templates.schema();
        let queries = templates.operations().iter().filter(|it| it.kind == OperationKind::Query);
        let lists = queries.flat_map(|query| {
            let members = naming_members(schema, schema.returned(query.field), DEPTH);
            members.into_iter().map(|member| List {
                words: singulars(&query.full_name),
                key: key(&query.full_name, &member),
                member,
            })
        });
        Self(lists.collect())
    }

    /// Keys of the values that may be given for an argument or input field of this name below
    /// `holder`, in a call of an operation: those of lists that share words with it first.
    pub(super) fn keys(&self, name: &str, holder: &str, operation: &str) -> Vec<String> {
        let own = words(name);
        let Some((last, before)) = own.split_last().filter(|(last, _)| is_naming(last)) else {
            return Vec::new();
        };
        let before: Vec<String> = match before {
            [] => singulars(holder),
            before => before.iter().map(|word| singular(word)).collect(),
        };
        let operation = singulars(operation);
        let shared = |list: &List| {
            let is_first = list.words.first().is_some_and(|word| operation.contains(word));
            let count = list.words.iter().filter(|word| operation.contains(word)).count();
            count + 2 * usize::from(is_first)
        };
        let fits = |list: &&List| {
            !before.is_empty() && list.words.ends_with(&before) && *list.member == **last
        };
        let mut lists: Vec<&List> = self.0.iter().filter(fits).collect();
        lists.sort_by_key(|list| std::cmp::Reverse(shared(list)));
        lists.iter().take(MOST).map(|list| list.key.clone()).collect()
    }
}

fn key(query: &str, member: &str) -> String {
    format!("list:{query}.{member}")
}

pub(super) fn is_naming(word: &str) -> bool {
    NAMING.contains(&word)
}

/// Fields that name things of a type, or those that it is a page of.
fn naming_members(schema: &Schema, id: TypeId, depth: usize) -> Vec<Box<str>> {
    let mut found: Vec<Box<str>> = Vec::new();
    for field in schema.fields(id) {
        let definition = schema.field(field);
        let below = definition.type_ref.named();
        let is_text = matches!(schema.definition(below).kind, TypeKind::Scalar { .. })
            && matches!(&*schema.definition(below).name, "String" | "ID");
        if is_text && is_naming(&definition.name) {
            found.push((*definition.name).into());
        } else if depth > 0 && CONTAINERS.contains(&&*definition.name) {
            found.extend(naming_members(schema, below, depth - 1));
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The names that the answer of a query shows, each with its key.
pub(super) fn shown<'v>(
    operation: &OperationTemplate,
    value: &'v Value,
) -> Vec<(String, &'v Value)> {
    let mut found = Vec::new();
    let mut open = vec![(value, DEPTH)];
    while let Some((value, depth)) = open.pop() {
        match value {
            Value::Array(elements) => open.extend(elements.iter().rev().map(|it| (it, depth))),
            Value::Object(members) => {
                for (name, member) in members {
                    if member.is_string() && is_naming(name) {
                        found.push((key(&operation.full_name, name), member));
                    } else if depth > 0 && CONTAINERS.contains(&&**name) {
                        open.push((member, depth - 1));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;

    const SDL: &str = "type Query { shippingCheckers: [Checker!] paymentCheckers: [Checker!]
        countries: Countries things: [Thing] } type Checker { code: String! args: [Arg] }
        type Countries { items: [Country] total: Int } type Country { id: ID! code: String }
        type Arg { name: String } type Thing { name: Int }";

    fn templates() -> Templates {
        Templates::new(Arc::new(Schema::from_sdl(SDL).unwrap())).unwrap()
    }

    #[test]
    fn words_before_the_naming_one_tell_the_list() {
        let lists = Lists::new(&templates());
        let keys = |name: &str, holder: &str, operation: &str| lists.keys(name, holder, operation);
        let (shipping, payment) = ("list:shippingCheckers.code", "list:paymentCheckers.code");
        assert_eq!(keys("code", "checker", "createShippingMethod"), [shipping, payment]);
        assert_eq!(keys("code", "checkers", "addPayment"), [payment, shipping]);
        assert_eq!(keys("code", "paymentChecker", "x"), [payment]);
        assert_eq!(keys("countryCode", "input", "x"), ["list:countries.code"]);
        // What is made names itself.
        assert!(keys("code", "input", "createCountry").is_empty());
        assert!(keys("code", "", "createCountry").is_empty());
        assert!(keys("name", "argument", "x").is_empty());
        assert!(keys("name", "thing", "x").is_empty());
    }

    #[test]
    fn answers_show_the_names_of_lists_and_pages() {
        let templates = templates();
        let operation =
            |name: &str| templates.operations().iter().find(|it| *it.name == *name).unwrap();
        let codes = |name: &str, value: Value| {
            let shown = shown(operation(name), &value).into_iter();
            shown.map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(
            codes("shippingCheckers", json!([{ "code": "a", "args": [{ "name": "b" }] }])),
            ["list:shippingCheckers.code=\"a\""]
        );
        assert_eq!(
            codes("countries", json!({ "items": [{ "code": "DE" }, { "code": null }] })),
            ["list:countries.code=\"DE\""]
        );
    }
}
