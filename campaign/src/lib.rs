//! Benchmark campaigns: many runs of tools on systems, and what follows from them.

mod definition;
mod error;
mod execution;
mod plan;
mod report;
pub mod statistic;

pub use definition::{
    Configuration, Definition, Need, Origin, PRESETS, Resources, RunBudget, Seeds, Statistics,
    System, preset,
};
pub use error::CampaignError;
pub use execution::{Event, confine, guard, run_local, work};
pub use plan::{Curve, Failure, Plan, Planned, Progress, RunDescription, RunId, RunResult};
pub use report::{Cell, Comparison, Pair, Ranking, Unique, report};
