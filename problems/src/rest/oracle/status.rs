//! Statuses that contradict HTTP or the description (docs/reference/rest.md#faults; RFC 9110).
//!
//! | code | what |
//! |---|---|
//! | 950 | a status outside 100 to 599 |
//! | 951, 952, 953 | 201 for DELETE, GET, PATCH |
//! | 954 | 204 or 205 with a body |
//! | 955, 956 | 413 or 415 for a request without a body |
//! | 957 | 401 where the description asks for no user |
//! | 960 | 304 for another verb than GET and HEAD |
//! | 961 | 401 without `WWW-Authenticate` |
//! | 962 | 405 without `Allow` |
//! | 963 | 501 for an operation that is documented |
//! | 965 | 426 without `Upgrade` |

use super::{Step, fault};
use crate::oracle::Fault;

pub(super) fn judge(step: &Step<'_>, found: &mut dyn FnMut(Fault)) {
    let Some(response) = step.response.filter(|_| !step.is_elsewhere()) else { return };
    let has = |name: &str| response.header(name).is_some();
    let has_sent_body = !step.exchange.request.body.is_empty();
    // Servers refuse what they were not asked to do in ways of their own.
    let is_documented = step.is_plain();
    let code = match step.status {
        0..100 | 600.. => 950,
        201 if step.verb == "DELETE" => 951,
        201 if step.verb == "GET" => 952,
        201 if step.verb == "PATCH" => 953,
        204 | 205 if !response.body.is_empty() => 954,
        304 if !matches!(step.verb, "GET" | "HEAD") => 960,
        401 if is_documented && is_unasked(step) => 957,
        401 if !has("www-authenticate") => 961,
        405 if !has("allow") => 962,
        413 if !has_sent_body && is_documented => 955,
        415 if !has_sent_body && is_documented => 956,
        426 if !has("upgrade") => 965,
        501 if is_documented => 963,
        _ => return,
    };
    found(fault(code, ""));
}

/// Whether the description says that anybody may call, although it knows users elsewhere.
fn is_unasked(step: &Step<'_>) -> bool {
    step.action.caller.is_none() && !step.operation.declares_security() && !step.takes_credentials
}
