//! What is written to files: laid out as expected, legal whatever the service says, and,
//! with `RUN_SLOW_TESTS=1`, compiled and run.

#![allow(clippy::unwrap_used, reason = "tests")]

mod browser;
mod captured;
mod golden;
mod hostile;
mod reports;
mod run;
mod runner;
mod shop;
mod support_library;
mod wfc_report;
