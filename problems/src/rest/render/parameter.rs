//! Parameters as text, in every style.

use serde_json::Value;

use crate::rest::description::{Parameter, ParameterPlace, Style};

/// Appends a text percent-encoded; slashes and what is reserved too, unless that is allowed.
pub(super) fn push_encoded(out: &mut String, text: &str, allows_reserved: bool) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_plain || (allows_reserved && b":/?@!$'()*,;".contains(&byte)) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(HEX[usize::from(byte >> 4)]));
            out.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

/// Appends the fixed text of a path; what a path cannot hold is encoded.
pub(super) fn push_path_text(out: &mut String, text: &str) {
    for character in text.chars() {
        if character.is_ascii_graphic() && !"<>\"#?{}|\\^`".contains(character) {
            out.push(character);
        } else {
            push_encoded(out, character.encode_utf8(&mut [0; 4]), false);
        }
    }
}

/// A scalar as text; what is no scalar as JSON.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        // Without an exponent, which few readers of paths expect.
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (None, Some(float)) if number.as_u64().is_none() => format!("{float}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// Scalars of a list, or names and scalars of an object, one after the other.
fn items(value: &Value) -> Vec<(Option<&str>, String)> {
    match value {
        Value::Array(elements) => elements.iter().map(|element| (None, scalar(element))).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, part)| (Some(&**name), scalar(part))).collect()
        }
        other => vec![(None, scalar(other))],
    }
}

/// Appends items with a separator, each encoded.
fn push_items(out: &mut String, parameter: &Parameter, value: &Value, separator: &str, pair: &str) {
    let reserved = parameter.allows_reserved;
    for (index, (name, text)) in items(value).iter().enumerate() {
        if index > 0 {
            out.push_str(separator);
        }
        if let Some(name) = name {
            push_encoded(out, name, reserved);
            out.push_str(pair);
        }
        push_encoded(out, text, reserved);
    }
}

/// Appends a name and a value to a query, both encoded.
pub(super) fn write_pair(out: &mut String, name: &str, value: &str) {
    if !out.is_empty() {
        out.push('&');
    }
    push_encoded(out, name, false);
    out.push('=');
    push_encoded(out, value, false);
}

/// Appends a parameter of the path.
pub(super) fn write_path(out: &mut String, parameter: &Parameter, value: &Value) {
    if parameter.is_json {
        return push_encoded(out, &value.to_string(), false);
    }
    let pair = if parameter.is_exploded { "=" } else { "," };
    match parameter.style {
        Style::Label => {
            out.push('.');
            push_items(out, parameter, value, if parameter.is_exploded { "." } else { "," }, pair);
        }
        Style::Matrix => write_matrix(out, parameter, value),
        _ => push_items(out, parameter, value, ",", pair),
    }
}

fn write_matrix(out: &mut String, parameter: &Parameter, value: &Value) {
    let is_object = value.is_object();
    if parameter.is_exploded && (is_object || value.is_array()) {
        for (name, text) in items(value) {
            out.push(';');
            push_encoded(out, name.unwrap_or(&parameter.name), false);
            out.push('=');
            push_encoded(out, &text, parameter.allows_reserved);
        }
        return;
    }
    out.push(';');
    push_encoded(out, &parameter.name, false);
    out.push('=');
    push_items(out, parameter, value, ",", ",");
}

/// Appends a parameter of the query, or a field of a form.
pub(super) fn write_query(out: &mut String, parameter: &Parameter, value: &Value) {
    let mut key = |out: &mut String, name: &str| {
        if !out.is_empty() {
            out.push('&');
        }
        push_encoded(out, name, false);
        out.push('=');
    };
    let is_composite = value.is_array() || value.is_object();
    if parameter.is_json || !is_composite {
        key(out, &parameter.name);
        let text = if parameter.is_json { value.to_string() } else { scalar(value) };
        return push_encoded(out, &text, parameter.allows_reserved);
    }
    let separator = match parameter.style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        Style::TabDelimited => "%09",
        _ => ",",
    };
    if parameter.style == Style::DeepObject && value.is_object() {
        return write_deep(out, &parameter.name, value, parameter.allows_reserved, &mut key);
    }
    if parameter.is_exploded {
        for (name, text) in items(value) {
            key(out, name.unwrap_or(&parameter.name));
            push_encoded(out, &text, parameter.allows_reserved);
        }
        return;
    }
    if value.as_array().is_some_and(Vec::is_empty) {
        return;
    }
    key(out, &parameter.name);
    push_items(out, parameter, value, separator, separator);
}

