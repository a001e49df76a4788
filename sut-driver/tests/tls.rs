//! Connections with TLS and through proxies.

#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use hyper::Method;
use hyper::header::HeaderMap;
use hyper::http::uri::PathAndQuery;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{
    RootCertStore, ServerConfig, ServerConnection, StreamOwned, crypto::ring,
};
use wallace_sut_driver::{
    BlockingRuntime,
    http::{HttpAddress, HttpConnection, HttpError, HttpRoute, HttpSettings, TlsSettings},
};

/// A file with a certificate for `localhost` that signed itself, and its key; made for these tests.
fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/certificates/{name}.pem"))
}

fn certificate(name: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_file(file(name)).unwrap()
}

/// Reads one request without a body; its head.
fn head(stream: &mut impl Read) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    String::from_utf8(head).ok()
}

fn answer(stream: &mut (impl Read + Write)) {
    while head(stream).is_some() {
        let sent = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
        if sent.and_then(|()| stream.flush()).is_err() {
            return;
        }
    }
}

/// A service with TLS; with `client`, only for who has that certificate. Counts its connections.
fn service(client: Option<&str>) -> (u16, Receiver<()>) {
    service_as("server", client)
}

/// A service that shows this certificate.
fn service_as(name: &str, client: Option<&str>) -> (u16, Receiver<()>) {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder.with_safe_default_protocol_versions().unwrap();
    let builder = match client {
        None => builder.with_no_client_auth(),
        Some(client) => {
            let mut roots = RootCertStore::empty();
            roots.add(certificate(client)).unwrap();
            let verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(verifier.unwrap())
        }
    };
    let key = PrivateKeyDer::from_pem_file(file(name)).unwrap();
    let chain = vec![certificate(name)];
    let configuration = Arc::new(builder.with_single_cert(chain, key).unwrap());
    let (count, connections) = channel();
    let port = serve(move |stream| {
        let _ = count.send(());
        let connection = ServerConnection::new(Arc::clone(&configuration)).unwrap();
        answer(&mut StreamOwned::new(connection, stream));
    });
    (port, connections)
}

fn serve(each: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let each = Arc::new(each);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let each = Arc::clone(&each);
            std::thread::spawn(move || each(stream));
        }
    });
    port
}

/// A proxy that opens tunnels and answers other requests itself; tells the heads that it was sent.
fn proxy(heads: Sender<String>) -> u16 {
    serve(move |mut stream| {
        let Some(head) = head(&mut stream) else { return };
        let line = head.lines().next().unwrap().to_owned();
        heads.send(head).unwrap();
        let Some(rest) = line.strip_prefix("CONNECT ") else {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy");
            return;
        };
        let Ok(mut peer) = TcpStream::connect(rest.split(' ').next().unwrap()) else {
            let _ = stream.write_all(b"HTTP/1.1 502 nobody there\r\n\r\n");
            return;
        };
        stream.write_all(b"HTTP/1.1 200 there it is\r\n\r\n").unwrap();
        let (mut back, mut forth) = (peer.try_clone().unwrap(), stream.try_clone().unwrap());
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut back, &mut forth);
        });
        let _ = std::io::copy(&mut stream, &mut peer);
    })
}

/// The bodies of `count` answers over one connection.
fn ask(route: &HttpRoute, url: &str, count: usize) -> Result<Vec<String>, HttpError> {
    let runtime = BlockingRuntime::new().unwrap();
    let address: HttpAddress = url.parse().unwrap();
    let settings = HttpSettings::default();
    let mut connection = HttpConnection::connect_by(route.clone(), address, settings, &runtime)?;
    let one = |_| {
        let path = PathAndQuery::from_static("/a?b=c");
        let answer = connection.send(Method::GET, path, HeaderMap::new(), Vec::new().into())?;
        Ok(String::from_utf8(answer.body.into()).unwrap())
    };
    (0..count).map(one).collect()
}

fn route(tls: &TlsSettings, proxy: Option<&str>) -> HttpRoute {
    HttpRoute::new(tls, proxy).unwrap()
}

#[test]
fn certificates_are_trusted_as_told() {
    let (port, connections) = service(None);
    let url = format!("https://localhost:{port}");
    let refused = ask(&HttpRoute::default(), &url, 1);
    assert!(matches!(refused, Err(HttpError::Tls { .. })), "{refused:?}");
    let named = TlsSettings { certificates: Some(file("server")), ..TlsSettings::default() };
    assert_eq!(ask(&route(&named, None), &url, 3).unwrap(), ["hi"; 3]);
    let any = TlsSettings { accepts_any_certificate: true, ..TlsSettings::default() };
    assert_eq!(ask(&route(&any, None), &url, 1).unwrap(), ["hi"]);
    // The name is judged too, where certificates are.
    let by_number = ask(&route(&named, None), &format!("https://127.0.0.1:{port}"), 1);
    assert!(matches!(by_number, Err(HttpError::Tls { .. })), "{by_number:?}");
    // Tickets that arrive after the handshake may cost one more connection, never one a call.
    assert!(connections.try_iter().count() <= 6);
}

