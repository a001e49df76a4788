//! Secrets, and keeping them out of everything that is written.

use std::collections::BTreeSet;

/// Names of headers, fields and parameters whose values are secrets.
const SECRET_NAMES: &[&str] = &[
    "authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "apikey",
    "token",
    "access_token",
    "refresh_token",
    "id_token",
    "password",
    "passwd",
    "secret",
    "x-auth-token",
];

/// Texts that must not be written.
#[derive(Clone, Default)]
pub struct Secrets(BTreeSet<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} secrets", self.0.len())
    }
}

impl Secrets {
    /// What stands where a secret stood.
    pub const REDACTED: &str = "[redacted]";
    /// Shorter texts are no secrets: replacing them would damage other texts.
    const SHORTEST: usize = 4;

    /// Remembers a secret.
    pub fn add(&mut self, secret: &str) {
        if secret.len() >= Self::SHORTEST {
            self.0.insert(secret.to_owned());
        }
    }

    /// The text without any of the secrets.
    #[must_use]
    pub fn redact(&self, text: &str) -> String {
        // Longer ones first: one secret may be part of another.
        let mut secrets: Vec<&String> = self.0.iter().collect();
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        secrets
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), Self::REDACTED))
    }

    /// Whether the value of a header, field or parameter of this name is a secret.
    #[must_use]
    pub fn is_secret_name(name: &str) -> bool {
        SECRET_NAMES.iter().any(|secret| name.eq_ignore_ascii_case(secret))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_secrets_go_first_and_short_ones_stay() {
        let mut secrets = Secrets::default();
        for secret in ["tokenA", "tokenA-long", "abc"] {
            secrets.add(secret);
        }
        let text = "Bearer tokenA-long, tokenA, abc";
        assert_eq!(secrets.redact(text), "Bearer [redacted], [redacted], abc");
        assert!(Secrets::is_secret_name("Set-Cookie") && !Secrets::is_secret_name("Accept"));
    }
}
