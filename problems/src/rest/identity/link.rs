//! Names of things inside of addresses: `{"href": "/artifacts/7"}` names what `/artifacts/{id}` wants.
//!
//! Many services show no other name (HAL's `_links`, JSON:API's `links`, hyperlinked serializers). An
//! address that is the documented path, filled in, says for sure what its placeholder takes.

use serde_json::Value;

use super::{Wanted, decoded};
use crate::binding::{AnswerPlace, child_pointer, segments};
use crate::word::words;

/// Last words of members that hold the address of what shows them.
const ADDRESSES: [&str; 6] = ["self", "href", "url", "uri", "link", "location"];
/// Members that hold addresses, that of the thing itself among them.
const HOLDERS: [&str; 3] = ["_links", "links", "meta"];

/// What the address of a thing says for what is wanted, and where that is; the thing may be the address.
pub(super) fn linked(thing: &Value, wanted: &Wanted) -> Option<(AnswerPlace, String)> {
    let at = |pointer: String, value: &Value| {
        let (name, from_end) = led_to(value.as_str()?, wanted)?;
        Some((AnswerPlace::Segment { address: Some(pointer), from_end }, name))
    };
    let Value::Object(members) = thing else { return at(String::new(), thing) };
    // The own address is called by fewer words than that of another thing.
    let address = |(name, value): (&'_ String, &'_ Value)| {
        let words = words(name);
        let is_address = ADDRESSES.contains(&&**words.last()?);
        let found = is_address.then(|| at(child_pointer("", name), value))??;
        Some((words.len(), found))
    };
    let own = members.iter().filter_map(address).min_by_key(|(count, _)| *count);
    let held = || {
        let (holder, itself) =
            HOLDERS.iter().find_map(|it| Some((it, members.get(*it)?.get("self")?)))?;
        let pointer = format!("/{holder}/self");
        match itself.get("href") {
            Some(href) => at(pointer + "/href", href),
            None => at(pointer, itself),
        }
    };
    // A wrapper holds nothing else.
    let wrapped = || {
        let (name, inner) = members.iter().next().filter(|_| members.len() == 1)?;
        let (place, found) = linked(inner, wanted).filter(|_| inner.is_object())?;
        Some((place.below(&child_pointer("", name)), found))
    };
    own.map(|(_, found)| found).or_else(held).or_else(wrapped)
}

/// The segment of an address that stands where the path of what is wanted has its placeholder, and its
/// place from the end; none where the address is another one. What stands before the path is that of a
/// host, or of a proxy.
pub(crate) fn led_to(address: &str, wanted: &Wanted) -> Option<(String, usize)> {
    if !address.starts_with('/') && !address.contains("://") {
        return None;
    }
    let known = wanted.path.split('/').filter(|part| !part.is_empty()).take(wanted.depth);
    let known: Vec<&str> = known.collect();
    let parts: Vec<&str> = segments(address).collect();
    let is_named = known.iter().any(|part| !part.contains('{'));
    let fits = |part: (&&str, &&str)| part.0.contains('{') || part.0 == part.1;
    let mut ways = parts.windows(known.len().max(1));
    let start = ways.position(|way| is_named && known.iter().zip(way).all(fits))?;
    let place = start + known.len() - 1;
    Some((decoded(parts[place]), parts.len() - place))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wanted(path: &str) -> Wanted {
        let depth = path.split('/').filter(|part| !part.is_empty()).count();
        Wanted { path: path.into(), depth, name: "id".into(), is_text: true }
    }

    #[test]
    fn an_address_names_what_it_leads_to() {
        let led = |address: &str| led_to(address, &wanted("/v1/things/{id}"));
        assert_eq!(led("/v1/things/7"), Some(("7".to_owned(), 1)));
        let long = "http://host:1/mounted/v1/things/7/parts/3?x#y";
        assert_eq!(led(long), Some(("7".to_owned(), 3)));
        assert_eq!(led("/v1/things/a%20b/"), Some(("a b".to_owned(), 1)));
        for other in ["/v1/others/7", "/v1/things", "things/7", "7", "http://host"] {
            assert_eq!(led(other), None, "{other}");
        }
        assert_eq!(led_to("/a/b", &wanted("/{id}")), None, "any address would fit");
    }

    #[test]
    fn the_own_address_of_a_thing_is_the_one_that_counts() {
        let find = |thing: Value| linked(&thing, &wanted("/things/{id}"));
        let found = |pointer: &str, name: &str| {
            let place = AnswerPlace::Segment { address: Some(pointer.to_owned()), from_end: 1 };
            Some((place, name.to_owned()))
        };
        let serialized = json!({ "parent_url": "/things/1", "url": "/things/2" });
        assert_eq!(find(serialized), found("/url", "2"));
        let hal = json!({ "_links": { "self": { "href": "http://h/things/3" } } });
        assert_eq!(find(hal), found("/_links/self/href", "3"));
        let api = json!({ "data": { "links": { "self": "/things/4" } } });
        assert_eq!(find(api), found("/data/links/self", "4"));
        assert_eq!(find(json!({ "pulp_href": "/things/5/" })), found("/pulp_href", "5"));
        assert_eq!(find(json!({ "note": "/things/6", "url": "/others/6" })), None);
    }
}
