//! The command from the first settings to the results, as a person holds it in their hands.

mod configuration;
mod container;
#[cfg(unix)]
#[path = "../common/interrupt.rs"]
mod interrupt;
mod results;
mod safety;
mod start;
mod support;
