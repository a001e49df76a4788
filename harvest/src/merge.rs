//! Which operations are alike: the same document but for layout and literals, with variables of the
//! same shape.

use std::fmt::Write;

use serde_json::Value;

/// The document without layout and comments, with one text for all texts and one number for all
/// numbers. Truth values, `null` and enum values stay: they change what is answered.
pub(crate) fn canonical(document: &str) -> String {
    let (bytes, mut text) = (document.as_bytes(), String::with_capacity(document.len()));
    let mut place = 0;
    while let Some(&byte) = bytes.get(place) {
        let start = place;
        match byte {
            b'#' => place = line_end(bytes, place),
            b'"' => {
                place = string_end(bytes, place);
                text.push_str("\"\"");
            }
            b'-' | b'0'..=b'9' => {
                place += 1 + count(&bytes[place + 1..], is_number);
                text.push('0');
            }
            _ if is_name(byte) => {
                place += count(&bytes[place..], is_name);
                // Names that follow each other stay apart.
                if text.ends_with(|last: char| last.is_ascii() && is_name(last as u8)) {
                    text.push(' ');
                }
                text.push_str(&document[start..place]);
            }
            b' ' | b'\t' | b'\n' | b'\r' | b',' => place += 1,
            _ => {
                place += 1 + count(&bytes[place + 1..], |byte| byte & 0xc0 == 0x80);
                text.push_str(&document[start..place]);
            }
        }
    }
    text
}

fn count(bytes: &[u8], is_part: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is_part(**byte)).count()
}

fn is_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-')
}

fn line_end(bytes: &[u8], start: usize) -> usize {
    start + count(&bytes[start..], |byte| byte != b'\n')
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let block = bytes[start..].starts_with(b"\"\"\"");
    let mut place = start + if block { 3 } else { 1 };
    while place < bytes.len() {
        match bytes[place] {
            b'\\' => place += 2,
            b'"' if !block => return place + 1,
            b'"' if bytes[place..].starts_with(b"\"\"\"") => return place + 3,
            _ => place += 1,
        }
    }
    bytes.len()
}

/// The shape of variables: names, kinds, and truth values, which decide what is selected.
pub(crate) fn shape(variables: &Value, text: &mut String) {
    match variables {
        Value::Null => text.push('n'),
        Value::Bool(truth) => write!(text, "{truth}").expect("a String takes any text"),
        Value::Number(_) => text.push('0'),
        Value::String(_) => text.push('s'),
        Value::Array(elements) => {
            text.push('[');
            elements.first().into_iter().for_each(|element| shape(element, text));
            text.push(']');
        }
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(key, _)| *key);
            text.push('{');
            for (key, value) in sorted {
                write!(text, "{key}:").expect("a String takes any text");
                shape(value, text);
            }
            text.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn layout_and_literals_do_not_matter() {
        let one = "query A($x: Int = 3) {\n  a(b: \"\\\"q\", c: -1.5e3, d: [1, 2], e: X) { f }\n}";
        let other = "query A($x:Int=4){a(b:\"\"\"z\"y\"\"\" c:7 d:[3 9] e:X){f}} # {";
        assert_eq!(canonical(one), canonical(other));
        assert_ne!(canonical(one), canonical(&one.replace("e: X", "e: Y")));
        assert_ne!(canonical("{a b}"), canonical("{ab}"));
        assert_eq!(canonical("\u{feff}{a(b:\"\u{e9}\")}"), "\u{feff}{a(b:\"\")}");
        assert_eq!(canonical("{a(b:\"open\\"), "{a(b:\"\"");
    }

    #[test]
    fn variables_are_compared_by_shape() {
        let of = |json: Value| {
            let mut text = String::new();
            shape(&json, &mut text);
            text
        };
        assert_eq!(of(json!({"a": 1, "b": ["x", "y"]})), of(json!({"b": ["z"], "a": 2})));
        assert_ne!(of(json!({"a": true})), of(json!({"a": false})));
        assert_ne!(of(json!({"a": null})), of(json!({"a": ""})));
    }
}
