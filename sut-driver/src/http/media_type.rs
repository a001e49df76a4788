//! Media types of bodies that may never end.

/// Media types of bodies that are one record after another, and may go on for ever.
const STREAMS: [&str; 7] = [
    "application/json-seq",
    "application/jsonl",
    "application/ndjson",
    "application/stream+json",
    "application/x-ndjson",
    "multipart/x-mixed-replace",
    "text/event-stream",
];

/// Whether a body of this content type is one record after another. Of such a one only the beginning
/// is read.
#[must_use]
pub fn is_stream(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    STREAMS.iter().any(|stream| media_type.eq_ignore_ascii_case(stream))
}
