//! What benches are told on the command line.

/// The word after `name`.
#[must_use]
pub fn text(name: &str) -> Option<String> {
    std::env::args().skip_while(|argument| argument != name).nth(1)
}

/// The number after `name`.
#[must_use]
pub fn number(name: &str, default: u64) -> u64 {
    text(name).and_then(|value| value.parse().ok()).unwrap_or(default)
}
