//! What to ask of a driver, and how long to wait for it.

use std::borrow::Cow;
use std::time::Duration;

use hyper::body::Bytes;

use super::channel::render;
use crate::wire::lenient::Claim;
use crate::wire::request::RunSut;

/// Settings of a [`DriverClient`](crate::DriverClient).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverOptions {
    /// Which library calls the instrumentation of a JVM system replaces by ones that give
    /// gradients and taint: a comma list of the protocol's categories. Default
    /// `BASE,SQL,EXT_0,MONGO,REDIS`. Drivers ignore
    /// those that they do not know, and other drivers all.
    pub method_replacement_categories: String,
    /// Whether the driver computes distances of SQL conditions. Default true; it costs
    /// milliseconds a test and is what finds constants in databases.
    pub sql_heuristics: bool,
    /// Whether SQL distances are the newer, complete ones. Default false.
    pub advanced_sql_heuristics: bool,
    /// Longest wait to connect. Default 10 s.
    pub connect_timeout: Duration,
    /// Longest wait for the system to start or to be reset. Default 15 minutes.
    pub start_timeout: Duration,
    /// Longest wait for any other exchange. Default 2 minutes: some answers take drivers 20 s.
    pub exchange_timeout: Duration,
    /// Pause before a start is tried again, because the system had not yet gone. Default 2 s.
    pub restart_pause: Duration,
    /// A reset that takes longer may have started the system anew, so that the numbers of targets
    /// mean nothing any more. Default 2 s.
    pub slow_reset: Duration,
    /// Most bytes of an answer. Default 256 MiB.
    pub body_limit: usize,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self {
            method_replacement_categories: "BASE,SQL,EXT_0,MONGO,REDIS".to_owned(),
            sql_heuristics: true,
            advanced_sql_heuristics: false,
            connect_timeout: Duration::from_secs(10),
            start_timeout: Duration::from_secs(15 * 60),
            exchange_timeout: Duration::from_secs(2 * 60),
            restart_pause: Duration::from_secs(2),
            slow_reset: Duration::from_secs(2),
            body_limit: 256 << 20,
        }
    }
}

impl DriverOptions {
    /// The body that starts and resets, rendered once. All its fields are sent each time, because
    /// a missing one would switch SQL feedback off.
    pub(super) fn run_body(&self) -> Bytes {
        render(&self.run_sut(true))
    }

    /// The body that stops.
    pub(super) fn stop_body(&self) -> Bytes {
        render(&self.run_sut(false))
    }

    /// The categories as a query value. Characters other than those of category names are
    /// dropped: no driver knows a name with them.
    pub(super) fn encoded_categories(&self) -> String {
        let mut encoded = String::new();
        for character in self.method_replacement_categories.chars() {
            match character {
                ',' => encoded.push_str("%2C"),
                'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' => encoded.push(character),
                _ => {}
            }
        }
        encoded
    }

    fn run_sut(&self, runs: bool) -> RunSut<'_> {
        RunSut {
            run: Some(Claim(runs)),
            reset_state: Some(Claim(runs)),
            reset_customized_method_for_mock_object: Some(Claim(false)),
            calculate_sql_heuristics: Some(Claim(self.sql_heuristics)),
            advanced_heuristics: Some(Claim(self.advanced_sql_heuristics)),
            extract_sql_execution_info: Some(Claim(self.sql_heuristics)),
            method_replacement_categories: Some(Cow::Borrowed(&self.method_replacement_categories)),
        }
    }
}
