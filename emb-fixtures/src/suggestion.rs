//! What somebody may have meant by a name that does not exist.

/// ` (did you mean ...?)` with the nearest candidate, or nothing when none is near.
pub(crate) fn nearest(name: &str, candidates: &[&'static str]) -> String {
    let with_distance = |candidate: &&'static str| (edits(name, candidate), *candidate);
    match candidates.iter().map(with_distance).min() {
        // More than a third of the letters wrong is a different word, not a slip.
        Some((distance, candidate)) if distance * 3 <= candidate.len() => {
            format!(" (did you mean '{candidate}'?)")
        }
        _ => String::new(),
    }
}

/// Levenshtein's distance: insertions, deletions and replacements of characters.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, left) in from.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, right) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::{edits, nearest};

    #[test]
    fn distances() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("graphql-nsc", "graphql-ncs", 2),
        ] {
            assert_eq!(edits(from, to), expected, "{from} {to}");
            assert_eq!(edits(to, from), expected, "{to} {from}");
        }
    }

    #[test]
    fn only_near_names_are_proposed() {
        let names = ["graphql-ncs", "graphql-scs"];
        assert_eq!(nearest("graphql-nc", &names), " (did you mean 'graphql-ncs'?)");
        assert_eq!(nearest("petclinic", &names), "");
        assert_eq!(nearest("x", &[]), "");
    }
}
