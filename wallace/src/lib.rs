//! Evolutionary white-box fuzzing of web APIs: settings in, a test suite and a report out.
//!
//! This crate joins the parts: it starts the service through its driver, reads its schema, runs the
//! search, and writes what was found.
//!
//! ```no_run
//! use wallace::{Settings, StopSignal, run};
//!
//! let settings = Settings { calls: Some(5_000), ..Settings::new("localhost:40100", "generated") };
//! let summary = run(&settings, &StopSignal::default(), &mut |_| {})?;
//! println!("{} faults, suite in {}", summary.faults, summary.suite.display());
//! # Ok::<(), wallace::RunError>(())
//! ```

mod checkpoint;
mod clock;
mod corpus;
mod coverage;
mod error;
mod keeper;
mod progress;
mod rest;
mod run;
mod settings;
mod setup;
mod summary;
mod tally;
mod target_system;
mod write;

pub use checkpoint::{CheckpointError, CheckpointHeader};
pub use corpus::CorpusError;
pub use coverage::Coverage;
pub use error::RunError;
pub use progress::Progress;
pub use run::{checkpoint_beside, run};
pub use settings::{RestOptions, Settings};
pub use summary::Summary;
pub use wallace_engine::{SearchSettings, StopReason, StopSignal};
