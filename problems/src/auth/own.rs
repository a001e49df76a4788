//! What a run stands on: the things by which the service knows its users.
//!
//! A token, a session or an account that belongs to a user of the run is recognised in answers by what
//! the user's credentials name (the token itself, the name of the login), by the user's own name, and
//! where an answer is about whoever asks; what such a thing holds, as its role, is the user's too.
//! Calls that would change such a thing are not made, since many services could never let the user in
//! again.

mod standing;
mod subject;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use http::Method;
use regex::Regex;
use serde_json::{Map, Value};

use self::standing::StandingCredentials;
use super::name::{PEOPLE, is_asker, leads_to_context};
use super::secret::Secrets;
use super::touch::{Touch, is_like_id, path_of, segments};
use super::user::{LoginPayload, User};
use crate::http::{HttpRequest, HttpResponse};
use crate::kind::{self, scalar};
use crate::word::{singulars, words};

/// Shortest credential that is taken for one where it is a number: shorter ones are ids by chance.
const SHORTEST_NUMBER: usize = 4;
/// The same for what a login gave, beside which passwords stand, which may be words.
const SHORTEST_TOKEN: usize = 12;
/// Shortest id that is told from all others without its kind.
const SHORTEST_UNIQUE: usize = 12;
/// Members of an object that name it, and the words before `id` that do not say another thing.
const NAMES: [&str; 7] = ["id", "_id", "pk", "uuid", "guid", "key", "slug"];
const BEFORE_ID: [&str; 5] = ["object", "document", "global", "node", "user"];
/// Words of paths that lead to whoever asks.
const ASKER: [&str; 5] = ["me", "self", "current", "myself", "whoami"];
/// Words of members that lead to what a user's rights depend on.
const HELD: [&str; 12] = [
    "role",
    "group",
    "session",
    "token",
    "tenant",
    "organization",
    "organisation",
    "account",
    "workspace",
    "team",
    "policy",
    "client",
];
/// Words of members that say within what a thing was made, or by whom.
const PLACES: [&str; 6] = ["tenant", "organization", "organisation", "org", "workspace", "account"];
const MAKERS: [&str; 3] = ["created", "creator", "owner"];
/// Levels of an answer to a login in which its account is looked for.
const LOGIN_LEVELS: usize = 2;
/// Words of those who log in, of whom none is to be taken away that is not named.
const ACCOUNTS: [&str; 4] = ["user", "account", "admin", "administrator"];
/// Longest answer to a change that is looked at for them, in bytes.
const LONGEST_SHOWN: usize = 64 << 10;
/// Most things that are remembered.
const MOST: usize = 1_000;

/// The things that are the users' own.
#[derive(Debug, Default)]
pub(crate) struct OwnThings {
    /// What the credentials name.
    texts: Vec<String>,
    /// Their passwords.
    passwords: BTreeSet<String>,
    /// Kind, as paths name it, and id.
    things: BTreeSet<(Box<str>, Box<str>)>,
    /// Likewise what the calls of whoever asks stand on: the active channel, the current workspace.
    context: BTreeSet<(Box<str>, Box<str>)>,
    /// Credentials, which of them the run may change.
    credentials: StandingCredentials,
    /// Paths without an id at which an answer showed a user's own name.
    paths: BTreeSet<String>,
    /// Whether somebody's credentials cannot be had anew by a login.
    has_fixed: bool,
}

impl OwnThings {
    pub(crate) fn of(users: &[User]) -> Self {
        let mut texts = BTreeSet::new();
        let mut passwords = BTreeSet::new();
        for user in users {
            texts.insert(user.name.clone());
            for (_, value) in &user.headers {
                texts.extend(credentials(value));
            }
            match user.login.as_ref().map(|login| &login.payload) {
                Some(LoginPayload::UserPassword { user, password }) => {
                    texts.insert(user.1.clone());
                    passwords.insert(password.1.clone());
                }
                Some(LoginPayload::Raw(payload)) => {
                    let (secret, plain) = scalars(payload).into_iter().partition(|it| it.0);
                    let texts_of = |all: Vec<(bool, String)>| all.into_iter().map(|(_, text)| text);
                    passwords.extend(texts_of(secret));
                    texts.extend(texts_of(plain));
                }
                Some(LoginPayload::None) | None => {}
            }
        }
        let is_long = |text: &String| {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            text.len() >= if is_number { SHORTEST_NUMBER } else { 2 }
        };
        let texts = texts.into_iter().filter(is_long).collect();
        let has_fixed = users.iter().any(|user| user.login.is_none() && !user.headers.is_empty());
        Self { texts, passwords, has_fixed, ..Self::default() }
    }

