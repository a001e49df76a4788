//! What a call would do to things of the service, as far as the call shows it.

use http::Method;
use serde_json::Value;

use crate::http::HttpRequest;
use crate::word::{singular, singulars, words};

/// Words of what leads to whoever asks.
const ASKER: [&str; 5] = ["me", "self", "myself", "whoami", "viewer"];
/// Words that do so alone or before one of [`PEOPLE`]: an active channel is nobody.
const BEFORE_PEOPLE: [&str; 3] = ["current", "active", "own"];
/// Words for somebody who logs in, or for the login.
const PEOPLE: [&str; 16] = [
    "user",
    "account",
    "admin",
    "administrator",
    "customer",
    "member",
    "employee",
    "profile",
    "identity",
    "principal",
    "person",
    "session",
    "login",
    "token",
    "client",
    "actor",
];
/// Words of what a login needs, or what grants rights.
const CREDENTIALS: [&str; 14] = [
    "password",
    "passwd",
    "pwd",
    "email",
    "mail",
    "username",
    "login",
    "identifier",
    "role",
    "enabled",
    "disabled",
    "active",
    "blocked",
    "confirmed",
];
/// Last words of paths that change the thing before them so that it may not log in any more.
const ENDS: [&str; 19] = [
    "password",
    "credential",
    "disable",
    "deactivate",
    "block",
    "ban",
    "lock",
    "suspend",
    "archive",
    "revoke",
    "logout",
    "reset",
    "expire",
    "role",
    "permission",
    "status",
    "email",
    "username",
    "delete",
];

/// Words of names of what takes something away.
const TAKING: [&str; 8] =
    ["remove", "destroy", "drop", "purge", "erase", "deactivate", "terminate", "clear"];

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

/// Whether a name, as `activeAdministrator`, leads to whoever asks.
pub(crate) fn is_asker(words: &[String]) -> bool {
    let is_one_of = |known: &[&str], word: &String| known.contains(&word.as_str());
    let leads = |pair: &[String]| {
        is_one_of(&BEFORE_PEOPLE, &pair[0]) && is_one_of(&PEOPLE, &singular(&pair[1]))
    };
    words.iter().any(|word| is_one_of(&ASKER, word))
        || words.windows(2).any(leads)
        || matches!(words, [word] if is_one_of(&BEFORE_PEOPLE, word))
}

/// Whether a name, as `activeChannel`, leads to what the calls of whoever asks stand on.
pub(crate) fn leads_to_context(words: &[String]) -> bool {
    matches!(words, [first, _, ..] if BEFORE_PEOPLE.contains(&first.as_str()))
}

/// Whether a name has a word of whoever asks, as `removeCurrentDevice`.
pub(crate) fn leads_to_own(words: &[String]) -> bool {
    let is_own = |word: &String| {
        ASKER.contains(&&**word) || BEFORE_PEOPLE.contains(&&**word) || word == "my"
    };
    words.iter().any(is_own)
}

/// Whether what goes by this name takes something away, or changes what a login needs.
pub(crate) fn takes_or_locks(words: &[String]) -> bool {
    words.iter().any(|word| {
        let word = &*singular(word);
        // Alone, it is about all of them: `mail` sends mails.
        TAKING.contains(&word)
            || ENDS.contains(&word)
            || words.len() > 1 && CREDENTIALS.contains(&word)
    })
}

/// Whether a name is one of what a login needs, as `newPassword`.
pub(crate) fn is_credential(name: &str) -> bool {
    singulars(name).iter().any(|word| CREDENTIALS.contains(&word.as_str()))
}

