//! What a request carries besides its document: who calls, and what faults leave behind.

use std::sync::atomic::{AtomicBool, Ordering};

use async_graphql::Context;

use super::refusal::Refusal;
use crate::flawed_shop::error::ShopError;
use crate::flawed_shop::shop::Shop;
use crate::flawed_shop::user::User;

/// Who calls.
#[derive(Debug)]
pub(super) enum Caller {
    Anonymous,
    Known(User),
    /// With a token that is none of the shop's.
    Refused,
}

/// One request.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) caller: Caller,
    /// The whole answer becomes HTTP 500.
    pub(super) is_broken: AtomicBool,
    /// The answer waits.
    pub(super) is_slow: AtomicBool,
}

impl Session {
    pub(super) fn new(caller: Caller) -> Self {
        Self { caller, is_broken: AtomicBool::new(false), is_slow: AtomicBool::new(false) }
    }

    /// Fails for callers with a wrong token, whom nothing is open to but login and registration.
    pub(super) fn admit(&self) -> Result<Option<&User>, Refusal> {
        match &self.caller {
            Caller::Anonymous => Ok(None),
            Caller::Known(user) => Ok(Some(user)),
            Caller::Refused => Err(ShopError::Unauthenticated.into()),
        }
    }

    /// Who calls; fails without a token.
    pub(super) fn user(&self) -> Result<&User, Refusal> {
        self.admit()?.ok_or_else(|| ShopError::Unauthenticated.into())
    }

    /// Who calls, if that is a customer.
    pub(super) fn customer(&self) -> Result<&User, Refusal> {
        let user = self.user()?;
        user.must_be_customer()?;
        Ok(user)
    }

    /// Who calls, if that is an admin.
    pub(super) fn admin(&self) -> Result<&User, Refusal> {
        let user = self.user()?;
        user.must_be_admin()?;
        Ok(user)
    }

    pub(super) fn break_answer(&self) {
        self.is_broken.store(true, Ordering::Relaxed);
    }

    pub(super) fn slow_down(&self) {
        self.is_slow.store(true, Ordering::Relaxed);
    }
}

pub(super) fn session<'a>(context: &Context<'a>) -> &'a Session {
    context.data_unchecked::<std::sync::Arc<Session>>()
}

pub(super) fn shop<'a>(context: &Context<'a>) -> &'a Shop {
    context.data_unchecked::<Shop>()
}
