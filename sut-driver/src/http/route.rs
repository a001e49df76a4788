//! The way to a peer: directly or through a proxy, with TLS where the peer speaks it.

use std::io;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::Request;
use hyper::Uri;
use hyper::header::{HeaderValue, PROXY_AUTHORIZATION};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::ClientConfig;
use tokio_rustls::rustls::pki_types::ServerName;

use super::HttpAddress;
use super::stream::Stream;
use super::tls::{self, RouteError, TlsSettings};

/// Longest answer of a proxy that is asked for a tunnel, in bytes.
const LONGEST_ANSWER: usize = 16 << 10;

/// How a peer is reached. By default directly, trusting whom the system trusts.
#[derive(Debug, Clone, Default)]
pub struct HttpRoute {
    tls: Option<Arc<ClientConfig>>,
    proxy: Option<Proxy>,
}

#[derive(Debug, Clone)]
struct Proxy {
    address: HttpAddress,
    credentials: Option<HeaderValue>,
}

/// Why a connection could not be opened.
#[derive(Debug)]
pub(super) enum OpenError {
    Io(io::Error),
    Tls(String),
    Proxy(String),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl HttpRoute {
    /// The way that the settings describe, through the proxy at a URL such as
    /// `http://name:password@localhost:3128` where there is one.
    ///
    /// # Errors
    /// A file of certificates that cannot be used, or an address that is none.
    pub fn new(settings: &TlsSettings, proxy: Option<&str>) -> Result<Self, RouteError> {
        let tls = match *settings == TlsSettings::default() {
            true => None,
            false => Some(tls::configuration(settings)?),
        };
        Ok(Self { tls, proxy: proxy.map(Proxy::parse).transpose()? })
    }

    /// The peer that the connection is opened to.
    pub(super) fn first<'a>(&'a self, address: &'a HttpAddress) -> &'a HttpAddress {
        self.proxy.as_ref().map_or(address, |proxy| &proxy.address)
    }

    /// Reads the certificates of the system where they are needed: that is no part of connecting,
    /// whose time is limited.
    pub(super) fn warm_up(&self, address: &HttpAddress) {
        if address.is_secure() && self.tls.is_none() {
            // What is wrong with them is told when they are used.
            let _ = tls::usual();
        }
    }

    /// Makes the stream ready for requests to `address`: through a tunnel and TLS where it speaks
    /// that.
    pub(super) async fn prepare(
        &self,
        mut stream: TcpStream,
        address: &HttpAddress,
    ) -> Result<Stream, OpenError> {
        if !address.is_secure() {
            return Ok(Stream::Plain(stream));
        }
        if let Some(proxy) = &self.proxy {
            proxy.tunnel(&mut stream, address).await?;
        }
        let wrong = |error: &dyn std::fmt::Display| OpenError::Tls(error.to_string());
        let configuration = match &self.tls {
            Some(configuration) => Arc::clone(configuration),
            None => tls::usual().map_err(|error| wrong(&error))?,
        };
        let name = ServerName::try_from(address.host().to_owned()).map_err(|e| wrong(&e))?;
        let stream = TlsConnector::from(configuration).connect(name, stream).await;
        Ok(Stream::Secure(Box::new(stream.map_err(|error| wrong(&error))?)))
    }

    /// Whether requests to `address` are read by a proxy, and not only passed on.
    pub(super) fn is_forwarded(&self, address: &HttpAddress) -> bool {
        self.proxy.is_some() && !address.is_secure()
    }

    /// Gives a request the form that the way needs: proxies are told the whole address of what is
    /// not tunnelled.
    pub(super) fn adapt<B>(&self, request: &mut Request<B>, address: &HttpAddress) {
        let Some(proxy) = self.proxy.as_ref().filter(|_| !address.is_secure()) else { return };
        let whole = format!("{address}{}", request.uri());
        if let Ok(whole) = whole.parse::<Uri>() {
            *request.uri_mut() = whole;
        }
        if let Some(credentials) = &proxy.credentials {
            request.headers_mut().insert(PROXY_AUTHORIZATION, credentials.clone());
        }
    }
}

impl Proxy {
    fn parse(text: &str) -> Result<Self, RouteError> {
        let wrong = |error: &dyn std::fmt::Display| RouteError::Proxy(error.to_string());
        let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
        if scheme != "http" {
            return Err(wrong(&"it is spoken to in plain HTTP, so its URL begins with http://"));
        }
        let (credentials, host) = match rest.rsplit_once('@') {
            Some((credentials, host)) => (Some(credentials), host),
            None => (None, rest),
        };
        let address: HttpAddress =
            format!("{scheme}://{host}").parse().map_err(|error| wrong(&error))?;
        let header = |text: &str| {
            let mut value = HeaderValue::from_str(&format!("Basic {}", STANDARD.encode(text)))?;
            value.set_sensitive(true);
            Ok::<_, hyper::header::InvalidHeaderValue>(value)
        };
        let credentials = credentials.map(header).transpose().map_err(|error| wrong(&error))?;
        Ok(Self { address, credentials })
    }

    /// Asks for a tunnel to `address` (RFC 9110, 9.3.6).
    async fn tunnel(&self, stream: &mut TcpStream, address: &HttpAddress) -> Result<(), OpenError> {
        let authority = address.authority();
        let mut request =
            format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n").into_bytes();
        if let Some(credentials) = &self.credentials {
            request.extend_from_slice(b"Proxy-Authorization: ");
            request.extend_from_slice(credentials.as_bytes());
            request.extend_from_slice(b"\r\n");
        }
        request.extend_from_slice(b"\r\n");
        stream.write_all(&request).await?;
        let mut answer = Vec::new();
        // One byte at a time: what follows the head belongs to the tunnel.
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            if answer.len() > LONGEST_ANSWER || stream.read(&mut byte).await? == 0 {
                return Err(OpenError::Proxy("it gave no answer in HTTP".to_owned()));
            }
            answer.push(byte[0]);
        }
        let answer = String::from_utf8_lossy(&answer);
        let line = answer.lines().next().unwrap_or_default();
        let status = line.split(' ').nth(1).unwrap_or_default();
        if line.starts_with("HTTP/1.") && status.starts_with('2') {
            return Ok(());
        }
        Err(OpenError::Proxy(line.chars().take(80).collect()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn proxies_have_credentials_and_no_tls() {
        let proxy = Proxy::parse("http://me:p@ss@localhost:3128").unwrap();
        assert_eq!(proxy.address.to_string(), "http://localhost:3128");
        assert_eq!(proxy.credentials.unwrap(), "Basic bWU6cEBzcw==");
        assert!(Proxy::parse("localhost:3128").unwrap().credentials.is_none());
        assert!(Proxy::parse("https://localhost:1").is_err());
        assert!(Proxy::parse("socks5://localhost:1").is_err());
    }

    #[test]
    fn what_is_no_certificate_is_told() {
        let settings =
            TlsSettings { certificates: Some("Cargo.toml".into()), ..TlsSettings::default() };
        assert!(matches!(HttpRoute::new(&settings, None), Err(RouteError::Certificate { .. })));
    }
}
