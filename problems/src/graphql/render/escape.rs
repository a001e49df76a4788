//! Escaping: one function for each context.

/// Appends a GraphQL string literal.
///
/// Control characters are escaped, which every edition of the language allows; all others stand
/// for themselves, astral ones too, since the escapes for those differ between editions.
pub(super) fn push_string(document: &mut String, text: &str) {
    document.push('"');
    push_escaped(document, text);
    document.push('"');
}

/// The body of a POST request: a JSON object that holds the document as `query`.
#[must_use]
pub fn request_body(document: &str) -> String {
    let mut body = String::with_capacity(document.len() + document.len() / 8 + 16);
    body.push_str("{\"query\":\"");
    push_escaped(&mut body, document);
    body.push_str("\"}");
    body
}

/// Appends text with the escapes that JSON and GraphQL have in common: quote, backslash and
/// everything below U+0020, DEL included for the sake of terminals and editors.
fn push_escaped(target: &mut String, text: &str) {
    let mut copied = 0;
    for (index, byte) in text.bytes().enumerate() {
        // Parts of characters beyond ASCII are at least 0x80, so every cut is between characters.
        if byte >= 0x20 && byte != b'"' && byte != b'\\' && byte != 0x7f {
            continue;
        }
        target.push_str(&text[copied..index]);
        copied = index + 1;
        match byte {
            b'"' => target.push_str("\\\""),
            b'\\' => target.push_str("\\\\"),
            b'\n' => target.push_str("\\n"),
            b'\r' => target.push_str("\\r"),
            b'\t' => target.push_str("\\t"),
            0x08 => target.push_str("\\b"),
            0x0c => target.push_str("\\f"),
            other => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                target.push_str("\\u00");
                target.push(char::from(DIGITS[usize::from(other >> 4)]));
                target.push(char::from(DIGITS[usize::from(other & 15)]));
            }
        }
    }
    target.push_str(&text[copied..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text, and what stands between the quotes of its literal.
    const TABLE: &[(&str, &str)] = &[
        ("", ""),
        ("plain", "plain"),
        ("\"", "\\\""),
        ("\\", "\\\\"),
        ("\\\"", "\\\\\\\""),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\u{0}\u{1f}\u{7f}", "\\u0000\\u001f\\u007f"),
        ("\u{8}\u{c}", "\\b\\f"),
        ("\u{2028}\u{feff}", "\u{2028}\u{feff}"),
        ("\u{e9}\u{4e2d}\u{1F600}", "\u{e9}\u{4e2d}\u{1F600}"),
        ("/$#{}", "/$#{}"),
        ("\"\"\"", "\\\"\\\"\\\""),
    ];

    #[test]
    fn texts_are_escaped_as_the_table_says() {
        for (text, expected) in TABLE {
            let mut literal = String::new();
            push_string(&mut literal, text);
            assert_eq!(literal, format!("\"{expected}\""));
        }
    }

    #[test]
    fn literals_read_back_as_their_text() {
        for (text, _) in TABLE {
            let mut document = "query{a(b:".to_owned();
            push_string(&mut document, text);
            document.push_str(")}");
            assert_eq!(argument(&document), *text, "{document:?}");
        }
    }

    /// The first argument of the first field, by an independent parser.
    fn argument(document: &str) -> String {
        let ast = apollo_compiler::ast::Document::parse(document, "d.graphql").unwrap();
        let apollo_compiler::ast::Definition::OperationDefinition(operation) = &ast.definitions[0]
        else {
            unreachable!("the document holds one operation")
        };
        let field = operation.selection_set[0].as_field().unwrap();
        field.arguments[0].value.as_str().unwrap().to_owned()
    }

    #[test]
    fn a_body_is_json_that_holds_the_document() {
        for (text, _) in TABLE {
            let body: serde_json::Value = serde_json::from_str(&request_body(text)).unwrap();
            assert_eq!(body, serde_json::json!({ "query": text }));
        }
    }
}
