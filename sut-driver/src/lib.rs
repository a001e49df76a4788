//! The driver protocol between a fuzzing engine and an instrumented system under test.
//!
//! A white-box engine does not talk to the system alone. Beside it stands a *driver*, a small
//! HTTP server that starts, resets and stops the system and tells which *targets* (lines,
//! branches, calls) a test reached, how near it came to the others, and how the code used the
//! texts it was given. This crate speaks the protocol of the EvoMaster drivers from both sides:
//!
//! * the client, [`DriverClient`], for engines: it works with every published JVM driver and with
//!   the one below;
//! * the server, [`DriverServer`] or [`driver_router`], for systems written in Rust: whoever
//!   records their execution implements [`SutController`] and can be driven by any engine of that
//!   family.
//!
//! The numbers by which drivers shorten the names of targets die with every start of the system,
//! so they never leave this crate: targets are names ([`TargetReach`]), and within a search each
//! name is one shared allocation.
//!
//! # One search, from the engine's side
//!
//! ```no_run
//! use wallace_sut_driver::{BlockingRuntime, DriverClient, ResultsQuery};
//!
//! # fn call_the_system(base_url: &str, operation: &str) {}
//! let runtime = BlockingRuntime::new()?;
//! let mut driver = DriverClient::connect("http://localhost:40100", &runtime)?;
//! let system = driver.start_sut()?;
//! driver.new_search()?;
//!
//! for test in [["addPet", "pets"], ["pets", "removePet"]] {
//!     driver.reset()?;
//!     for (index, operation) in test.iter().enumerate() {
//!         driver.begin_action(index, operation, &[])?;
//!         call_the_system(&system.base_url, operation);
//!     }
//!     let results = driver.results(ResultsQuery::default())?;
//!     let covered = results.targets.iter().filter(|target| target.score == 1.0);
//!     println!("{} targets covered", covered.count());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Speed
//!
//! A test of five actions takes some twelve exchanges, so their cost decides how many tests a
//! second allows. Everything goes over one keep-alive connection for each peer
//! ([`HttpConnection`], which also serves for the calls of the system itself) without Nagle's
//! delay; a message is one write; the thread that waits drives the socket itself
//! ([`BlockingRuntime`]); and answers are read in place.
//!
//! # Features
//!
//! `client`, on by default, is all but the server. Systems need the server alone: without the
//! feature the crate brings no TLS, no JSON library and no HTTP client into them.
//!
//! # Names
//!
//! | concern | names |
//! | --- | --- |
//! | client | [`DriverClient`], [`DriverOptions`], [`DriverError`], [`DriverRecoveries`] |
//! | the system | [`SutInfo`], [`ProblemInfo`], [`Units`] |
//! | its users | [`Authentication`], [`Login`], [`LoginEndpoint`], [`LoginProof`], [`LoginToken`], [`TokenSource`], [`TokenPlace`], [`CreateUsers`], [`UserGenerator`] |
//! | its database | [`SqlSchema`], [`SqlTable`], [`SqlColumn`], [`SqlForeignKey`], [`SqlConstraint`], [`SqlRow`], [`SqlValue`], [`SqlInsertions`] |
//! | results | [`ResultsQuery`], [`TestResults`], [`TargetReach`], [`DriverTarget`], [`DriverTargetKind`], [`ActionFeedback`], [`StringSpecialisation`], [`SpecialisationKind`], [`SqlSummary`], [`DatabaseActivity`], [`DatabaseDistance`], [`SqlStatement`], [`MongoCollection`], [`RedisCommand`] |
//! | server | [`DriverServer`], [`driver_router`] |
//! | what a server needs | [`SutController`], [`Recorded`], [`RecordedTarget`], [`RecordedAction`], [`StringUse`] |
//! | a measure for any engine | [`CountingProxy`], [`Tally`], [`CurvePoint`] |
//! | HTTP | [`BlockingRuntime`], [`HttpConnection`], [`HttpSettings`], [`HttpResponse`], [`HttpAddress`], [`HttpRoute`], [`TlsSettings`], [`HttpError`], [`AddressError`], [`RouteError`] |
//! | from the `http` and `bytes` crates | [`Bytes`], [`HeaderMap`], [`HeaderName`], [`HeaderValue`], [`Method`], [`PathAndQuery`], [`StatusCode`] |

mod activity;
#[cfg(feature = "client")]
mod client;
mod controller;
#[cfg(feature = "client")]
mod http;
mod json;
#[cfg(feature = "client")]
mod proxy;
#[cfg(feature = "client")]
mod runtime;
mod server;
mod sql;
#[cfg(feature = "client")]
mod target;
mod wire;

pub use activity::{
    DatabaseActivity, DatabaseDistance, MongoCollection, RedisCommand, SqlStatement,
};
#[cfg(feature = "client")]
pub use client::{
    ActionFeedback, Authentication, CreateUsers, DecisionValues, DriverClient, DriverError,
    DriverOptions, DriverRecoveries, KnownTarget, Login, LoginEndpoint, LoginProof, LoginToken,
    ResultsQuery, SpecialisationKind, SqlSummary, StringSpecialisation, SutInfo, TargetReach,
    TestResults, TokenPlace, TokenSource, UserGenerator,
};
pub use controller::{PlacedTarget, RecordedOperands};
pub use controller::{
    ProblemInfo, Recorded, RecordedAction, RecordedTarget, StringUse, SutController, Units,
};
#[cfg(feature = "client")]
pub use http::{
    AddressError, HttpAddress, HttpConnection, HttpError, HttpResponse, HttpRoute, HttpSettings,
    RouteError, TlsSettings,
};
#[cfg(feature = "client")]
pub use proxy::{CountingProxy, CurvePoint, Tally};
#[cfg(feature = "client")]
pub use runtime::BlockingRuntime;
pub use server::{DriverServer, driver_router};
pub use sql::{
    SqlColumn, SqlConstraint, SqlForeignKey, SqlInsertions, SqlRow, SqlSchema, SqlTable, SqlValue,
};
#[cfg(feature = "client")]
pub use target::{DriverTarget, DriverTargetKind};

#[cfg(feature = "client")]
#[doc(no_inline)]
pub use hyper::body::Bytes;
#[cfg(feature = "client")]
#[doc(no_inline)]
pub use hyper::header::{HeaderMap, HeaderName, HeaderValue};
#[cfg(feature = "client")]
#[doc(no_inline)]
pub use hyper::http::uri::PathAndQuery;
#[cfg(feature = "client")]
#[doc(no_inline)]
pub use hyper::{Method, StatusCode};
