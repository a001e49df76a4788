//! Users and how each proves who it is.

use std::fmt;

use http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::secret::Secrets;

/// A user of the service under test.
#[derive(Clone, PartialEq, Eq)]
pub struct User {
    /// Name, unique among the users.
    pub name: String,
    /// Headers that identify the user in each call.
    pub headers: Vec<(String, String)>,
    /// A call that gives the credentials, if one is needed.
    pub login: Option<Login>,
    /// A call that creates the user before it logs in.
    pub sign_up: Option<SignUp>,
}

impl User {
    /// A user who is known by headers alone.
    #[must_use]
    pub fn with_headers(name: impl Into<String>, headers: Vec<(String, String)>) -> Self {
        Self { name: name.into(), headers, login: None, sign_up: None }
    }
}

impl fmt::Debug for User {
    /// Without the secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("User").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Where a login goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// A path on the service under test.
    Path(String),
    /// A URL on another server.
    Url(String),
}

impl Endpoint {
    /// The path or URL as the file writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Path(text) | Self::Url(text) => text,
        }
    }
}

/// What a login sends.
#[derive(Clone, PartialEq, Eq)]
pub enum LoginPayload {
    /// Nothing.
    None,
    /// The text as it is.
    Raw(String),
    /// Name and password under the names of their fields, written as the content type wants.
    UserPassword {
        /// Name of the field that holds the user, and the user.
        user: (String, String),
        /// Name of the field that holds the password, and the password.
        password: (String, String),
    },
}

impl LoginPayload {
    /// The body of the login call.
    #[must_use]
    pub fn render(&self, content_type: &str) -> String {
        match self {
            Self::None => String::new(),
            Self::Raw(text) => text.clone(),
            Self::UserPassword { user, password } if content_type.contains("form-urlencoded") => {
                let pair = |(name, value): &(String, String)| {
                    format!("{}={}", percent_encoded(name), percent_encoded(value))
                };
                format!("{}&{}", pair(user), pair(password))
            }
            Self::UserPassword { user, password } => {
                let mut object = serde_json::Map::new();
                object.insert(user.0.clone(), user.1.clone().into());
                object.insert(password.0.clone(), password.1.clone().into());
                serde_json::Value::Object(object).to_string()
            }
        }
    }

    pub(crate) fn secrets(&self, secrets: &mut Secrets) {
        match self {
            Self::None => {}
            Self::UserPassword { password, .. } => secrets.add(&password.1),
            Self::Raw(payload) => {
                secrets.add(payload);
                match serde_json::from_str(payload) {
                    Ok(value) => secrets.add_named(&value),
                    // A form.
                    Err(_) => {
                        let pairs = payload.split('&').filter_map(|pair| pair.split_once('='));
                        for (_, value) in pairs.filter(|(name, _)| Secrets::is_secret_name(name)) {
                            secrets.add(value);
                        }
                    }
                }
            }
        }
    }
}

impl fmt::Debug for LoginPayload {
    /// Without the secrets.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::None => "None",
            Self::Raw(_) => "Raw(..)",
            Self::UserPassword { .. } => "UserPassword(..)",
        })
    }
}

/// What is encoded.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Everything outside the unreserved characters of RFC 3986 as `%XX`.
pub(crate) fn percent_encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// A call that gives credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// Verb.
    pub method: Method,
    /// Where it goes.
    pub endpoint: Endpoint,
    /// What is sent.
    pub payload: LoginPayload,
    /// Media type of what is sent; empty where nothing is.
    pub content_type: String,
    /// Headers of the call.
    pub headers: Vec<(String, String)>,
    /// The token in the answer and how it is sent. None when cookies are expected.
    pub token: Option<TokenRule>,
}

/// Where the token stands in the answer of a login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// At this JSON pointer in the body.
    Body(String),
    /// In this header.
    Header(String),
}

/// Where the token is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In this header.
    Header(String),
    /// In this parameter of the query.
    Query(String),
}

/// How a token is taken from the answer and sent afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRule {
    /// Where it stands in the answer.
    pub source: TokenSource,
    /// Where it is sent.
    pub place: Place,
    /// What is sent, with `{token}` for the token.
    pub template: String,
}

/// A call that creates a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignUp {
    /// Verb.
    pub method: Method,
    /// Where it goes.
    pub endpoint: Endpoint,
    /// What is sent, with the placeholders of the generators.
    pub payload: String,
    /// Media type of the payload.
    pub content_type: String,
    /// What stands for the placeholders.
    pub generators: Vec<Generator>,
}

/// Makes texts that are unique to a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator {
    /// The text that it replaces.
    pub placeholder: String,
    /// What every text begins with.
    pub prefix: String,
    /// What every text ends with.
    pub postfix: String,
    /// Fewest characters between the two.
    pub min_length: usize,
    /// Most characters between the two.
    pub max_length: usize,
}

impl Generator {
    /// The text of number `number`: letters and digits that differ for different numbers as far
    /// as the length allows.
    #[must_use]
    pub fn text(&self, number: u64) -> String {
        const DIGITS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let most = self.max_length.min(64);
        let length = 10.clamp(self.min_length.min(most), most);
        let mut rest = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
        let mut text = String::with_capacity(length);
        while text.len() < length {
            text.push(char::from(DIGITS[(rest % 36) as usize]));
            rest = (rest / 36).wrapping_add(number).rotate_left(7);
        }
        format!("{}{text}{}", self.prefix, self.postfix)
    }
}
