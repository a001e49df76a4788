//! The command from the first settings to the results, as a person holds it in their hands.

mod configuration;
mod container;
mod results;
mod safety;
mod start;
mod support;
