//! What a service in this process serves: said by its user, or found out.

use std::path::Path;
use std::str::FromStr;

use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method};
use wallace_problems::{HttpRequest, HttpResponse, Transport};

use crate::error::RunError;

/// Where frameworks put descriptions; the driver for Node looks there too.
const DESCRIPTIONS: [&str; 33] = [
    "/openapi.json",
    "/api-docs/openapi.json",
    "/api-docs",
    "/api-docs.json",
    "/api-docs-json",
    "/swagger.json",
    "/swagger-json",
    "/api.json",
    "/api-json",
    "/api/openapi.json",
    "/api/api-docs",
    "/api/swagger.json",
    "/v3/api-docs",
    "/v2/api-docs",
    "/docs/json",
    "/docs/openapi.json",
    "/documentation/json",
    "/docs-json",
    "/doc",
    "/openapi",
    "/openapi.yaml",
    "/swagger.yaml",
    "/api/docs/json",
    "/api/docs-json",
    "/api/documentation/json",
    "/api/openapi.yaml",
    "/api/doc",
    "/api/v1/openapi.json",
    "/api/v1/openapi.yml",
    "/v1/openapi.json",
    "/swagger/json",
    "/openapi/json",
    "/openapi.yml",
];
/// Where GraphQL endpoints are.
const ENDPOINTS: [&str; 6] = ["/graphql", "/api/graphql", "/", "/query", "/api", "/v1/graphql"];

/// What the user said of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Interface {
    /// Nothing.
    Unknown,
    /// GraphQL at this path.
    Graphql(String),
    /// REST, with this description or the place of it.
    OpenApi(String),
}

/// What is known of it when a search begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Description {
    /// GraphQL at this path.
    Graphql(String),
    /// REST.
    OpenApi {
        /// Where the description came from.
        place: String,
        /// The description.
        text: String,
    },
}

impl Interface {
    /// Asks the service for what is not known.
    pub(crate) fn find(self, service: &mut dyn Transport) -> Result<Description, RunError> {
        match self {
            Self::Graphql(endpoint) => Ok(Description::Graphql(endpoint)),
            Self::OpenApi(given) => handed_over(&given, service),
            Self::Unknown => found(service),
        }
    }
}

/// The description that was handed over, or is at the place that was.
fn handed_over(given: &str, service: &mut dyn Transport) -> Result<Description, RunError> {
    let openapi = |place: &str, text| Description::OpenApi { place: place.to_owned(), text };
    if given.contains('\n') || given.trim_start().starts_with('{') {
        return Ok(openapi("the description", given.to_owned()));
    }
    let unreadable = |reason: &dyn std::fmt::Display| {
        RunError::Settings(format!("the description {given:?} cannot be read: {reason}"))
    };
    if Path::new(given).is_file() || !given.starts_with('/') {
        let text = std::fs::read_to_string(given).map_err(|error| unreadable(&error))?;
        return Ok(openapi(given, text));
    }
    match ask(service, Method::GET, given, "") {
        Some(response) if response.status == 200 => Ok(openapi(given, response.body)),
        Some(response) => Err(unreadable(&format!("status {}", response.status))),
        None => Err(unreadable(&"no answer")),
    }
}

