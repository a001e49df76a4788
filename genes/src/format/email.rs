//! E-mail addresses.

use super::TextFormat;
use super::edit::{edited, name, name_character};
use crate::rng::Rng;

/// Most characters before the sign (RFC 5321, 4.5.3.1.1).
const LOCAL: usize = 64;
/// Most characters of a host name, and of one of its labels (RFC 1035, 2.3.4).
const HOST: usize = 253;
const LABEL: usize = 63;

/// Addresses of the plain form: a dot-atom, the sign, a host name of at least two labels.
#[derive(Debug)]
pub(super) struct EmailFormat;

fn is_local(text: &str) -> bool {
    let is_atom = |atom: &str| {
        let mut characters = atom.bytes();
        !atom.is_empty()
            && characters.all(|byte| byte.is_ascii_alphanumeric() || b"_+-'".contains(&byte))
    };
    text.len() <= LOCAL && text.split('.').all(is_atom)
}

/// Whether the text is a host name: labels of letters, digits and inner hyphens.
pub(super) fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=LABEL).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= HOST && text.split('.').all(is_label)
}

impl TextFormat for EmailFormat {
    fn sample(&self, rng: &mut Rng) -> String {
        let local = match rng.below(5) {
            0 => format!("{}.{}", name(rng), name(rng)),
            1 => format!("{}+{}", name(rng), name(rng)),
            _ => name(rng),
        };
        let host = match rng.below(4) {
            0 => format!("{}.example.org", name(rng)),
            1 => format!("{}.test", name(rng)),
            _ => "example.com".to_owned(),
        };
        format!("{local}@{host}")
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some((local, host)) = text.rsplit_once('@') else { return self.sample(rng) };
        match rng.below(8) {
            0 => format!("{local}@{}.{host}", name(rng)),
            1 => match host.split_once('.') {
                Some((_, shorter)) => format!("{local}@{shorter}"),
                None => self.sample(rng),
            },
            2 => format!("{local}+{}@{host}", name(rng)),
            3 => format!("{local}@{}", edited(host, rng, name_character)),
            4 if rng.chance(0.5) => format!("{}@{host}", local.to_ascii_uppercase()),
            4 => format!("{local}@example.com"),
            _ => format!("{}@{host}", edited(local, rng, name_character)),
        }
    }

    fn is_valid(&self, text: &str) -> bool {
        text.rsplit_once('@')
            .is_some_and(|(local, host)| is_local(local) && is_host(host) && host.contains('.'))
    }

    fn simplest(&self) -> String {
        "a@a.a".to_owned()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let Some((local, host)) = text.rsplit_once('@') else { return Vec::new() };
        let mut texts = vec![format!("a@{host}"), format!("{local}@a.a")];
        texts.push(text.to_ascii_lowercase());
        for part in [local.len() / 2, 1, local.len().saturating_sub(1)] {
            texts.extend(local.get(..part).map(|local| format!("{local}@{host}")));
        }
        texts.extend(host.split_once('.').map(|(_, shorter)| format!("{local}@{shorter}")));
        texts
    }

    fn weight(&self) -> f64 {
        2.0
    }
}
