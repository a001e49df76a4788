//! Problems and tools that the benches share.

pub mod ablation;
pub mod argument;
pub mod black_box;
pub mod figure;
pub mod landscape;
pub mod one_max;
pub mod proxy;
pub mod replay;
pub mod service;
pub mod statistic;
pub mod usage;
