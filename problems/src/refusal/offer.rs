//! What a message offers: values in quotes and in lists, the form of a text, and how it begins.

use wallace_genes::spec::RegexSpec;

/// Words before a list of what is taken.
const LISTING: [&str; 10] = [
    "one of",
    "in list",
    "oneof",
    "allowed values",
    "valid values",
    "possible values",
    "permitted values",
    "accepted values",
    "supported values",
    "permitted:",
];
/// Words before what is taken, where that stands in quotes.
const OFFER: [&str; 8] = [
    "did you mean",
    "either",
    "expected",
    "has to be",
    "must be",
    "must equal",
    "needs to be",
    "should be",
];
/// Words before what was sent instead.
const SENT: [&str; 6] = [" but ", " found ", " got ", " instead of ", " not ", " received "];

/// What stands in quotes in a message: short texts, as values are.
pub(crate) fn quoted(message: &str) -> impl Iterator<Item = &str> {
    in_quotes(message).filter(|value| {
        (1..=40).contains(&value.len()) && !value.contains(['{', '(', '\n']) && !is_pattern(value)
    })
}

/// What stands in quotes behind words that offer it, and before those that tell what was sent: values, and
/// no marks or names of types.
pub(super) fn offered(sentence: &str) -> impl Iterator<Item = &str> {
    let lower = sentence.to_ascii_lowercase();
    let begin = list_begin(sentence);
    let end = SENT.iter().filter_map(|words| lower[begin..].find(words)).min();
    let end = end.map_or(lower.len(), |length| begin + length);
    quoted(&sentence[begin..end]).filter(|value| {
        // `run-<uuid>` says what stands there, and is none.
        let is_form = value.contains('<') && value.contains('>');
        let last = value.rsplit('.').next().unwrap_or_default();
        let is_type = value.contains('.') && last.starts_with(char::is_uppercase);
        value.contains(char::is_alphanumeric) && !is_type && !is_form
    })
}

/// Where what a sentence offers begins; its end where it offers nothing.
pub(super) fn list_begin(sentence: &str) -> usize {
    let lower = sentence.to_ascii_lowercase();
    let begins = |words: &&str| {
        let (before, rest) = lower.split_once(*words)?;
        let is_word = !before.ends_with(char::is_alphabetic) && !before.ends_with("not ");
        is_word.then(|| lower.len() - rest.len())
    };
    LISTING.iter().chain(&OFFER).filter_map(begins).min().unwrap_or(lower.len())
}

/// A text that begins as a sentence asks for: `must start with 'http://'`.
pub(super) fn beginning(sentence: &str) -> Option<String> {
    let lower = sentence.to_ascii_lowercase();
    let asks = ["start with ", "starts with ", "begin with ", "begins with ", "be prefixed with "];
    let end = asks.iter().find_map(|words| Some(lower.find(words)? + words.len()))?;
    if lower[..end].contains(" not ") || !lower.is_char_boundary(end) {
        return None;
    }
    let begin = sentence.get(end..).and_then(|rest| in_quotes(rest).next())?;
    let is_short = (1..=20).contains(&begin.len()) && !begin.starts_with('^');
    is_short.then(|| format!("{begin}{}", if begin.ends_with("://") { "localhost" } else { "a1" }))
}

fn in_quotes(message: &str) -> impl Iterator<Item = &str> {
    let mut rest = message;
    std::iter::from_fn(move || {
        let start = rest.find(['\'', '"', '`'])?;
        let mark = rest[start..].chars().next()?;
        let after = &rest[start + 1..];
        let end = after.find(mark)?;
        rest = &after[end + 1..];
        Some(&after[..end])
    })
}

fn is_pattern(text: &str) -> bool {
    text.len() > 1 && (text.starts_with('^') || text.ends_with('$'))
}

