//! The REST face.
//!
//! [`operation::OPERATIONS`] says of every operation who may call it, what it takes and gives;
//! both the dispatch and the description are made from it, so that they cannot drift apart.

mod answer;
mod call;
mod callback;
mod cart;
mod coupon;
mod description;
mod dispatch;
mod operation;
mod order;
mod product;
mod reader;
mod review;
mod schema;
mod user;

pub(super) use dispatch::router;
