//! Everything that can go wrong in one exchange, told apart by what the caller can do about it.

use std::io;
use std::time::Duration;

use super::HttpAddress;

/// Why an exchange gave no response.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Nothing listens there, or the host does not exist.
    #[error("nothing listens at {address}: is the service started, and is this its port?")]
    Refused {
        /// The peer.
        address: HttpAddress,
    },
    /// No complete response in time. The request may have had its effect.
    #[error("{address} gave no answer within {after:?}: is it busy or stuck?")]
    TimedOut {
        /// The peer.
        address: HttpAddress,
        /// The limit that was exceeded.
        after: Duration,
    },
    /// The peer closed the connection after the request was sent and before the response was
    /// complete. The request may have had its effect.
    #[error("{address} closed the connection before it answered: did it crash?")]
    Closed {
        /// The peer.
        address: HttpAddress,
    },
    /// The response body exceeds the limit of [`HttpSettings::body_limit`](super::HttpSettings).
    #[error(
        "{address} sent a response of more than {limit} bytes: raise the limit, or ask for less"
    )]
    TooLarge {
        /// The peer.
        address: HttpAddress,
        /// Allowed bytes.
        limit: usize,
    },
    /// What came back is not HTTP/1.1.
    #[error("{address} did not answer in HTTP ({reason}): is this the right port?")]
    Malformed {
        /// The peer.
        address: HttpAddress,
        /// What the parser found.
        reason: String,
    },
    /// No secure connection: the certificate is not trusted, or one side asks for what the other
    /// does not have.
    #[error(
        "no TLS with {address} ({reason}): name the certificate of who signed for it, --ca-certificate FILE, or accept any, --insecure"
    )]
    Tls {
        /// The peer.
        address: HttpAddress,
        /// What was wrong.
        reason: String,
    },
    /// The proxy does not lead to the peer.
    #[error("the proxy does not lead to {address} ({reason}): is its address right?")]
    Proxy {
        /// The peer.
        address: HttpAddress,
        /// What was wrong.
        reason: String,
    },
    /// The operating system failed the connection for another reason.
    #[error(
        "the connection to {address} failed ({source}): try again, or see whether ports or descriptors ran out"
    )]
    Io {
        /// The peer.
        address: HttpAddress,
        /// The system's reason.
        source: io::Error,
    },
}

/// What went wrong on a link that does not know the name of its peer.
#[derive(Debug)]
pub(super) enum Failure {
    Closed,
    TooLarge,
    Malformed(String),
    Io(io::Error),
}

impl Failure {
    /// Adds the peer.
    pub(super) fn at(self, address: &HttpAddress, limit: usize) -> HttpError {
        let address = address.clone();
        match self {
            Self::Closed => HttpError::Closed { address },
            Self::TooLarge => HttpError::TooLarge { address, limit },
            Self::Malformed(reason) => HttpError::Malformed { address, reason },
            Self::Io(source) => HttpError::Io { address, source },
        }
    }
}

impl From<hyper::Error> for Failure {
    fn from(error: hyper::Error) -> Self {
        if error.is_parse() {
            return Self::Malformed(error.to_string());
        }
        let cause = std::error::Error::source(&error).and_then(|c| c.downcast_ref::<io::Error>());
        match cause.map(io::Error::kind) {
            // A broken chunked body reaches us as an input/output error of these kinds.
            Some(io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput) => {
                Self::Malformed(error.to_string())
            }
            // The other endings of a connection: cancelled, incomplete, reset, broken pipe.
            _ => Self::Closed,
        }
    }
}
