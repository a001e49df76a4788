//! Requests of a test, as far as possible independent of how they are written down.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::RequestText;

/// One HTTP request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// HTTP method in capitals.
    pub method: String,
    /// Path and query below the base URL, percent-encoded, with the leading slash.
    pub path: RequestText,
    /// Headers in order. The content type is implied by the body unless it is given here;
    /// what every client adds by itself (host, length) does not belong here.
    pub headers: Vec<(String, RequestText)>,
    /// What is sent.
    pub body: Body,
}

/// What a request carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// Nothing.
    None,
    /// A GraphQL request, sent as a JSON object.
    GraphQl {
        /// The document, on several lines if it is to be read.
        document: RequestText,
        /// Values of its variables: a JSON object.
        variables: Option<JsonBody>,
        /// Which of several operations is meant.
        operation_name: Option<String>,
    },
    /// A JSON value.
    Json(JsonBody),
    /// Any other text.
    Text {
        /// The content type.
        media_type: String,
        /// The text, exactly as it is sent.
        text: RequestText,
    },
}

/// A JSON value some parts of which are captured from earlier answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JsonBody {
    /// The value as it was sent when it was recorded.
    pub value: Value,
    /// JSON pointer of each part to replace, and the variable that it takes.
    pub captured: BTreeMap<String, String>,
}

impl From<Value> for JsonBody {
    fn from(value: Value) -> Self {
        Self { value, captured: BTreeMap::new() }
    }
}

impl JsonBody {
    /// The value with null in place of every captured part.
    fn literal(&self) -> Value {
        let mut value = self.value.clone();
        for pointer in self.captured.keys() {
            if let Some(part) = value.pointer_mut(pointer) {
                *part = Value::Null;
            }
        }
        value
    }
}

impl Request {
    /// A GraphQL document sent by POST, without variables and extra headers.
    #[must_use]
    pub fn graphql(path: &str, document: &str) -> Self {
        Self {
            method: "POST".to_owned(),
            path: path.into(),
            headers: Vec::new(),
            body: Body::GraphQl {
                document: document.into(),
                variables: None,
                operation_name: None,
            },
        }
    }

    /// `METHOD:/path`, the identity of an HTTP endpoint in reports; without query.
    #[must_use]
    pub fn endpoint(&self) -> String {
        let path = self.path.literal_text();
        let path = path.split(['?', '#']).next().unwrap_or_default();
        format!("{}:{path}", self.method)
    }

    /// Everything literal that the service gets to see, to recognise what it echoes.
    #[must_use]
    pub fn literal_text(&self) -> String {
        let mut text = self.path.literal_text();
        for (_, value) in &self.headers {
            text.push('\n');
            text.push_str(&value.literal_text());
        }
        text.push('\n');
        match &self.body {
            Body::None => {}
            Body::GraphQl { document, variables, .. } => {
                text.push_str(&document.literal_text());
                if let Some(variables) = variables {
                    text.push_str(&variables.literal().to_string());
                }
            }
            Body::Json(json) => text.push_str(&json.literal().to_string()),
            Body::Text { text: body, .. } => text.push_str(&body.literal_text()),
        }
        text
    }
}