/// `name[member][inner]=value`, to any depth, and `name[0]` for elements inside.
fn write_deep(
    out: &mut String,
    name: &str,
    value: &Value,
    allows_reserved: bool,
    key: &mut dyn FnMut(&mut String, &str),
) {
    match value {
        Value::Object(members) => {
            for (member, part) in members {
                write_deep(out, &format!("{name}[{member}]"), part, allows_reserved, key);
            }
        }
        Value::Array(elements) => {
            for (index, part) in elements.iter().enumerate() {
                write_deep(out, &format!("{name}[{index}]"), part, allows_reserved, key);
            }
        }
        scalar_value => {
            key(out, name);
            push_encoded(out, &scalar(scalar_value), allows_reserved);
        }
    }
}

/// A header or cookie: in the simple style, not encoded.
pub(super) fn simple_text(parameter: &Parameter, value: &Value) -> String {
    if parameter.is_json {
        return value.to_string();
    }
    let pair =
        if parameter.is_exploded && parameter.place == ParameterPlace::Header { "=" } else { "," };
    let items = items(value);
    let texts = items.iter().map(|(name, text)| match name {
        Some(name) => format!("{name}{pair}{text}"),
        None => text.clone(),
    });
    texts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rest::schema::Schemas;

    fn parameter(style: Style, is_exploded: bool) -> Parameter {
        Parameter {
            name: "c".into(),
            place: ParameterPlace::Query,
            is_required: true,
            schema: Schemas::ANY,
            style,
            is_exploded,
            allows_reserved: false,
            is_json: false,
            examples: Vec::new(),
        }
    }

    /// The table of styles of the OpenAPI specification, for a list and an object.
    #[test]
    fn styles_are_those_of_the_specification() {
        let (list, object) = (json!(["b", "g"]), json!({ "B": 100, "R": 200 }));
        let path = |style, is_exploded, value: &Value| {
            let mut out = String::new();
            write_path(&mut out, &parameter(style, is_exploded), value);
            out
        };
        assert_eq!(path(Style::Simple, false, &list), "b,g");
        assert_eq!(path(Style::Simple, false, &object), "B,100,R,200");
        assert_eq!(path(Style::Simple, true, &object), "B=100,R=200");
        assert_eq!(path(Style::Label, true, &list), ".b.g");
        assert_eq!(path(Style::Label, false, &object), ".B,100,R,200");
        assert_eq!(path(Style::Matrix, false, &list), ";c=b,g");
        assert_eq!(path(Style::Matrix, true, &list), ";c=b;c=g");
        assert_eq!(path(Style::Matrix, true, &object), ";B=100;R=200");
        let query = |style, is_exploded, value: &Value| {
            let mut out = String::new();
            write_query(&mut out, &parameter(style, is_exploded), value);
            out
        };
        assert_eq!(query(Style::Form, false, &list), "c=b,g");
        assert_eq!(query(Style::Form, true, &list), "c=b&c=g");
        assert_eq!(query(Style::Form, true, &object), "B=100&R=200");
        assert_eq!(query(Style::SpaceDelimited, false, &list), "c=b%20g");
        assert_eq!(query(Style::PipeDelimited, false, &object), "c=B%7C100%7CR%7C200");
        assert_eq!(query(Style::DeepObject, true, &object), "c%5BB%5D=100&c%5BR%5D=200");
        assert_eq!(query(Style::Form, true, &json!("a&b/\u{e9}")), "c=a%26b%2F%C3%A9");
    }
}
