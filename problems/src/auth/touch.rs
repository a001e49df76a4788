//! What a call would do to things of the service, as far as the call shows it.

use http::Method;
use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::name::{
    ENDS, ends_service, ends_session, is_asker, is_credential, is_of_login, is_of_settings,
    is_password, renews_token, switches_login_off,
};
use crate::http::HttpRequest;
use crate::word::{singulars, words};

/// Words of paths about the service itself, and not about something that it keeps.
const SERVICE: [&str; 20] = [
    "actuator",
    "admin",
    "api",
    "app",
    "application",
    "control",
    "daemon",
    "debug",
    "instance",
    "internal",
    "management",
    "manage",
    "node",
    "ops",
    "process",
    "rest",
    "server",
    "service",
    "system",
    "v",
];

/// What a call would change, so that a run leaves alone what is its users' own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touch {
    /// Its path, where that tells what it is about.
    pub path: String,
    /// Words of what it is called by.
    pub kinds: Vec<String>,
    /// Words of what it changes itself, as far as its name tells: an assignment to a channel leaves
    /// the channel as it is.
    pub subject: Vec<String>,
    /// What names the things that it changes.
    pub ids: Vec<String>,
    /// Words of the collection that it takes away as a whole.
    pub all_of: Vec<String>,
    /// Texts by which it may name them.
    pub texts: Vec<String>,
    /// Passwords that it says, and what else: who has them.
    pub passwords: Vec<String>,
    /// What it says beside them.
    pub beside: Vec<String>,
    /// Whether it may name what it changes, and does not: whichever there is.
    pub is_about_any: bool,
    /// Whether it is about whoever asks.
    pub is_about_asker: bool,
    /// Whether it takes things away.
    pub is_deletion: bool,
    /// Whether it sets what a login needs.
    pub sets_credentials: bool,
    /// Whether it ends the service, or switches its login off for all, by its name.
    pub ends_service: bool,
    /// Whether it ends the session of whoever asks, by its name.
    pub ends_session: bool,
    /// What it says of how users log in, where it changes settings of the service.
    pub sets_login: Option<String>,
}

impl Touch {
    /// What a request changes by its verb, its path and its body; nothing where it only reads. A
    /// session may be ended by a read, and so may the service.
    pub(crate) fn of_request(request: &HttpRequest) -> Option<Self> {
        let segments: Vec<&str> = segments(request).collect();
        let ends_session = segments.last().is_some_and(|last| ends_session(&words(last)));
        let words: Vec<Vec<String>> = segments.iter().map(|segment| singulars(segment)).collect();
        let ends_service = is_end_of_service(&segments, &words);
        if request.method.is_safe() {
            let ends = ends_session || ends_service;
            return ends.then(|| Self { ends_session, ends_service, ..Self::default() });
        }
        let is_deletion = request.method == Method::DELETE;
        let is_put = is_deletion || [Method::PUT, Method::PATCH].contains(&request.method);
        let path = path_of(request);
        let mut touch = Self { path, is_deletion, ends_session, ends_service, ..Self::default() };
        if let ([.., kind, _], [.., id]) = (&words[..], &segments[..])
            // Many services change a thing by POST, too.
            && (is_put || is_like_id(id))
        {
            touch.kinds.clone_from(kind);
            touch.subject.clone_from(kind);
            touch.ids.push((*id).to_owned());
        }
        // `DELETE /orgs?org_id=7`: not all of them are meant.
        let asked = if is_put { named_by_query(request) } else { Vec::new() };
        for (kind, id) in &asked {
            let kind = if kind.is_empty() { words.last() } else { Some(kind) };
            touch.kinds.extend(kind.into_iter().flatten().cloned());
            touch.subject.extend(kind.into_iter().flatten().cloned());
            touch.ids.push(id.clone());
        }
        if let Some(last) = words.last()
            && is_deletion
            && asked.is_empty()
        {
            touch.all_of.clone_from(last);
        }
        // `/users/5/password`
        let ends = |last: &Vec<String>| last.iter().any(|word| ENDS.contains(&word.as_str()));
        if let ([.., kind, _, last], [.., id, _]) = (&words[..], &segments[..])
            && ends(last)
        {
            touch.kinds.extend(kind.iter().cloned());
            touch.ids.push((*id).to_owned());
        }
        let names_thing = segments.iter().any(|segment| is_like_id(segment));
        let is_password = |segment: &Vec<String>| segment.iter().any(|it| it == "password");
        let is_of_password = match &words[..] {
            [.., before, last] if is_change(last) => is_password(before) || is_password(last),
            [.., last] => is_password(last),
            [] => false,
        };
        touch.is_about_asker = words.iter().any(|words| is_asker(words) && words.len() == 1)
            || (is_of_password && !names_thing);
        let said = said(&request.body);
        touch.sets_credentials = said.iter().any(|(name, _)| is_credential(name));
        if words.last().is_some_and(|last| renews_token(last))
            && words.iter().any(|words| is_asker(words))
        {
            touch.is_about_asker = true;
            touch.sets_credentials = true;
        }
        if is_of_settings(&words.concat()) {
            // What a form leaves out is often switched off by it: where all settings are about that, as in
            // `jwt/settings`, no change is harmless. `settings/tokens` are things that are kept.
            let beside = segments.iter().enumerate().filter(|(place, segment)| {
                let end = words.len().min(place + 2);
                !segment.ends_with('s')
                    && is_of_settings(&words[place.saturating_sub(1)..end].concat())
            });
            let beside = beside.map(|(_, segment)| *segment);
            let mut names = beside.chain(said.iter().map(|(name, _)| &**name));
            touch.sets_login = names.find(|name| is_of_login(name)).map(str::to_owned);
        }
        touch.say(said);
        touch.beside.extend(segments.iter().map(|segment| (*segment).to_owned()));
        Some(touch)
    }

