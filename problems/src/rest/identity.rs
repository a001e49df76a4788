//! What names a thing: found in the response of the call that made it.

mod link;
mod name;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::deed::said;
use super::template::Templates;
use crate::binding::{AnswerPlace, child_pointer, segments};
use crate::http::HttpResponse;
use crate::word::written;
pub(crate) use link::led_to;
use name::named;

/// A thing whose name is wanted.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// A path with a placeholder for the name.
    pub(crate) path: Arc<str>,
    /// Segments up to the placeholder, itself included.
    pub(crate) depth: usize,
    /// Name of the parameter or member that takes the name of the thing.
    pub(crate) name: Arc<str>,
    /// Whether it is documented to take a text.
    pub(crate) is_text: bool,
}

/// What the response of a call on the path `creator`, which sent the texts `chosen`, says for what is
/// wanted, and where: the segment of its location where that leads, otherwise the body itself where it
/// is a text or number, or its member that is named like it.
pub(crate) fn created(
    response: &HttpResponse,
    wanted: &Wanted,
    (creator, chosen): (&str, &BTreeSet<String>),
    base_path: &str,
) -> Option<(AnswerPlace, Value)> {
    if !response.is_success() {
        return None;
    }
    let below = format!("{}/{{}}", creator.trim_end_matches('/'));
    let below_depth = below.split('/').filter(|segment| !segment.is_empty()).count();
    let located = response.header("location").and_then(|location| {
        located(location, &wanted.path, wanted.depth, base_path)
            .or_else(|| located(location, &below, below_depth, base_path))
            .or_else(|| link::led_to(location, wanted))
    });
    let body: Option<Value> = serde_json::from_str(&response.body).ok();
    let own = body.as_ref().and_then(|body| made_name(body, wanted, chosen));
    let Some(segment) = located else { return own };
    let (segment, from_end) = segment;
    // A body that says the same is the better place: a location has to be taken apart.
    let place = own.filter(|(_, name)| written(name) == segment);
    let place = place.map_or(AnswerPlace::Segment { address: None, from_end }, |(place, _)| place);
    Some((place, Value::String(segment)))
}

/// The name of the element at `place`, counted around, of the list that the response is or holds.
pub(crate) fn listed(
    response: &HttpResponse,
    wanted: &Wanted,
    place: usize,
) -> Option<(AnswerPlace, Value)> {
    if !response.is_success() {
        return None;
    }
    let body: Value = serde_json::from_str(&response.body).ok()?;
    let (list, elements) = list(&body)?;
    let place = place % elements.len().max(1);
    let (own, name) = own_name(elements.get(place)?, wanted, &BTreeSet::new())?;
    Some((own.below(&format!("{list}/{place}")), name))
}

/// Whether an answer of a call on a path names what was made by it.
pub(crate) fn names_thing(body: &Value, path: &str) -> bool {
    let above = said(path).map_or_else(|| path.to_owned(), |(_, thing)| thing);
    let path = format!("{}/{{}}", above.trim_end_matches('/'));
    let depth = path.split('/').filter(|segment| !segment.is_empty()).count();
    let wanted = Wanted { path: path.into(), depth, name: "id".into(), is_text: true };
    made_name(body, &wanted, &BTreeSet::new()).is_some()
}

/// The list that a body is, or that one of its members is.
pub(crate) fn elements(body: &Value) -> Option<&Vec<Value>> {
    list(body).map(|(_, elements)| elements)
}

/// A list and the pointer to it.
fn list(body: &Value) -> Option<(String, &Vec<Value>)> {
    match body {
        Value::Array(elements) => Some((String::new(), elements)),
        Value::Object(members) => members
            .iter()
            .find_map(|(name, member)| Some((child_pointer("", name), member.as_array()?))),
        _ => None,
    }
}

