//! Everything that can go wrong with a driver; each message says what to do next.

use std::time::Duration;

use super::channel::Call;
use crate::http::{AddressError, HttpError};

/// Why a call of the driver failed.
#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    /// The text is no address.
    #[error("not a driver's address: {0}")]
    Address(#[from] AddressError),
    /// Nothing listens there.
    #[error("nothing listens at {url}: start the driver, or give its port with --driver")]
    Unreachable {
        /// Where the driver was expected.
        url: String,
    },
    /// Something listens, and it does not speak the protocol.
    #[error(
        "{url} answered {found}, not the driver protocol: is this the service's own port? the driver's default is 40100"
    )]
    NotADriver {
        /// The peer.
        url: String,
        /// What it answered.
        found: String,
    },
    /// No answer in time.
    #[error(
        "the driver at {url} gave no answer to {call} within {after:?}: see its log, restart it, or allow more time"
    )]
    TimedOut {
        /// The driver.
        url: String,
        /// The call.
        call: &'static str,
        /// The limit that was exceeded.
        after: Duration,
    },
    /// The connection broke during the call, twice in a row.
    #[error(
        "the driver at {url} closed the connection during {call}: see its log, and start it again"
    )]
    Disconnected {
        /// The driver.
        url: String,
        /// The call.
        call: &'static str,
    },
    /// The connection failed in another way.
    #[error("{call} failed: {source}")]
    Http {
        /// The call.
        call: &'static str,
        /// What happened.
        source: HttpError,
    },
    /// An answer that is not what the protocol says.
    #[error(
        "the driver's answer to {call} cannot be read ({reason}): check that its release is 3.0 or later"
    )]
    Malformed {
        /// The call.
        call: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The driver refused the call, or failed in it.
    #[error(
        "the driver answered {call} with status {status} ({message}): see its log for the cause"
    )]
    Rejected {
        /// The call.
        call: &'static str,
        /// HTTP status.
        status: u16,
        /// The driver's reason, on one line; "no reason given" where there is none.
        message: String,
    },
    /// The system under test does not run: it was not started, or it has died.
    #[error(
        "the system under test is gone, the driver says in {call} ({message}): start it again and begin a new search"
    )]
    SutLost {
        /// The call.
        call: &'static str,
        /// The driver's reason, on one line.
        message: String,
    },
    /// The system runs without instrumentation, so that nothing would guide the search.
    #[error(
        "the driver at {url} started the system without instrumentation: see that the driver finds its agent, or fuzz black-box"
    )]
    NotInstrumented {
        /// The driver.
        url: String,
    },
    /// The interface of the system is of a kind that is not supported.
    #[error(
        "the driver describes {kind}, which is not supported: use a driver of a GraphQL service, or of a REST service that publishes its OpenAPI description"
    )]
    UnsupportedProblem {
        /// What the driver describes.
        kind: &'static str,
    },
    /// The driver does not say where the system listens.
    #[error(
        "the driver gives no address of the running system: see that its startSut method returns the base URL"
    )]
    NoBaseUrl,
    /// The rows to insert would harm the test or the next one.
    #[error("rows cannot be inserted: {reason}")]
    InvalidInsertion {
        /// What is wrong with them.
        reason: String,
    },
    /// The caller announced an action out of order.
    #[error(
        "action {index} announced where action {expected} is next: announce 0, 1, 2 and so on after each reset"
    )]
    ActionOutOfOrder {
        /// The next index.
        expected: usize,
        /// The index given.
        index: usize,
    },
}

impl DriverError {
    /// Names the driver and the call in a failed exchange.
    pub(super) fn from_http(error: HttpError, call: Call, url: String) -> Self {
        let call = call.name();
        match error {
            HttpError::Refused { .. } => Self::Unreachable { url },
            HttpError::TimedOut { after, .. } => Self::TimedOut { url, call, after },
            HttpError::Closed { .. } => Self::Disconnected { url, call },
            source @ (HttpError::TooLarge { .. }
            | HttpError::Malformed { .. }
            | HttpError::Tls { .. }
            | HttpError::Proxy { .. }
            | HttpError::Io { .. }) => Self::Http { call, source },
        }
    }

    /// In the first exchange, an answer that no driver gives means that this is none.
    pub(super) fn unless_from_a_driver(self, not_a_driver: impl Fn(String) -> Self) -> Self {
        match self {
            Self::Http { source: HttpError::Malformed { .. }, .. } => {
                not_a_driver("something that is not HTTP".to_owned())
            }
            Self::Rejected { status, message, .. } => {
                not_a_driver(format!("status {status} ({message})"))
            }
            Self::Disconnected { .. } => not_a_driver("nothing and hung up".to_owned()),
            other => other,
        }
    }

    /// Whether a reset crashed: the next one works.
    pub(super) fn is_crashed_reset(&self) -> bool {
        matches!(self, Self::Rejected { status: 500, .. })
    }

    /// Whether the driver did not know a number that it was asked for.
    pub(super) fn is_stale_number(&self) -> bool {
        matches!(self, Self::SutLost { message, .. }
            if message.contains("Failed to collect target information for")
                && !message.contains("for all ids"))
    }

    /// Whether a start failed only because the previous stop had not yet ended.
    pub(super) fn is_premature_start(&self) -> bool {
        matches!(self, Self::Rejected { message, .. } if message.contains("Instrumentation is not active"))
    }
}
