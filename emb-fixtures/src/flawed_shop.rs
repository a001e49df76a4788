//! A small shop with a GraphQL and a REST face over one store, for judging oracles.
//!
//! The shop behaves well. Behind named switches, 25 per face, sit faults that an oracle must
//! report; `expected/flawed-shop*.toml` says for each what it is, where it shows, the code it
//! carries and requests that show it. With all switches off there is nothing to report.
//!
//! The switch of a fault is read where the fault is: inside the handler, at the branch that it
//! changes. Tokens are a function of the user, ids count up, and nothing depends on the time.

mod cart;
mod coupon;
mod error;
mod fault;
mod graphql;
mod order;
mod product;
mod rest;
mod review;
mod shop;
mod user;
mod word;

pub(crate) use fault::{GRAPHQL_FAULTS, REST_FAULTS};

use crate::switch::Switches;
use crate::system::System;

/// An instance with these faults; it has both faces.
pub(crate) fn system(switches: Switches) -> System {
    let shop = shop::Shop::new(switches);
    let router = graphql::router(shop.clone()).merge(rest::router(shop.clone()));
    System::stateful(router, move || shop.reset().map_err(|error| error.to_string()))
}
