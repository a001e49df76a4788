//! The GraphQL face.
//!
//! A request passes [`document`] (parsing, validation, limits, variables) before the executor sees
//! it, so that all rules of the specification hold whatever the executor checks itself; what
//! nothing was executed for has no `data`.

mod document;
mod http;
mod limit;
mod mutation;
mod node;
mod object;
mod query;
mod refusal;
mod rewrite;
mod session;
mod token;

pub(super) use http::router;

type ShopSchema =
    async_graphql::Schema<query::Query, mutation::Mutation, async_graphql::EmptySubscription>;
