//! A depot whose documents and keys are elsewhere: nothing is there at first, no operation puts
//! anything there, and nearly all that is decided is decided about what is found.
//!
//! [`operation`] holds what the service does, instrumented; [`store`] keeps documents and keys, and
//! tells drivers what was looked for in vain, as the field's do; [`face`] is what callers see.

mod face;
mod operation;
mod store;

use crate::running::{Running, StartError, Subject};
use crate::{interface::Interface, rest};

pub(crate) use store::Store;

/// A depot of parcels, to be started with a driver.
///
/// | operations | what they read |
/// | --- | --- |
/// | 3 on parcels, 3 on couriers and tours | documents whose type the driver tells |
/// | `GET /branches/{name}` | documents of a class without a schema |
/// | 6 on sessions, labels, zones, quotas and drafts | texts, fields of hashes and sets under keys |
#[derive(Debug, Clone, Copy)]
pub struct Depot;

impl Depot {
    /// Starts an instance on free ports, with a driver.
    ///
    /// # Errors
    /// When no port can be taken.
    pub fn start(self) -> Result<Running, StartError> {
        let subject = Subject {
            name: "depot",
            interface: Interface::Rest { open_api: rest::OPEN_API },
            unit_prefixes: &["emb_fixtures::depot"],
            system: face::system(Store::default()),
            tells_statements: true,
            skipped: &[],
        };
        subject.start(0, Some(0))
    }
}
