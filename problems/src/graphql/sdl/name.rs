//! Names that the parser would take for a keyword and a rest.
//!
//! Its keywords end nowhere in particular, so that it refuses the enum value `nullable` and takes
//! `typeA` for `type A`. Such names are marked on the way in and restored on the way out.

/// What marked names begin with. Names that begin so by themselves are marked as well, so no two
/// names become one.
const MARK: &str = "_name_";

const KEYWORDS: [&str; 19] = [
    "true",
    "false",
    "null",
    "schema",
    "scalar",
    "type",
    "interface",
    "union",
    "enum",
    "input",
    "extend",
    "directive",
    "implements",
    "repeatable",
    "on",
    "query",
    "mutation",
    "subscription",
    MARK,
];

/// Appends the name as the parser can read it.
pub(super) fn push_readable(target: &mut String, name: &str) {
    let is_longer = |keyword: &str| name.len() > keyword.len() && name.starts_with(keyword);
    if KEYWORDS.iter().any(|keyword| is_longer(keyword)) || name == MARK {
        target.push_str(MARK);
    }
    target.push_str(name);
}

/// The name as the schema has it.
pub(super) fn original(name: &str) -> &str {
    name.strip_prefix(MARK).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_and_no_two_become_one() {
        let names = ["a", "null", "nullable", "_name_", "_name_nullable", "_name", "typeA", "type"];
        let readable = names.map(|name| {
            let mut text = String::new();
            push_readable(&mut text, name);
            assert_eq!(original(&text), name);
            text
        });
        assert_eq!(readable[1..3], ["null", "_name_nullable"]);
        let distinct: std::collections::BTreeSet<_> = readable.iter().collect();
        assert_eq!(distinct.len(), names.len());
    }
}
