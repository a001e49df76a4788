//! Web services as search problems.
//!
//! A problem turns the description of a service into operation templates and its calls into
//! requests; [`HttpEvaluator`] runs tests of any such problem, with a driver or without. What is a
//! fault is said by [`Oracle`]s.

mod binding;
mod evaluator;
mod fingerprint;
pub mod graphql;
mod http;
mod oracle;

pub use binding::{bound_action, put_scalar};
pub use evaluator::{Connect, Driven, Exchange, HttpEvaluator, HttpProblem};
pub use http::{CallFailure, HttpOutcome, HttpRequest, HttpResponse, TextUse, Transport};
pub use oracle::{Call, Fault, Oracle, ServerError};
