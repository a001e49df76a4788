//! Kinds of things, as names of paths, operations and arguments tell them.

use serde_json::Value;

use crate::word::singulars;

/// Words of names that say what is done, or how it is told, and not with what: they are no kinds.
const NO_KINDS: [&str; 24] = [
    "add", "api", "assign", "change", "create", "data", "delete", "edge", "edit", "for", "from",
    "get", "id", "item", "list", "node", "of", "patch", "put", "remove", "result", "set", "to",
    "update",
];
/// Last words of names that name a thing.
const ID_WORDS: [&str; 7] = ["id", "uuid", "guid", "key", "slug", "handle", "identifier"];

/// The words of a name that say what it is about.
pub(crate) fn kinds(name: &str) -> impl Iterator<Item = String> {
    singulars(name).into_iter().filter(|word| !NO_KINDS.contains(&word.as_str()))
}

/// Whether a name is that of an id, by its last word.
pub(crate) fn names_thing(words: &[String]) -> bool {
    words.last().is_some_and(|last| ID_WORDS.contains(&last.as_str()))
}

/// What may be an id, as text: a text, or a number as it is written.
#[must_use]
pub fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The ids among names and values, each with the kinds that its name tells; with `own` where it tells none.
pub(crate) fn things(
    inputs: impl IntoIterator<Item = (String, Value)>,
    own: &[String],
) -> Vec<(Vec<String>, String)> {
    let thing = |(name, value): (String, Value)| {
        let id = scalar(&value)?;
        if !names_thing(&singulars(&name)) {
            return None;
        }
        let mut told: Vec<String> = kinds(&name).collect();
        told.retain(|word| !ID_WORDS.contains(&word.as_str()));
        Some((if told.is_empty() { own.to_vec() } else { told }, id))
    };
    inputs.into_iter().filter_map(thing).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_are_of_the_kind_that_their_name_or_their_operation_tells() {
        let inputs = [("id", json!("5")), ("productVariantIds", json!(7)), ("quantity", json!(2))];
        let inputs = inputs.map(|(name, value)| (name.to_owned(), value));
        let own: Vec<String> = kinds("addItemToOrder").collect();
        let told = things(inputs, &own);
        let expected = [(vec!["order"], "5"), (vec!["product", "variant"], "7")];
        let expected = expected.map(|(kinds, id)| {
            (kinds.into_iter().map(str::to_owned).collect::<Vec<_>>(), id.to_owned())
        });
        assert_eq!(told, expected);
    }
}
