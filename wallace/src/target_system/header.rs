//! Headers that every request to a service has: a tenant, a version, an application.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use wallace_problems::{CallFailure, HttpRequest, HttpResponse, Transport, auth::User};

use crate::error::RunError;
use crate::settings::Settings;

/// Parts of names of headers that say who calls.
const CREDENTIALS: [&str; 7] =
    ["auth", "cookie", "token", "api-key", "apikey", "secret", "session"];

/// Whether a header says who calls: then it is that of a user, and its value is a secret.
fn is_credential(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    CREDENTIALS.iter().any(|word| name.contains(word))
}

/// The headers of a run that are no secrets.
pub(super) fn plain(settings: &Settings) -> Result<HeaderMap, RunError> {
    let mut headers = HeaderMap::new();
    for (name, value) in settings.headers.iter().filter(|(name, _)| !is_credential(name)) {
        let wrong = |what: &str| {
            RunError::Settings(format!("the header {name:?} has {what}: write it as NAME: VALUE"))
        };
        let name: HeaderName = name.parse().map_err(|_| wrong("a name that no header has"))?;
        let value =
            HeaderValue::from_str(value).map_err(|_| wrong("a value that none can have"))?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// Whom the other headers stand for.
pub(super) fn user(settings: &Settings) -> Result<Option<User>, RunError> {
    let secret = settings.headers.iter().filter(|(name, _)| is_credential(name));
    let secret: Vec<(String, String)> = secret.cloned().collect();
    let Some((name, _)) = secret.first() else { return Ok(None) };
    if settings.auth.is_some() {
        return Err(RunError::Settings(format!(
            "the header {name:?} says who calls, and so does the authentication file: give it to \
             its users there, as fixedHeaders"
        )));
    }
    Ok(Some(User::with_headers("header", secret)))
}

/// Carries requests with further headers over another transport.
pub(super) struct HeaderTransport {
    inner: Box<dyn Transport>,
    headers: HeaderMap,
}

impl HeaderTransport {
    pub(super) fn new(inner: Box<dyn Transport>, headers: HeaderMap) -> Self {
        Self { inner, headers }
    }
}

impl Transport for HeaderTransport {
    fn wait_at_most(&mut self, longest: Option<Duration>) {
        self.inner.wait_at_most(longest);
    }

    fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
        let mut request = request.clone();
        request.headers.extend(self.headers.clone());
        self.inner.send(&request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(headers: &[(&str, &str)]) -> Settings {
        let headers = headers.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Settings { headers: headers.collect(), ..Settings::black_box("http://localhost:1", "out") }
    }

    #[test]
    fn what_says_who_calls_is_a_users_and_no_secret_is_plain() {
        let given = settings(&[("X-Tenant", "acme"), ("Authorization", "Bearer x")]);
        assert_eq!(plain(&given).unwrap().get("x-tenant").unwrap(), "acme");
        assert_eq!(plain(&given).unwrap().len(), 1);
        let user = user(&given).unwrap().unwrap();
        assert_eq!(user.headers, [("Authorization".to_owned(), "Bearer x".to_owned())]);
        let twice = Settings { auth: Some("auth.yaml".into()), ..given };
        assert!(super::user(&twice).unwrap_err().to_string().contains("fixedHeaders"));
        assert!(super::user(&settings(&[("X-Tenant", "a")])).unwrap().is_none());
    }

    #[test]
    fn what_is_no_header_is_told() {
        assert!(
            plain(&settings(&[("X Tenant", "a")])).unwrap_err().to_string().contains("X Tenant")
        );
        assert!(plain(&settings(&[("X-Tenant", "a\nb")])).is_err());
    }
}
