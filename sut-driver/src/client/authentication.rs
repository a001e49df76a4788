//! The users that a system knows, and the calls by which they identify themselves.

mod read;

pub(super) use read::authentication;

/// A user that the system knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authentication {
    /// Name of the user, unique.
    pub name: String,
    /// Headers that identify the user in each call.
    pub headers: Vec<(String, String)>,
    /// Whether the user has to be created or logged in first.
    pub needs_login: bool,
    /// The call that logs the user in, before each test.
    pub login: Option<Login>,
    /// The call that creates the user, before the login.
    pub create_users: Option<CreateUsers>,
    /// Fields of the driver that are not understood, where nothing else tells how the user
    /// identifies itself: calls of this user would go out without credentials.
    pub unknown: Vec<String>,
}

/// Where a login or a creation is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginEndpoint {
    /// A path of the system.
    Path(String),
    /// A full URL elsewhere.
    Url(String),
}

/// A call that logs a user in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    /// Where it goes.
    pub endpoint: LoginEndpoint,
    /// HTTP method, `POST` where the driver names none.
    pub verb: String,
    /// Media type of the payload.
    pub content_type: Option<String>,
    /// Body, rendered for its media type.
    pub payload: Option<String>,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// What of the answer identifies the user.
    pub proof: LoginProof,
}

/// What of the answer to a login identifies the user in later calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginProof {
    /// The cookies that it sets.
    Cookies,
    /// A token.
    Token(LoginToken),
    /// Nothing that the driver names.
    Nothing,
}

/// A token: where it comes from and where it goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoginToken {
    /// Where it is in the answer.
    pub source: TokenSource,
    /// Where it is sent in later calls.
    pub place: TokenPlace,
    /// What is sent, with `{token}` for the token.
    pub template: String,
}

/// Where a token is in the answer to a login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// In the body, at this JSON pointer.
    Body(String),
    /// In the header of this name.
    Header(String),
}

/// Where a token is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenPlace {
    /// In the header of this name.
    Header(String),
    /// In the query parameter of this name.
    Query(String),
}

/// A call that creates a user with fresh names before a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreateUsers {
    /// Where it goes.
    pub endpoint: LoginEndpoint,
    /// HTTP method, `POST` where the driver names none.
    pub verb: String,
    /// Media type of the payload.
    pub content_type: Option<String>,
    /// Body; each placeholder is replaced by a fresh text, here and in the payload of the login.
    pub payload: String,
    /// The placeholders.
    pub generators: Vec<UserGenerator>,
}

/// A placeholder that is replaced by a fresh text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserGenerator {
    /// What is replaced.
    pub placeholder: String,
    /// Least number of characters.
    pub min_length: Option<usize>,
    /// Most characters.
    pub max_length: Option<usize>,
    /// What the text begins with.
    pub prefix: String,
    /// What the text ends with.
    pub postfix: String,
}
