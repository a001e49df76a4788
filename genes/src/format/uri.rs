//! URIs with scheme and host.

use super::TextFormat;
use super::edit::{edited, moved, name, name_character};
use super::email::is_host;
use crate::rng::Rng;

/// Longest URI.
const LONGEST: usize = 2048;

/// Hosts that exist nowhere or here: names reserved for examples, and this machine. A service that
/// fetches what it is sent waits for none of them.
const HOSTS: [&str; 4] = ["example.com", "localhost", "127.0.0.1", "[::1]"];
/// Schemes.
const SCHEMES: [&str; 2] = ["https", "http"];

/// URIs `scheme://host[:port][/path][?query][#fragment]`: the generic form of RFC 3986 without user
/// names, for the web.
#[derive(Debug)]
pub(super) struct UriFormat;

/// The parts of a written URI.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    scheme: String,
    host: String,
    port: Option<u16>,
    /// With its leading slash; empty when there is none.
    path: String,
    query: Option<String>,
    fragment: Option<String>,
}

impl Parts {
    fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let split = |text: &str, sign: char| match text.split_once(sign) {
            Some((before, after)) => (before.to_owned(), Some(after.to_owned())),
            None => (text.to_owned(), None),
        };
        let (rest, fragment) = split(rest, '#');
        let (rest, query) = split(&rest, '?');
        let end = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (authority, None),
        };
        let (scheme, host, path) = (scheme.to_owned(), host.to_owned(), path.to_owned());
        Some(Self { scheme, host, port, path, query, fragment })
    }

    fn write(&self) -> String {
        let mut text = format!("{}://{}", self.scheme, self.host);
        if let Some(port) = self.port {
            text += &format!(":{port}");
        }
        text += &self.path;
        for (sign, part) in [('?', &self.query), ('#', &self.fragment)] {
            if let Some(part) = part {
                text.push(sign);
                text += part;
            }
        }
        text
    }
}

/// Whether the text has only characters that may stand in a path, query or fragment.
fn is_printed(text: &str, also: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_hexdigit);
    bytes.iter().enumerate().all(|(place, byte)| match byte {
        b'%' => is_hex(place + 1) && is_hex(place + 2),
        other => {
            other.is_ascii_alphanumeric()
                || b"-._~!$&'()*+,;=:@".contains(other)
                || also.contains(other)
        }
    })
}

fn is_authority(host: &str) -> bool {
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => address.parse::<core::net::Ipv6Addr>().is_ok(),
        None => is_host(host),
    }
}

/// Whether the text is a URI for something else than the web, as `mailto:a@example.com`: none is made up, but
/// those that a description shows are right.
fn is_of_other_scheme(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_in_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(is_in_scheme)
        && !SCHEMES.contains(&scheme)
        && !rest.is_empty()
        && is_printed(rest, b"/?#")
        && rest.matches('#').count() <= 1
}

/// A part of a path or query, at times with characters that must be escaped.
fn segment(rng: &mut Rng) -> String {
    const ODD: [&str; 5] = ["%20", "..", "%2F", "%00", "~"];
    if rng.chance(0.1) { ODD[rng.below(ODD.len())].to_owned() } else { name(rng) }
}

impl TextFormat for UriFormat {
    fn sample(&self, rng: &mut Rng) -> String {
        let scheme = SCHEMES[rng.below(SCHEMES.len())].to_owned();
        let own = format!("{}.example.org", name(rng));
        let host = if rng.chance(0.5) { HOSTS[rng.below(HOSTS.len())].to_owned() } else { own };
        let path = (0..rng.below(4)).map(|_| format!("/{}", segment(rng))).collect();
        let port = rng.chance(0.2).then(|| rng.between(1, 65_535) as u16);
        let query = rng.chance(0.3).then(|| format!("{}={}", name(rng), segment(rng)));
        let fragment = rng.chance(0.1).then(|| name(rng));
        Parts { scheme, host, port, path, query, fragment }.write()
    }

    fn mutant(&self, text: &str, rng: &mut Rng) -> String {
        let Some(mut parts) = Parts::parse(text) else { return self.sample(rng) };
        match rng.below(9) {
            0 => parts.scheme = SCHEMES[rng.below(SCHEMES.len())].to_owned(),
            1 => parts.host = HOSTS[rng.below(HOSTS.len())].to_owned(),
            2 => parts.host = edited(&parts.host, rng, name_character),
            3 => {
                let port = i64::from(parts.port.unwrap_or(80));
                let moved = moved(port, 0, 65_535, rng) as u16;
                parts.port = if rng.chance(0.3) { None } else { Some(moved) };
            }
            4 => parts.path += &format!("/{}", segment(rng)),
            5 => {
                let end = parts.path.rfind('/').unwrap_or(0);
                parts.path.truncate(end);
            }
            6 => parts.query = rng.chance(0.7).then(|| format!("{}={}", name(rng), segment(rng))),
            7 => parts.fragment = rng.chance(0.5).then(|| name(rng)),
            _ => {
                let path = parts.path.trim_start_matches('/');
                parts.path = format!("/{}", edited(path, rng, name_character));
            }
        }
        parts.write()
    }

    fn is_valid(&self, text: &str) -> bool {
        if is_of_other_scheme(text) {
            return text.len() <= LONGEST;
        }
        let Some(parts) = Parts::parse(text) else { return false };
        let is_part =
            |part: &Option<String>| part.as_ref().is_none_or(|part| is_printed(part, b"/?"));
        text.len() <= LONGEST
            && SCHEMES.contains(&&*parts.scheme)
            && is_authority(&parts.host)
            && is_printed(&parts.path, b"/")
            && is_part(&parts.query)
            && is_part(&parts.fragment)
    }

    fn simplest(&self) -> String {
        "http://a".to_owned()
    }

    fn simpler(&self, text: &str) -> Vec<String> {
        let Some(parts) = Parts::parse(text) else { return Vec::new() };
        let shorter = parts.path.rfind('/').map_or("", |end| &parts.path[..end]).to_owned();
        let simpler = [
            Parts { port: None, path: String::new(), query: None, fragment: None, ..parts.clone() },
            Parts { fragment: None, ..parts.clone() },
            Parts { query: None, ..parts.clone() },
            Parts { port: None, ..parts.clone() },
            Parts { path: String::new(), ..parts.clone() },
            Parts { path: shorter, ..parts.clone() },
            Parts { path: "/a".to_owned(), ..parts.clone() },
            Parts { query: Some(String::new()), ..parts.clone() },
            Parts { host: "a".to_owned(), ..parts },
        ];
        simpler.iter().map(Parts::write).collect()
    }

    fn weight(&self) -> f64 {
        4.0
    }
}
