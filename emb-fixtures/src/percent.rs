//! Percent-encoding in paths and queries.

/// The text that a segment of a path stands for; bytes that are no UTF-8 are replaced.
pub(crate) fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut position = 0;
    while let Some(&byte) = bytes.get(position) {
        match escaped(bytes, position) {
            Some(value) => {
                decoded.push(value);
                position += 3;
            }
            None => {
                decoded.push(byte);
                position += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The byte that is escaped here, if one is.
fn escaped(bytes: &[u8], position: usize) -> Option<u8> {
    let (b'%', digits) = bytes.get(position..position + 3)?.split_first()? else { return None };
    let digits = std::str::from_utf8(digits).ok()?;
    let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hexadecimal.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
}

/// Names and values of a query.
pub(crate) fn decode_pairs(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(&name.replace('+', " ")), decode(&value.replace('+', " ")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_pairs};

    #[test]
    fn escapes_are_decoded_and_broken_ones_kept() {
        for (text, expected) in [
            ("a%20b", "a b"),
            ("%C3%a9", "é"),
            ("%", "%"),
            ("%4", "%4"),
            ("%zz", "%zz"),
            ("%FF", "\u{fffd}"),
        ] {
            assert_eq!(decode(text), expected, "{text}");
        }
    }

    #[test]
    fn queries_are_pairs() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = [pair("a", "1 2"), pair("b", ""), pair("c", "=&")];
        assert_eq!(decode_pairs("a=1+2&b&&c=%3D%26"), expected);
    }
}
