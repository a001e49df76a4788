//! Secrets, and keeping them out of everything that is written.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Names of headers, fields and parameters whose values are secrets.
const SECRET_NAMES: &[&str] = &[
    "authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "api_key",
    "apikey",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "password",
    "passwd",
    "secret",
    "x-auth-token",
];

/// Shortest signature of a signed token, in letters: what is shorter is an example.
const SHORTEST_SIGNATURE: usize = 20;

/// Texts that must not be written. Clones share them, so that whoever writes knows the tokens of later
/// logins too.
#[derive(Clone, Default)]
pub struct Secrets(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    texts: BTreeSet<String>,
    /// Names that the description of the service uses.
    names: BTreeSet<String>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} secrets", self.lock().texts.len())
    }
}

impl Secrets {
    /// What stands where a secret stood.
    pub const REDACTED: &str = "[redacted]";
    /// Shorter texts are no secrets: replacing them would damage other texts.
    const SHORTEST: usize = 4;
    /// The same for parts of secrets, which may be words.
    const SHORTEST_PART: usize = 8;
    /// Letters from which on a secret is no word any more.
    const LONGEST_WORD: usize = 12;

    /// Remembers a secret. Of `Bearer TOKEN` and of cookies the parts that matter are secrets of
    /// their own: services tell them without the rest.
    pub fn add(&mut self, secret: &str) {
        if secret.len() < Self::SHORTEST {
            return;
        }
        let known = &mut self.lock().texts;
        known.insert(secret.to_owned());
        let scheme = secret.split_once(' ').map(|(_, token)| token.trim());
        let cookies = secret.split("; ").filter_map(|cookie| Some(cookie.split_once('=')?.1));
        for part in scheme.into_iter().chain(cookies) {
            if part.len() >= Self::SHORTEST_PART && !part.contains(char::is_whitespace) {
                known.insert(part.to_owned());
            }
        }
    }

    /// All of them.
    pub(crate) fn all(&self) -> BTreeSet<String> {
        self.lock().texts.clone()
    }

    /// Tells the names that the description of the service uses: a secret that is one of them, as a
    /// password `password`, is hidden only where it stands as a value.
    pub fn spare(&self, names: impl IntoIterator<Item = String>) {
        self.lock().names.extend(names);
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // Nothing is left half-done in there when a worker panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers the texts that a JSON value holds under names of secrets.
    pub fn add_named(&mut self, value: &serde_json::Value) {
        match value {
            serde_json::Value::Object(members) => {
                for (name, member) in members {
                    match member.as_str() {
                        Some(text) if Self::is_secret_name(name) => self.add(text),
                        _ => self.add_named(member),
                    }
                }
            }
            serde_json::Value::Array(elements) => {
                elements.iter().for_each(|element| self.add_named(element));
            }
            _ => {}
        }
    }

    /// The text without any of the secrets, as they are or as formats write them.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        // Longer ones first: one secret may be part of another.
        let mut secrets = self.forms();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.text.len()));
        let text = without_signed_tokens(text);
        secrets.iter().fold(text, |text, secret| secret.redact(&text))
    }

    /// Tells of many texts whether they hold any of the secrets that are known now.
    pub fn finder(&self) -> impl Fn(&str) -> bool + use<> {
        let secrets = self.forms();
        move |text| {
            let is_in = |it: &Secret| text.contains(&it.text) && it.redact(text) != text;
            signed_token(text).is_some() || secrets.iter().any(is_in)
        }
    }

    fn forms(&self) -> Vec<Secret> {
        let known = self.lock();
        let all: BTreeSet<String> = known.texts.iter().flat_map(|secret| forms(secret)).collect();
        let secret = |text: String| Secret { is_name: known.names.contains(&text), text };
        all.into_iter().map(secret).collect()
    }

    /// Whether the value of a header, field or parameter of this name is a secret.
    #[must_use]
    pub fn is_secret_name(name: &str) -> bool {
        SECRET_NAMES.iter().any(|secret| name.eq_ignore_ascii_case(secret))
    }
}

/// Where a text holds a signed token: a JSON Web Token (RFC 7519), which lets in whoever has it, whichever
/// call it was given to. Each letter is looked at once: answers may be long.
fn signed_token(text: &str) -> Option<Range<usize>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let mut from = 0;
    while let Some(found) = text[from..].find("eyJ") {
        let start = from + found;
        let end = start + text[start..].bytes().take_while(|byte| is_part(*byte)).count();
        let mut parts = text[start..end].split('.').skip(1);
        let has_claims = parts.next().is_some_and(|claims| claims.starts_with("eyJ"));
        if has_claims && parts.next().is_some_and(|it| it.len() >= SHORTEST_SIGNATURE) {
            return Some(start..end);
        }
        from = end;
    }
    None
}

fn without_signed_tokens(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(token) = signed_token(rest) {
        kept.push_str(&rest[..token.start]);
        kept.push_str(Secrets::REDACTED);
        rest = &rest[token.end..];
    }
    kept + rest
}

/// A secret in one of its forms.
struct Secret {
    text: String,
    /// Whether the description of the service uses it as a name.
    is_name: bool,
}

impl Secret {
    fn redact(&self, text: &str) -> String {
        match self.is_word() {
            true => self.replace_alone(text),
            false => text.replace(&self.text, Secrets::REDACTED),
        }
    }

    /// Whether it may be part of other words, as a password `admin` is of `administrator`.
    fn is_word(&self) -> bool {
        self.text.len() < Secrets::LONGEST_WORD
            && self.text.bytes().all(|byte| byte.is_ascii_alphabetic())
    }

