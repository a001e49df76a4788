//! Secrets, taken out before anything is written: tokens, passwords, keys and e-mail addresses.
//!
//! Equal secrets get equal stand-ins, so that operations that belong together still do.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use regex::{Captures, Regex};
use serde_json::Value;

use crate::logged::LoggedOperation;

/// Names of variables, arguments, fields and headers whose values are secret by default.
const NAMES: &str = r"(?i)(passw|secret|token|authori[sz]ation|api_?-?key|session|cookie|credential|jwt|private_?key|csrf|\botp\b|card_?number|\bcvc\b|\biban\b)";
/// Secret texts by default: JSON web tokens, bearer tokens, keys with a usual beginning.
const TOKENS: &str = r"eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*|(?i:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}|\b(?:sk|pk|rk|ghp|gho|xox[bp])[_-][A-Za-z0-9_-]{10,}";
const EMAIL: &str = r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}";
/// Secrets remembered, to give equal ones equal stand-ins; later ones share the last.
const REMEMBERED: usize = 100_000;

/// Replaces secrets. By default all kinds are replaced.
#[derive(Debug)]
pub struct Masking {
    names: Regex,
    texts: Regex,
    emails: Option<Regex>,
    arguments: Regex,
    /// Where arguments and members take variables.
    uses: Regex,
    known: BTreeMap<String, usize>,
    is_off: bool,
}

impl Default for Masking {
    fn default() -> Self {
        let compiled = |pattern: &str| Regex::new(pattern).expect("the pattern is valid");
        Self {
            names: compiled(NAMES),
            texts: compiled(TOKENS),
            emails: Some(compiled(EMAIL)),
            arguments: compiled(r#"([A-Za-z_][A-Za-z0-9_]*)\s*:\s*"((?:[^"\\\n]|\\.)*)""#),
            uses: compiled(r"([A-Za-z_][A-Za-z0-9_]*)\s*:\s*\$([A-Za-z_][A-Za-z0-9_]*)"),
            known: BTreeMap::new(),
            is_off: false,
        }
    }
}

impl Masking {
    /// Replaces nothing.
    #[must_use]
    pub fn off() -> Self {
        Self { is_off: true, ..Self::default() }
    }

    /// Leaves e-mail addresses as they are.
    #[must_use]
    pub fn without_emails(self) -> Self {
        Self { emails: None, ..self }
    }

    /// Takes values whose name matches for secret, besides the default ones.
    ///
    /// # Errors
    /// When the pattern is no regular expression.
    pub fn with_names(self, pattern: &str) -> Result<Self, regex::Error> {
        Ok(Self { names: besides(NAMES, pattern)?, ..self })
    }

    /// Takes texts that match for secret, besides the default ones.
    ///
    /// # Errors
    /// When the pattern is no regular expression.
    pub fn with_texts(self, pattern: &str) -> Result<Self, regex::Error> {
        Ok(Self { texts: besides(TOKENS, pattern)?, ..self })
    }

    /// Replaces what is secret in an operation: in its document, variables, and answer.
    pub fn mask(&mut self, operation: &mut LoggedOperation) {
        if self.is_off {
            return;
        }
        if let Some(masked) = self.document(&operation.document) {
            operation.document = masked.into();
        }
        match &mut operation.variables {
            Some(Value::Object(variables)) => {
                let secret = self.secret_variables(&operation.document);
                for (name, value) in variables {
                    let is_secret = self.names.is_match(name) || secret.contains(name);
                    self.json(value, is_secret);
                }
            }
            other => other.iter_mut().for_each(|variables| self.json(variables, false)),
        }
        operation.answer.iter_mut().for_each(|answer| self.json(&mut answer.body, false));
        if let Cow::Owned(masked) = self.text(&operation.consumer) {
            operation.consumer = masked;
        }
    }

    /// The variables that secret arguments take, whatever they are called themselves.
    fn secret_variables(&self, document: &str) -> BTreeSet<String> {
        let uses = self.uses.captures_iter(document);
        let secret = uses.filter(|found| self.names.is_match(&found[1]));
        secret.map(|found| found[2].to_owned()).collect()
    }

    /// The document with its secrets replaced; nothing when it has none.
    fn document(&mut self, document: &str) -> Option<String> {
        if !document.contains('"') {
            return None;
        }
        let arguments = self.arguments.clone();
        let masked = arguments.replace_all(document, |found: &Captures<'_>| {
            let (whole, name, value) = (&found[0], &found[1], &found[2]);
            if self.names.is_match(name) && !value.is_empty() {
                format!("{name}: \"{}\"", self.stand_in("secret", value))
            } else {
                self.text(whole).into_owned()
            }
        });
        let masked = self.text(&masked).into_owned();
        (masked != document).then_some(masked)
    }

