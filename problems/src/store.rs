//! Documents and keys as part of a test.
//!
//! A driver tells in which collection a query found nothing, and which command on keys. A test is
//! made then that begins with such a document or key: `shape` finds out what documents are like,
//! `key` which command puts what was asked for under a key, `document` holds both as genes, and
//! what was tried, taken and refused is remembered ([`StoreMemory`]). What a query asked for is not
//! told, so that members called like the inputs of the call get their values, and feed the call from
//! then on.

mod document;
mod ends;
mod key;
mod learn;
mod memory;
mod object;
mod outcome;
mod shape;
mod step;

use wallace_genes::{SpecRef, TemplateId};

pub use memory::StoreMemory;
pub(crate) use outcome::secondary;
pub use outcome::{StoreMiss, StoreOutcome};
pub(crate) use step::Insertion;

/// Template of documents: far from those of operations and of tables.
const DOCUMENT: TemplateId = TemplateId(u32::MAX - 1);
/// Template of values under keys.
const KEY: TemplateId = TemplateId(u32::MAX - 2);

/// The documents and keys of stores behind a service. Which collections and keys there are shows
/// while the service runs: that is in the genes, and this is the same for all services.
#[derive(Debug, Clone)]
pub struct Stores {
    spec: SpecRef,
}

impl Default for Stores {
    fn default() -> Self {
        Self { spec: document::spec() }
    }
}

impl Stores {
    /// The specification of a template; `None` where it is none of documents or keys.
    pub(crate) fn spec(&self, template: TemplateId) -> Option<SpecRef> {
        [DOCUMENT, KEY].contains(&template).then(|| self.spec.clone())
    }
}
