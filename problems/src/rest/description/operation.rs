//! Operations as a description tells them.

use std::sync::Arc;

use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::rest::schema::SchemaId;

/// One verb on one path.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Verb and path, such as `GET:/users/{id}`; unique.
    pub id: Arc<str>,
    /// Name that the description gives it, if any.
    pub operation_id: Option<Arc<str>>,
    /// Verb.
    pub method: Method,
    /// Path with its parameters in braces, below the base path.
    pub path: Arc<str>,
    /// Tags.
    pub tags: Vec<Arc<str>>,
    /// Whether callers are asked not to use it any more.
    pub is_deprecated: bool,
    /// Parameters, in the order of path, query, header, cookie.
    pub parameters: Vec<Parameter>,
    /// What the body may be; none where no body is sent.
    pub bodies: Vec<BodyContent>,
    /// Whether a body must be sent.
    pub is_body_required: bool,
    /// Whether its words say that what a body leaves out is kept.
    pub(crate) keeps_rest: bool,
    /// Whether they say of a deletion that what stood there before comes back.
    pub(crate) resets: bool,
    /// Documented responses.
    pub responses: Vec<Response>,
    /// Names of the schemes that a caller must satisfy together, one list for each alternative.
    /// An empty alternative means that anybody may call; no alternatives mean the same.
    pub security: Vec<Vec<Arc<str>>>,
    /// Line in the description.
    pub line: u32,
}

impl Operation {
    /// Whether callers need to say who they are.
    #[must_use]
    pub fn needs_user(&self) -> bool {
        !self.security.is_empty() && self.security.iter().all(|names| !names.is_empty())
    }

    /// Whether the description says anything of who may call.
    #[must_use]
    pub fn declares_security(&self) -> bool {
        self.security.iter().any(|names| !names.is_empty())
    }

    /// Whether one proof of who calls may satisfy both operations.
    #[must_use]
    pub fn shares_scheme(&self, other: &Self) -> bool {
        let mut names = self.security.iter().flatten();
        names.any(|name| other.security.iter().flatten().any(|known| known == name))
    }

    /// Segments of the path.
    pub fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.path.split('/').filter(|segment| !segment.is_empty())
    }

    /// The segment before a placeholder of the path, where that is fixed.
    pub(crate) fn segment_before(&self, placeholder: &str) -> Option<&str> {
        let is_it = |segment: &str| {
            segment.strip_prefix('{').and_then(|it| it.strip_suffix('}')) == Some(placeholder)
        };
        let at = self.segments().position(is_it)?;
        self.segments().nth(at.checked_sub(1)?).filter(|before| !before.contains('{'))
    }

    /// The documented response to a status, the most specific one.
    #[must_use]
    pub fn response(&self, status: u16) -> Option<&Response> {
        let matching = self.responses.iter().filter(|response| response.statuses.matches(status));
        matching.max_by_key(|response| response.statuses.rank())
    }

    /// Whether the description says what a success looks like.
    pub(crate) fn has_documented_success(&self) -> bool {
        let is_success = |response: &Response| match response.statuses {
            Statuses::Exactly(status) => (200..300).contains(&status),
            Statuses::Class(class) => class == 2,
            Statuses::Default => false,
        };
        self.responses.iter().any(is_success)
    }
}

/// Where a parameter is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterPlace {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In the cookies.
    Cookie,
}

impl ParameterPlace {
    /// As descriptions write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// How lists and objects are written in a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// `a,b`
    Simple,
    /// `.a.b`
    Label,
    /// `;x=a,b`
    Matrix,
    /// `x=a,b`
    Form,
    /// `x=a%20b`
    SpaceDelimited,
    /// `x=a|b`
    PipeDelimited,
    /// `x=a<tab>b`, of Swagger 2.0.
    TabDelimited,
    /// `x[k]=v`
    DeepObject,
}

/// A parameter of an operation.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Name.
    pub name: Arc<str>,
    /// Where it is sent.
    pub place: ParameterPlace,
    /// Whether it must be sent.
    pub is_required: bool,
    /// Values.
    pub schema: SchemaId,
    /// How lists and objects are written.
    pub style: Style,
    /// Whether each element is written by itself.
    pub is_exploded: bool,
    /// Whether reserved characters are sent as they are.
    pub allows_reserved: bool,
    /// Whether the value is sent as JSON, whatever its kind.
    pub is_json: bool,
    /// Values that the description shows.
    pub examples: Vec<Value>,
}

/// One kind of body.
#[derive(Debug, Clone)]
pub struct BodyContent {
    /// Media type.
    pub media_type: Arc<str>,
    /// Values.
    pub schema: SchemaId,
    /// How parts of forms are written, by name.
    pub encodings: Vec<(Arc<str>, Encoding)>,
    /// Values that the description shows.
    pub examples: Vec<Value>,
}

/// How one part of a form is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Media type of the part.
    pub content_type: Option<Arc<str>>,
    /// How lists and objects are written.
    pub style: Option<Style>,
    /// Whether each element is written by itself.
    pub is_exploded: Option<bool>,
}

/// Statuses that a response is documented for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Statuses {
    /// Those without a documentation of their own.
    Default,
    /// A class: 2 for 200 to 299.
    Class(u16),
    /// This one.
    Exactly(u16),
}

impl Statuses {
    /// Whether the status is one of these.
    #[must_use]
    pub fn matches(self, status: u16) -> bool {
        match self {
            Self::Default => true,
            Self::Class(class) => status / 100 == class,
            Self::Exactly(exact) => status == exact,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Default => 0,
            Self::Class(_) => 1,
            Self::Exactly(_) => 2,
        }
    }
}

/// A documented response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Its statuses.
    pub statuses: Statuses,
    /// Its bodies by media type; none where it has no body, or none is documented.
    pub contents: Vec<ResponseContent>,
    /// Names of its headers, in lower case, and whether each must be there.
    pub headers: Vec<(Arc<str>, bool)>,
    /// Operations that can be called with what it holds.
    pub links: Vec<Link>,
    /// Whether it goes on, record by record: gateways to gRPC say so in its text alone.
    pub is_stream: bool,
}

/// One kind of body of a response.
#[derive(Debug, Clone)]
pub struct ResponseContent {
    /// Media type or range, in lower case.
    pub media_type: Arc<str>,
    /// Values, where they are documented.
    pub schema: Option<SchemaId>,
}

/// How an operation can be called with what a response holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The operation: its `operationId`, or verb and path such as `GET:/users/{id}`.
    pub target: Arc<str>,
    /// Parameters by name, `path.id` or `id`, and where their values come from.
    pub parameters: Vec<(Arc<str>, LinkSource)>,
}

/// Where a value of a link comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkSource {
    /// This part of the response body, by JSON pointer.
    ResponseBody(String),
    /// A header of the response, in lower case.
    ResponseHeader(String),
    /// A parameter of the request, by place and name.
    RequestParameter(ParameterPlace, String),
    /// This part of the request body, by JSON pointer.
    RequestBody(String),
    /// This very value.
    Constant(Value),
}

/// How a caller proves who it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecurityScheme {
    /// An `Authorization` header of this scheme, in lower case: `basic`, `bearer`.
    Http(String),
    /// A key at this place under this name.
    ApiKey(ParameterPlace, String),
    /// Any other: OAuth 2, OpenID, mutual TLS.
    Other(String),
}
