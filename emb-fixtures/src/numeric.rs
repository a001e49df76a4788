//! The numerical case study: six functions whose branches depend on numbers.
//!
//! One file per function, all of them instrumented; [`NumericOperations`] is what a GraphQL or
//! REST face calls. Transcendental functions come from `libm`, so that every machine answers
//! with the same digits.

mod bessj;
mod expint;
mod fisher;
mod gammq;
mod operation;
mod remainder;
mod switch_list;
mod triangle;

pub(crate) use operation::NumericOperations;
pub(crate) use switch_list::{GRAPHQL_SWITCHES, REST_SWITCHES, messages, statuses};
