//! Counting the tokens of a document before anything parses it.

/// Number of tokens: punctuators, names, numbers and strings; white space, commas and comments are
/// none. An unfinished string counts as one; what it holds is for the parser to refuse.
pub(super) fn count(document: &str) -> usize {
    let bytes = document.as_bytes();
    let mut position = 0;
    let mut count = 0;
    while let Some(&byte) = bytes.get(position) {
        let length = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' => 1,
            b'#' => length_while(&bytes[position..], |byte| byte != b'\n' && byte != b'\r'),
            _ => {
                count += 1;
                token_length(&bytes[position..])
            }
        };
        position += length.max(1);
    }
    count
}

fn length_while(bytes: &[u8], is_inside: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !is_inside(byte)).unwrap_or(bytes.len())
}

fn token_length(bytes: &[u8]) -> usize {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match bytes {
        [b'"', b'"', b'"', ..] => block_length(bytes),
        [b'"', ..] => string_length(bytes),
        [b'.', b'.', b'.', ..] => 3,
        [b'-' | b'0'..=b'9', rest @ ..] => {
            1 + length_while(rest, |byte| is_word(byte) || b".+-".contains(&byte))
        }
        [byte, ..] if is_word(*byte) => length_while(bytes, is_word),
        // Characters outside ASCII are outside strings and comments no tokens, whatever they count.
        _ => 1,
    }
}

fn string_length(bytes: &[u8]) -> usize {
    let mut position = 1;
    while let Some(&byte) = bytes.get(position) {
        match byte {
            b'\\' => position += 2,
            b'"' => return position + 1,
            b'\n' | b'\r' => return position,
            _ => position += 1,
        }
    }
    bytes.len()
}

fn block_length(bytes: &[u8]) -> usize {
    let mut position = 3;
    while let Some(rest) = bytes.get(position..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with(b"\\\"\"\"") {
            position += 4;
        } else if rest.starts_with(b"\"\"\"") {
            return position + 3;
        } else {
            position += 1;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn tokens_are_counted() {
        for (document, expected) in [
            ("", 0),
            ("{ a, b } # c d\n", 4),
            ("{a(x:-1.5e+3,y:\"q \\\" }\")}", 11),
            ("{ ...on A{b} }", 8),
            ("\"\"\" a \\\"\"\" b \"\"\" c", 2),
            ("\"unfinished", 1),
        ] {
            assert_eq!(count(document), expected, "{document}");
        }
    }
}