/// What names a thing that a value shows, and where that is: the value itself, a part of it, or of an
/// address in it.
fn own_name(
    value: &Value,
    wanted: &Wanted,
    chosen: &BTreeSet<String>,
) -> Option<(AnswerPlace, Value)> {
    let is_scalar = value.is_string() || value.is_number();
    let own = if is_scalar { Some((String::new(), value)) } else { named(value, wanted, chosen) };
    match link::linked(value, wanted) {
        // What an address leads to is sure; a part that says the same need not be taken apart.
        Some((place, name)) if own.as_ref().is_none_or(|(_, own)| written(own) != name) => {
            Some((place, Value::String(name)))
        }
        _ => own.map(|(pointer, name)| (AnswerPlace::Body(pointer), name.clone())),
    }
}

/// What names the thing that the call with this answer made: of several that were made at once, the first.
fn made_name(
    body: &Value,
    wanted: &Wanted,
    chosen: &BTreeSet<String>,
) -> Option<(AnswerPlace, Value)> {
    let Some(elements) = body.as_array() else { return own_name(body, wanted, chosen) };
    let (place, name) = own_name(elements.first()?, wanted, chosen)?;
    Some((place.below("/0"), name))
}

/// The segment of a location, absolute or relative, that stands where the path has a placeholder, and
/// its place from the end.
fn located(location: &str, path: &str, depth: usize, base_path: &str) -> Option<(String, usize)> {
    let rest = match location.split_once("://") {
        Some((_, rest)) => &rest[rest.find('/')?..],
        None => location,
    };
    let segments: Vec<&str> = segments(rest.strip_prefix(base_path).unwrap_or(rest)).collect();
    let expected: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let expected = &expected[..depth.min(expected.len())];
    let fits = |(known, segment): (&&str, &&str)| known.contains('{') || known == segment;
    let is_there = segments.len() >= depth && expected.iter().zip(&segments).all(fits);
    is_there.then(|| (decoded(segments[depth - 1]), segments.len() - depth + 1))
}

/// Whether a text, as a part of a path, leads to another path.
pub(crate) fn is_step(text: &str) -> bool {
    matches!(text, "." | "..")
}

