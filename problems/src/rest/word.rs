//! Words in the names of paths, parameters and members, and what they refer to.

use std::sync::Arc;

/// The thing in the name of what refers to it: its last word, without what only says that it is a
/// reference.
pub(crate) fn called(name: &str) -> Option<String> {
    let mut words = words(name);
    let says_reference = ["id", "ids", "uuid", "key", "name", "code", "ref", "number"];
    if words.len() > 1 && says_reference.contains(&words.last()?.as_str()) {
        words.pop();
    }
    words.pop().map(|word| singular(&word))
}

/// The words of a name or text in lower case, parted by what is no letter or digit, and where small
/// letters are followed by a capital.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for character in name.chars() {
        if !character.is_alphanumeric() {
            was_lower = false;
            words.push(String::new());
            continue;
        }
        if words.is_empty() || character.is_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = !character.is_uppercase();
        if let Some(word) = words.last_mut() {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The words of the fixed segments of a path, each as one of what it names.
pub(crate) fn fixed_words(path: &str) -> impl Iterator<Item = String> {
    let fixed = path.split('/').filter(|segment| !segment.contains('{'));
    fixed.flat_map(words).map(|word| singular(&word))
}

/// Letters and digits in lower case.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The path with all placeholders alike, without a final slash.
pub(crate) fn shape(path: &str) -> Arc<str> {
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    let segments = segments.map(|segment| if segment.contains('{') { "{}" } else { segment });
    let mut shape = String::with_capacity(path.len());
    for segment in segments {
        shape.push('/');
        shape.push_str(segment);
    }
    shape.into()
}

/// One of the things that a plural names, in English.
pub(crate) fn singular(plural: &str) -> String {
    if let Some(stem) = plural.strip_suffix("ies") {
        return format!("{stem}y");
    }
    if plural.ends_with("sses") || plural.ends_with("xes") || plural.ends_with("ches") {
        return plural[..plural.len() - 2].to_owned();
    }
    let is_plural = plural.ends_with('s') && !plural.ends_with("ss");
    if is_plural { plural[..plural.len() - 1].to_owned() } else { plural.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        assert_eq!(&*shape("/a/{x}/b/{y}/"), "/a/{}/b/{}");
    }

    #[test]
    fn names_tell_what_they_refer_to() {
        let name = |text| called(text).unwrap();
        assert_eq!(
            ["userId", "source_feature", "USER_ID", "ids"].map(name),
            ["user", "feature", "user", "id"]
        );
        assert_eq!(["categories", "shopID"].map(name), ["category", "shop"]);
    }
}
