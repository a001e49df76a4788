//! Refusals as GraphQL errors with a code.

use std::sync::Arc;

use async_graphql::{Error, ErrorExtensions};

use crate::flawed_shop::error::ShopError;

/// A refusal on its way to becoming an error of a field. (Not `Display`: the executor would take
/// its text and leave the code behind.)
#[derive(Debug, Clone)]
pub(super) struct Refusal(Arc<ShopError>);

/// What a resolver of a nullable field gives; always `Some`, so that an error leaves `null`.
pub(super) type Answer<T> = Option<Result<T, Refusal>>;

impl From<ShopError> for Refusal {
    fn from(error: ShopError) -> Self {
        Self(Arc::new(error))
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self(Arc::new(error.into()))
    }
}

impl From<Refusal> for Error {
    fn from(Refusal(error): Refusal) -> Self {
        let code = match &*error {
            ShopError::Unauthenticated => "UNAUTHENTICATED",
            ShopError::Forbidden => "FORBIDDEN",
            ShopError::NotFound(_) => "NOT_FOUND",
            ShopError::Malformed(_) | ShopError::Conflict(..) | ShopError::Unprocessable(_) => {
                "BAD_USER_INPUT"
            }
            ShopError::Internal(_) | ShopError::Store(_) => "INTERNAL_SERVER_ERROR",
        };
        Error::new(error.to_string()).extend_with(|_, extensions| extensions.set("code", code))
    }
}

/// Input that the schema allows and the shop does not.
pub(super) fn bad_input(message: &str) -> Refusal {
    ShopError::Malformed(message.to_owned()).into()
}
