//! URLs that callers want to be told at, and the one call that a fault makes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use wallace_instrument::white_box;

/// How long a call may take; a callee that says nothing must not make the shop look slow.
const PATIENCE: Duration = Duration::from_millis(500);

/// Whether a text is an absolute URI: a scheme, a colon, and characters that URIs have (RFC 3986,
/// without its rules about where which may stand).
#[white_box]
pub(super) fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else {
        return false;
    };
    if !scheme.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return false;
    }
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    if !scheme.bytes().all(is_scheme) {
        return false;
    }
    let is_allowed = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    rest.bytes().all(is_allowed) && has_whole_escapes(rest)
}

fn has_whole_escapes(text: &str) -> bool {
    text.split('%').skip(1).all(|rest| {
        let digits = rest.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
}

/// Host and port, as they stand in a URL of http or https, and what comes behind.
fn split(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    Some((authority, path))
}

/// The host of a URL of http or https.
pub(super) fn host(url: &str) -> Option<&str> {
    let (authority, _) = split(url)?;
    let host = authority.rsplit('@').next()?;
    Some(host.split(':').next().unwrap_or(host))
}

/// The address that a URL names, if it is of this machine.
fn loopback(url: &str) -> Option<SocketAddr> {
    let (authority, _) = split(url)?;
    let authority = authority.replacen("localhost", &Ipv4Addr::LOCALHOST.to_string(), 1);
    let address = authority
        .parse::<SocketAddr>()
        .ok()
        .or_else(|| authority.parse::<IpAddr>().ok().map(|address| SocketAddr::new(address, 80)))?;
    address.ip().is_loopback().then_some(address)
}

/// Calls a URL on this machine; others are left alone. What it answers does not matter.
pub(super) async fn fetch(url: &str) {
    let (Some(address), Some((authority, path))) = (loopback(url), split(url)) else { return };
    let path = path.split('#').next().unwrap_or("");
    let slash = if path.starts_with('/') { "" } else { "/" };
    let request =
        format!("GET {slash}{path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n\r\n");
    let exchange = async {
        let mut connection = TcpStream::connect(address).await?;
        connection.write_all(request.as_bytes()).await?;
        connection.read(&mut [0; 512]).await
    };
    let _ = timeout(PATIENCE, exchange).await;
}

#[cfg(test)]
mod tests {
    use super::{host, is_uri, loopback};

    #[test]
    fn uris_and_hosts() {
        for (text, is_uri_too, its_host) in [
            ("https://hooks.shop.test/a?b", true, Some("hooks.shop.test")),
            ("http://user@hooks.shop.test:80", true, Some("hooks.shop.test")),
            ("http://evil.test/hooks.shop.test", true, Some("evil.test")),
            ("mailto:a@b", true, None),
            ("/hooks", false, None),
            ("http://a b", false, Some("a b")),
            ("http://a/%4", false, Some("a")),
        ] {
            assert_eq!((is_uri(text), host(text)), (is_uri_too, its_host), "{text}");
        }
    }

    #[test]
    fn only_this_machine_is_called() {
        assert!(loopback("http://127.0.0.1:9/x").is_some());
        assert!(loopback("http://localhost:9/x").is_some());
        assert!(loopback("http://192.168.0.1:9/x").is_none());
        assert!(loopback("http://hooks.shop.test/x").is_none());
        assert!(loopback("http://localhost.evil.test:9/x").is_none());
    }
}
