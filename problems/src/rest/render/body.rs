//! Bodies in the media types that can be written.

use std::sync::Arc;

use serde_json::Value;

use super::parameter::write_query;
use crate::rest::description::{BodyContent, Encoding, Parameter, ParameterPlace, Style};
use crate::rest::file;
use crate::rest::schema::{SchemaId, Schemas};
use crate::rest::template::Templates;

/// Separates the parts of a form. Values that hold it are vanishingly rare, and harmless.
const BOUNDARY: &str = "wallace-5ac1f8e2c0b7";

/// Whether bodies of this media type can be written.
pub(crate) fn can_write(media_type: &str) -> bool {
    let is_known = ["json", "form-urlencoded", "multipart/form-data", "xml", "octet-stream", "*/*"];
    is_known.iter().any(|known| media_type.contains(known)) || is_text(media_type)
}

/// Whether what is written in this media type has the members of a value in their places: others hold
/// texts, so that an object in them is hardly what the service reads.
pub(crate) fn keeps_structure(media_type: &str) -> bool {
    let is_known = ["json", "form-urlencoded", "multipart/form-data", "xml", "*/*"];
    is_known.iter().any(|known| media_type.contains(known)) || media_type == "application/*"
}

fn is_text(media_type: &str) -> bool {
    ["text/", "image/", "audio/", "video/", "application/"]
        .iter()
        .any(|start| media_type.starts_with(start))
}

/// The media type of a body that is sent as JSON, never a range; `None` for others.
pub(super) fn json_type(content: &BodyContent) -> Option<&str> {
    let media_type = &*content.media_type;
    let is_json =
        media_type.contains("json") || media_type.contains("*/*") || media_type == "application/*";
    let sent = if media_type.contains('*') { "application/json" } else { media_type };
    is_json.then_some(sent)
}

/// The media type with its parameters, and the bytes.
pub(super) fn write(
    templates: &Templates,
    content: &BodyContent,
    value: &Value,
) -> (String, Vec<u8>) {
    let media_type = &*content.media_type;
    if let Some(media_type) = json_type(content) {
        return (media_type.to_owned(), value.to_string().into_bytes());
    }
    if media_type.contains("form-urlencoded") {
        return (media_type.to_owned(), form(content, value).into_bytes());
    }
    if media_type.contains("multipart/form-data") {
        let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let schemas = &templates.description().schemas;
        return (media_type, multipart(schemas, content, value).into_bytes());
    }
    if media_type.contains("xml") {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        let schemas = &templates.description().schemas;
        let name = name_of(schemas, content.schema).unwrap_or_else(|| "root".to_owned());
        element(schemas, content.schema, &name, value, &mut text, 0);
        return (media_type.to_owned(), text.into_bytes());
    }
    (media_type.to_owned(), plain(value).into_bytes())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn encoding<'c>(content: &'c BodyContent, name: &str) -> Option<&'c Encoding> {
    content.encodings.iter().find(|(known, _)| **known == *name).map(|(_, encoding)| encoding)
}

/// Fields of a form, each written like a parameter of a query.
fn form(content: &BodyContent, value: &Value) -> String {
    let mut text = String::new();
    for (name, part) in value.as_object().into_iter().flatten() {
        let encoding = encoding(content, name);
        let style = encoding.and_then(|encoding| encoding.style).unwrap_or(Style::Form);
        let is_json = encoding
            .and_then(|encoding| encoding.content_type.as_deref())
            .is_some_and(|media_type| media_type.contains("json"));
        // Members of an object inside have no names of their own in the usual style.
        let style =
            if part.is_object() && style == Style::Form { Style::DeepObject } else { style };
        let field = Parameter {
            name: name.as_str().into(),
            place: ParameterPlace::Query,
            is_required: true,
            schema: Schemas::ANY,
            style,
            is_exploded: encoding.and_then(|encoding| encoding.is_exploded).unwrap_or(true),
            allows_reserved: false,
            is_json,
            examples: Vec::new(),
        };
        write_query(&mut text, &field, part);
    }
    text
}

/// Parts of a form; elements of lists are parts of one name, objects are JSON. What a file holds is sent
/// as one: no framework takes a part without the name of a file for that.
fn multipart(schemas: &Schemas, content: &BodyContent, value: &Value) -> String {
    let mut text = String::new();
    let members = schemas.flat(&[content.schema.into()]).properties;
    let is_file = |name: &str| {
        let mut known = members.iter().filter(|(known, _)| **known == *name);
        known.any(|(_, all)| all.iter().any(|id| holds_file(schemas, *id, 0)))
    };
    // A form has no null: what is null is not there.
    let parts = value.as_object().into_iter().flatten().filter(|(_, part)| !part.is_null());
    for (name, part) in parts {
        let media_type =
            encoding(content, name).and_then(|encoding| encoding.content_type.as_deref());
        let is_file = media_type.is_none() && is_file(name);
        let mut push = |part: &Value| {
            let file = is_file.then(|| file::media_type(part.as_str().unwrap_or_default()));
            push_part(&mut text, name, media_type.or(file), part);
        };
        match part {
            Value::Array(elements) => elements.iter().for_each(push),
            part => push(part),
        }
    }
    text.push_str(&format!("--{BOUNDARY}--\r\n"));
    text
}

