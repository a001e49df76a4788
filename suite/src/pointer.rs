//! JSON pointers (RFC 6901).

/// The pointer to a key or index below another pointer.
pub(crate) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn awkward_keys_are_found_again() {
        for key in ["a", "", "a/b", "~", "~1", "ä\""] {
            assert_eq!(json!({ key: 7 }).pointer(&child("", key)), Some(&json!(7)), "{key}");
        }
    }
}
