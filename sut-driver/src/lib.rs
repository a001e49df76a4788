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
//! ([`HttpConnection`](http::HttpConnection), which also serves for the calls of the system itself) without Nagle's
//! delay; a message is one write; the thread that waits drives the socket itself
//! ([`BlockingRuntime`]); and answers are read in place.
//!
//! # Features
//!
//! `client` and `server` are on by default. Systems need the server alone: without `client` the crate
//! brings no TLS, no JSON library and no HTTP client into them. With both there is a [`CountingProxy`].
//!
//! # Names
//!
//! | concern | names |
//! | --- | --- |
//! | client | [`DriverClient`], [`DriverOptions`], [`DriverError`], [`DriverRecoveries`] |
//! | the system | [`SutInfo`], [`ProblemInfo`], [`Units`] |
//! | its users | [`login`] |
//! | its database | [`database`] |
//! | results | [`ResultsQuery`], [`TestResults`], [`TargetReach`], [`DriverTarget`], [`DriverTargetKind`], [`ActionFeedback`], [`StringSpecialisation`], [`SpecialisationKind`] |
//! | server | [`DriverServer`], [`driver_router`] |
//! | what a server needs | [`SutController`], [`Recorded`], [`RecordedTarget`], [`RecordedAction`], [`StringUse`] |
//! | a measure for any engine | [`CountingProxy`], [`Tally`], [`CurvePoint`] |
//! | HTTP | [`BlockingRuntime`], [`http`] |

mod activity;
#[cfg(feature = "client")]
mod client;
mod controller;
pub mod database;
#[cfg(feature = "client")]
pub mod http;
#[cfg(feature = "server")]
mod json;
#[cfg(feature = "client")]
pub mod login;
#[cfg(all(feature = "client", feature = "server"))]
mod proxy;
#[cfg(feature = "client")]
mod runtime;
#[cfg(feature = "server")]
mod server;
mod sql;
mod store;
#[cfg(feature = "client")]
mod target;
mod wire;

#[cfg(feature = "client")]
pub use client::{
    ActionFeedback, DecisionValues, DriverClient, DriverError, DriverOptions, DriverRecoveries,
    KnownTarget, ResultsQuery, SpecialisationKind, StringSpecialisation, SutInfo, TargetReach,
    TestResults,
};
pub use controller::{
    PlacedTarget, ProblemInfo, Recorded, RecordedAction, RecordedOperands, RecordedTarget,
    StringUse, SutController, Units,
};
#[cfg(all(feature = "client", feature = "server"))]
pub use proxy::{CountingProxy, CurvePoint, Tally};
#[cfg(feature = "client")]
pub use runtime::BlockingRuntime;
#[cfg(feature = "server")]
pub use server::{DriverServer, driver_host, driver_router, url_of};
#[cfg(feature = "client")]
pub use target::{DriverTarget, DriverTargetKind};