    /// Adds what a call says under which names.
    pub(crate) fn say(&mut self, said: Vec<(String, String)>) {
        for (name, text) in said {
            if is_password(&name) { &mut self.passwords } else { &mut self.beside }.push(text);
        }
    }
}

/// Whether the segments of a path, whose words are these, say that the service, or its login, is ended by it.
/// `stops` are things.
fn is_end_of_service(segments: &[&str], words: &[Vec<String>]) -> bool {
    segments.last().zip(words.split_last()).is_some_and(|(last, (_, before))| {
        let is_of_service = |word: &String| SERVICE.contains(&&**word) || is_like_id(word);
        ends_service(&crate::word::words(last), before.iter().flatten().all(is_of_service))
            || switches_login_off(&words[words.len().saturating_sub(2)..].concat())
    })
}

/// The segments of a path, without its query.
pub(super) fn segments(request: &HttpRequest) -> impl Iterator<Item = &str> {
    request.path.path().split('/').filter(|segment| !segment.is_empty())
}

/// A path without its query, whether it ends with a slash or not.
pub(super) fn path_of(request: &HttpRequest) -> String {
    format!("/{}", segments(request).collect::<Vec<_>>().join("/"))
}

/// What a query names things by, as `org_id=7`: words of what it is, where its name tells, and the id.
fn named_by_query(request: &HttpRequest) -> Vec<(Vec<String>, String)> {
    let query = request.path.query().unwrap_or_default();
    let named = |pair: &str| {
        let (name, id) = pair.split_once('=')?;
        let mut words = singulars(name);
        let is_id = words.last().is_some_and(|it| matches!(&**it, "id" | "uuid" | "guid"));
        words.pop();
        let id = percent_decode_str(id).decode_utf8_lossy();
        (is_id && !id.is_empty()).then(|| (words, id.into_owned()))
    };
    query.split('&').filter_map(named).collect()
}

/// Whether the last part of a path only says that what stands before it is changed.
fn is_change(last: &[String]) -> bool {
    matches!(last, [word] if ["change", "update", "set", "edit", "new"].contains(&&**word))
}

/// Whether a segment looks as if it named a thing, and not a version.
pub(super) fn is_like_id(segment: &str) -> bool {
    let is_version = segment.strip_prefix('v').is_some_and(|it| it.parse::<u32>().is_ok());
    segment.contains(|c: char| c.is_ascii_digit()) && !is_version
}

