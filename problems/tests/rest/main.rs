//! REST: descriptions, requests, and what is judged of responses.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod broken_descriptions;
mod checks;
mod hostile_descriptions;
mod judge;
mod plans;
mod requests;
mod support;
mod wild_descriptions;
