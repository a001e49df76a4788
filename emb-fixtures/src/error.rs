//! Why an operation of a case study has no answer.

/// An operation that cannot answer; its text is what a caller reads.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum OperationError {
    /// An argument was left out, or was `null`.
    #[error("argument '{0}' is missing")]
    MissingArgument(&'static str),
    /// The arguments lie outside the domain of the function.
    #[error("{0}")]
    OutsideDomain(&'static str),
    /// An iteration did not settle.
    #[error("no convergence within {0} steps")]
    NotConverged(i32),
}
