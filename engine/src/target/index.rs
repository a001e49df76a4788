//! Numbers of targets inside one run.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use serde::{Deserialize, Serialize};

use crate::target::name::TargetName;

/// Number of a target inside one run. It means nothing outside of the run and its snapshots, which
/// hold the names that the numbers stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TargetId(pub(crate) u32);

impl TargetId {
    /// The number as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Names and numbers of the targets of one run. Numbers are given in the order of commits, so they
/// do not depend on the number of workers.
#[derive(Debug, Default, Clone)]
pub(crate) struct TargetIndex {
    names: Vec<TargetName>,
    ids: HashMap<TargetName, TargetId, BuildHasherDefault<StoredHash>>,
}

impl TargetIndex {
    /// The number of a name, a new one when it was never seen.
    pub(crate) fn intern(&mut self, name: &TargetName) -> TargetId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = TargetId(u32::try_from(self.names.len()).expect("fewer than 2^32 targets"));
        self.names.push(name.clone());
        self.ids.insert(name.clone(), id);
        id
    }

    pub(crate) fn find(&self, name: &TargetName) -> Option<TargetId> {
        self.ids.get(name).copied()
    }

    /// The name behind a number; `None` for a number of another run.
    pub(crate) fn name(&self, id: TargetId) -> Option<&TargetName> {
        self.names.get(id.index())
    }

    /// All names, in the order of their numbers.
    pub(crate) fn names(&self) -> &[TargetName] {
        &self.names
    }
}

/// Passes the hash on that a [`TargetName`] brings along.
#[derive(Default)]
struct StoredHash(u64);

impl Hasher for StoredHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        // The table takes its control bits from the top, which FNV mixes least.
        self.0 = hash ^ hash.rotate_left(32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_are_one_target() {
        let mut index = TargetIndex::default();
        let one = index.intern(&"Line_at_a_00001".into());
        let other = index.intern(&"Line_at_a_00002".into());
        assert_ne!(one, other);
        assert_eq!(index.intern(&"Line_at_a_00001".into()), one);
        assert_eq!(index.name(other).map(TargetName::as_str), Some("Line_at_a_00002"));
        assert_eq!(index.name(TargetId(2)), None);
    }
}
