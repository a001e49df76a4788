//! Web services as search problems.
//!
//! A problem turns the description of a service into operation templates and its calls into
//! requests; [`HttpEvaluator`] runs tests of any such problem, with a driver or without. What is a
//! fault is said by [`Oracle`]s, and what else tests should come near by [`TargetSource`]s. Where a driver gives access to a database, tests may begin with rows
//! ([`SqlTables`]).

mod auth;
mod binding;
mod document;
mod evaluator;
mod fingerprint;
pub mod graphql;
mod http;
mod limit;
mod oracle;
pub mod rest;
mod share;
mod sql;
mod target;
mod target_source;
mod text_use;
mod word;

pub use auth::{
    AuthError, AuthFile, AuthFileError, Authenticator, Endpoint, Generator, Login, LoginGuard,
    LoginPayload, OpenConnection, Place, Secrets, SignUp, TokenRule, TokenSource, Touch, User,
};
pub use binding::{AnswerPlace, Filled, Found, child_pointer, put_scalar};
pub use document::{Document, DocumentError, DocumentLimits, Node, NodeId, NodeRef, ObjectNode};
pub use evaluator::{Connect, Driven, Exchange, HttpEvaluator, HttpProblem};
pub use http::{
    CallFailure, HttpOutcome, HttpRequest, HttpResponse, RequestReads, TextUse, Transport,
};
pub use limit::{
    CallCount, CappedTransport, CountedTransport, LimitedTransport, MutationGuard, RateLimit, RetryPolicy,
};
pub use oracle::{Call, Fault, Oracle, ServerError};
pub use sql::{SqlMemory, SqlOutcome, SqlTables};
// What a filled gene holds, for those who read outcomes and know no genes besides.
pub use target::{driver_target, fault_target};
pub use target_source::{OwnTarget, TargetSource};
pub use wallace_genes::{Gene, GenePath};
