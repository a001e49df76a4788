//! The authentication file of the Web Fuzzing Commons, in YAML, JSON or TOML.
//!
//! `authTemplate` is merged into every entry, objects member by member, before anything is
//! required. Earlier versions of the format wrote tokens under other names; both are read.

use http::Method;
use serde_json::{Map, Value};
use thiserror::Error;

use super::user::{
    Endpoint, Generator, Login, LoginPayload, Place, SignUp, TokenRule, TokenSource, User,
};
use crate::document::{Document, DocumentLimits};

/// Why an authentication file cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AuthFileError {
    /// Neither YAML, JSON nor TOML.
    #[error("the authentication file cannot be read: {0}")]
    Unreadable(String),
    /// Something is missing or wrong.
    #[error("the authentication file is wrong at {at}: {reason}")]
    Wrong {
        /// Which part, such as `auth[1].loginEndpointAuth`.
        at: String,
        /// What is wrong.
        reason: String,
    },
    /// `${NAME}` with a name that the environment does not have.
    #[error("the authentication file needs the environment variable {0}, which is not set")]
    NoVariable(String),
}

/// What an authentication file says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuthFile {
    /// The users in the order of the file; names are unique.
    pub users: Vec<User>,
    /// What was not understood.
    pub warnings: Vec<String>,
}