    /// Adds the tokens that logins gave.
    pub(crate) fn know(&mut self, secrets: &Secrets) {
        let tokens = secrets.all().into_iter().filter(|secret| secret.len() >= SHORTEST_TOKEN);
        for token in tokens {
            if !self.texts.contains(&token) {
                self.texts.push(token);
            }
        }
    }

    /// Looks at what a login answered: the ids that it tells, beside the token or of the user in it, are
    /// those of an account, whatever accounts are called.
    pub(crate) fn learn_login(&mut self, response: &HttpResponse) {
        let Some(tree) = response.tree() else { return };
        let root = tree.get("data").unwrap_or(&tree).as_object();
        let mut objects: Vec<&Map<String, Value>> = root.into_iter().collect();
        for level in 0..LOGIN_LEVELS {
            let of_people = |(name, member): (&String, _)| {
                // `authenticateUserWithPassword: {item: {id: ...}}`
                let leads = is_of_people(name) || level > 0 && ["item", "node"].contains(&&**name);
                Some(member).filter(|_| leads).and_then(Value::as_object)
            };
            let inner: Vec<_> =
                objects.iter().flat_map(|members| members.iter().filter_map(of_people)).collect();
            objects.extend(inner);
        }
        let found: BTreeSet<String> = objects.into_iter().flat_map(ids).collect();
        for id in found {
            let things = PEOPLE.iter().map(|kind| ((*kind).into(), id.as_str().into()));
            self.things.extend(things);
        }
    }

    /// Looks at what a creation answered, whoever asked: under whose name, and in which organization or
    /// tenant, the service made the thing, where the request did not say. All calls stand on these.
    pub(crate) fn learn_owner(&mut self, request: &HttpRequest, tree: &Value) {
        if request.method != Method::POST || self.things.len() >= MOST {
            return;
        }
        let sent = String::from_utf8_lossy(&request.body);
        let members = tree.get("data").unwrap_or(tree).as_object();
        for (name, id) in members.into_iter().flatten() {
            let words = words(name);
            let Some(id) = scalar(id) else { continue };
            if !kind::names_thing(&words)
                || sent.contains(&*id)
                || request.path.as_str().contains(&*id)
            {
                continue;
            }
            let held = words.iter().find(|word| PLACES.contains(&word.as_str()));
            let is_maker = words.iter().any(|word| MAKERS.contains(&word.as_str()));
            let people = PEOPLE.iter().filter(|_| is_maker).copied();
            let kinds = held.into_iter().map(String::as_str).chain(people);
            self.things.extend(kinds.map(|kind| (kind.into(), id.as_str().into())));
        }
    }

    /// Looks at the answer to a call that went well, whoever asked, for credentials in it.
    pub(crate) fn learn_credentials(&mut self, request: &HttpRequest, is_read: bool, tree: &Value) {
        if self.has_fixed {
            self.credentials.learn(request, is_read, tree);
        }
    }

    /// Looks for own things in an answer, whose body is `tree`.
    pub(crate) fn learn(&mut self, request: &HttpRequest, body: &str, tree: &Value) {
        let is_named = |text: &String| body.contains(text.as_str());
        let is_about_asker = segments(request).any(|segment| ASKER.contains(&segment));
        if self.things.len() >= MOST {
            return;
        }
        self.keep_context(tree);
        if !(is_about_asker || self.texts.iter().any(is_named) || holds_asker(tree)) {
            return;
        }
        self.keep_path(request, tree);
        let kinds = subject::of_path(request, |segment| self.texts.iter().any(|it| it == segment));
        if is_about_asker && let Some(members) = tree.as_object() {
            self.keep(members, &kinds);
            // `{"data": {"id": ...}}`
            if let Some(inner) =
                ["data", "result"].iter().find_map(|it| members.get(*it)?.as_object())
            {
                self.keep(inner, &kinds);
            }
        }
        self.collect(tree, &kinds);
    }