/// The simplest text of a pattern that a message shows in quotes, as it is or escaped once more.
pub(super) fn matching(message: &str) -> Option<String> {
    let pattern = in_quotes(message).find(|text| is_pattern(text))?;
    let plain = pattern.replace("\\\\", "\\");
    let spec = RegexSpec::partial(&plain).or_else(|_| RegexSpec::partial(pattern)).ok()?;
    Some(spec.shortest().to_owned())
}

/// What follows the words by which a message lists what is taken, in whichever brackets: where nothing
/// else parts them, blanks do.
pub(crate) fn listed(message: &str) -> impl Iterator<Item = &str> {
    let rest = LISTING.iter().find_map(|words| Some(message.split_once(words)?.1));
    let rest = rest.unwrap_or_default().trim_start().trim_start_matches("are");
    let first = rest.find([',', '|']).unwrap_or(rest.len());
    // `one of the following values: a, b`, `one of the values accepted for Enum class: [a, b]`
    let bracket = rest[..first].rfind(['[', '(']);
    let begin = bracket.or_else(|| rest[..first].rfind(": ")).unwrap_or_default();
    let rest = rest[begin..].trim_start_matches([':', ' ']);
    let inside = rest.trim_start_matches(['[', '(']);
    let end = inside.find([']', ')', ';', '\n']).unwrap_or(inside.len());
    let is_bracketed = inside.len() < rest.len();
    let is_apart = is_bracketed && !inside[..end].contains([',', '|']);
    let is_mark = move |c: char| c == ',' || c == '|' || is_apart && c == ' ';
    let values = inside[..end].split(is_mark).map(|value| {
        let value = value.trim().trim_end_matches('.');
        value.strip_prefix("or ").or(value.strip_prefix("and ")).unwrap_or(value)
    });
    let is_value = |value: &&str| {
        (1..=40).contains(&value.len()) && !value.contains(['\'', '"', '`', '{', ' '])
    };
    // What is no value ends a list that has no brackets: the sentence goes on.
    values.take_while(move |value| is_bracketed || is_value(value)).filter(is_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_values_are_found_in_messages() {
        let found: Vec<&str> = quoted("must be one of 'open', \"closed\" or `a b`").collect();
        assert_eq!(found, ["open", "closed", "a b"]);
        assert_eq!(quoted("it isn't so").count(), 0);
        let found: Vec<&str> = listed("'meta[0]' must be one of [total, filtered].").collect();
        assert_eq!(found, ["total", "filtered"]);
        let found = |message| listed(message).collect::<Vec<_>>();
        assert_eq!(found("value must be in list [1.0 1.1 1.2]"), ["1.0", "1.1", "1.2"]);
        assert_eq!(found("allowed values are: red, blue"), ["red", "blue"]);
        assert!(found("value must be one of the known ones").is_empty());
        assert_eq!(found("must be one of the following values: open, closed"), ["open", "closed"]);
        assert_eq!(found("not one of the values accepted for Enum class: [A, B]"), ["A", "B"]);
        assert_eq!(found("must be one of a, b, or c"), ["a", "b", "c"]);
        assert_eq!(found("must be one of 12:00, 13:00"), ["12:00", "13:00"]);
        assert!(found("a letter, one of the ./_-, followed by letters, digits").is_empty());
    }

    #[test]
    fn values_are_what_is_offered() {
        let offered = |message: &'static str| offered(message).collect::<Vec<_>>();
        assert_eq!(offered("Input should be 'a', 'b' or 'c'"), ["a", "b", "c"]);
        assert_eq!(offered("\"X\" is no color. Did you mean \"RED\"?"), ["RED"]);
        assert_eq!(offered("state must be 'on' or 'off' but was 'maybe'"), ["on", "off"]);
        assert!(offered("No Order with the id \"0\" could be found").is_empty());
        assert!(offered("unexpected value 'x'").is_empty());
        assert!(
            offered("must not be 'x'").is_empty() && offered("must not contain '..'").is_empty()
        );
        assert!(offered("must be either '~' + a number, '^' + a number, or '*'").is_empty());
        assert!(offered("should be instance of `org.example.model.Tag`").is_empty());
    }
}
