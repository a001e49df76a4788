//! A catalogue behind an object mapper, whose database is empty: nearly all that it decides, it
//! decides about rows, and no operation makes any.
//!
//! [`operation`] holds what the service does, instrumented; [`mapper`] makes the statements of it,
//! [`record`] the tables, and [`face`] is what callers see.

mod face;
mod mapper;
mod operation;
mod record;

use crate::database::Database;
use crate::running::{Running, StartError, Subject};
use crate::{interface::Interface, rest};

/// A catalogue of products, stocks and orders, to be started with a driver.
///
/// | operations | what they do |
/// | --- | --- |
/// | 20 reads | answer `[]`, 404 or 500 over empty tables; their filters are optional |
/// | `GET /reports/turnover` | takes its time, and never succeeds |
/// | `GET /glossary` | shows endless constants |
/// | `POST /import`, `POST /scores` | are switched off: 403, whatever is sent |
/// | [`Catalogue::SKIPPED`] | the driver asks not to call them |
#[derive(Debug, Clone, Copy)]
pub struct Catalogue {
    /// Whether its driver tells which statements were executed, as one does that stands where those
    /// of the object mapper pass.
    pub tells_statements: bool,
}

impl Catalogue {
    /// Paths that the driver asks not to call.
    pub const SKIPPED: [&'static str; 3] = ["/health", "/health.json", "/error"];

    /// Starts an instance on free ports, with a driver.
    ///
    /// # Errors
    /// When no port can be taken.
    pub fn start(self) -> Result<Running, StartError> {
        let database = Database::new(&[record::SCHEMA], "");
        let subject = Subject {
            name: "catalogue",
            interface: Interface::Rest { open_api: rest::OPEN_API },
            unit_prefixes: &["emb_fixtures::catalogue"],
            system: face::system(database),
            tells_statements: self.tells_statements,
            skipped: &Self::SKIPPED,
        };
        subject.start(0, Some(0))
    }
}