    /// Keeps the path of an answer that is about a user of the run, where no id in it says about whom.
    fn keep_path(&mut self, request: &HttpRequest, tree: &Value) {
        let is_for_any = segments(request).all(|segment| !is_like_id(segment));
        let inner = ["data", "result"].iter().filter_map(|name| tree.get(*name));
        let objects = std::iter::once(tree).chain(inner).filter_map(Value::as_object);
        let is_own = objects.into_iter().any(|members| self.is_of_user(members));
        if request.method == Method::GET && is_for_any && is_own && self.paths.len() < MOST {
            self.paths.insert(path_of(request));
        }
    }

    /// Whether an object is called as a user is.
    fn is_of_user(&self, members: &Map<String, Value>) -> bool {
        members.iter().any(|(name, member)| {
            let is_text = |text: &str| self.texts.iter().any(|own| own == text);
            names_itself(name) && member.as_str().is_some_and(is_text)
        })
    }

    /// Keeps what names an object, and what names the things that it holds.
    fn keep(&mut self, members: &Map<String, Value>, kinds: &[String]) {
        let mut kinds = kinds.to_vec();
        let typename = members.get("__typename").and_then(Value::as_str);
        kinds.extend(typename.into_iter().flat_map(kind::kinds));
        for id in ids(members) {
            self.things.extend(kinds.iter().map(|kind| (kind.as_str().into(), id.as_str().into())));
        }
        for (name, member) in members {
            // A member of a project says whose account it is.
            if ["user", "user_id", "userId"].contains(&&**name)
                && let Some(id) = scalar(member)
            {
                self.things.extend(PEOPLE.iter().map(|kind| ((*kind).into(), id.as_str().into())));
            }
            let held: Vec<String> =
                singulars(name).into_iter().filter(|word| HELD.contains(&word.as_str())).collect();
            if held.is_empty() {
                continue;
            }
            let things: Vec<&Value> = match member {
                Value::Array(elements) => elements.iter().collect(),
                member => vec![member],
            };
            for thing in things {
                let ids =
                    thing.as_object().map_or_else(|| scalar(thing).into_iter().collect(), ids);
                for id in ids {
                    let held = held.iter().map(|kind| (kind.as_str().into(), id.as_str().into()));
                    self.things.extend(held);
                }
            }
        }
    }

    fn keep_context(&mut self, tree: &Value) {
        let data = tree.get("data").unwrap_or(tree);
        for (name, member) in data.as_object().into_iter().flatten() {
            let words = singulars(name);
            let kind = words.last().filter(|_| leads_to_context(&words));
            if let (Some(kind), Some(members)) = (kind, member.as_object()) {
                let kind: &str = kind;
                self.context.extend(ids(members).into_iter().map(|id| (kind.into(), id.into())));
            }
        }
    }

