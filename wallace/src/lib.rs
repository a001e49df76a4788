//! Evolutionary white-box fuzzing of web APIs: settings in, a test suite and a report out.
//!
//! This crate joins the parts: it starts the service through its driver, reads its schema, runs the
//! search, and writes what was found.
//!
//! ```no_run
//! use wallace::Fuzz;
//!
//! let summary = Fuzz::driver("localhost:40100").calls(5_000).out("generated").run()?;
//! println!("{} faults, suite in {}", summary.faults, summary.suite.display());
//! # Ok::<(), wallace::RunError>(())
//! ```
//!
//! [`Fuzz`] is the one way in: to services behind drivers, to those that run already, and to those in
//! this process, with [oracles](Oracle) and [targets](TargetSource) of your own.
//!
//! A service of the same workspace needs no driver and no port: [`test()`] searches it inside a
//! `#[test]`, and a fault fails the test with the requests that show it.
//!
//! ```no_run
//! # fn router() -> axum::Router { axum::Router::new() }
//! wallace::test(router()).calls(5_000).run()?.assert_no_faults();
//! # Ok::<(), wallace::RunError>(())
//! ```

mod advice;
mod alone;
mod asked;
pub mod checkpoint;
mod clock;
mod comparison;
mod corpus;
mod coverage;
mod deadline;
pub mod doctor;
mod error;
mod fault;
mod fresh;
mod fuzz;
mod history;
pub mod in_process;
mod insight;
mod instance;
mod keeper;
mod leave_out;
mod ledger;
mod local_service;
mod made_name;
mod made_thing;
mod outcome;
mod parameters;
pub mod plan;
pub mod process_group;
mod progress;
mod record;
pub mod replay;
pub mod report;
mod reserve;
mod run;
mod runtime;
mod search;
mod sent;
mod service_family;
mod service_test;
pub mod settings;
mod setup;
mod sharpen;
mod summary;
mod tally;
mod target_system;
mod test_fault;
mod test_run;
mod test_runner;
mod unrun;
mod vain;
mod write;

pub use comparison::Difference;
pub use corpus::CorpusError;
pub use coverage::Coverage;
pub use error::{RunError, StartError};
pub use fault::FoundFault;
pub use fuzz::Fuzz;
pub use progress::Progress;
pub use run::run;
pub use service_test::{ServiceTest, test};
pub use settings::Settings;
pub use summary::Summary;
pub use test_fault::{TakenValue, TestFault, TestStep};
pub use test_run::TestRun;
pub use wallace_engine::{Score, StopReason, StopSignal, TargetKind};
pub use wallace_problems::{
    Call, Fault, HttpOutcome, HttpRequest, HttpResponse, Oracle, OwnTarget, TargetSource,
};
pub use wallace_suite::{Format, UnknownFormat, report::counted};