/// The members of a form that are files.
pub(in crate::rest) fn files(schemas: &Schemas, content: &BodyContent) -> Vec<Arc<str>> {
    if !content.media_type.contains("multipart") {
        return Vec::new();
    }
    let members = schemas.flat(&[content.schema.into()]).properties.into_iter();
    let files = members.filter(|(_, all)| all.iter().any(|id| holds_file(schemas, *id, 0)));
    files.map(|(name, _)| name).collect()
}

/// Whether a value is what a file holds, or a list of such values.
fn holds_file(schemas: &Schemas, id: SchemaId, depth: usize) -> bool {
    let schema = schemas.get(id);
    let inner = [&schema.all_of, &schema.any_of, &schema.one_of].into_iter().flatten();
    let mut inner = inner.chain(&schema.items);
    schema.format.as_deref() == Some("binary")
        || depth < 3 && inner.any(|id| holds_file(schemas, *id, depth + 1))
}

fn push_part(text: &mut String, name: &str, media_type: Option<&str>, value: &Value) {
    let name = name.replace('"', "%22").replace(['\r', '\n'], " ");
    text.push_str(&format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\""));
    let media_type = media_type.or(value.is_object().then_some("application/json"));
    // Of several that are allowed, one is sent.
    let media_type = media_type.map(|all| all.split(',').next().unwrap_or(all).trim());
    if let Some(media_type) = media_type {
        if !media_type.contains("json") {
            text.push_str(&format!("; filename=\"file{}\"", ending(media_type)));
        }
        text.push_str(&format!("\r\nContent-Type: {media_type}"));
    }
    text.push_str("\r\n\r\n");
    text.push_str(&plain(value));
    text.push_str("\r\n");
}

/// How names of files of a media type end, as far as services look at that.
fn ending(media_type: &str) -> &'static str {
    match media_type {
        "image/png" => ".png",
        "image/jpeg" => ".jpg",
        "image/gif" => ".gif",
        "image/svg+xml" => ".svg",
        "text/csv" => ".csv",
        "application/pdf" => ".pdf",
        "application/zip" => ".zip",
        "application/xml" | "text/xml" => ".xml",
        _ => ".txt",
    }
}

fn name_of(schemas: &Schemas, id: SchemaId) -> Option<String> {
    let schema = schemas.get(id);
    schema.xml.name.as_ref().or(schema.name.as_ref()).map(|name| xml_name(name))
}

/// A name that XML takes.
fn xml_name(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' })
        .collect();
    if !text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        text.insert(0, '_');
    }
    text
}

fn element(
    schemas: &Schemas,
    id: SchemaId,
    name: &str,
    value: &Value,
    text: &mut String,
    depth: usize,
) {
    if depth > 50 {
        return;
    }
    match value {
        Value::Object(members) => {
            let flat = schemas.flat(&[id.into()]);
            let schema_of = |member: &str| {
                let known = flat.properties.iter().find(|(known, _)| **known == *member);
                known.and_then(|(_, schemas)| schemas.first()).copied().unwrap_or(Schemas::ANY)
            };
            text.push_str(&format!("<{name}"));
            for (member, part) in members {
                let schema = schema_of(member);
                if schemas.get(schema).xml.is_attribute {
                    let attribute = name_of(schemas, schema).unwrap_or_else(|| xml_name(member));
                    text.push_str(&format!(" {attribute}=\"{}\"", escaped(&plain(part))));
                }
            }
            text.push('>');
            for (member, part) in members {
                let schema = schema_of(member);
                if !schemas.get(schema).xml.is_attribute {
                    let inner = schemas.get(schema).xml.name.as_deref().unwrap_or(member);
                    element(schemas, schema, &xml_name(inner), part, text, depth + 1);
                }
            }
            text.push_str(&format!("</{name}>"));
        }
        Value::Array(elements) => {
            let schema = schemas.get(id);
            let items = schema.items.unwrap_or(Schemas::ANY);
            let inner =
                schemas.get(items).xml.name.as_deref().map_or_else(|| name.to_owned(), xml_name);
            if schema.xml.is_wrapped {
                text.push_str(&format!("<{name}>"));
            }
            elements.iter().for_each(|part| element(schemas, items, &inner, part, text, depth + 1));
            if schema.xml.is_wrapped {
                text.push_str(&format!("</{name}>"));
            }
        }
        scalar => text.push_str(&format!("<{name}>{}</{name}>", escaped(&plain(scalar)))),
    }
}

/// Text as XML holds it; characters that it cannot hold are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(character),
            control if control < ' ' || matches!(control, '\u{fffe}' | '\u{ffff}') => {}
            _ => escaped.push(character),
        }
    }
    escaped
}
