//! Production operations in, tests with schema oracles and coverage out.
//!
//! [`read`] takes operations from logs of many kinds, [`Masking`] removes secrets, and a
//! [`Harvest`] parses and validates them against a schema, merges similar ones, and keeps what is
//! wrong with the rest. From a harvest come tests whose oracle is the schema itself
//! ([`Harvest::tests`]), the part of the schema that production uses ([`CoverageReport`]), and what
//! a new version of the schema would break ([`drift()`]). A [`RecordingProxy`] between clients and
//! service records operations as they happen.
//!
//! # Example
//! ```
//! use std::sync::Arc;
//!
//! use wallace_harvest::{Harvest, HarvestSettings, Schema, read_text};
//!
//! let schema = Schema::from_sdl("type Query { user(id: ID!): User } type User { name: String! }")?;
//! let log = r#"{"query": "query Name($id: ID!) { user(id: $id) { name } }", "variables": {"id": "7"}}"#;
//! let reading = read_text("requests.ndjson", log);
//! let harvest = Harvest::new(Arc::new(schema), reading, &mut HarvestSettings::default());
//! assert_eq!(harvest.coverage().covered(), 2);
//! assert_eq!(harvest.tests()[0].name, "name_fits_the_schema");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assertion_count;
mod coverage;
mod document;
mod drift;
mod har;
mod harvest;
mod logged;
mod made_up;
mod mask;
mod merge;
mod ndjson;
mod oracle;
mod order;
mod output;
mod persisted;
mod proxy;
mod read;
mod report;
mod seed;
mod selection;
mod test_case;

pub use assertion_count::AssertionCount;
pub use coverage::{CoverageReport, CoveredTuple};
pub use drift::{Break, BreakKind, drift};
pub use harvest::{Harvest, HarvestSettings, HarvestedOperation};
pub use logged::{LoggedOperation, Origin, Reading, RecordedAnswer, Rejected};
pub use mask::Masking;
pub use output::write;
pub use proxy::{RecordingProxy, RecordingSettings, RecordingStatistics};
pub use read::{ReadError, read, read_text};
pub use report::page;
pub use wallace_problems::graphql::{Schema, SchemaError};
