//! Names: which are valid, and one copy of each.

use std::collections::HashSet;
use std::sync::Arc;

/// Whether the text is a GraphQL name: letters, digits and `_`, no digit first.
///
/// Names are printed into documents as they are, so nothing else may become one.
pub(super) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first == b'_' || first.is_ascii_alphabetic())
        && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// One shared copy of every name.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<Arc<str>>);

impl Names {
    pub(super) fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return Arc::clone(known);
        }
        let shared: Arc<str> = name.into();
        self.0.insert(Arc::clone(&shared));
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_graphql_names_are_names() {
        assert!(["a", "_", "__typename", "A9_"].into_iter().all(is_name));
        assert!(!["", "9a", "a-b", "a b", "\u{e9}", "a{b}", "a\n"].into_iter().any(is_name));
    }

    #[test]
    fn a_name_is_kept_once() {
        let mut names = Names::default();
        assert!(Arc::ptr_eq(&names.intern("id"), &names.intern("id")));
    }
}
