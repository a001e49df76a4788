//! 907: what was created cannot be read at the location that the answer gives.
//!
//! A location that is one of the documented paths is right. Descriptions leave paths out, so that any
//! other one is read before anything is said of it.

use std::str::FromStr;

use bytes::Bytes;
use http::Method;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::uri::PathAndQuery;

use super::{RestOracles, Step, fault};
use crate::http::{HttpRequest, HttpResponse};
use crate::oracle::Fault;
use crate::rest::action::RestAction;
use crate::rest::identity::{decoded, leads_to, resolved};

pub(super) fn judge(step: &Step<'_>, found: &mut dyn FnMut(Fault)) {
    if matches!(step.exchange.outcome.located, Some(404 | 410)) {
        found(fault(907, ""));
    }
}

impl RestOracles {
    /// The call that reads what a creation gives as its location, where that is none of the documented
    /// paths.
    pub(crate) fn read_located(
        &self,
        action: &RestAction,
        request: &HttpRequest,
        response: &HttpResponse,
    ) -> Option<HttpRequest> {
        let is_made = response.status == 201 && action.deviation.is_none();
        let location =
            response.header("location").filter(|_| is_made && self.settings.wants(907))?;
        let from = request.path.path();
        let path = resolved(location, from);
        // What was made under a chosen name may be where the call went.
        let is_here = decoded(&path).ends_with(&decoded(from));
        if is_here || leads_to(&self.templates, &path, &self.base_path) {
            return None;
        }
        let query = location.split('#').next().and_then(|it| it.split_once('?'));
        let query = query.map(|(_, query)| format!("?{query}"));
        let path = PathAndQuery::from_str(&(path + &query.unwrap_or_default())).ok()?;
        let mut headers = request.headers.clone();
        headers.remove(CONTENT_TYPE);
        headers.remove(CONTENT_LENGTH);
        Some(HttpRequest { method: Method::GET, path, headers, body: Bytes::new() })
    }
}

#[cfg(test)]
mod tests {
    use crate::rest::problem::support::{answered, has_fault, problem};

    #[test]
    fn a_location_that_nothing_tells_of_is_read() {
        let problem = problem(
            "{/things: {post: {}}, '/things/{id}': {get: {parameters: [{name: id, in: path, \
               required: true, schema: {type: string}}]}}}",
            0,
        );
        let made = |location: &str, status: Option<u16>| {
            let call = ("POST:/things", "/things", "{}");
            answered(&problem, call, (201, "")).located(location, status)
        };
        let read = |location: &str| {
            let read = made(location, None).read_located(&problem);
            read.map(|read| format!("{} {}", read.method, read.path))
        };
        assert_eq!(read("/things/7"), None);
        assert_eq!(read("/things"), None);
        assert_eq!(read("http://other/items/7?x=1#a"), Some("GET /items/7?x=1".to_owned()));
        let told = |status| has_fault(&problem, 907, &[made("/items/7", status)]);
        assert!(told(Some(404)) && told(Some(410)) && !told(Some(200)) && !told(Some(403)));
        assert!(!told(None), "nobody looked");
    }
}
