//! A request whose operation is known and whose caller may call it.

use rusqlite::Connection;
use serde_json::Value;
use wallace_instrument::white_box;

use super::reader::Members;
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::shop::Shop;
use crate::flawed_shop::user::User;

/// What a handler works with.
pub(super) struct Call<'a> {
    pub(super) shop: &'a Shop,
    /// Inside a transaction that is kept if the handler gives an answer.
    pub(super) store: &'a Connection,
    /// `None` for anonymous callers.
    pub(super) caller: Option<User>,
    /// Segments of the path where the template has braces, decoded.
    pub(super) segments: &'a [String],
    /// Decoded; unknown parameters are in it too.
    pub(super) query: &'a [(String, String)],
    pub(super) body: &'a [u8],
}

impl Call<'_> {
    /// Whether a fault is on.
    pub(super) fn has(&self, fault: &str) -> bool {
        self.shop.has(fault)
    }

    /// Who calls.
    pub(super) fn user(&self) -> Result<&User, ShopError> {
        self.caller.as_ref().ok_or(ShopError::Unauthenticated)
    }

    /// The first parameter of the path.
    pub(super) fn segment(&self) -> Result<&str, ShopError> {
        self.segments.first().map(String::as_str).ok_or(ShopError::NotFound("path"))
    }

    /// The first parameter of the path, which is an id.
    pub(super) fn id(&self) -> Result<i64, ShopError> {
        parse_id(self.segment()?)
    }

    /// The first query parameter of this name.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as it came.
    pub(super) fn json(&self) -> Result<Value, ShopError> {
        serde_json::from_slice(self.body)
            .map_err(|_| ShopError::Malformed("the body is not JSON".to_owned()))
    }
}

#[white_box]
fn parse_id(text: &str) -> Result<i64, ShopError> {
    let Ok(id) = text.parse::<i64>() else {
        return Err(ShopError::malformed("id", "an integer"));
    };
    if id < 1 {
        return Err(ShopError::malformed("id", "at least 1"));
    }
    Ok(id)
}

/// The members of an object body.
pub(super) fn members(body: &Value) -> Result<Members<'_>, ShopError> {
    Members::of(body)
}
