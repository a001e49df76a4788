//! Words in the names of paths, parameters and members, and what they refer to.

use std::sync::Arc;

use crate::word::{singular, words};

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

/// The words of the fixed segments of a path, each as one of what it names.
pub(crate) fn fixed_words(path: &str) -> impl Iterator<Item = String> {
    let fixed = path.split('/').filter(|segment| !segment.contains('{'));
    fixed.flat_map(words).map(|word| singular(&word))
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
