//! What takes a change back, as far as the request itself tells.

use serde_json::Value;

use crate::http::HttpRequest;
use crate::word::singulars;

/// Most truth values of a request that sets a mode.
const MOST_FLIPS: usize = 3;
/// Words of paths of settings, of which each has a name.
const SETTINGS: [&str; 9] = [
    "config",
    "configuration",
    "setting",
    "property",
    "option",
    "preference",
    "feature",
    "flag",
    "mode",
];
/// Last parts of paths that switch the thing before them on and off.
const SWITCHES: [&str; 10] = [
    "active",
    "disabled",
    "enabled",
    "frozen",
    "locked",
    "maintenance",
    "paused",
    "readonly",
    "suspended",
    "suspension",
];
/// Levels of a body that are looked at.
const DEPTH: usize = 3;

/// The same request with its truth values turned round; none where it has none, or many.
pub(crate) fn flipped(request: &HttpRequest) -> Option<HttpRequest> {
    let mut count = 0;
    let mut flipped = request.clone();
    if let Ok(mut body) = serde_json::from_slice::<Value>(&request.body) {
        flip(&mut body, DEPTH, &mut count);
        flipped.body = body.to_string().into();
    }
    if let Some((path, query)) = request.path.as_str().split_once('?') {
        let values: Vec<String> =
            query.split('&').map(|pair| flip_pair(pair, &mut count)).collect();
        flipped.path = format!("{path}?{}", values.join("&")).parse().ok()?;
    }
    (1..=MOST_FLIPS).contains(&count).then_some(flipped)
}

/// Whether a call sets a truth value of the service itself, and of nothing that it keeps but its settings and
/// what stands still with a switch of its own, as `/definitions/{key}/suspended`.
pub(crate) fn sets_mode(operation: &str, request: &HttpRequest) -> bool {
    let is_of_settings = || singulars(operation).iter().any(|word| SETTINGS.contains(&&**word));
    let is_switch = || operation.rsplit('/').next().is_some_and(|last| SWITCHES.contains(&last));
    (!operation.contains('{') || is_of_settings() || is_switch()) && flipped(request).is_some()
}

fn flip(value: &mut Value, depth: usize, count: &mut usize) {
    match value {
        Value::Bool(is) => {
            *is = !*is;
            *count += 1;
        }
        // A setting of any kind has its value as a text.
        Value::String(text) if matches!(text.as_str(), "true" | "false") => {
            *text = if text == "true" { "false" } else { "true" }.to_owned();
            *count += 1;
        }
        Value::Object(members) if depth > 0 => {
            members.values_mut().for_each(|member| flip(member, depth - 1, count));
        }
        _ => {}
    }
}

fn flip_pair(pair: &str, count: &mut usize) -> String {
    let turned = match pair.split_once('=') {
        Some((name, "true")) => format!("{name}=false"),
        Some((name, "false")) => format!("{name}=true"),
        _ => return pair.to_owned(),
    };
    *count += 1;
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_values_are_turned_round_where_they_are_few() {
        let turned = |path: &str, body: &str| {
            let (method, headers) = (http::Method::PUT, http::HeaderMap::new());
            let path = path.parse().unwrap();
            let request = HttpRequest { method, path, headers, body: body.to_owned().into() };
            let request = flipped(&request)?;
            Some((request.path.to_string(), String::from_utf8(request.body.to_vec()).unwrap()))
        };
        let of = |path: &str, body: &str| Some((path.to_owned(), body.to_owned()));
        assert_eq!(turned("/a", r#"{"n":1,"on":true}"#), of("/a", r#"{"n":1,"on":false}"#));
        assert_eq!(turned("/a?on=true&x=1", ""), of("/a?on=false&x=1", ""));
        assert_eq!(turned("/a?x=1", r#"{"n":"yes"}"#), None);
        assert_eq!(turned("/a", r#"{"value":"true"}"#), of("/a", r#"{"value":"false"}"#));
        assert_eq!(turned("/a", r#"{"a":true,"b":true,"c":true,"d":true}"#), None);
    }
}