/// Takes percent-encoding back.
pub(crate) fn decoded(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

/// The fixed segment before a placeholder: what the things are called.
fn collection(path: &str, depth: usize) -> &str {
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    segments.take(depth.saturating_sub(1)).last().unwrap_or_default()
}

/// The path of a location as seen from the path of the request (RFC 3986, 5.2).
pub(crate) fn resolved(location: &str, from: &str) -> String {
    let is_scheme =
        |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let authority = location.split_once("://").filter(|(scheme, _)| is_scheme(scheme));
    let authority = authority.map(|(_, rest)| rest);
    let whole = match authority.or_else(|| location.strip_prefix("//")) {
        Some(rest) => rest.find('/').map_or("/", |start| &rest[start..]).to_owned(),
        None if location.starts_with('/') => location.to_owned(),
        None => format!("{}/{location}", from.rsplit_once('/').map_or("", |(above, _)| above)),
    };
    let path = whole.split(['?', '#']).next().unwrap_or_default();
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/').skip(1) {
        match segment {
            "." => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    format!("/{}", segments.join("/"))
}

/// Whether the path of a location is a documented one, also below a path of its own, as proxies and
/// mounted applications have: one that can only be deleted counts too.
pub(crate) fn leads_to(templates: &Templates, path: &str, base_path: &str) -> bool {
    let description = templates.description();
    let operations = description.operations.iter();
    let paths = operations.map(|operation| &operation.path).chain(&description.other_paths);
    let path = path.strip_prefix(base_path).unwrap_or(path);
    let filled = |path: &str| path.split('/').filter(|part| !part.is_empty()).count();
    let (count, mut paths) = (filled(path), paths.map(|known| (known, filled(known))));
    paths.any(|(known, depth)| {
        let is_named = known.split('/').any(|part| !part.is_empty() && !part.contains('{'));
        if count < depth || count > depth && !is_named {
            return false;
        }
        let segments = path.split('/').filter(|part| !part.is_empty());
        let end: Vec<&str> = segments.skip(count - depth).collect();
        depth == 0 || located(&format!("/{}", end.join("/")), known, depth, "").is_some()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn response(location: Option<&str>, body: &Value) -> HttpResponse {
        let headers = location.map(|location| ("location".into(), location.into()));
        let headers = headers.into_iter().collect();
        HttpResponse { status: 201, headers, body: body.to_string(), ..HttpResponse::default() }
    }

    fn wanted() -> Wanted {
        Wanted { path: "/users/{userId}".into(), depth: 2, name: "userId".into(), is_text: false }
    }

    #[test]
    fn locations_come_before_bodies() {
        let find = |location, body: Value| {
            created(&response(location, &body), &wanted(), ("/users", &BTreeSet::new()), "/api")
        };
        let location = AnswerPlace::Segment { address: None, from_end: 1 };
        let located = |name: &str| Some((location.clone(), json!(name)));
        let body = |pointer: &str, name| Some((AnswerPlace::Body(pointer.to_owned()), name));
        assert_eq!(find(Some("http://h:1/api/users/a%20b?x"), json!({ "id": 1 })), located("a b"));
        assert_eq!(find(Some("/users/7"), json!({})), located("7"));
        let same = json!({ "count": 7, "id": 7 });
        assert_eq!(find(Some("/users/7"), same), body("/id", json!("7")));
        assert_eq!(find(Some("/other/7"), json!({ "id": 1 })), body("/id", json!(1)));
        let inner = json!({ "data": { "user_id": "x" } });
        assert_eq!(find(None, inner), body("/data/user_id", json!("x")));
        assert_eq!(find(None, json!({ "total": 1 })), None);
        assert_eq!(find(None, json!(7)), body("", json!(7)));
        // Several that were made at once.
        assert_eq!(find(None, json!(["7", "8"])), body("/0", json!("7")));
        assert_eq!(find(None, json!([{ "id": 7 }])), body("/0/id", json!(7)));
        assert_eq!(find(None, json!([])), None);
        // Made on a path of another shape.
        let other = Wanted { path: "/carts/{userId}".into(), ..wanted() };
        let response = response(Some("/users/5"), &json!({}));
        assert_eq!(created(&response, &other, ("/users", &BTreeSet::new()), "/api"), located("5"));
    }

    #[test]
    fn locations_are_seen_from_the_request() {
        let seen = |location| resolved(location, "/api/things");
        for location in ["http://h:1/api/things/7", "//h/api/things/7", "things/7", "./things/7?x"]
        {
            assert_eq!(seen(location), "/api/things/7", "{location}");
        }
        assert_eq!(seen("../users/7#a"), "/users/7");
        assert_eq!(seen("/things/7?self=http://h/x"), "/things/7");
    }

    #[test]
    fn answers_name_what_was_made_or_not() {
        let header = json!({ "header": { "member_id": "7", "revision": "2" } });
        assert!(!names_thing(&header, "/v3/auth/role/add"));
        assert!(!names_thing(&json!({ "message": "done" }), "/roles"));
        assert!(names_thing(&json!({ "header": {}, "ID": "5" }), "/v3/lease/grant"));
        assert!(names_thing(&json!({ "role": { "name": "r" } }), "/roles.create"));
        assert!(names_thing(&json!("r"), "/roles") && names_thing(&json!(["r"]), "/roles"));
    }

    #[test]
    fn elements_of_lists_have_names() {
        let body = json!({ "total": 2, "items": [{ "id": 1 }, { "id": 2 }] });
        let find = |place| listed(&response(None, &body), &wanted(), place);
        let found = |place: usize| {
            let pointer = format!("/items/{place}/id");
            Some((AnswerPlace::Body(pointer), json!(place + 1)))
        };
        assert_eq!((find(1), find(2)), (found(1), found(0)));
        assert_eq!(
            ["categories", "boxes", "users", "glass"].map(crate::word::singular),
            ["category", "box", "user", "glass"]
        );
    }
}
