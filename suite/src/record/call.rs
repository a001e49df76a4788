//! Calls as they were made.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// One call and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRecord {
    /// The operation: a schema coordinate (`Query.user`), or verb and path.
    pub operation: String,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Headers without those of the user.
    pub headers: Vec<(String, String)>,
    /// Body as text; empty where there was none.
    pub body: String,
    /// Name of the user who made the call, and what his credentials are read from: names of
    /// headers with the environment variables that hold their values.
    pub user: Option<String>,
    /// See [`user`](Self::user).
    pub credentials: Vec<(String, String)>,
    /// The answer, if there was one.
    pub answer: Option<AnswerRecord>,
    /// Why there was none.
    pub failure: Option<String>,
}

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// Status.
    pub status: u16,
    /// Media type with its parameters.
    pub content_type: String,
    /// Body as text.
    pub body: String,
}

impl CallRecord {
    /// A line for a POSIX shell that makes the call again. Credentials are read from the
    /// environment, never written.
    #[must_use]
    pub fn curl(&self, base_url: &str) -> String {
        let mut line = "curl -sS".to_owned();
        if self.method == "HEAD" && self.body.is_empty() {
            // With the verb alone curl waits for the body that the length announces.
            line.push_str(" --head");
        } else if self.method != "GET" || !self.body.is_empty() {
            // Writing to a text cannot fail.
            let _ = write!(line, " -X {}", quoted(&self.method));
        }
        let url = format!("{}{}", base_url.trim_end_matches('/'), self.path);
        let _ = write!(line, " {}", quoted(&url));
        for (name, value) in &self.headers {
            let _ = write!(line, " -H {}", quoted(&format!("{name}: {value}")));
        }
        for (name, variable) in &self.credentials {
            let _ = write!(line, " -H {}\"${variable}\"", quoted(&format!("{name}: ")));
        }
        if !self.body.is_empty() {
            let _ = write!(line, " --data-raw {}", quoted(&self.body));
        }
        line
    }
}

/// A word for a POSIX shell that stands for exactly this text.
fn quoted(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:@%+,=".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curl_lines_are_quoted_for_the_shell_and_hold_no_credentials() {
        let call = CallRecord {
            method: "POST".to_owned(),
            path: "/a?b=it's".to_owned(),
            headers: vec![("accept".to_owned(), "*/*".to_owned())],
            body: "{\"x\": \"$(id)\"}".to_owned(),
            credentials: vec![("authorization".to_owned(), "WALLACE_CREDENTIALS_ANN".to_owned())],
            ..CallRecord::default()
        };
        assert_eq!(
            call.curl("http://h/"),
            r#"curl -sS -X POST 'http://h/a?b=it'\''s' -H 'accept: */*' -H 'authorization: '"$WALLACE_CREDENTIALS_ANN" --data-raw '{"x": "$(id)"}'"#
        );
        let get = CallRecord { method: "GET".to_owned(), path: "/".to_owned(), ..call };
        assert!(get.curl("http://h").starts_with("curl -sS -X GET http://h/ "));
        let head = CallRecord { method: "HEAD".to_owned(), body: String::new(), ..get };
        assert!(head.curl("http://h").starts_with("curl -sS --head http://h/ "));
    }

    #[test]
    fn the_shell_reads_back_what_was_quoted() {
        for text in ["", "a", "it's", "'", "''", "a\nb", "$HOME `id` \\ \"", "*", "-n x"] {
            let script = format!("printf %s {}", quoted(text));
            let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
        }
    }
}
