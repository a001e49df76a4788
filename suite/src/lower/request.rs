//! Requests as they were sent, with captured values in the places of those that were taken.

use serde_json::Value;
use wallace_problems::HttpRequest;

use super::{Link, Slot};
use crate::request::{Body, JsonBody, Request};
use crate::text::{CapturedForm, RequestText, TextPart};

/// A request with what links put into its path, its query, and its body where that is JSON; any
/// other body stays as it is.
pub(super) fn with_links(sent: &HttpRequest, links: &[&Link]) -> Request {
    let mut request = as_sent(sent, links);
    if let Body::Text { media_type, text } = &request.body
        && media_type == "application/json"
        && let Ok(value) = serde_json::from_str::<Value>(&text.literal_text())
    {
        let captured = links.iter().filter_map(|link| match &link.slot {
            Slot::Body(pointer) => Some((pointer.clone(), link.variable.clone())),
            Slot::Segment(_) | Slot::Query(_) | Slot::Document => None,
        });
        request.body = Body::Json(JsonBody { captured: captured.collect(), value });
    }
    request
}

/// A request with what links put into its path and query, its body as it is.
pub(super) fn as_sent(sent: &HttpRequest, links: &[&Link]) -> Request {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let content_type = sent.headers.get("content-type");
    let media_type = content_type.map(|value| text(value.as_bytes())).unwrap_or_default();
    let headers = sent.headers.iter().filter(|(name, _)| *name != "content-type");
    let body = text(&sent.body);
    Request {
        method: sent.method.to_string(),
        path: path(sent.path.as_str(), links),
        headers: headers
            .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes()).into()))
            .collect(),
        body: match body.is_empty() && media_type.is_empty() {
            true => Body::None,
            false => Body::Text { media_type, text: body.into() },
        },
    }
}

/// Lets a request carry its body byte by byte, where nothing in it is taken from an earlier answer.
pub(super) fn keep_bytes(request: &mut Request, sent: &HttpRequest) {
    if let Body::Json(JsonBody { value, captured }) = &request.body
        && captured.is_empty()
        && let Ok(text) = std::str::from_utf8(&sent.body)
        // As it is printed: a value compares with a text as the text that it holds.
        && let printed = value.to_string()
        && printed != text
    {
        let media_type = "application/json".to_owned();
        request.body = Body::Text { media_type, text: text.to_owned().into() };
    }
}

/// The path and query with what links put into them.
fn path(sent: &str, links: &[&Link]) -> RequestText {
    let (path, query) = sent.split_once('?').map_or((sent, None), |(p, q)| (p, Some(q)));
    let mut text = RequestText::default();
    let mut literal = String::new();
    let mut put = |literal: &mut String, written: &str, is_here: &dyn Fn(&Slot) -> bool| {
        let Some(link) = links.iter().find(|link| is_here(&link.slot)) else {
            return literal.push_str(written);
        };
        text.parts.push(TextPart::Literal(std::mem::take(literal)));
        let (variable, form) = (link.variable.clone(), CapturedForm::PathSegment);
        text.parts.push(TextPart::Captured { variable, form });
    };
    // Empty ones are sent as well, and are not counted.
    let mut index = 0;
    for segment in path.split('/').skip(1) {
        literal.push('/');
        if !segment.is_empty() {
            put(&mut literal, segment, &|slot| *slot == Slot::Segment(index));
            index += 1;
        }
    }
    for (index, pair) in query.into_iter().flat_map(|query| query.split('&')).enumerate() {
        literal.push(if index == 0 { '?' } else { '&' });
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        literal.push_str(name);
        if name.len() < pair.len() {
            literal.push('=');
            put(&mut literal, value, &|slot| matches!(slot, Slot::Query(known) if known == name));
        }
    }
    if !literal.is_empty() {
        text.parts.push(TextPart::Literal(literal));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_they_were_sent() {
        for sent in ["/", "/a", "/a/", "/a//b?x=1&y", "//a", "/a/b//?"] {
            let parts = path(sent, &[]).parts;
            assert_eq!(parts, [TextPart::Literal(sent.to_owned())], "{sent}");
        }
    }
}