/// What `openssl req -x509` makes signs itself and may sign others.
#[test]
fn an_authority_that_is_named_may_be_the_service_itself() {
    let named =
        |name: &str| TlsSettings { certificates: Some(file(name)), ..TlsSettings::default() };
    let (port, _connections) = service_as("authority", None);
    let url = format!("https://localhost:{port}");
    assert_eq!(ask(&route(&named("authority"), None), &url, 2).unwrap(), ["hi"; 2]);
    for (told, url) in [("server", url), ("authority", format!("https://127.0.0.1:{port}"))] {
        let refused = ask(&route(&named(told), None), &url, 1);
        assert!(matches!(refused, Err(HttpError::Tls { .. })), "{told}: {refused:?}");
    }
    let (port, _connections) = service_as("expired", None);
    let refused = ask(&route(&named("expired"), None), &format!("https://localhost:{port}"), 1);
    assert!(refused.as_ref().is_err_and(|it| it.to_string().contains("expired")), "{refused:?}");
}

#[test]
fn services_may_ask_who_calls() {
    let (port, _connections) = service(Some("client"));
    let url = format!("https://localhost:{port}");
    let nobody = TlsSettings { certificates: Some(file("server")), ..TlsSettings::default() };
    assert!(ask(&route(&nobody, None), &url, 1).is_err());
    let known = TlsSettings { client_certificate: Some(file("client")), ..nobody };
    assert_eq!(ask(&route(&known, None), &url, 1).unwrap(), ["hi"]);
}

#[test]
fn a_server_without_tls_is_told() {
    let port = serve(|mut stream| {
        let _ = stream.write_all(b"HTTP/1.1 400 no\r\n\r\n");
    });
    let spoken = ask(&HttpRoute::default(), &format!("https://localhost:{port}"), 1);
    let told = spoken.unwrap_err().to_string();
    assert!(told.contains("does not speak TLS; try http://"), "{told}");
}

#[test]
fn proxies_are_told_the_whole_address_or_asked_for_a_tunnel() {
    let (port, _connections) = service(None);
    let (heads, seen) = channel();
    let through = format!("http://me:secret@localhost:{}", proxy(heads));
    let any = TlsSettings { accepts_any_certificate: true, ..TlsSettings::default() };
    let route = route(&any, Some(&through));

    assert_eq!(ask(&route, "http://shop.test:81", 1).unwrap(), ["proxy"]);
    let head = seen.recv().unwrap();
    assert!(head.starts_with("GET http://shop.test:81/a?b=c HTTP/1.1"), "{head}");
    assert!(head.contains("\r\nhost: shop.test:81\r\n"), "{head}");
    assert!(head.contains("Basic bWU6c2VjcmV0"), "{head}");

    assert_eq!(ask(&route, &format!("https://localhost:{port}"), 2).unwrap(), ["hi"; 2]);
    let head = seen.recv().unwrap();
    assert!(head.starts_with(&format!("CONNECT localhost:{port} HTTP/1.1\r\n")), "{head}");
    assert!(head.contains("Basic bWU6c2VjcmV0"), "{head}");

    let nobody = ask(&route, "https://localhost:1", 1);
    assert!(matches!(nobody, Err(HttpError::Proxy { .. })), "{nobody:?}");
}

#[test]
fn a_proxy_that_wants_a_name_is_told_from_the_service() {
    let port = serve(|mut stream| {
        let _ = head(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 407 who?\r\nContent-Length: 0\r\n\r\n");
    });
    let any = TlsSettings { accepts_any_certificate: true, ..TlsSettings::default() };
    let through = route(&any, Some(&format!("localhost:{port}")));
    for url in ["http://shop.test:81", "https://shop.test"] {
        let told = ask(&through, url, 1).unwrap_err().to_string();
        assert!(told.contains("the proxy does not lead to") && told.contains("407"), "{told}");
    }
    // Without a proxy it is the service's own answer.
    let direct = ask(&HttpRoute::default(), &format!("http://localhost:{port}"), 1);
    assert_eq!(direct.unwrap(), [""]);
    let other = HttpRoute::new(&any, Some("socks5://localhost:1")).unwrap_err().to_string();
    assert!(other.contains("begins with http://"), "{other}");
}

#[test]
fn a_proxy_that_is_not_there_is_named() {
    let closed = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let route = route(&TlsSettings::default(), Some(&format!("http://{closed}")));
    for url in ["http://shop.test:81", "https://shop.test"] {
        let told = ask(&route, url, 1).unwrap_err().to_string();
        assert!(told.contains(&format!("nothing listens at http://{closed}")), "{told}");
        assert!(told.contains("the proxy does not lead to"), "{told}");
    }
}
