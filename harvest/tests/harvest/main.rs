//! Tests of the harvest on whole logs.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(clippy::needless_pass_by_value, reason = "helpers take what the caller just made")]
#![allow(clippy::print_stdout, reason = "the tests print the tables they compare")]

// The figures of the published study, row by row.
mod saleor;
// Every kind of source.
mod source;
// What a new schema breaks.
mod drift;
// Oracles, merged operations, order.
mod shape;
// What a search begins with.
mod seed;
// A month of production.
mod scale;
// The recording proxy.
mod proxy;
