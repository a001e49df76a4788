//! Pages that a service answers to whatever it does not know, with a status that says otherwise.
//!
//! A service that holds a web application answers its page to each path that is none of its own. That is
//! no success of the operation which was called: it was not reached.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::uri::PathAndQuery;
use http::{HeaderMap, Method};

use crate::http::{CallFailure, HttpRequest, HttpResponse, Transport, is_success};

/// A path that no service has.
const NOWHERE: &str = "/wallace-asks-for-nothing-7f3e";
/// Bytes from which on a word of a page is of the moment: a token, a number of the request.
const LONGEST_WORD: usize = 16;
/// The status of what is not there.
const NOT_THERE: u16 = 404;

/// What a service answers where nothing is, by verb: found out when it matters first.
#[derive(Debug, Default)]
pub(super) struct Fallback(BTreeMap<Method, Vec<Page>>);

#[derive(Debug, PartialEq, Eq)]
struct Page {
    status: u16,
    /// Its words, without those of the moment.
    words: Vec<String>,
}

impl Page {
    fn of(response: &HttpResponse) -> Option<Self> {
        if response.media_type() != "text/html" {
            return None;
        }
        let words = response.body.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
        let words = words.filter(|word| !word.is_empty() && word.len() < LONGEST_WORD);
        Some(Self { status: response.status, words: words.map(str::to_owned).collect() })
    }
}

impl Fallback {
    /// The answer, with the status of what is not there where it is the page for that.
    pub(super) fn told(
        &mut self,
        request: &HttpRequest,
        mut response: HttpResponse,
        transport: &mut dyn Transport,
    ) -> HttpResponse {
        // What is at the root of a service may well be its page.
        let is_root = request.path.path().trim_matches('/').is_empty();
        let Some(page) = Page::of(&response).filter(|_| !is_root) else { return response };
        // A refusal may be the same for all that there is: it is none of this, but where whoever reads
        // gets a page.
        let has_fallback = is_success(page.status)
            || self.pages(&Method::GET, request, transport).iter().any(|it| is_success(it.status));
        if has_fallback && self.pages(&request.method, request, transport).contains(&page) {
            response.told = Some(response.status);
            response.status = NOT_THERE;
        }
        response
    }

    /// The pages of two places that are none: at the root, and below the first part of the path.
    fn pages(
        &mut self,
        method: &Method,
        request: &HttpRequest,
        transport: &mut dyn Transport,
    ) -> &[Page] {
        self.0.entry(method.clone()).or_insert_with(|| {
            let first = request.path.path().split('/').find(|part| !part.is_empty());
            let below = format!("/{}{NOWHERE}", first.unwrap_or_default());
            let ask = |path: &str| {
                let path: PathAndQuery = path.parse().ok()?;
                let (method, headers) = (method.clone(), HeaderMap::new());
                let request = HttpRequest { method, path, headers, body: Bytes::new() };
                let response: Result<HttpResponse, CallFailure> = transport.send(&request);
                Page::of(&response.ok()?)
            };
            [NOWHERE, &*below].into_iter().filter_map(ask).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A service that knows `/api/things`, and answers a page with a token to all else; whoever changes
    /// something there is refused for the token that is missing.
    struct Service {
        asked: usize,
    }

    fn page(status: u16, body: String) -> HttpResponse {
        let content_type = "text/html; charset=utf-8".to_owned();
        HttpResponse { status, content_type, body, ..HttpResponse::default() }
    }

    impl Transport for Service {
        fn send(&mut self, request: &HttpRequest) -> Result<HttpResponse, CallFailure> {
            self.asked += 1;
            let token = format!("9f86d081884c7d659a2f{}", self.asked);
            Ok(match request.method {
                Method::GET => page(200, format!("<p>The app</p><i id={token}></i>")),
                _ => page(403, "<p>No token</p>".to_owned()),
            })
        }

        fn wait_at_most(&mut self, _: Option<std::time::Duration>) {}
    }

    fn status(service: &mut Service, method: Method, path: &str, answer: HttpResponse) -> u16 {
        let (path, headers) = (path.parse().unwrap(), HeaderMap::new());
        let request = HttpRequest { method, path, headers, body: Bytes::new() };
        Fallback::default().told(&request, answer, service).status
    }

    #[test]
    fn the_page_for_whatever_is_not_known_is_no_success() {
        let service = &mut Service { asked: 0 };
        let app = || page(200, "<p>The app</p><i id=60303ae22b998861bce3></i>".to_owned());
        assert_eq!(status(service, Method::GET, "/api/thing/x", app()), 404);
        assert_eq!(status(service, Method::GET, "/", app()), 200);
        let help = page(200, "<p>Help</p>".to_owned());
        assert_eq!(status(service, Method::GET, "/api/help", help), 200);
        let refused = page(403, "<p>No token</p>".to_owned());
        assert_eq!(status(service, Method::PUT, "/api/thing/x", refused), 404);
        let other = page(403, "<p>Not yours</p>".to_owned());
        assert_eq!(status(service, Method::PUT, "/api/thing/x", other), 403);
        let json = HttpResponse { status: 200, body: "{}".into(), ..HttpResponse::default() };
        let before = service.asked;
        assert_eq!(status(service, Method::GET, "/api/things", json), 200);
        assert_eq!(service.asked, before, "nobody asks before there is a page");
    }
}
