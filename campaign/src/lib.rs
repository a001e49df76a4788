//! Benchmark campaigns.
pub mod statistic;
