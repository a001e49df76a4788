//! Recorded exchanges of a real driver, one JSON object a line.

use std::path::PathBuf;

use serde_json::Value;

/// One recorded exchange.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    pub(crate) number: u64,
    pub(crate) note: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) request_headers: Vec<(String, String)>,
    pub(crate) request: Value,
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) closes: bool,
    pub(crate) response: Value,
}

impl Exchange {
    /// Last part of the path, without the query.
    pub(crate) fn endpoint(&self) -> &str {
        let path = self.path.split('?').next().unwrap();
        path.strip_prefix("/controller/api/").unwrap_or("")
    }

    /// Whether it belongs to the exchanges that this crate knows.
    pub(crate) fn is_core(&self) -> bool {
        matches!(
            self.endpoint(),
            "controllerInfo" | "infoSUT" | "newSearch" | "runSUT" | "newAction" | "testResults"
        )
    }

    /// The request body as it was sent.
    pub(crate) fn request_body(&self) -> Vec<u8> {
        match &self.request {
            Value::Null => Vec::new(),
            Value::String(text) => text.clone().into_bytes(),
            other => other.to_string().into_bytes(),
        }
    }

    /// The response body as it was received.
    pub(crate) fn response_body(&self) -> String {
        match &self.response {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    /// The value of a parameter of the query, decoded.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let query = self.path.split_once('?')?.1;
        let mut parameters = query.split('&').filter_map(|part| part.split_once('='));
        let (_, value) = parameters.find(|(key, _)| *key == name)?;
        Some(value.replace("%2C", ","))
    }

    /// The targets of a `testResults` answer.
    pub(crate) fn targets(&self) -> &[Value] {
        self.response["data"]["targets"].as_array().unwrap()
    }
}

/// The exchanges of a recording; `None`, and a note on standard error, where the recordings are
/// not at hand.
pub(crate) fn session(name: &str) -> Option<Vec<Exchange>> {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.push("../../shared/data/driver-sessions");
    path.push(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: no recorded session at {}", path.display());
        return None;
    };
    Some(text.lines().map(exchange).collect())
}

fn exchange(line: &str) -> Exchange {
    let value: Value = serde_json::from_str(line).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let response_headers = headers(&value["response_headers"]);
    let header = |name: &str| {
        let found = response_headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    Exchange {
        number: value["n"].as_u64().unwrap(),
        note: text(&value["note"]),
        method: text(&value["method"]),
        path: text(&value["path"]),
        request_headers: headers(&value["request_headers"]),
        request: value["request"].clone(),
        status: u16::try_from(value["status"].as_u64().unwrap()).unwrap(),
        content_type: header("Content-Type"),
        closes: header("Connection") == "close",
        response: value["response"].clone(),
    }
}

fn headers(value: &Value) -> Vec<(String, String)> {
    let members = value.as_object().unwrap().iter();
    let members = members.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
    members.collect()
}
