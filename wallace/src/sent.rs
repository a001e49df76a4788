//! A request as records keep it.

use wallace_problems::HttpRequest;
use wallace_suite::record::CallRecord;

/// Longest body that is kept, in bytes: a record of many tests stays readable.
const LONGEST_BODY: usize = 64 << 10;

/// A call of an operation, before it was answered.
pub(crate) fn sent(operation: String, request: &HttpRequest) -> CallRecord {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let headers = request.headers.iter();
    CallRecord {
        operation,
        method: request.method.to_string(),
        path: request.path.to_string(),
        headers: headers.map(|(name, value)| (name.to_string(), lossy(value.as_bytes()))).collect(),
        body: cut(&lossy(&request.body)),
        ..CallRecord::default()
    }
}

/// The start of a long body.
pub(crate) fn cut(body: &str) -> String {
    let whole = LONGEST_BODY.min(body.len());
    let end = (0..=whole).rfind(|end| body.is_char_boundary(*end)).unwrap_or_default();
    body[..end].to_owned()
}
