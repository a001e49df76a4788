//! Names of arguments and of parts of answers, as far as they say that two values are the same.

use serde_json::Value;
use wallace_problems::child_pointer;

/// Most parts of an answer that are looked at.
const MOST_PARTS: usize = 200;

/// A name as it is compared: letters and digits in lower case.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How well a value called `other` fits an argument `name` of a call named `of`: 2 where the names
/// are the same, or differ by what the call is about; 1 where one begins or ends as the other; else 0.
pub(super) fn fit(name: &str, of: &str, other: &str) -> u8 {
    let (name, of, other) = (plain(name), plain(of), plain(other));
    if name.is_empty() || other.is_empty() {
        return 0;
    }
    let about = format!("{of}{name}");
    if name == other || about == other {
        2
    } else {
        let is_part = |long: &str, short: &str| long.starts_with(short) || long.ends_with(short);
        u8::from(is_part(&name, &other) || is_part(&other, &name))
    }
}

/// The texts, numbers and truth values of an answer: what each is called, and the JSON pointer to
/// it. Of lists the first element only.
pub(super) fn parts(answer: &Value) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    collect(answer, "", String::new(), &mut parts);
    parts
}

fn collect(value: &Value, name: &str, pointer: String, parts: &mut Vec<(String, String)>) {
    if parts.len() == MOST_PARTS {
        return;
    }
    match value {
        Value::Object(members) => {
            for (key, part) in members {
                collect(part, key, child_pointer(&pointer, key), parts);
            }
        }
        Value::Array(elements) => {
            if let Some(first) = elements.first() {
                collect(first, name, format!("{pointer}/0"), parts);
            }
        }
        Value::Null => {}
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            parts.push((name.to_owned(), pointer));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_fit_whatever_their_spelling() {
        assert_eq!(fit("id", "owner", "owner_id"), 2);
        assert_eq!(fit("ownerId", "pets", "owner-id"), 2);
        assert_eq!(fit("id", "pet", "ownerId"), 1);
        assert_eq!(fit("productName", "products", "name"), 1);
        assert_eq!(fit("id", "pet", "description"), 0);
        assert_eq!(fit("", "pet", "id"), 0);
    }

    #[test]
    fn parts_of_an_answer_have_names_and_pointers() {
        let answer = json!({"data": {"add": {"a/b": [{"id": 7}, {"id": 8}], "none": null}}});
        assert_eq!(parts(&answer), [("id".to_owned(), "/data/add/a~1b/0/id".to_owned())]);
        assert_eq!(parts(&json!(12)), [(String::new(), String::new())]);
    }
}
