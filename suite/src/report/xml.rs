//! Texts as XML and HTML want them.

/// The text with everything escaped that has a meaning in XML or HTML, in elements and in quoted
/// attributes. Characters that XML 1.0 forbids are replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut output = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => output.push_str("&amp;"),
            '<' => output.push_str("&lt;"),
            '>' => output.push_str("&gt;"),
            '"' => output.push_str("&quot;"),
            '\'' => output.push_str("&#39;"),
            '\t' | '\n' => output.push(character),
            '\r' => output.push_str("&#13;"),
            '\u{fffe}' | '\u{ffff}' => output.push('\u{fffd}'),
            other if other.is_control() => output.push('\u{fffd}'),
            other => output.push(other),
        }
    }
    output
}

/// The start of the text, with a mark where it was cut; `limit` in characters.
pub(super) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => {
            let rest = text[end..].chars().count();
            format!("{} … ({rest} more characters)", &text[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_is_escaped_and_what_is_forbidden_is_replaced() {
        let text = "<a href=\"x\">&'\u{0}\u{1b}é\n</script>";
        let shown = "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u{fffd}\u{fffd}é\n&lt;/script&gt;";
        assert_eq!(escaped(text), shown);
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 2), "äö … (2 more characters)");
    }
}
