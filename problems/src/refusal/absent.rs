//! What services say of things that are not there.

use std::sync::LazyLock;

use regex::Regex;

static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?ix) \bnot\s(be\s)?found\b | (does|do)(n't|\snot)\sexist | \bno\s(such|matching)\b
        | (can('|no|\sno)t|could(n't|\snot)|unable\sto)\s(find|locate)\b
        | \bno\b.{1,80}\b(found|exists)\b";
    Regex::new(pattern).expect("the pattern is valid")
});

/// Whether a message says that something is not there.
pub(crate) fn is_absent(message: &str) -> bool {
    ABSENT.is_match(message)
}

/// Whether a message holds a value as words of their own.
pub(crate) fn says(message: &str, value: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let stands_apart = |(start, _): (usize, &str)| {
        let (before, after) = (&message[..start], &message[start + value.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    };
    !value.is_empty() && message.match_indices(value).any(stands_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_say_in_many_ways_that_something_is_not_there() {
        for message in [
            "Todo not found",
            "User 7 doesn't exist",
            "Could not find the order",
            "Cannot find task with id 7: task is null",
            "can't locate user",
            "No such file",
            "No matching process definition with key: a",
            "No job found with id '7'.",
            "No customer with the id 7 could be found",
            "No comment exists with commentId: 7",
        ] {
            assert!(is_absent(message), "{message}");
        }
        for message in ["no", "name must not be empty", "the name exists already", "found 3 tasks"]
        {
            assert!(!is_absent(message), "{message}");
        }
    }

    #[test]
    fn a_value_is_said_where_it_stands_apart() {
        for (message, value, expected) in [
            ("task a-b of invoice:1:2 is gone", "invoice:1:2", true),
            ("task a-b of invoice:1:2 is gone", "a", false),
            ("(7)", "7", true),
            ("17", "7", false),
            ("a", "", false),
        ] {
            assert_eq!(says(message, value), expected, "{message} {value}");
        }
    }
}