impl AuthFile {
    /// Reads a file's text. `variable` gives the values of `${NAME}`: usually those of the
    /// environment.
    ///
    /// # Errors
    /// [`AuthFileError`], with the part of the file that is wrong.
    pub fn parse(
        text: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, AuthFileError> {
        let root = expanded(read(text)?, variable)?;
        let Some(Value::Array(entries)) = root.get("auth") else {
            return Err(wrong("auth", "it must be a list of users"));
        };
        let template = root.get("authTemplate").cloned().unwrap_or(Value::Null);
        let mut file = Self::default();
        for (index, entry) in entries.iter().enumerate() {
            let mut entry = entry.clone();
            merge(&mut entry, &template);
            let user = file.user(&Part { at: format!("auth[{index}]"), value: &entry })?;
            if file.users.iter().any(|known| known.name == user.name) {
                let reason = format!("there is another user named {:?}", user.name);
                return Err(wrong(&format!("auth[{index}].name"), &reason));
            }
            file.users.push(user);
        }
        Ok(file)
    }

    fn user(&mut self, entry: &Part<'_>) -> Result<User, AuthFileError> {
        let known =
            ["name", "requireMockHandling", "fixedHeaders", "loginEndpointAuth", "createUsers"];
        self.check_members(entry, &known);
        let login = entry.part("loginEndpointAuth").map(|part| self.login(&part)).transpose()?;
        let sign_up = entry.part("createUsers").map(|part| self.sign_up(&part)).transpose()?;
        let headers = entry.headers("fixedHeaders")?;
        if headers.is_empty() && login.is_none() && sign_up.is_none() {
            self.warnings.push(format!("{}: nothing tells this user from a stranger", entry.at));
        }
        Ok(User { name: entry.required("name")?, headers, login, sign_up })
    }

    fn login(&mut self, part: &Part<'_>) -> Result<Login, AuthFileError> {
        let known = [
            "endpoint",
            "externalEndpointURL",
            "payloadRaw",
            "payloadUserPwd",
            "headers",
            "verb",
            "contentType",
            "token",
            "expectCookies",
        ];
        self.check_members(part, &known);
        let expects_cookies =
            part.value.get("expectCookies").and_then(Value::as_bool) == Some(true);
        let token = part.part("token").map(|token| token_rule(&token)).transpose()?;
        if token.is_none() && !expects_cookies {
            return Err(wrong(&part.at, "it needs a token, or expectCookies: true"));
        }
        let payload = payload(part)?;
        let default_type =
            if matches!(payload, LoginPayload::None) { "" } else { "application/json" };
        Ok(Login {
            method: part.method()?,
            endpoint: part.endpoint()?,
            payload,
            content_type: part.text("contentType").unwrap_or_else(|| default_type.to_owned()),
            headers: part.headers("headers")?,
            token,
        })
    }

    fn sign_up(&mut self, part: &Part<'_>) -> Result<SignUp, AuthFileError> {
        let known =
            ["endpoint", "externalEndpointURL", "payloadRaw", "verb", "contentType", "generators"];
        self.check_members(part, &known);
        let generators = part.value.get("generators").and_then(Value::as_array);
        let generators = generators.map_or(&[] as &[Value], Vec::as_slice).iter().enumerate();
        let generators = generators.map(|(index, value)| {
            generator(&Part { at: format!("{}.generators[{index}]", part.at), value })
        });
        Ok(SignUp {
            method: part.method()?,
            endpoint: part.endpoint()?,
            payload: part.required("payloadRaw")?,
            content_type: part.required("contentType")?,
            generators: generators.collect::<Result<_, _>>()?,
        })
    }

    fn check_members(&mut self, part: &Part<'_>, known: &[&str]) {
        let Value::Object(members) = part.value else { return };
        for name in members.keys().filter(|name| !known.contains(&name.as_str())) {
            self.warnings.push(format!("{}: {name:?} is not known and not used", part.at));
        }
    }
}

fn read(text: &str) -> Result<Value, AuthFileError> {
    let unreadable = |error: String| AuthFileError::Unreadable(error);
    let document = Document::parse(text, DocumentLimits::default());
    let value = document.as_ref().ok().and_then(|document| document.root().to_json(1_000_000));
    if let Some(value) = value.filter(Value::is_object) {
        return Ok(value);
    }
    // A table of TOML has no colon, so that YAML takes the whole text for one scalar or refuses it.
    toml::from_str::<Value>(text).map_err(|error| match document {
        Err(error) => unreadable(error.to_string()),
        Ok(_) => unreadable(error.message().to_owned()),
    })
}

/// Fills members that the entry leaves out, or null, from the template.
fn merge(entry: &mut Value, template: &Value) {
    match (entry, template) {
        (Value::Object(entry), Value::Object(template)) => {
            for (name, value) in template {
                merge(entry.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (entry @ Value::Null, template) => *entry = template.clone(),
        _ => {}
    }
}

/// The value with `${NAME}` replaced in every text.
fn expanded(
    value: Value,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Value, AuthFileError> {
    Ok(match value {
        Value::String(text) => Value::String(expanded_text(&text, variable)?),
        Value::Array(elements) => Value::Array(
            elements.into_iter().map(|part| expanded(part, variable)).collect::<Result<_, _>>()?,
        ),
        Value::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(name, part)| Ok((name, expanded(part, variable)?)));
            Value::Object(members.collect::<Result<Map<_, _>, AuthFileError>>()?)
        }
        other => other,
    })
}

fn expanded_text(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<String, AuthFileError> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        expanded.push_str(before);
        let Some((name, after)) = after.split_once('}') else {
            expanded.push_str("${");
            rest = after;
            continue;
        };
        let value = variable(name).ok_or_else(|| AuthFileError::NoVariable(name.to_owned()))?;
        expanded.push_str(&value);
        rest = after;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

fn wrong(at: &str, reason: &str) -> AuthFileError {
    AuthFileError::Wrong { at: at.to_owned(), reason: reason.to_owned() }
}

/// An object of the file, and where it stands.
struct Part<'v> {
    at: String,
    value: &'v Value,
}

impl Part<'_> {
    fn part(&self, name: &str) -> Option<Part<'_>> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Part { at: format!("{}.{name}", self.at), value })
    }

    /// A text; numbers and booleans count as the text that YAML took for one.
    fn text(&self, name: &str) -> Option<String> {
        match self.value.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(value) => Some(value.to_string()),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    fn required(&self, name: &str) -> Result<String, AuthFileError> {
        self.text(name).ok_or_else(|| wrong(&self.at, &format!("{name} is missing")))
    }

    fn method(&self) -> Result<Method, AuthFileError> {
        let verb = self.required("verb")?.to_ascii_uppercase();
        match verb.as_str() {
            "POST" | "GET" | "PATCH" | "DELETE" | "PUT" => {
                Ok(Method::from_bytes(verb.as_bytes()).expect("one of the verbs above"))
            }
            _ => Err(wrong(&format!("{}.verb", self.at), &format!("{verb} is none of the verbs"))),
        }
    }

    fn endpoint(&self) -> Result<Endpoint, AuthFileError> {
        match (self.text("endpoint"), self.text("externalEndpointURL")) {
            (Some(path), None) if path.starts_with('/') => Ok(Endpoint::Path(path)),
            (Some(path), None) => Ok(Endpoint::Path(format!("/{path}"))),
            (None, Some(url)) => Ok(Endpoint::Url(url)),
            _ => Err(wrong(&self.at, "it needs either endpoint or externalEndpointURL")),
        }
    }

    fn headers(&self, name: &str) -> Result<Vec<(String, String)>, AuthFileError> {
        let entries = self.value.get(name).and_then(Value::as_array);
        let entries = entries.map_or(&[] as &[Value], Vec::as_slice).iter().enumerate();
        let header = |(index, value)| {
            let part = Part { at: format!("{}.{name}[{index}]", self.at), value };
            Ok((part.required("name")?, part.required("value")?))
        };
        entries.map(header).collect()
    }
}

fn payload(part: &Part<'_>) -> Result<LoginPayload, AuthFileError> {
    if let Some(raw) = part.text("payloadRaw") {
        return Ok(LoginPayload::Raw(raw));
    }
    let Some(pair) = part.part("payloadUserPwd") else { return Ok(LoginPayload::None) };
    Ok(LoginPayload::UserPassword {
        user: (pair.required("usernameField")?, pair.required("username")?),
        password: (pair.required("passwordField")?, pair.required("password")?),
    })
}

fn token_rule(part: &Part<'_>) -> Result<TokenRule, AuthFileError> {
    if let Some(pointer) = part.text("extractFromField") {
        // The form before version 0.3: a pointer, a header and what stands before the token.
        let prefix = part.text("headerPrefix").unwrap_or_default();
        return Ok(TokenRule {
            source: TokenSource::Body(with_slash(pointer)),
            place: Place::Header(
                part.text("httpHeaderName").unwrap_or_else(|| "Authorization".to_owned()),
            ),
            template: format!("{prefix}{{token}}"),
        });
    }
    let (selector, name) = (part.required("extractSelector")?, part.required("sendName")?);
    let source = match part.required("extractFrom")?.as_str() {
        "body" => TokenSource::Body(with_slash(selector)),
        "header" => TokenSource::Header(selector),
        _ => return Err(wrong(&part.at, "extractFrom must be body or header")),
    };
    let place = match part.required("sendIn")?.as_str() {
        "header" => Place::Header(name),
        "query" => Place::Query(name),
        _ => return Err(wrong(&part.at, "sendIn must be header or query")),
    };
    let template = part.text("sendTemplate").unwrap_or_else(|| "{token}".to_owned());
    Ok(TokenRule { source, place, template })
}

fn with_slash(pointer: String) -> String {
    if pointer.is_empty() || pointer.starts_with('/') { pointer } else { format!("/{pointer}") }
}

fn generator(part: &Part<'_>) -> Result<Generator, AuthFileError> {
    let length = |name: &str| part.value.get(name).and_then(Value::as_u64);
    let min_length = length("minLength").unwrap_or(0) as usize;
    Ok(Generator {
        placeholder: part.required("placeHolder")?,
        prefix: part.text("prefix").unwrap_or_default(),
        postfix: part.text("postfix").unwrap_or_default(),
        min_length,
        max_length: length("maxLength").map_or(16, |most| most as usize).max(min_length),
    })
}

#[cfg(test)]
mod tests;
