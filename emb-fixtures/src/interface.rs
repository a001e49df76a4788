//! What a fixture speaks.

use wallace_instrument::ProblemInfo;

/// The kind of a fixture's interface, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interface {
    /// GraphQL over HTTP.
    GraphQl {
        /// Path of the endpoint below the base URL, with its leading slash.
        endpoint: &'static str,
    },
    /// Paths and methods of HTTP.
    Rest {
        /// Path of the OpenAPI document below the base URL, with its leading slash.
        open_api: &'static str,
    },
}

impl Interface {
    /// What a driver tells of it.
    pub(crate) fn problem(self) -> ProblemInfo {
        match self {
            Self::GraphQl { endpoint } => ProblemInfo::GraphQl { endpoint: endpoint.to_owned() },
            Self::Rest { open_api } => ProblemInfo::Rest { open_api_url: open_api.to_owned() },
        }
    }
}