    /// Replaces a word where it stands by itself, and is no name of something.
    fn replace_alone(&self, text: &str) -> String {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut replaced = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(&self.text) {
            let (before, from) = rest.split_at(start);
            let after = &from[self.text.len()..];
            replaced.push_str(before);
            let is_alone = !replaced.ends_with(is_part) && !after.starts_with(is_part);
            let is_name = names_member(after) || self.is_name && !stands_as_value(&replaced);
            replaced.push_str(if is_alone && !is_name { Secrets::REDACTED } else { &self.text });
            rest = after;
        }
        replaced + rest
    }
}

/// What may stand between a name, its sign and its value, also in texts inside of texts and in markup.
const QUOTES: [&str; 6] = ["\\", "\"", "'", " ", "&quot;", "&#39;"];

/// Whether what comes after a word makes it the name of a member of JSON.
fn names_member(after: &str) -> bool {
    let mut rest = after;
    while let Some(behind) = QUOTES.iter().find_map(|quote| rest.strip_prefix(quote)) {
        rest = behind;
    }
    let between = &after[..after.len() - rest.len()];
    rest.starts_with(':') && (between.contains('"') || between.contains("&quot;"))
}

/// Whether what comes before a word makes it the value of something.
fn stands_as_value(mut before: &str) -> bool {
    while let Some(rest) = QUOTES.iter().find_map(|quote| before.strip_suffix(quote)) {
        before = rest;
    }
    before.ends_with([':', '='])
}

/// A secret as it stands in JSON, in JSON inside of JSON, in sources, URLs, shell lines and markup.
fn forms(secret: &str) -> BTreeSet<String> {
    let json = |text: &str| {
        let quoted = serde_json::Value::from(text).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let source = |text: &str| {
        let quoted = format!("{text:?}");
        quoted[1..quoted.len() - 1].to_owned()
    };
    let encoded: String = secret
        .bytes()
        .map(|byte| match byte {
            b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect();
    let mut plain = BTreeSet::from([secret.to_owned(), json(secret), source(secret)]);
    plain.extend([
        json(&json(secret)),
        source(&json(secret)),
        encoded.replace("%20", "+"),
        encoded,
    ]);
    let shell: Vec<String> = plain.iter().map(|text| text.replace('\'', r"'\''")).collect();
    plain.extend(shell);
    let inside: Vec<String> = plain.iter().map(|text| json(text)).collect();
    plain.extend(inside);
    let markup: Vec<String> = plain.iter().map(|text| markup(text)).collect();
    plain.extend(markup);
    plain
}

fn markup(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_secrets_go_first_and_short_ones_stay() {
        let mut secrets = Secrets::default();
        for secret in ["tokenA", "tokenA-long", "abc"] {
            secrets.add(secret);
        }
        let text = "Bearer tokenA-long, tokenA, abc";
        assert_eq!(secrets.redact(text), "Bearer [redacted], [redacted], abc");
        secrets.add("session=0123456789; theme=dark");
        assert_eq!(secrets.redact("0123456789 dark"), "[redacted] dark");
        secrets.add_named(&serde_json::json!([{ "user": "anna-lena", "password": "pass word" }]));
        assert_eq!(secrets.redact("anna-lena pass word"), "anna-lena [redacted]");
        assert!(Secrets::is_secret_name("Set-Cookie") && !Secrets::is_secret_name("Accept"));
    }

    #[test]
    fn signed_tokens_are_secrets_whoever_got_them() {
        let token = format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{}", "aB3_".repeat(10));
        let secrets = Secrets::default();
        let told = format!(r#"{{"refresh":"{token}","n":1}}"#);
        assert_eq!(secrets.redact(&told), r#"{"refresh":"[redacted]","n":1}"#);
        assert!(secrets.finder()(&told));
        let example = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc eyJ";
        assert!(secrets.redact(example) == example && !secrets.finder()(example));
    }

    #[test]
    fn a_common_word_is_secret_where_it_stands_alone() {
        let mut secrets = Secrets::default();
        secrets.add("admin");
        let text = r#"administrator $WALLACE_CREDENTIALS_admin superadmin "admin" a:admin@b"#;
        let shown =
            r#"administrator $WALLACE_CREDENTIALS_admin superadmin "[redacted]" a:[redacted]@b"#;
        assert_eq!(secrets.redact(text), shown);
    }

    #[test]
    fn a_secret_that_names_something_is_hidden_as_a_value() {
        let mut secrets = Secrets::default();
        secrets.add("password");
        let sent = r#"{"password":"password"} {\"password\": \"password\"}"#;
        let shown = r#"{"password":"[redacted]"} {\"password\": \"[redacted]\"}"#;
        assert_eq!(secrets.redact(sent), shown);
        assert_eq!(secrets.redact("wrong password: password"), "wrong [redacted]: [redacted]");
        let field = r#"{ user { password } } /users/password put("password", "")"#;
        assert!(secrets.finder()(field));
        secrets.spare(["password".to_owned()]);
        assert_eq!(secrets.redact(field), field);
        assert_eq!(secrets.redact(sent), shown);
        assert_eq!(secrets.redact("password=password&x"), "password=[redacted]&x");
    }

    /// However a format writes it, nothing of a secret stays.
    #[test]
    fn secrets_are_found_as_formats_write_them() {
        let secret = "s3cr\"et\\<k&y>'z";
        let mut secrets = Secrets::default();
        secrets.add(secret);
        let json = serde_json::json!({ "value": secret }).to_string();
        let nested = serde_json::json!({ "body": json }).to_string();
        let shell = format!("curl -d '{}'", json.replace('\'', r"'\''"));
        for text in [secret.to_owned(), json, nested, markup(&shell), shell, format!("{secret:?}")]
        {
            let shown = secrets.redact(&text);
            assert!(shown.contains("[redacted]") && !shown.contains("s3cr"), "{shown}");
        }
    }
}
