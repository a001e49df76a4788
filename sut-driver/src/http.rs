//! Blocking HTTP/1.1 over one keep-alive connection, as lean as the exchange allows.
//!
//! Both peers of a white-box run, the driver and the system under test, get many small requests
//! in strict sequence. One connection without Nagle's delay, one write per message and no pool
//! keep the cost of an exchange near that of the bare sockets.

mod address;
mod connection;
mod error;
mod link;
mod media_type;
mod route;
mod stream;
mod tls;

pub use address::{AddressError, HttpAddress};
pub use connection::{HttpConnection, HttpResponse, HttpSettings};
pub use error::HttpError;
pub use media_type::is_stream;
pub use route::HttpRoute;
pub use tls::{RouteError, TlsSettings};

#[doc(no_inline)]
pub use hyper::body::Bytes;
#[doc(no_inline)]
pub use hyper::header::{HeaderMap, HeaderName, HeaderValue};
#[doc(no_inline)]
pub use hyper::http::uri::PathAndQuery;
#[doc(no_inline)]
pub use hyper::{Method, StatusCode};