/// Names of the members of a body, down to some levels, with their texts; empty where they have none.
fn said(body: &[u8]) -> Vec<(String, String)> {
    if let Ok(body) = serde_json::from_slice::<Value>(body) {
        return members(&body, 2);
    }
    let body = String::from_utf8_lossy(body);
    if body.starts_with("--") {
        return parts(&body);
    }
    let pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    let decoded = |text: &str| {
        percent_encoding::percent_decode_str(&text.replace('+', " "))
            .decode_utf8_lossy()
            .into_owned()
    };
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

fn members(value: &Value, levels: usize) -> Vec<(String, String)> {
    let Some(members) = value.as_object().filter(|_| levels > 0) else { return Vec::new() };
    let below = members.values().flat_map(|member| self::members(member, levels - 1));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let own = members.iter().map(|(name, value)| (name.clone(), text(value)));
    own.chain(below).collect()
}

/// Names of the parts of a form in several parts, with their texts.
fn parts(body: &str) -> Vec<(String, String)> {
    let parts = body.split("name=\"").skip(1);
    let part = |part: &str| {
        let (name, rest) = part.split_once('"')?;
        let text = rest.split_once("\r\n\r\n")?.1.split("\r\n").next()?;
        Some((name.to_owned(), text.to_owned()))
    };
    parts.filter_map(part).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;

    use super::*;

    #[test]
    fn a_thing_is_changed_by_any_verb() {
        let ids = |method: Method, path: &'static str| {
            let request = HttpRequest {
                method,
                path: path.parse().unwrap(),
                headers: HeaderMap::new(),
                body: Bytes::new(),
            };
            Touch::of_request(&request).map(|touch| (touch.kinds.join(" "), touch.ids.join(" ")))
        };
        let of = |kind: &str, id: &str| Some((kind.to_owned(), id.to_owned()));
        assert_eq!(ids(Method::POST, "/user/1"), of("user", "1"));
        assert_eq!(ids(Method::PUT, "/users/ann"), of("user", "ann"));
        assert_eq!(ids(Method::POST, "/users/search"), of("", ""));
        assert_eq!(ids(Method::GET, "/user/1"), None);
    }

    #[test]
    fn what_switches_the_login_off_is_told_by_its_name() {
        let ends_by = |method: Method, path: &str| {
            let request = HttpRequest {
                method,
                path: path.parse().unwrap(),
                headers: HeaderMap::new(),
                body: Bytes::new(),
            };
            Touch::of_request(&request).is_some_and(|touch| touch.ends_service)
        };
        let ends = |path: &str| ends_by(Method::POST, path);
        assert!(ends_by(Method::GET, "/admin/api/v1/restart"), "some restart by a read");
        assert!(!ends_by(Method::GET, "/jobs/5/restart") && !ends_by(Method::GET, "/stops"));
        assert!(ends("/v3/auth/disable") && ends("/api/disable-authentication"));
        assert!(!ends("/v3/auth/enable") && !ends("/users/5/disable") && !ends("/auth/token"));
    }

    #[test]
    fn settings_of_the_login_are_told_by_their_names() {
        let sets = |path: &str, body: &'static str| {
            let request = HttpRequest {
                method: Method::PUT,
                path: path.parse().unwrap(),
                headers: HeaderMap::new(),
                body: Bytes::from_static(body.as_bytes()),
            };
            Touch::of_request(&request).unwrap().sets_login
        };
        let token = r#"{"title":"a","security":{"tokenTtl":"1 s"}}"#;
        assert_eq!(sets("/api/settings", token).as_deref(), Some("tokenTtl"));
        assert_eq!(sets("/api/settings", r#"{"title":"a"}"#), None);
        assert_eq!(sets("/api/devices/5", token), None);
        let enabled = r#"{"legacy_tokens_enabled":false}"#;
        assert_eq!(sets("/api/settings", enabled).as_deref(), Some("legacy_tokens_enabled"));
        assert_eq!(sets("/api/jwt/settings", "").as_deref(), Some("jwt"));
        assert_eq!(sets("/api/settings/tokens", ""), None);
        let form = "--x\r\nContent-Disposition: form-data; name=\"sso_only\"\r\n\r\ntrue\r\n--x--";
        assert_eq!(sets("/api/config", form).as_deref(), Some("sso_only"));
    }
}