/// Asks at the usual paths.
fn found(service: &mut dyn Transport) -> Result<Description, RunError> {
    for place in DESCRIPTIONS {
        let response = ask(service, Method::GET, place, "").filter(|it| it.status == 200);
        if let Some(response) = response.filter(|response| is_description(&response.body)) {
            return Ok(Description::OpenApi { place: place.to_owned(), text: response.body });
        }
    }
    for endpoint in ENDPOINTS {
        let response = ask(service, Method::POST, endpoint, r#"{"query":"{ __typename }"}"#);
        if response.is_some_and(|response| is_graphql(&response)) {
            return Ok(Description::Graphql(endpoint.to_owned()));
        }
    }
    Err(RunError::Settings(format!(
        "the service has neither an OpenAPI description ({}, ...) nor a GraphQL endpoint ({}, ...): \
         hand the description over with .openapi(text or path), or name the endpoint with \
         .graphql(path)",
        DESCRIPTIONS[..3].join(", "),
        ENDPOINTS[..2].join(", "),
    )))
}

/// Whether a text says that it is a description, in JSON or YAML.
pub(crate) fn is_description(text: &str) -> bool {
    let is_json = text.trim_start().starts_with('{');
    ["openapi", "swagger"].iter().any(|word| match is_json {
        true => text.contains(&format!("\"{word}\"")),
        false => text.lines().any(|line| line.starts_with(&format!("{word}:"))),
    })
}

/// Where a service has its description, asked by `fetch` at all usual places but the one that was said.
pub(crate) fn elsewhere(
    place: &str,
    fetch: &dyn Fn(&str) -> Result<String, String>,
) -> Option<String> {
    let (scheme, rest) = place.split_once("://")?;
    let origin = format!("{scheme}://{}", rest.split('/').next()?);
    let urls = DESCRIPTIONS.iter().map(|path| format!("{origin}{path}"));
    let mut others = urls.filter(|url| url != place);
    others.find(|url| fetch(url).is_ok_and(|text| is_description(&text)))
}

/// Whether an answer is one of GraphQL: an object with data or errors.
fn is_graphql(response: &HttpResponse) -> bool {
    let tree = response.tree();
    tree.is_some_and(|tree| tree.get("data").is_some() || tree.get("errors").is_some())
}

/// Sends one request beside all tests.
fn ask(
    service: &mut dyn Transport,
    method: Method,
    path: &str,
    body: &'static str,
) -> Option<HttpResponse> {
    let path = PathAndQuery::from_str(path).ok()?;
    let accepted = HeaderValue::from_static("application/json, */*;q=0.5");
    let mut headers = HeaderMap::from_iter([(http::header::ACCEPT, accepted)]);
    if !body.is_empty() {
        let json = HeaderValue::from_static("application/json");
        headers.insert(http::header::CONTENT_TYPE, json);
    }
    service.send(&HttpRequest { method, path, headers, body: body.into() }).ok()
}

#[cfg(test)]
mod tests {
    use wallace_problems::CallFailure;

    use super::*;

    /// Answers at one path.
    struct At(&'static str, &'static str);

    impl Transport for At {
        fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
            let is_here = request.path.path() == self.0;
            let body = if is_here { self.1.to_owned() } else { String::new() };
            let status = if is_here { 200 } else { 404 };
            Ok(HttpResponse { status, body, ..HttpResponse::default() })
        }
    }

    #[test]
    fn what_a_service_serves_is_found() {
        let find = |interface: Interface, mut at: At| interface.find(&mut at);
        let openapi = |place: &str, text: &str| Description::OpenApi {
            place: place.to_owned(),
            text: text.to_owned(),
        };
        let json = r#"{"openapi":"3.0.0"}"#;
        let found = find(Interface::Unknown, At("/api-docs/openapi.json", json)).unwrap();
        assert_eq!(found, openapi("/api-docs/openapi.json", json));
        let yaml = "# ours\nswagger: '2.0'\n";
        let found = find(Interface::Unknown, At("/swagger.yaml", yaml)).unwrap();
        assert_eq!(found, openapi("/swagger.yaml", yaml));
        let graphql = At("/query", r#"{"data":{"__typename":"Query"}}"#);
        let found = find(Interface::Unknown, graphql).unwrap();
        assert_eq!(found, Description::Graphql("/query".to_owned()));
        let error = find(Interface::Unknown, At("/openapi.json", "{}")).unwrap_err().to_string();
        assert!(error.contains(".openapi(") && error.contains("/graphql"), "{error}");
    }

    #[test]
    fn what_is_handed_over_is_a_text_a_file_or_a_path() {
        let find = |given: &str, mut at: At| Interface::OpenApi(given.to_owned()).find(&mut at);
        let text = |found: Result<Description, RunError>| match found {
            Ok(Description::OpenApi { text, .. }) => text,
            other => panic!("{other:?}"),
        };
        let none = || At("", "");
        assert_eq!(text(find("{\"openapi\": 1}", none())), "{\"openapi\": 1}");
        assert_eq!(text(find("openapi: 1\n", none())), "openapi: 1\n");
        assert_eq!(text(find("/own", At("/own", "told"))), "told");
        assert!(text(find("Cargo.toml", none())).contains("[package]"));
        let error = find("/gone", At("/own", "told")).unwrap_err().to_string();
        assert!(error.contains("/gone") && error.contains("404"), "{error}");
        assert!(find("nowhere.yaml", none()).is_err());
    }
}
