//! Web services as search problems.
//!
//! A problem turns the description of a service into operation templates and its calls into
//! requests; [`HttpEvaluator`] runs tests of any such problem, with a driver or without. What is a
//! fault is said by [`Oracle`]s, and what else tests should come near by [`TargetSource`]s. Where a driver gives access to a database, tests may begin with rows
//! ([`sql`]), or with documents and keys ([`store`]).

pub mod auth;
mod beginning;
mod binding;
pub mod document;
mod echo;
mod evaluator;
mod fingerprint;
pub mod graphql;
mod http;
mod kind;
pub mod limit;
mod oracle;
mod part;
mod refusal;
pub mod rest;
mod share;
mod spoil;
pub mod sql;
pub mod store;
mod target;
mod target_source;
mod telling;
mod text_use;
mod trace;
mod trial;
mod word;

pub use binding::{AnswerPlace, Filled, Found, child_pointer, put_scalar};
pub use evaluator::{Connect, Driven, Exchange, HttpEvaluator, HttpProblem};
pub use http::{
    CallFailure, HttpOutcome, HttpRequest, HttpResponse, RequestReads, TextUse, Transport,
};
pub use kind::scalar;
pub use oracle::{Call, Fault, Oracle, ServerError};
// What a filled gene holds, for those who read outcomes and know no genes besides.
pub use target::{driver_target, fault_target};
pub use target_source::{OwnTarget, TargetSource};
pub use telling::{is_random, is_telling, message, told};
pub use trace::trace_place;
pub use wallace_genes::{Gene, GenePath};
