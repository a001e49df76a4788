//! Where a peer listens: host, port and base path, parsed once.

use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs};

use hyper::Uri;

/// Host, port and base path of an HTTP peer.
///
/// ```
/// use wallace_sut_driver::http::HttpAddress;
///
/// let address: HttpAddress = "http://localhost:8080/api/".parse()?;
/// assert_eq!((address.host(), address.port(), address.path()), ("localhost", 8080, "/api"));
/// # Ok::<(), wallace_sut_driver::http::AddressError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpAddress {
    is_secure: bool,
    host: String,
    port: u16,
    path: String,
}

/// Why a text is no address of an HTTP peer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not `host:port`, `http://host:port` or `https://host:port/path`.
    #[error(
        "{text:?} is no address ({reason}): write it like http://localhost:40100, or localhost:40100"
    )]
    Malformed {
        /// The text as given.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Another scheme than HTTP.
    #[error("{text:?} does not use HTTP: give an address that starts with http:// or https://")]
    Scheme {
        /// The text as given.
        text: String,
    },
}

impl HttpAddress {
    /// Host name or address, without the brackets of IPv6.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether the peer speaks TLS: the text begins with `https://`.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// Port; 80 where the text has none, with TLS 443.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether the host is this machine by its name. Other names are not looked up: what they mean may
    /// change between two calls.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        let name = self.host.trim_end_matches('.').to_ascii_lowercase();
        name == "localhost"
            || name.ends_with(".localhost")
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Base path without a final slash; empty at the root.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The same host and port with another base path.
    #[must_use]
    pub(crate) fn with_path(mut self, path: &str) -> Self {
        path.clone_into(&mut self.path);
        self
    }

    /// Host and port as the `Host` header has them.
    #[must_use]
    pub fn authority(&self) -> String {
        format!("{}:{}", self.host_in_url(), self.port)
    }

    /// The host as a URL has it, IPv6 in brackets.
    pub(crate) fn host_in_url(&self) -> Cow<'_, str> {
        match self.host.contains(':') {
            true => format!("[{}]", self.host).into(),
            false => self.host.as_str().into(),
        }
    }

    /// Socket addresses to try, in order; empty when the host name is unknown.
    ///
    /// `localhost` is 127.0.0.1 first: drivers bind there, whatever the resolver prefers.
    #[must_use]
    pub fn resolve(&self) -> Vec<SocketAddr> {
        if self.host.eq_ignore_ascii_case("localhost") {
            let loopback: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            return loopback.map(|ip| SocketAddr::new(ip, self.port)).to_vec();
        }
        let resolved = (self.host.as_str(), self.port).to_socket_addrs();
        resolved.map(Iterator::collect).unwrap_or_default()
    }
}

impl fmt::Display for HttpAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(formatter, "{scheme}://{}", self.authority())
    }
}

impl std::str::FromStr for HttpAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let malformed = |reason: &str| AddressError::Malformed {
            text: text.to_owned(),
            reason: reason.to_owned(),
        };
        let trimmed = text.trim();
        let complete =
            if trimmed.contains("://") { trimmed.to_owned() } else { format!("http://{trimmed}") };
        let uri: Uri = complete
            .parse()
            .map_err(|error: hyper::http::uri::InvalidUri| malformed(&error.to_string()))?;
        let is_secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(AddressError::Scheme { text: text.to_owned() }),
        };
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() {
            return Err(malformed("it names no host"));
        }
        let authority = uri.authority().map_or("", |authority| authority.as_str());
        // Whatever stands between the host and the end is meant as a port.
        let written = authority.rsplit(['@', ']']).next().unwrap_or_default();
        let written = written.rsplit_once(':').map(|(_, port)| port);
        let usual = if is_secure { 443 } else { 80 };
        let port = written.map_or(Ok(usual), str::parse::<u16>).unwrap_or(0);
        if port == 0 {
            return Err(malformed("its port is not between 1 and 65535"));
        }
        let path = uri.path().trim_end_matches('/').to_owned();
        Ok(Self { is_secure, host: host.to_owned(), port, path })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn accepts_the_usual_spellings() {
        for text in ["localhost:40100", "http://localhost:40100", " http://localhost:40100/ "] {
            let address: HttpAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), "http://localhost:40100", "{text}");
            assert_eq!(address.path(), "", "{text}");
        }
        let address: HttpAddress = "http://[::1]:8080/a/b/".parse().unwrap();
        assert_eq!(
            (address.host(), address.path(), address.to_string().as_str()),
            ("::1", "/a/b", "http://[::1]:8080")
        );
    }

    #[test]
    fn refuses_what_cannot_be_reached() {
        for text in ["", "http://", ":40100", "localhost:0", "localhost:99999", "[::1]:0", "a b:1"]
        {
            let refused = text.parse::<HttpAddress>();
            assert!(matches!(refused, Err(AddressError::Malformed { .. })), "{text}: {refused:?}");
        }
        let other = "ftp://localhost:1".parse::<HttpAddress>();
        assert!(matches!(other, Err(AddressError::Scheme { .. })));
    }

    #[test]
    fn the_scheme_tells_tls_and_the_usual_port() {
        let address = |text: &str| text.parse::<HttpAddress>().unwrap();
        assert_eq!(address("https://a.test/v1").to_string(), "https://a.test:443");
        assert_eq!(address("http://a.test").port(), 80);
        assert!(address("https://a.test").is_secure() && !address("a.test:443").is_secure());
    }

    #[test]
    fn localhost_is_ipv4_first() {
        let address: HttpAddress = "localhost:7".parse().unwrap();
        let tried: Vec<String> = address.resolve().iter().map(ToString::to_string).collect();
        assert_eq!(tried, ["127.0.0.1:7", "[::1]:7"]);
    }
}
