//! Benchmark campaigns: many runs of tools on systems, and what follows from them.

mod cluster;
mod definition;
mod doctor;
mod error;
mod execution;
mod plan;
mod report;
pub mod statistic;
mod verify;

pub use cluster::{element, kubernetes_job, run_on_slurm};
pub use definition::{
    Configuration, Definition, Need, Origin, PRESETS, Resources, RunBudget, Seeds, Statistics,
    System, preset,
};
pub use doctor::{Diagnosis, diagnose};
pub use error::CampaignError;
pub use execution::{Event, confine, guard, run_local, work};
pub use plan::{Curve, Failure, Plan, Planned, Progress, RunDescription, RunId, RunResult};
#[cfg(feature = "png")]
pub use report::png;
pub use report::{Cell, Comparison, Pair, Ranking, Unique, report};
pub use verify::{Verified, verify};
