//! Why the shop does not do what it was asked for; each face has its own words for it.

/// A refusal.
#[derive(Debug, thiserror::Error)]
pub(super) enum ShopError {
    /// No token where one is needed, or one that nobody has.
    #[error("authentication is required")]
    Unauthenticated,
    /// The caller is known and may not.
    #[error("this is not yours to see or change")]
    Forbidden,
    /// There is no such thing.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The input is not of the shape that is described.
    #[error("{0}")]
    Malformed(String),
    /// A rule of the shop; the word names it.
    #[error("{1}")]
    Conflict(&'static str, &'static str),
    /// A rule between members that no schema can say.
    #[error("{0}")]
    Unprocessable(&'static str),
    /// What a fault tells and the shop never would.
    #[error("{0}")]
    Internal(String),
    /// The store does not do what it was told: an error of the program.
    #[error("internal error")]
    Store(#[from] rusqlite::Error),
}

impl ShopError {
    /// Input of a wrong shape.
    pub(super) fn malformed(name: &str, wanted: &str) -> Self {
        Self::Malformed(format!("{name} must be {wanted}"))
    }
}