impl Touch {
    /// What a request changes by its verb, its path and its body; nothing where it only reads. A
    /// session may be ended by a read.
    pub(crate) fn of_request(request: &HttpRequest) -> Option<Self> {
        let segments: Vec<&str> =
            request.path.path().split('/').filter(|segment| !segment.is_empty()).collect();
        let ends_session = segments.last().is_some_and(|last| ends_session(&words(last)));
        if request.method.is_safe() {
            return ends_session.then(|| Self { ends_session, ..Self::default() });
        }
        let is_deletion = request.method == Method::DELETE;
        let is_put = is_deletion || [Method::PUT, Method::PATCH].contains(&request.method);
        let words: Vec<Vec<String>> = segments.iter().map(|segment| singulars(segment)).collect();
        let mut touch = Self { is_deletion, ends_session, ..Self::default() };
        if let ([.., kind, _], [.., id], true) = (&words[..], &segments[..], is_put) {
            touch.kinds.clone_from(kind);
            touch.subject.clone_from(kind);
            touch.ids.push((*id).to_owned());
        }
        if let Some(last) = words.last()
            && is_deletion
        {
            touch.all_of.clone_from(last);
        }
        touch.ends_service = words.split_last().is_some_and(|(last, before)| {
            let is_of_service = |word: &String| SERVICE.contains(&&**word) || is_like_id(word);
            ends_service(last, before.iter().flatten().all(is_of_service))
                || switches_login_off(&words[words.len().saturating_sub(2)..].concat())
        });
        // `/users/5/password`
        let ends = |last: &Vec<String>| last.iter().any(|word| ENDS.contains(&word.as_str()));
        if let ([.., kind, _, last], [.., id, _]) = (&words[..], &segments[..])
            && ends(last)
        {
            touch.kinds.extend(kind.iter().cloned());
            touch.ids.push((*id).to_owned());
        }
        let names_thing = segments.iter().any(|segment| is_like_id(segment));
        let is_of_password =
            words.last().is_some_and(|last| last.iter().any(|it| it == "password"));
        touch.is_about_asker = words.iter().any(|words| is_asker(words) && words.len() == 1)
            || (is_of_password && !names_thing);
        let said = said(&request.body);
        touch.sets_credentials = said.iter().any(|(name, _)| is_credential(name));
        if is_of_settings(&words.concat()) {
            touch.sets_login =
                said.iter().map(|(name, _)| name).find(|name| is_of_login(name)).cloned();
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

/// Whether a name says that the service is ended by it; where nothing else is meant, also words that
/// are used of jobs and containers.
pub(crate) fn ends_service(words: &[String], is_plain: bool) -> bool {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    has(&["shutdown", "poweroff", "reboot"])
        || words.windows(2).any(|pair| pair[0] == "shut" && pair[1] == "down")
        || is_plain && has(&["halt", "quit", "exit", "stop", "restart", "terminate"])
}

/// Whether a name is one of what switches the login of a service off, as `auth/disable`: nobody is known to it
/// from there on.
pub(crate) fn switches_login_off(words: &[String]) -> bool {
    let is_off = |word: &str| ["disable", "deactivate", "off"].contains(&word);
    let is_login = |word: &str| {
        ["auth", "authentication", "authorization", "security", "login"].contains(&word)
    };
    words.windows(2).any(|pair| {
        let [first, last] = [&*pair[0], &*pair[1]];
        is_off(first) && is_login(last) || is_login(first) && is_off(last)
    })
}

/// Whether a name is one of settings of a service, as `updateConfig`.
pub(crate) fn is_of_settings(words: &[String]) -> bool {
    let known = ["setting", "config", "configuration", "option", "preference"];
    words.iter().any(|word| known.contains(&&*singular(word)))
}

/// Whether a setting is one of how users log in, as `authJwtExpiration`: with another value of it no login
/// may be right any more, and no token that is in use.
pub(crate) fn is_of_login(name: &str) -> bool {
    let known = [
        "auth",
        "authentication",
        "authorization",
        "jwt",
        "token",
        "session",
        "login",
        "signin",
        "sso",
        "oauth",
        "oidc",
        "saml",
        "ldap",
        "mfa",
        "audience",
        "cookie",
    ];
    words(name).iter().any(|word| known.contains(&&**word))
}

/// Whether a name ends with what ends a session.
pub(crate) fn ends_session(words: &[String]) -> bool {
    let is_end = |word: &String| ["logout", "logoff", "signout", "signoff"].contains(&&**word);
    words.last().is_some_and(is_end) || words.windows(2).last().is_some_and(is_log_out)
}

/// Whether two words say so together, as in `signOut`.
pub(crate) fn is_log_out(pair: &[String]) -> bool {
    matches!(pair, [first, last] if ["log", "sign"].contains(&&**first) && ["out", "off"].contains(&&**last))
}

/// Whether a segment looks as if it named a thing, and not a version.
fn is_like_id(segment: &str) -> bool {
    let is_version = segment.strip_prefix('v').is_some_and(|it| it.parse::<u32>().is_ok());
    segment.contains(|c: char| c.is_ascii_digit()) && !is_version
}

/// Whether a name is that of a password, as `authenticatedUserPassword`.
pub(crate) fn is_password(name: &str) -> bool {
    let words = ["password", "passwd", "pwd", "passphrase"];
    singulars(name).iter().any(|word| words.contains(&word.as_str()))
}

/// Names of the members of a body, down to some levels, with their texts; empty where they have none.
fn said(body: &[u8]) -> Vec<(String, String)> {
    if let Ok(body) = serde_json::from_slice::<Value>(body) {
        return members(&body, 2);
    }
    let body = String::from_utf8_lossy(body);
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

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;

    use super::*;

    #[test]
    fn what_switches_the_login_off_is_told_by_its_name() {
        let ends = |path: &str| {
            let request = HttpRequest {
                method: Method::POST,
                path: path.parse().unwrap(),
                headers: HeaderMap::new(),
                body: Bytes::new(),
            };
            Touch::of_request(&request).unwrap().ends_service
        };
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
    }
}
