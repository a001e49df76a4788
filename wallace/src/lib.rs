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
mod checkpoint;
mod clock;
mod comparison;
mod corpus;
mod coverage;
mod doctor;
mod error;
mod face;
mod fault;
mod fresh;
mod fuzz;
mod history;
mod in_process;
mod insight;
mod keeper;
mod ledger;
mod local_service;
mod made_name;
mod parameters;
mod plan;
mod process_group;
mod progress;
mod record;
mod replay;
mod run;
mod search;
mod service_test;
mod settings;
mod setup;
mod sharpen;
mod summary;
mod tally;
mod target_system;
mod test_fault;
mod test_run;
mod test_runner;
mod vain;
mod write;

pub use checkpoint::{CheckpointError, CheckpointHeader};
pub use comparison::Difference;
pub use corpus::CorpusError;
pub use coverage::Coverage;
pub use doctor::{Check, CheckState, doctor};
pub use error::RunError;
pub use fault::FoundFault;
pub use fuzz::Fuzz;
pub use in_process::{InProcess, NoResponse};
pub use local_service::LocalService;
pub use parameters::Parameters;
pub use plan::{Plan, PlannedOperation, plan};
pub use process_group::{ProcessGroup, end_process_groups};
pub use progress::Progress;
pub use replay::{ReplayChoice, Replayed, replay};
pub use run::{checkpoint_beside, run};
pub use service_test::{ServiceTest, test};
pub use settings::{GraphqlSettings, RestSettings, ResultSettings, Settings, Target};
pub use summary::Summary;
pub use target_system::StartError;
pub use test_fault::{TakenValue, TestFault, TestStep};
pub use test_run::TestRun;
pub use test_runner::{ReplayTarget, TestRunner};
pub use wallace_engine::{
    Attribution, Idle, Score, SearchSettings, StopReason, StopSignal, TargetKind, TargetResult,
};
pub use wallace_genes::{GeneSettings, Setting, SettingError};
pub use wallace_problems::graphql::{CheckSettings, SubscriptionLimits};
pub use wallace_problems::rest::TestSettings;
pub use wallace_problems::{
    Call, Fault, HttpOutcome, HttpRequest, HttpResponse, Oracle, OwnTarget, TargetSource,
};
pub use wallace_suite::{
    Baseline, Format, LedgerRow, LedgerSum, Phase, RECORD_FILE, RecordError, RunRecord, Severity,
    TargetRecord, UnknownFormat, Verdict, explain, report_files,
};
pub use wallace_sut_driver::TlsSettings;