    fn collect(&mut self, value: &Value, kinds: &[String]) {
        match value {
            Value::Array(elements) => {
                elements.iter().for_each(|element| self.collect(element, kinds));
            }
            Value::Object(members) => {
                if self.is_of_user(members) {
                    self.keep(members, kinds);
                }
                for (name, member) in members {
                    let kinds = subject::of_member(name, kinds);
                    if leads_to_asker(name)
                        && let Some(members) = member.as_object()
                    {
                        self.keep(members, &kinds);
                    }
                    self.collect(member, &kinds);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// Whether an answer names one of them that is told from all others without its kind.
    pub(crate) fn is_shown(&self, body: &str) -> bool {
        let mut unique = self.things.iter().filter(|(_, id)| id.len() >= SHORTEST_UNIQUE);
        body.len() <= LONGEST_SHOWN && unique.any(|(_, id)| body.contains(&**id))
    }

    /// Whether a call would change one of them, or whoever asks.
    pub(crate) fn is_threatened(&self, touch: &Touch) -> bool {
        let is_about_asker = touch.is_about_asker || self.paths.contains(&touch.path);
        if is_about_asker && (touch.is_deletion || touch.sets_credentials) {
            return true;
        }
        if self.has_fixed && (touch.ends_session || self.credentials.are_threatened(touch)) {
            return true;
        }
        let is_any = touch.ids.is_empty() && touch.texts.is_empty() && touch.is_deletion;
        let is_account = |word: &String| ACCOUNTS.contains(&word.as_str());
        if is_any && !self.texts.is_empty() && touch.subject.iter().any(is_account) {
            return true;
        }
        let is_own = |id: &String| {
            let mut own = self.things.iter().filter(|(_, known)| **known == **id);
            own.any(|(kind, known)| {
                known.len() >= SHORTEST_UNIQUE || touch.kinds.iter().any(|it| **it == **kind)
            })
        };
        let is_in_context = |id: &String| {
            let mut known = self.context.iter().filter(|(_, known)| **known == **id);
            known.any(|(kind, _)| touch.subject.iter().any(|word| **word == **kind))
        };
        let is_named = |text: &String| self.texts.iter().any(|own| own == text);
        // After a few that are wrong, many services lock the user out.
        let is_guess = |text: &String| !self.passwords.contains(text);
        if touch.passwords.iter().any(is_guess) && touch.beside.iter().any(is_named) {
            return true;
        }
        let holds_own = |kind: &String| self.things.iter().any(|(known, _)| **known == **kind);
        touch.all_of.iter().any(holds_own)
            || touch.ids.iter().any(|id| is_own(id) || is_in_context(id))
            || touch.ids.iter().chain(&touch.texts).any(is_named)
    }
}

/// Whether some member of an answer, not far down, leads to whoever asks.
fn holds_asker(tree: &Value) -> bool {
    let data = tree.get("data").unwrap_or(tree);
    let members = data.as_object().into_iter().flatten();
    members.into_iter().any(|(name, member)| member.is_object() && leads_to_asker(name))
}

/// Whether a member is called after whoever asks: `me`, `viewer`, `activeCustomer`.
fn leads_to_asker(name: &str) -> bool {
    let words = words(name);
    is_asker(&words)
        && !matches!(&words[..], [word] if ["self", "current", "active", "own"].contains(&&**word))
}

/// Whether a member says what its object is called, and not who made it or what it may do.
fn names_itself(name: &str) -> bool {
    let of_others = ["by", "owner", "permission", "creator", "author", "assignee", "type", "scope"];
    // Whoever did something to it: `issuer_login`, `sender`, `uploaded_from`.
    let is_doer = |word: &str| {
        word.len() > 4
            && (word.ends_with("er") || word.ends_with("or") || word.ends_with("ed"))
            && !["user", "owner", "number", "identifier", "customer", "member"].contains(&word)
    };
    !singulars(name).iter().any(|word| of_others.contains(&word.as_str()) || is_doer(word))
}

/// Whether a member is about somebody who logs in.
fn is_of_people(name: &str) -> bool {
    singulars(name).iter().any(|word| PEOPLE.contains(&word.as_str()))
}

/// What names an object.
fn ids(members: &Map<String, Value>) -> Vec<String> {
    let is_id = |name: &str| {
        let words = words(name);
        let is_plain = matches!(&words[..], [before, id] if id == "id" && BEFORE_ID.contains(&before.as_str()));
        NAMES.contains(&name) || is_plain
    };
    let named = members.iter().filter(|(name, _)| is_id(name));
    named.filter_map(|(_, value)| scalar(value)).collect()
}

/// What a header names: the token behind a scheme, and the name in basic credentials.
fn credentials(value: &str) -> Vec<String> {
    use base64::Engine;
    let Some((scheme, token)) = value.split_once(' ') else { return vec![value.to_owned()] };
    let token = token.trim();
    let mut texts = vec![token.to_owned()];
    if scheme.eq_ignore_ascii_case("basic")
        && let Ok(bytes) = base64::engine::general_purpose::STANDARD.decode(token)
        && let Ok(pair) = String::from_utf8(bytes)
        && let Some((name, _)) = pair.split_once(':')
    {
        texts.push(name.to_owned());
    }
    texts
}

/// The texts of a login's payload, and whether each is a secret: these are never own in answers. Of a
/// document of GraphQL those that it and its variables hold.
fn scalars(payload: &str) -> Vec<(bool, String)> {
    static LITERAL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"(\w+)\s*:\s*"([^"\\]*)""#).expect("the pattern is valid"));
    let Ok(Value::Object(members)) = serde_json::from_str(payload) else { return Vec::new() };
    let variables = members.get("variables").and_then(Value::as_object);
    let own = members.iter().filter(|(name, _)| *name != "query");
    let texts = own.chain(variables.into_iter().flatten());
    let mut found: Vec<(bool, String)> = texts
        .filter_map(|(name, value)| {
            Some((Secrets::is_secret_name(name), value.as_str()?.to_owned()))
        })
        .collect();
    let document = members.get("query").and_then(Value::as_str).unwrap_or_default();
    found.extend(
        LITERAL
            .captures_iter(document)
            .map(|literal| (Secrets::is_secret_name(&literal[1]), literal[2].to_owned())),
    );
    found
}

#[cfg(test)]
mod tests;
