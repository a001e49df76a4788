//! Benchmark campaigns: many runs of tools on systems, and what follows from them.
//!
//! A [`Definition`] says which systems, configurations and seeds are compared. A [`Plan`] is the folder
//! with all its runs and their results; runs that have a result are never executed again, so that a
//! campaign that was interrupted goes on where it was. [`report()`] tells what follows from the results.
//!
//! Runs are executed in two ways, with the same results:
//!
//! * in this process, by [`run_in_process`], which asks you for each system;
//! * by the `wallace` command, by [`run_local`] (one process for each run, with limits of time and
//!   memory), or on a cluster ([`cluster`]).
//!
//! Here two searches are compared on a service of this process:
//!
//! ```
//! use emb_fixtures::{Fixture, Options};
//! use wallace_campaign::{Definition, Opened, Plan, System, report, run_in_process};
//!
//! let definition = Definition::parse(
//!     r#"
//!     name = "example"
//!     seeds = 2
//!     budget = { calls = 200 }
//!     [[system]]
//!     name = "numbers"
//!     fixture = "graphql-ncs"
//!     [[configuration]]
//!     name = "mio"
//!     [[configuration]]
//!     name = "random"
//!     algorithm = "random"
//!     "#,
//!     "example",
//! )?;
//! let folder = tempfile::tempdir()?;
//! let (plan, _) = Plan::make(definition, folder.path())?;
//!
//! let open = |system: &System| {
//!     let service = Fixture::find("graphql-ncs").map_err(|error| error.to_string())?;
//!     let service = service.start(Options::default()).map_err(|error| error.to_string())?;
//!     let driver = service.driver_url.clone().ok_or("it has no driver")?;
//!     Ok(Opened::driver(system, driver, service))
//! };
//! let progress = run_in_process(&plan, &open, &|| false, &mut |_| {})?;
//! assert_eq!(progress.done, 4);
//! let files = report(&plan, &folder.path().join("report"))?;
//! assert!(files.iter().any(|file| file.ends_with("report.html")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cluster;
mod definition;
mod doctor;
mod error;
mod execution;
mod plan;
mod report;
pub mod statistic;
mod verify;

pub use definition::{
    Configuration, Definition, Need, Origin, PRESETS, Resources, RunBudget, Seeds, Statistics,
    System, preset,
};
pub use doctor::{Diagnosis, diagnose};
pub use error::CampaignError;
pub use execution::{Event, Opened, confine, guard, run_in_process, run_local, work};
pub use plan::{Curve, Failure, Plan, Planned, Progress, RunDescription, RunId, RunResult};
#[cfg(feature = "png")]
pub use report::png;
pub use report::{Cell, Comparison, Pair, Ranking, Unique, report};
pub use verify::{Verified, verify};