    fn json(&mut self, json: &mut Value, is_secret: bool) {
        match json {
            Value::String(text) if is_secret && !text.is_empty() => {
                *text = self.stand_in("secret", text);
            }
            Value::String(text) => {
                if let Cow::Owned(masked) = self.text(text) {
                    *text = masked;
                }
            }
            Value::Array(elements) => {
                elements.iter_mut().for_each(|element| self.json(element, is_secret));
            }
            Value::Object(fields) => {
                for (key, value) in fields {
                    let is_secret = is_secret || self.names.is_match(key);
                    self.json(value, is_secret);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let texts = self.texts.clone();
        let masked =
            texts.replace_all(text, |found: &Captures<'_>| self.stand_in("secret", &found[0]));
        let Some(emails) = self.emails.clone().filter(|_| masked.contains('@')) else {
            return masked;
        };
        let replaced = emails.replace_all(&masked, |found: &Captures<'_>| {
            // A stand-in stays as it is, so that masking twice changes nothing.
            if found[0].ends_with("@masked.example") {
                return found[0].to_owned();
            }
            format!("{}@masked.example", self.stand_in("person", &found[0]))
        });
        match replaced {
            Cow::Owned(replaced) => Cow::Owned(replaced),
            Cow::Borrowed(_) => masked,
        }
    }

    fn stand_in(&mut self, kind: &str, secret: &str) -> String {
        if secret.starts_with("masked-") {
            return secret.to_owned();
        }
        let next = self.known.len().min(REMEMBERED) + 1;
        let number = match self.known.get(secret) {
            Some(number) => *number,
            None if next <= REMEMBERED => *self.known.entry(secret.to_owned()).or_insert(next),
            None => next,
        };
        format!("masked-{kind}-{number}")
    }
}

/// What is secret by default, and what matches the pattern of the user.
fn besides(usual: &str, pattern: &str) -> Result<Regex, regex::Error> {
    // Alone first, since an error shows the whole expression.
    Regex::new(pattern)?;
    Regex::new(&format!("{usual}|(?:{pattern})"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::logged::Origin;

    fn masked(document: &str, variables: Value, masking: &mut Masking) -> (String, Value) {
        let mut operation = LoggedOperation {
            document: document.into(),
            operation_name: None,
            variables: Some(variables),
            consumer: "web".to_owned(),
            times: 1,
            answer: None,
            origin: Origin { file: "log".into(), line: 1 },
        };
        masking.mask(&mut operation);
        (operation.document.to_string(), operation.variables.unwrap())
    }

    #[test]
    fn secrets_of_every_kind_are_replaced() {
        let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-x_y";
        let (document, variables) = masked(
            "mutation { login(email: \"ann@shop.org\", password: \"pa\\\"ss\") { token } }",
            json!({ "token": jwt, "note": format!("seen {jwt} of ann@shop.org"),
                    "input": { "newPassword": "x", "user": { "apiKey": ["k"] } },
                    "header": "Bearer abcdefghij", "plain": "bearer", "count": 3 }),
            &mut Masking::default(),
        );
        let all = format!("{document}{variables}");
        for secret in ["ann@", "pa\\", "eyJ", "\"x\"", "\"k\"", "abcdefghij"] {
            assert!(!all.contains(secret), "{secret} in {all}");
        }
        assert!(document.contains("{ token }") && document.contains("password: \"masked-secret-"));
        assert_eq!((&variables["plain"], &variables["count"]), (&json!("bearer"), &json!(3)));
    }

    #[test]
    fn a_variable_is_as_secret_as_what_takes_it() {
        let document = "query Q($e: String, $p: String) { login(name: $e, password: $p) { id } }";
        let given = json!({ "e": "ann", "p": "qwertyZ99" });
        let (_, variables) = masked(document, given, &mut Masking::default());
        assert_eq!(variables, json!({ "e": "ann", "p": "masked-secret-1" }));
        // Whatever logs hold in their place is masked too.
        let (_, variables) = masked(document, json!(["x@y.org"]), &mut Masking::default());
        assert_eq!(variables, json!(["masked-person-1@masked.example"]));
    }

    #[test]
    fn equal_secrets_have_equal_stand_ins_and_masking_twice_changes_nothing() {
        let mut masking = Masking::default();
        let once = masked(
            "{ a }",
            json!({ "a": "x@y.org", "b": "x@y.org", "c": "z@y.org" }),
            &mut masking,
        )
        .1;
        assert_eq!(once["a"], once["b"]);
        assert_ne!(once["a"], once["c"]);
        assert_eq!(masked("{ a }", once.clone(), &mut masking).1, once);
    }

    #[test]
    fn what_is_masked_can_be_chosen() {
        let mail = json!({ "a": "x@y.org", "plate": "B-X 12", "b": "ZZ99" });
        let mut masking = Masking::default().without_emails().with_names("plate").unwrap();
        assert_eq!(masked("{ a }", mail.clone(), &mut masking).1["a"], "x@y.org");
        assert_ne!(masked("{ a }", mail.clone(), &mut masking).1["plate"], "B-X 12");
        let mut masking = Masking::default().with_texts("ZZ[0-9]+").unwrap();
        assert_eq!(masked("{ a }", mail.clone(), &mut masking).1["b"], "masked-secret-2");
        assert_eq!(masked("{ a }", mail.clone(), &mut Masking::off()).1, mail);
        assert!(Masking::default().with_names("(").is_err());
    }
}
